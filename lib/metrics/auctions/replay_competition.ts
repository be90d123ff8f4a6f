import { checkOptions } from "../../errors/option_rules.ts";
import type { Competition, Solution } from "../../schemas/mod.ts";
import { findByHex } from "../../units/hex_map.ts";
import { sameHex } from "../../units/mod.ts";
import { indexByUid, isNotComputable, type NotComputable } from "../not_computable.ts";
import { type BidSheet, readBids } from "./bid_sheet.ts";
import {
  type AuctionPath,
  findBestScore,
  findQuoteWinner,
  recognizeAuctionPath,
} from "./fast_path.ts";
import { judgeBySurplus } from "./judge_by_surplus.ts";
import {
  createFairnessTerms,
  createScoredCheck,
  type Fairness,
  judgeFairness,
} from "./judge_fairness.ts";
import {
  type CompetitionReplay,
  REPLAY_OPTIONS,
  type ReplayDifference,
  type ReplayedSolution,
  type ReplayOptions,
  type ReplayReason,
  scoreExecution,
} from "./score_solution.ts";

/** The service's default for the maximum number of winners. */
const DEFAULT_MAX_WINNERS = 20;

/**
 * Replays an auction from its public record: the solutions that are filtered out as unfair, the winners,
 * the ranking, and the reference score of each winning solver. Compares the result with the report.
 *
 * 1. A solution that scores on two or more directed pairs is filtered out if any of its pair scores
 *    is below the best score of a solution on exactly that pair.
 * 2. The others win by score, highest first, up to `maxWinners`; a solution is skipped if an
 *    earlier winner claims one of its directed pairs. In this step the native token counts as its
 *    wrapped token, and every order of a solution claims its pair.
 * 3. Ranking: winners by score, then the others by score, then filtered solutions by score.
 * 4. The reference score of a winning solver is the sum of the scores that would win without its
 *    solutions: rule 2 applied again to the solutions that were not filtered out, in the order of
 *    their ranking (winners first, as in the service), without filtering again. It is `0n` if
 *    nobody else bid.
 *
 * Winners, ranking and reference scores are exact from the response alone. So is the filter for
 * solutions of one pair, for those with a score too low for the baselines of their pairs, and for
 * those whose pairs have no baseline; for the others it needs the `orders` with their limits, and
 * their `policies` make it exact. If it remains undecided, the reported flag is used, and counted
 * in the `basis`. An order that the auction does not list does not count for the score unless its
 * owner captures surplus; without the list of owners none counts, and `jit_orders` is among the
 * reasons for a difference. Solutions of equal score keep the order of their reported ranks: the
 * service orders them by a hash of what solvers sent, which no response contains.
 *
 * An auction that {@linkcode recognizeAuctionPath} finds on the fast path is replayed by the rule of
 * that path, whatever the options: the solver of the order's quote wins (as reported without the order),
 * a bid below the order's limit is filtered out with score 0, the reference score is the best score of
 * the other bids. Ranks follow the quote, which is in no response: they are as reported.
 *
 * With `fairness: false`, or another `maxWinners` than the service had, the replay applies other rules
 * to the same bids, and its differences are the changes: as exact as by the rules in force, and without
 * the filter nothing remains undecided. A stand-in of {@linkcode judgeBySurplus} as `fairness` filters
 * without policies. Whether solvers would have bid otherwise is in no record.
 * {@linkcode asReplayed} returns such a result as an auction.
 *
 * @param competition One auction, as returned by `v2/solver_competition`.
 * @returns The replay with its differences. Without solutions it is empty, and agrees.
 * @throws {InputError} If an option is unknown, or `maxWinners` or `maxSolutionsPerSolver` is not a
 * whole number of at least 1.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/winner-selection/src/arbitrator.rs | the service's arbitrator}
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/configs/src/autopilot/run_loop.rs | the service's defaults}
 *
 * @example The solution with the highest score is unfair to one of its pairs
 * ```ts
 * import type { Competition } from "orderlens";
 * import { replayCompetition } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const [x, y, z] = ["0x0a", "0x0b", "0x0c"];
 * const bid = (solver: string, score: bigint, ranking: number, pairs: string[][]) => ({
 *   solverAddress: solver,
 *   score,
 *   ranking,
 *   clearingPrices: {},
 *   orders: pairs.map(([sellToken = "", buyToken = ""]) => ({
 *     id: `${sellToken} to ${buyToken}`,
 *     sellAmount: 1n,
 *     buyAmount: 1n,
 *     sellToken,
 *     buyToken,
 *   })),
 *   isWinner: ranking <= 2,
 *   filteredOut: ranking === 3,
 * });
 * const competition: Competition = {
 *   auctionId: 1,
 *   auctionStartBlock: 10,
 *   transactionHashes: [],
 *   referenceScores: { "0xb0": 50n, "0xc0": 70n },
 *   auction: { orders: ["0x0a to 0x0b", "0x0b to 0x0c"], prices: {} },
 *   solutions: [
 *     bid("0xa0", 115n, 3, [[x, y], [y, z]]),
 *     bid("0xc0", 50n, 2, [[y, z]]),
 *     bid("0xb0", 70n, 1, [[x, y]]),
 *   ],
 * };
 * const { agrees, totalScore, referenceScores } = replayCompetition(competition);
 *
 * // 115 cannot be at least 70 on one pair and at least 50 on the other.
 * assertEquals(agrees, true);
 * assertEquals(totalScore, 120n);
 * assertEquals(referenceScores.get("0xb0"), 50n);
 * ```
 */
