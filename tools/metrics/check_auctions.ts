import { type Competition, sameHex } from "orderlens";
import {
  type CompetitionReplay,
  isNotComputable,
  policiesByAuction,
  replayCompetition,
  type ReplayOptions,
  scoreSolution,
} from "orderlens/metrics";
import type { FeePolicy } from "orderlens/schemas";
import type { Scenario } from "./read_scenario.ts";
import { indexCapturingOwners } from "./scenario_roles.ts";
import { compare, type Tally } from "./tally.ts";
import { groupRows, type StoredReferenceScore, type StoredSolution } from "./truth.ts";

/** The service's record of an auction, or its answer without records. */
interface ExpectedAuction {
  /** The stored solution of each solution of the answer. */
  readonly solutions: readonly (StoredSolution | undefined)[];
  readonly references: readonly StoredReferenceScore[];
}

/** Compares replay and scores of every auction with the service's records. */
export function checkAuctions(scenario: Scenario, tally: Tally, maxWinners: number): void {
  const { truth, competitions, wrappedNativeToken } = scenario;
  const policies = policiesByAuction({ debugReports: scenario.reports.values() });
  const solutions = groupRows(truth?.proposed_solutions, (row) => row.auction_id);
  const references = groupRows(truth?.reference_scores, (row) => row.auction_id);
  const proposals = groupRows(
    truth?.proposed_trade_executions,
    (row) => `${row.auction_id} ${row.solution_uid}`,
  );
  const ownersOf = indexCapturingOwners(scenario);
  for (const { id } of truth?.competition_auctions ?? []) {
    if (!competitions.has(id)) tally.remarks.push(`${tally.scenario}: auction ${id} not recorded`);
  }
  for (const competition of competitions.values()) {
    const { auctionId } = competition;
    const expected = truth === null
      ? toExpected(competition)
      : findExpected(competition, solutions.get(auctionId) ?? [], references.get(auctionId) ?? []);
    const owners = ownersOf(auctionId);
    const options: ReplayOptions = {
      maxWinners,
      ...(wrappedNativeToken === undefined ? {} : { wrappedNativeToken }),
      ...(owners === undefined ? {} : { surplusCapturingJitOrderOwners: owners }),
    };
    const auctionPolicies = policies.get(auctionId) ?? new Map<string, readonly FeePolicy[]>();
    const terms = { orders: scenario.orders, policies: auctionPolicies };
    // Once from the public answer alone, and once with the orders' details.
    checkReplay(competition, expected, replayCompetition(competition, options), tally);
    const fullReplay = replayCompetition(competition, { ...options, ...terms });
    checkReplay(competition, expected, fullReplay, tally);
    for (const [index, solution] of competition.solutions.entries()) {
      const stored = expected.solutions[index];
      const where = `auction ${auctionId}, ranking ${solution.ranking}`;
      if (stored === undefined) {
        tally.check("scores", `${where}: the solution was not stored`);
        continue;
      }
      const scored = scoreSolution(solution, competition.auction, {
        ...terms,
        surplusCapturingJitOrderOwners: owners,
      });
      if (isNotComputable(scored)) {
        tally.check("scores", `${where}: ${scored.uid}: ${scored.detail}`);
        continue;
      }
      // An unsettled JIT order is in no answer, but its surplus is in the score.
      const proposed = proposals.get(`${auctionId} ${stored.uid}`)?.length;
      const mayLackOrders = proposed === undefined
        ? (owners?.length ?? 0) > 0
        : proposed > solution.orders.length;
      const reported = BigInt(stored.score);
      const isBound = scored.kind === "lower_bound" || mayLackOrders && scored.score < reported;
      const agrees = isBound ? scored.score <= reported : scored.score === reported;
      const difference = `${where}: ${scored.kind} ${scored.score}, but ${reported} was stored`;
      tally.check(isBound ? "score bounds" : "scores", agrees ? null : difference);
    }
  }
}

function checkReplay(
  { auctionId, solutions }: Competition,
  expected: ExpectedAuction,
  replay: CompetitionReplay,
  tally: Tally,
): void {
  const auction = `auction ${auctionId}`;
  const faults = { filter: [] as string[], winners: [] as string[], ranking: [] as string[] };
  for (const { index, ranking, isWinner, filteredOut, filterFrom } of replay.solutions) {
    const stored = expected.solutions[index];
    const where = `${auction}, solver ${solutions[index]!.solverAddress}`;
    if (filterFrom === "reported") tally.skip("filter");
    if (stored === undefined) {
      faults.ranking.push(`${where}: the solution was not stored`);
      continue;
    }
    push(faults.filter, compare(`${where}: filtered out`, filteredOut, stored.filtered_out));
    push(faults.winners, compare(`${where}: winner`, isWinner, stored.is_winner));
    push(faults.ranking, compare(`${where}: ranking`, ranking, stored.uid + 1));
  }
  tally.check("filter", joinFaults(faults.filter));
  tally.check("winners", joinFaults(faults.winners));
  tally.check("ranking", joinFaults(faults.ranking));
  const references = expected.references.map(({ solver, reference_score }) => {
    const entry = [...replay.referenceScores].find(([address]) => sameHex(address, solver));
    return compare(`${auction}, solver ${solver}: reference`, `${entry?.[1]}`, reference_score);
  });
  const count = `${auction}: solvers with a reference score`;
  references.push(compare(count, replay.referenceScores.size, expected.references.length));
  tally.check("reference", joinFaults(references.filter((fault) => fault !== null)));
}

function push(faults: string[], fault: string | null): void {
  if (fault !== null) faults.push(fault);
}

function joinFaults(faults: readonly string[]): string | null {
  return faults.length === 0 ? null : faults.join("; ");
}

function toExpected({ auctionId, solutions, referenceScores }: Competition): ExpectedAuction {
  return {
    solutions: solutions.map((solution) => ({
      auction_id: auctionId,
      uid: solution.ranking - 1,
      solver: solution.solverAddress,
      is_winner: solution.isWinner,
      filtered_out: solution.filteredOut,
      score: `${solution.score}`,
    })),
    references: Object.entries(referenceScores).map(([solver, score]) => ({
      auction_id: auctionId,
      solver,
      reference_score: `${score}`,
    })),
  };
}

/** Finds the stored row of each solution by solver and score, in ranking order. */
function findExpected(
  { solutions }: Competition,
  rows: readonly StoredSolution[],
  references: readonly StoredReferenceScore[],
): ExpectedAuction {
  const unmatched = rows.toSorted((a, b) => a.uid - b.uid);
  const matches = new Map<number, StoredSolution>();
  const byRanking = [...solutions.entries()].sort(([, a], [, b]) => a.ranking - b.ranking);
  for (const [index, { solverAddress, score }] of byRanking) {
    const rowIndex = unmatched.findIndex((row) =>
      sameHex(row.solver, solverAddress) && row.score === `${score}`
    );
    if (rowIndex !== -1) matches.set(index, ...unmatched.splice(rowIndex, 1) as [StoredSolution]);
  }
  return { solutions: solutions.map((_, index) => matches.get(index)), references };
}
