import type { Competition, Solution } from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";
import { valueByHex } from "../../units/value_by_hex.ts";
import type { BidSheet } from "./bid_sheet.ts";
import type {
  CompetitionReplay,
  ReplayDifference,
  ReplayedSolution,
  ReplayReason,
} from "./replay_result.ts";
import type { ReplayOptions } from "./replay_options.ts";
import { scoredOrders } from "./scored_orders.ts";

/** What was replayed, before it is compared. */
export interface ReplayedAuction {
  /** The bids as numbers. */
  readonly sheet: BidSheet;
  /** All solutions, best first. */
  readonly solutions: readonly ReplayedSolution[];
  /** Sum of the winners' scores. */
  readonly totalScore: bigint;
  /** Reference score of each winning solver. */
  readonly referenceScores: ReadonlyMap<string, bigint>;
  /** Options of the caller. */
  readonly options: ReplayOptions;
  /** The maximum of winners, as used. */
  readonly maxWinners: number;
  /** Solutions that share their score with another one. */
  readonly tiedSolutions: number;
}

/** Compares a replay with what was reported. */
export function compareReplay(
  competition: Competition,
  replayed: ReplayedAuction,
): CompetitionReplay {
  const { solutions, totalScore, referenceScores, options, maxWinners, tiedSolutions } = replayed;
  const differences: ReplayDifference[] = [];
  let filterFlagsReported = 0;
  for (const each of solutions) {
    if (each.filterFrom === "reported") filterFlagsReported++;
    const reported = competition.solutions[each.index]!;
    if (
      reported.ranking !== each.ranking || reported.isWinner !== each.isWinner ||
      reported.filteredOut !== each.filteredOut
    ) addSolutionDifferences(differences, reported, each);
  }
  addReferenceDifferences(differences, competition, replayed);
  if (options.maxSolutionsPerSolver !== undefined) {
    addCountDifferences(differences, replayed.sheet, options.maxSolutionsPerSolver);
  }
  return {
    auctionId: competition.auctionId,
    agrees: differences.length === 0,
    differences,
    possibleReasons: differences.length === 0 ? [] : possibleReasons(competition, replayed),
    solutions,
    totalScore,
    referenceScores,
    basis: {
      maxWinners,
      maxWinnersFrom: options.maxWinners === undefined ? "default" : "given",
      filterFlagsReplayed: solutions.length - filterFlagsReported,
      filterFlagsReported,
      tiedSolutions,
    },
  };
}

function addSolutionDifferences(
  differences: ReplayDifference[],
  reported: Solution,
  { index, ranking, isWinner, filteredOut }: ReplayedSolution,
): void {
  const which = { index, solver: reported.solverAddress };
  if (reported.filteredOut !== filteredOut) {
    const what = "filteredOut" as const;
    differences.push({ what, ...which, reported: reported.filteredOut, replayed: filteredOut });
  }
  if (reported.isWinner !== isWinner) {
    const what = "isWinner" as const;
    differences.push({ what, ...which, reported: reported.isWinner, replayed: isWinner });
  }
  if (reported.ranking !== ranking) {
    const what = "ranking" as const;
    differences.push({ what, ...which, reported: reported.ranking, replayed: ranking });
  }
}

/**
 * Compares by solver: the answer contains each reference score in a list and on the solver's
 * solutions.
 */
function addReferenceDifferences(
  differences: ReplayDifference[],
  competition: Competition,
  { referenceScores }: ReplayedAuction,
): void {
  const what = "referenceScore" as const;
  let matched = 0;
  for (const [solver, replayed] of referenceScores) {
    const reported = valueByHex(competition.referenceScores, solver);
    if (reported !== undefined) matched++;
    if (reported === replayed) continue;
    differences.push({ what, solver, reported: reported ?? null, replayed });
  }
  if (matched === Object.keys(competition.referenceScores).length) return;
  const solvers = [...referenceScores.keys()];
  for (const [solver, reported] of Object.entries(competition.referenceScores)) {
    if (solvers.some((each) => sameHex(each, solver))) continue;
    differences.push({ what, solver, reported, replayed: null });
  }
}

function addCountDifferences(
  differences: ReplayDifference[],
  { solvers, solverNames }: BidSheet,
  most: number,
): void {
  const counts = new Map<number, number>(solverNames.map((_, solver) => [solver, 0]));
  for (const solver of solvers) counts.set(solver, counts.get(solver)! + 1);
  for (const [solver, reported] of counts) {
    if (reported <= most) continue;
    const name = solverNames[solver]!;
    differences.push({ what: "solutions_per_solver", solver: name, reported, replayed: most });
  }
}

function possibleReasons(
  competition: Competition,
  { sheet, options, tiedSolutions }: ReplayedAuction,
): ReplayReason[] {
  const isScored = scoredOrders(competition.auction);
  const hasJitOrders = competition.solutions.some(({ orders }) =>
    orders.some(({ id }) => !isScored(id))
  );
  const reasons: ReplayReason[] = [];
  if (tiedSolutions > 0) reasons.push("tie");
  if (options.maxWinners === undefined) reasons.push("max_winners");
  reasons.push("orders_missing");
  if (hasJitOrders && options.surplusCapturingJitOrderOwners == null) {
    reasons.push("jit_orders");
  }
  if (sheet.hasUnwrappedNative) reasons.push("native_token");
  return reasons;
}