export function replayCompetition(
  competition: Competition,
  options: ReplayOptions = {},
): CompetitionReplay {
  checkOptions(options, REPLAY_OPTIONS, "Cannot replay an auction");
  const { maxWinners = DEFAULT_MAX_WINNERS } = options;
  const { solutions } = competition;
  const sheet = readBids(competition, options.wrappedNativeToken);
  if (recognizeAuctionPath(competition, { orders: options.orders }).path === "fast_path") {
    return replayFastPath(competition, sheet, options);
  }
  const fairness = judgeSolutions(competition, sheet, options);
  const ordered = rankByScore(solutions);
  const eligible: number[] = [];
  const filtered: number[] = [];
  for (const bid of ordered) {
    const verdict = fairness[bid]!;
    const isOut = verdict === "undecided" ? solutions[bid]!.filteredOut : verdict === "unfair";
    (isOut ? filtered : eligible).push(bid);
  }
  const winners = pickWinners(sheet, eligible, maxWinners);
  const ranked = putWinnersFirst(eligible, winners);
  const totalScore = sumScores(sheet, winners);
  const referenceScores = computeReferenceScores(sheet, {
    winners,
    ranked,
    maxWinners,
    totalScore,
  });
  const rankedSolutions = [...ranked, ...filtered].map((index, position): ReplayedSolution => ({
    index,
    ranking: position + 1,
    isWinner: position < winners.length,
    filteredOut: position >= ranked.length,
    filterFrom: FILTER_FROM[fairness[index]!],
  }));
  return compareReplay(competition, {
    sheet,
    path: "regular",
    solutions: rankedSolutions,
    totalScore,
    referenceScores,
    options,
    maxWinners,
    tiedSolutions: countTies(sheet, ordered),
  });
}

/** Judges each solution by the filter of the options. */
function judgeSolutions(
  competition: Competition,
  sheet: BidSheet,
  options: ReplayOptions,
): (Fairness | "off")[] {
  const { fairness = true, orders = [], surplusCapturingJitOrderOwners } = options;
  if (fairness === false) return new Array<"off">(sheet.size).fill("off");
  const verdicts = judgeFairness(
    competition,
    sheet,
    () => createFairnessTerms(competition, options),
  );
  if (fairness === true) return verdicts;
  const judgements = judgeBySurplus(competition, { orders, surplusCapturingJitOrderOwners });
  const unfair = new Map(judgements.map((judgement) => [judgement.ranking, judgement[fairness]]));
  return competition.solutions.map(({ ranking }, bid) => {
    if (verdicts[bid] === "single") return "single";
    const isUnfair = unfair.get(ranking);
    return isUnfair === undefined ? "undecided" : isUnfair ? "unfair" : "fair";
  });
}

