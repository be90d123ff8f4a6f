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
import { capturingOwners } from "./scenario_roles.ts";
import { compared, type Tally } from "./tally.ts";
import { groupRows, type StoredReferenceScore, type StoredSolution } from "./truth.ts";

/** The service's record of an auction, or its answer without records. */
interface Expected {
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
  const ownersOf = capturingOwners(scenario);
  for (const { id } of truth?.competition_auctions ?? []) {
    if (!competitions.has(id)) tally.remarks.push(`${tally.scenario}: auction ${id} not recorded`);
  }
  for (const competition of competitions.values()) {
    const { auctionId } = competition;
    const expected = truth === null
      ? asAnswered(competition)
      : asStored(competition, solutions.get(auctionId) ?? [], references.get(auctionId) ?? []);
    const owners = ownersOf(auctionId);
    const options: ReplayOptions = {
      maxWinners,
      ...(wrappedNativeToken === undefined ? {} : { wrappedNativeToken }),
      ...(owners === undefined ? {} : { surplusCapturingJitOrderOwners: owners }),
    };
    const known = policies.get(auctionId) ?? new Map<string, readonly FeePolicy[]>();
    const terms = { orders: scenario.orders, policies: known };
    // Once from the public answer alone, and once with the orders' details.
    checkReplay(competition, expected, replayCompetition(competition, options), tally);
    const whole = replayCompetition(competition, { ...options, ...terms });
    checkReplay(competition, expected, whole, tally);
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
      const found = `${where}: ${scored.kind} ${scored.score}, but ${reported} was stored`;
      tally.check(isBound ? "score bounds" : "scores", agrees ? null : found);
    }
  }
}

function checkReplay(
  { auctionId, solutions }: Competition,
  expected: Expected,
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
    push(faults.filter, compared(`${where}: filtered out`, filteredOut, stored.filtered_out));
    push(faults.winners, compared(`${where}: winner`, isWinner, stored.is_winner));
    push(faults.ranking, compared(`${where}: ranking`, ranking, stored.uid + 1));
  }
  tally.check("filter", textOf(faults.filter));
  tally.check("winners", textOf(faults.winners));
  tally.check("ranking", textOf(faults.ranking));
  const references = expected.references.map(({ solver, reference_score }) => {
    const entry = [...replay.referenceScores].find(([each]) => sameHex(each, solver));
    return compared(`${auction}, solver ${solver}: reference`, `${entry?.[1]}`, reference_score);
  });
  const count = `${auction}: solvers with a reference score`;
  references.push(compared(count, replay.referenceScores.size, expected.references.length));
  tally.check("reference", textOf(references.filter((each) => each !== null)));
}

function push(faults: string[], fault: string | null): void {
  if (fault !== null) faults.push(fault);
}

function textOf(faults: readonly string[]): string | null {
  return faults.length === 0 ? null : faults.join("; ");
}

function asAnswered({ auctionId, solutions, referenceScores }: Competition): Expected {
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
function asStored(
  { solutions }: Competition,
  rows: readonly StoredSolution[],
  references: readonly StoredReferenceScore[],
): Expected {
  const left = rows.toSorted((a, b) => a.uid - b.uid);
  const found = new Map<number, StoredSolution>();
  const byPlace = [...solutions.entries()].sort(([, a], [, b]) => a.ranking - b.ranking);
  for (const [index, { solverAddress, score }] of byPlace) {
    const at = left.findIndex((row) =>
      sameHex(row.solver, solverAddress) && row.score === `${score}`
    );
    if (at !== -1) found.set(index, ...left.splice(at, 1) as [StoredSolution]);
  }
  return { solutions: solutions.map((_, index) => found.get(index)), references };
}