/** Replays an auction on the fast path, which has one order. */
function replayFastPath(
  competition: Competition,
  sheet: BidSheet,
  options: ReplayOptions,
): CompetitionReplay {
  const { solutions, auction } = competition;
  const orders = indexByUid(options.orders ?? []);
  const winner = findQuoteWinner(competition, orders.get(auction.orders[0]!));
  const replayed = solutions.map((solution, index): ReplayedSolution => {
    const { orders: [execution], ranking, score, filteredOut } = solution;
    const scored = scoreExecution(execution!, auction, {
      orders,
      policies: undefined,
      isListed: true,
    });
    const isDecided = !("missing" in scored);
    const isOut = isDecided ? isNotComputable(scored) : filteredOut && score === 0n;
    return {
      index,
      ranking,
      isWinner: index === winner,
      filteredOut: isOut,
      filterFrom: isDecided ? "scores" : "reported",
    };
  });
  const rivals = replayed.filter(({ isWinner, filteredOut }) => !isWinner && !filteredOut);
  const { solverAddress, score } = solutions[winner]!;
  const reference = findBestScore(rivals.map(({ index }) => solutions[index]!));
  return compareReplay(competition, {
    sheet,
    path: "fast_path",
    solutions: replayed.sort((a, b) => a.ranking - b.ranking),
    totalScore: score,
    referenceScores: new Map([[solverAddress, reference]]),
    options,
    maxWinners: 1,
    tiedSolutions: 0,
  });
}

const FILTER_FROM = {
  single: "single",
  fair: "scores",
  unfair: "scores",
  undecided: "reported",
  off: "off",
} as const;

/** Returns indices by score, highest first; equal scores by reported rank. */
function rankByScore(solutions: readonly Solution[]): number[] {
  const bids: number[] = [];
  // Responses are sorted worst first, so this is nearly sorted from the start.
  for (let index = solutions.length - 1; index >= 0; index--) bids.push(index);
  return bids.sort((a, b) => {
    const [solutionA, solutionB] = [solutions[a]!, solutions[b]!];
    if (solutionA.score !== solutionB.score) return solutionA.score > solutionB.score ? -1 : 1;
    return solutionA.ranking - solutionB.ranking || a - b;
  });
}

/** Counts the bids, sorted by score, that share their score with another one. */
function countTies({ scores }: BidSheet, bids: readonly number[]): number {
  let ties = 0;
  let wasTie = false;
  for (let position = 1; position < bids.length; position++) {
    const isTie = scores[bids[position]!] === scores[bids[position - 1]!];
    if (isTie) ties += wasTie ? 1 : 2;
    wasTie = isTie;
  }
  return ties;
}

/** Returns the winners in the order picked, then the other bids in their order. */
function putWinnersFirst(bids: readonly number[], winners: readonly number[]): number[] {
  const ranked = winners.slice();
  let next = 0;
  for (const bid of bids) {
    if (bid === winners[next]) next++;
    else ranked.push(bid);
  }
  return ranked;
}

/** Sums the scores of bids, which are passed as indices. */
function sumScores({ scores }: BidSheet, bids: readonly number[]): bigint {
  let sum = 0n;
  for (const bid of bids) sum += scores[bid]!;
  return sum;
}

/**
 * Picks winners greedily: takes each bid, in the order given, unless an earlier winner claims one
 * of its directed pairs, until the maximum is reached.
 *
 * All orders of a bid claim their pair, including those that do not count for its score.
 *
 * @param bids Indices, best first.
 * @returns Indices of the winners, in the order picked.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/winner-selection/src/arbitrator.rs | pick_winners of the service}
 */
function pickWinners(
  sheet: BidSheet,
  bids: readonly number[],
  maxWinners: number,
): number[] {
  const { starts, claims } = sheet;
  const isTaken = new Uint8Array(sheet.pairCount);
  const winners: number[] = [];
  for (let position = 0; position < bids.length && winners.length < maxWinners; position++) {
    const bid = bids[position]!;
    const end = starts[bid + 1]!;
    let isFree = true;
    for (let slot = starts[bid]!; slot < end && isFree; slot++) isFree = !isTaken[claims[slot]!];
    if (!isFree) continue;
    for (let slot = starts[bid]!; slot < end; slot++) isTaken[claims[slot]!] = 1;
    winners.push(bid);
  }
  return winners;
}

/** The result of picking winners, for the reference scores. */
interface PickedAuction {
  /** Indices of the winners, in the order picked. */
  readonly winners: readonly number[];
  /** Indices of all bids that were not filtered out, winners first. */
  readonly ranked: readonly number[];
  /** Maximum number of winning solutions. */
  readonly maxWinners: number;
  /** Sum of the winners' scores. */
  readonly totalScore: bigint;
}

/**
 * Computes the reference score of each winning solver: the sum of the scores that would win without its
 * bids.
 *
 * The service picks again among the bids that were not filtered out, winners first. The winners of
 * other solvers win again, since nothing has changed among them, and the only new winners are bids
 * on pairs that only this solver had claimed. So the sum is `totalScore` minus the solver's own
 * winners plus the new ones.
 *
 * @returns Native atoms by the address of the solver; `0n` if nobody else bid.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/winner-selection/src/arbitrator.rs | compute_reference_scores of the service}
 */
function computeReferenceScores(sheet: BidSheet, picked: PickedAuction): Map<string, bigint> {
  const { starts, claims, solvers, solverNames, scores } = sheet;
  const { winners, ranked, maxWinners, totalScore } = picked;
  const references = new Map<string, bigint>();
  const claimant = new Int32Array(sheet.pairCount).fill(-1);
  for (const bid of winners) {
    const end = starts[bid + 1]!;
    for (let slot = starts[bid]!; slot < end; slot++) claimant[claims[slot]!] = solvers[bid]!;
  }
  const takenWithout = new Int32Array(sheet.pairCount).fill(-1);
  for (const winner of winners) {
    const solver = solvers[winner]!;
    const name = solverNames[solver]!;
    if (references.has(name)) continue;
    let sum = totalScore;
    let vacancies = maxWinners - winners.length;
    for (const ownBid of winners) {
      if (solvers[ownBid] !== solver) continue;
      sum -= scores[ownBid]!;
      vacancies++;
    }
    for (let position = winners.length; position < ranked.length && vacancies > 0; position++) {
      const bid = ranked[position]!;
      if (solvers[bid] === solver) continue;
      const end = starts[bid + 1]!;
      let isFree = true;
      for (let slot = starts[bid]!; slot < end && isFree; slot++) {
        const pair = claims[slot]!;
        const claimedBy = claimant[pair]!;
        isFree = (claimedBy === -1 || claimedBy === solver) && takenWithout[pair] !== solver;
      }
      if (!isFree) continue;
      for (let slot = starts[bid]!; slot < end; slot++) takenWithout[claims[slot]!] = solver;
      sum += scores[bid]!;
      vacancies--;
    }
    references.set(name, sum);
  }
  return references;
}

/** A replay before it is compared with the report. */
interface ReplayedAuction {
  /** The bids as numbers. */
  readonly sheet: BidSheet;
  /** The path whose rules were replayed. */
  readonly path: AuctionPath;
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

/** Marks solutions that win in a replay alone, and their copies: nobody tried to settle them. */
const WINS_IN_REPLAY_ONLY: unique symbol = Symbol("untried");

/** Whether a winning solution may have been settled: not if it wins in a replay alone. */
export function mayHaveSettled(solution: Solution): boolean {
  return !(WINS_IN_REPLAY_ONLY in solution);
}

/**
 * Returns an auction as a replay decides it: with its winners, filter flags and reference scores, for
 * anything that takes an auction, such as `estimateRewards`, or a table.
 *
 * Solutions keep their reported `ranking`, which identifies them in debug reports. Winners that also won
 * in reality keep their transaction. Whether another one would have been settled is unknown: its outcome
 * is `"unknown"`, and values that depend on it, such as its rewards, have bounds. A copy that spreads a
 * solution carries that; one through JSON does not, and a `latestBlock` would make it absent.
 *
 * @param competition The auction, as reported.
 * @param replay Its {@linkcode replayCompetition}, by any rules.
 * @returns A new auction, of the same id.
 *
 * @example With one winner only
 * ```ts
 * import { asReplayed, replayCompetition } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const bid = { clearingPrices: {}, isWinner: true, filteredOut: false };
 * const order = (sellToken: string) => ({
 *   ...{ id: "0x0f", sellAmount: 1n, buyAmount: 1n, sellToken, buyToken: "0xb2" },
 * });
 * const competition = {
 *   auctionId: 1,
 *   auctionStartBlock: 10,
 *   transactionHashes: ["0x01", "0x02"],
 *   referenceScores: { "0xa0": 40n, "0xb0": 50n },
 *   auction: { orders: ["0x0f"], prices: {} },
 *   solutions: [
 *     { ...bid, solverAddress: "0xb0", score: 40n, ranking: 2, orders: [order("0x0b")], txHash: "0x02" },
 *     { ...bid, solverAddress: "0xa0", score: 50n, ranking: 1, orders: [order("0x0a")], txHash: "0x01" },
 *   ],
 * };
 *
 * const alone = asReplayed(competition, replayCompetition(competition, { maxWinners: 1 }));
 *
 * assertEquals(alone.solutions.map(({ isWinner }) => isWinner), [false, true]);
 * assertEquals(alone.referenceScores, { "0xa0": 40n });
 * ```
 */
export function asReplayed(competition: Competition, replay: CompetitionReplay): Competition {
  const reportedWinners = competition.solutions.filter(({ isWinner }) => isWinner);
  // As in old responses, where a single winner does not name its transaction.
  const onlyHash = reportedWinners.length === 1 && competition.transactionHashes.length === 1
    ? competition.transactionHashes[0]
    : undefined;
  const referenceScores = Object.fromEntries(replay.referenceScores);
  const solutions = competition.solutions.slice();
  const transactionHashes: string[] = [];
  for (const { index, isWinner, filteredOut } of replay.solutions) {
    const { referenceScore: _, txHash: reportedHash, ...facts } = competition.solutions[index]!;
    const txHash = facts.isWinner ? reportedHash ?? onlyHash : undefined;
    const referenceScore = findByHex(referenceScores, facts.solverAddress);
    const solution: Solution = {
      ...facts,
      isWinner,
      filteredOut,
      ...referenceScore !== undefined && { referenceScore },
      ...txHash != null && { txHash },
      ...isWinner && !facts.isWinner && { [WINS_IN_REPLAY_ONLY]: true },
    };
    if (isWinner && txHash != null) transactionHashes.push(txHash);
    solutions[index] = solution;
  }
  return { ...competition, solutions, transactionHashes, referenceScores };
}

/** Compares a replay with the report. */
function compareReplay(competition: Competition, replayed: ReplayedAuction): CompetitionReplay {
  const { path, solutions, totalScore, referenceScores, options, maxWinners } = replayed;
  const differences: ReplayDifference[] = [];
  let filterFlagsReported = 0;
  for (const replay of solutions) {
    if (replay.filterFrom === "reported") filterFlagsReported++;
    addSolutionDifferences(differences, competition.solutions[replay.index]!, replay);
  }
  addReferenceDifferences(differences, competition, replayed);
  if (options.maxSolutionsPerSolver !== undefined) {
    addExcessDifferences(differences, replayed.sheet, options.maxSolutionsPerSolver);
  }
  return {
    auctionId: competition.auctionId,
    path,
    agrees: differences.length === 0,
    differences,
    possibleReasons: differences.length === 0 || path === "fast_path"
      ? []
      : listPossibleReasons(competition, replayed),
    solutions,
    totalScore,
    referenceScores,
    basis: {
      maxWinners,
      maxWinnersFrom: options.maxWinners === undefined || path === "fast_path"
        ? "default"
        : "given",
      filterFlagsReplayed: solutions.length - filterFlagsReported,
      filterFlagsReported,
      tiedSolutions: replayed.tiedSolutions,
    },
  };
}

const COMPARED_FIELDS = ["filteredOut", "isWinner", "ranking"] as const;

function addSolutionDifferences(
  differences: ReplayDifference[],
  solution: Solution,
  replay: ReplayedSolution,
): void {
  for (const field of COMPARED_FIELDS) {
    if (solution[field] === replay[field]) continue;
    const identity = { what: field, index: replay.index, solver: solution.solverAddress };
    const facts = { ...identity, reported: solution[field], replayed: replay[field] };
    differences.push(facts as ReplayDifference);
  }
}

/**
 * Adds differences in reference scores. Only the list of the response is compared: each solution of a
 * winning solver repeats its score.
 */
function addReferenceDifferences(
  differences: ReplayDifference[],
  competition: Competition,
  { referenceScores }: ReplayedAuction,
): void {
  let matched = 0;
  for (const [solver, replayed] of referenceScores) {
    const reported = findByHex(competition.referenceScores, solver);
    if (reported !== undefined) matched++;
    if (reported === replayed) continue;
    differences.push({ what: "referenceScore", solver, reported: reported ?? null, replayed });
  }
  if (matched === Object.keys(competition.referenceScores).length) return;
  const solvers = [...referenceScores.keys()];
  for (const [solver, reported] of Object.entries(competition.referenceScores)) {
    if (solvers.some((winner) => sameHex(winner, solver))) continue;
    differences.push({ what: "referenceScore", solver, reported, replayed: null });
  }
}

function addExcessDifferences(
  differences: ReplayDifference[],
  { solvers, solverNames }: BidSheet,
  limit: number,
): void {
  const counts = new Map<number, number>(solverNames.map((_, solver) => [solver, 0]));
  for (const solver of solvers) counts.set(solver, counts.get(solver)! + 1);
  for (const [solverIndex, count] of counts) {
    if (count <= limit) continue;
    const solver = solverNames[solverIndex]!;
    differences.push({ what: "solutions_per_solver", solver, reported: count, replayed: limit });
  }
}

function listPossibleReasons(
  competition: Competition,
  { sheet, options, tiedSolutions }: ReplayedAuction,
): ReplayReason[] {
  const isScored = createScoredCheck(competition.auction);
  const hasJitOrders = competition.solutions.some(({ orders }) =>
    orders.some(({ id }) => !isScored(id))
  );
  const reasons: ReplayReason[] = [];
  if (tiedSolutions > 0) reasons.push("tie");
  if (options.maxWinners === undefined) reasons.push("max_winners");
  if (options.fairness !== undefined && options.fairness !== true) reasons.push("fairness");
  reasons.push("orders_missing");
  if (hasJitOrders && options.surplusCapturingJitOrderOwners == null) {
    reasons.push("jit_orders");
  }
  if (sheet.hasUnwrappedNative) reasons.push("native_token");
  return reasons;
}

/**
 * The maximum number of winners that a set of auctions was run with, where it can be inferred.
 */
export interface InferredMaxWinners {
  /** The smallest maximum that most auctions agree with, at least 1. */
  readonly maxWinners: number;
  /**
   * The largest maximum that as many agree with; `null` if any larger one fits too, because no
   * auction had more bids that could win.
   */
  readonly largest: number | null;
  /** Number of auctions. */
  readonly auctions: number;
  /** Ids of the auctions that do not agree with `maxWinners`; empty if all do. */
  readonly differing: readonly number[];
}

/** Options of the replays, without the maximum number of winners. */
export type InferOptions = Omit<ReplayOptions, "maxWinners">;

/**
 * Infers the maximum number of winners that a set of auctions was run with, which no response
 * contains.
 *
 * It is at least the number of winners of any auction. Starting there, each maximum is tried in
 * {@linkcode replayCompetition} until all auctions agree; if none fits all, the smallest one with
 * the most agreement is returned, and the auctions that differ are listed. The configured maximum
 * may be larger than the one found: up to `largest`, the auctions would have had the same winners.
 *
 * @param competitions Auctions of one deployment and period, each once.
 * @returns The maximum, or the reason `"no_auctions"`.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/configs/src/autopilot/run_loop.rs | max_winners_per_auction of the service}
 *
 * @example Nothing can be inferred without auctions
 * ```ts
 * import { inferMaxWinners, isNotComputable } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const inferred = inferMaxWinners([]);
 *
 * assertEquals(isNotComputable(inferred) && inferred.reason, "no_auctions");
 * ```
 */
export function inferMaxWinners(
  competitions: Iterable<Competition>,
  options: InferOptions = {},
): InferredMaxWinners | NotComputable<"no_auctions"> {
  const { maxWinners: _, ...rules } = REPLAY_OPTIONS;
  checkOptions(options, rules, "Cannot infer the maximum number of winners");
  const auctions = [...competitions];
  if (auctions.length === 0) {
    return {
      reason: "no_auctions",
      detail: "No auctions to infer the maximum number of winners from",
    };
  }
  const upperLimit = findMaxCount(auctions, ({ solutions }) => solutions.length);
  // Each auction is replayed many times, but its bids are read only once.
  const { orders, policies } = options;
  const terms = {
    ...options,
    ...orders && { orders: indexByUid(orders) },
    ...policies && { policies: indexByUid(policies) },
  };
  const listDiffering = (maxWinners: number) =>
    auctions.filter((auction) => !replayCompetition(auction, { ...terms, maxWinners }).agrees);
  let maxWinners = findMaxCount(auctions, countWinners);
  let differing = listDiffering(maxWinners);
  let tried = maxWinners;
  while (differing.length > 0 && tried < upperLimit) {
    const candidates = listDiffering(++tried);
    if (candidates.length < differing.length) [maxWinners, differing] = [tried, candidates];
  }
  let largest: number | null = null;
  if (listDiffering(upperLimit).length > differing.length) {
    largest = maxWinners;
    while (listDiffering(largest + 1).length === differing.length) largest++;
  }
  return {
    maxWinners,
    largest,
    auctions: auctions.length,
    differing: differing.map(({ auctionId }) => auctionId),
  };
}

function findMaxCount<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((max, item) => Math.max(max, count(item)), 1);
}

function countWinners({ solutions }: Competition): number {
  return solutions.filter(({ isWinner }) => isWinner).length;
}
