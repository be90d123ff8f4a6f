import { checkOptions } from "../../errors/option_rules.ts";
import type { Competition, CompetitionAuction, Solution } from "../../schemas/mod.ts";
import { indexByUid } from "../not_computable.ts";
import { readOwner } from "../orders/order_bids.ts";
import type { AtomInterval } from "../prices/price_interval.ts";
import { type BidSheet, readBids } from "./bid_sheet.ts";
import {
  type OrderScore,
  scoreExecution,
  SCORING_TERMS,
  type ScoringTerms,
} from "./score_solution.ts";

/**
 * Verdict of the fairness filter on a solution.
 *
 * - `"single"`: it scores on one directed pair only; such a solution is never filtered
 * - `"fair"`: each of its pairs scores at least the best single-pair solution on it
 * - `"unfair"`: at least one does not
 * - `"undecided"`: the scores of its pairs are not known well enough to decide
 */
export type Fairness = "single" | "fair" | "unfair" | "undecided";

/** Terms of the judgement in addition to the bids. */
interface FairnessTerms {
  /** Whether an order counts for the score. */
  readonly isScored: (uid: string) => boolean;
  /** Finds the score of one order of a solution, if known; absent if no orders were passed. */
  readonly findScore: ((solution: number, order: number) => OrderScore | undefined) | undefined;
}

/** Score of one pair of a solution: exact, or a lower bound. */
interface PairScore {
  /** Number of the pair on the bid sheet. */
  pair: number;
  /** Lower bound of the pair's score, in native atoms. */
  lowerBound: bigint;
  /** Whether the bound is the exact score. */
  isExact: boolean;
}

/**
 * Judges each solution of a competition by the fairness filter: a solution that scores on two or
 * more directed pairs is dropped if any of its pair scores is below the baseline of that pair, the
 * best score among solutions that score on exactly that pair.
 *
 * Baselines are exact, because the score of a single-pair solution is that of its pair. Pair scores
 * are exact if the limits and fee policies of the orders are known. Otherwise they are at least the
 * surplus (or 0), and their sum is the solution's score: a solution is certainly unfair if its
 * score is too low to lift every pair to its baseline, and certainly fair if the lower bound of
 * every pair reaches its baseline.
 *
 * Unlike in picking winners, the native token and its wrapped token are different tokens here.
 *
 * @returns One verdict per solution, in their order.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/winner-selection/src/arbitrator.rs | partition_unfair_solutions of the service}
 */
export function judgeFairness(
  competition: Competition,
  sheet: BidSheet,
  terms: () => FairnessTerms,
): Fairness[] {
  const verdicts = new Array<Fairness>(sheet.size).fill("single");
  const pairScores = scoreBatches(competition, sheet, terms);
  if (pairScores.size === 0) return verdicts;
  const baselines = findBaselineBids(sheet, pairScores).map((bid) => sheet.scores[bid]);
  for (const [bid, scores] of pairScores) {
    if (scores.length === 1) continue;
    verdicts[bid] = hasAllPairs(competition, sheet, bid)
      ? judgeBatch(scores, sheet.scores[bid]!, baselines)
      : "undecided";
  }
  return verdicts;
}

/** Scores each bid that trades several pairs, pair by pair. */
function scoreBatches(
  competition: Competition,
  sheet: BidSheet,
  terms: () => FairnessTerms,
): ReadonlyMap<number, readonly PairScore[]> {
  const scores = new Map<number, PairScore[]>();
  let loadedTerms: FairnessTerms | undefined;
  for (let bid = 0; bid < sheet.size; bid++) {
    if (!hasSeveralPairs(sheet, bid)) continue;
    loadedTerms ??= terms();
    scores.set(bid, scorePairs(competition, sheet, { bid, ...loadedTerms }));
  }
  return scores;
}

/** Whether the response names the tokens of every order of a bid. */
function hasAllPairs({ solutions }: Competition, { starts }: BidSheet, bid: number): boolean {
  return starts[bid + 1]! - starts[bid]! === solutions[bid]!.orders.length;
}

function hasSeveralPairs({ starts, pairs }: BidSheet, bid: number): boolean {
  const start = starts[bid]!;
  for (let index = starts[bid + 1]! - 1; index > start; index--) {
    if (pairs[index] !== pairs[start]) return true;
  }
  return false;
}

/** Scores one bid pair by pair: orders that count, in the order of their pairs. */
export function scorePairs(
  competition: Competition,
  sheet: BidSheet,
  { bid, isScored, findScore }: FairnessTerms & { bid: number },
): PairScore[] {
  const scores: PairScore[] = [];
  let pairIndex = sheet.starts[bid]!;
  for (const [orderIndex, order] of competition.solutions[bid]!.orders.entries()) {
    if (order.sellToken === undefined || order.buyToken === undefined) continue;
    const pair = sheet.pairs[pairIndex++]!;
    if (!isScored(order.id)) continue;
    let pairScore = scores.find((score) => score.pair === pair);
    if (pairScore === undefined) scores.push(pairScore = { pair, lowerBound: 0n, isExact: true });
    const score = findScore?.(bid, orderIndex);
    if (score === undefined) {
      pairScore.isExact = false;
    } else {
      pairScore.lowerBound += score.score;
      pairScore.isExact &&= score.kind === "exact";
    }
  }
  return scores;
}

/** Finds the best bid among those that score on exactly one pair, by pair; -1 where there is none. */
function findBaselineBids(
  sheet: BidSheet,
  batches: ReadonlyMap<number, readonly PairScore[]>,
): readonly number[] {
  const baselines = new Array<number>(sheet.pairCount).fill(-1);
  for (let bid = 0; bid < sheet.size; bid++) {
    const scored = batches.get(bid);
    if (scored !== undefined && scored.length !== 1) continue;
    const pair = scored?.[0]?.pair ?? sheet.pairs[sheet.starts[bid]!];
    if (pair === undefined || sheet.starts[bid] === sheet.starts[bid + 1]) continue;
    const best = baselines[pair]!;
    if (best === -1 || sheet.scores[bid]! > sheet.scores[best]!) baselines[pair] = bid;
  }
  return baselines;
}

function judgeBatch(
  scores: readonly PairScore[],
  total: bigint,
  baselines: readonly (bigint | undefined)[],
): Fairness {
  let remainingScore = total;
  let requiredScore = 0n;
  let isFair = true;
  let inexact = 0;
  for (const { pair, lowerBound, isExact } of scores) {
    const baseline = baselines[pair];
    const isBelow = baseline !== undefined && lowerBound < baseline;
    if (isExact) {
      if (isBelow) return "unfair";
      remainingScore -= lowerBound;
    } else {
      inexact++;
      requiredScore += isBelow ? baseline : lowerBound;
      isFair &&= !isBelow;
    }
  }
  if (inexact === 0) return "fair";
  if (requiredScore > remainingScore) return "unfair";
  // The score of the only inexact pair is the total minus the exact ones.
  return isFair || inexact === 1 ? "fair" : "undecided";
}

/** Creates the terms of the fairness filter from the orders that are known. */
export function createFairnessTerms(
  competition: Competition,
  options: Partial<ScoringTerms>,
): FairnessTerms {
  const { orders, policies, surplusCapturingJitOrderOwners } = options;
  const isScored = createScoredCheck(competition.auction, surplusCapturingJitOrderOwners);
  if (orders === undefined) return { isScored, findScore: undefined };
  const isListed = createScoredCheck(competition.auction);
  const { auction, solutions } = competition;
  const indexedRecords = {
    orders: indexByUid(orders),
    policies: policies === undefined ? undefined : indexByUid(policies),
  };
  return {
    isScored,
    findScore: (solution, order) => {
      const execution = solutions[solution]!.orders[order]!;
      const isIn = isListed(execution.id);
      const scored = scoreExecution(execution, auction, { ...indexedRecords, isListed: isIn });
      return "score" in scored ? scored : undefined;
    },
  };
}

/**
 * Creates a check for orders that count for the score: those of the auction, and those that a solver
 * provided for an owner who captures surplus.
 *
 * The owner is part of the UID, bytes 32 to 52.
 *
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/winner-selection/src/arbitrator.rs | contributes_to_score of the service}
 */
export function createScoredCheck(
  auction: CompetitionAuction,
  surplusCapturingJitOrderOwners?: readonly string[] | null,
): (uid: string) => boolean {
  const uids = new Set(auction.orders);
  const owners = new Set(surplusCapturingJitOrderOwners?.map((owner) => owner.toLowerCase()));
  let lowerCase: Set<string> | undefined;
  return (uid) => {
    if (uids.has(uid)) return true;
    lowerCase ??= new Set(auction.orders.map((listedUid) => listedUid.toLowerCase()));
    const lowerCaseUid = uid.toLowerCase();
    return lowerCase.has(lowerCaseUid) || owners.has(readOwner(lowerCaseUid));
  };
}

/** One directed pair to which a filtered solution was unfair, or may have been. */
export interface MissedBaseline {
  /** Id of the auction. */
  readonly auctionId: number;
  /** Index of the filtered solution in the competition's `solutions`. */
  readonly index: number;
  /** Token sold, as the solution writes it. */
  readonly sellToken: string;
  /** Token bought. */
  readonly buyToken: string;
  /** Score of the solution on the pair, in native atoms. */
  readonly pairScore: AtomInterval;
  /** The best score of a solution on exactly this pair, in native atoms. */
  readonly baseline: bigint;
  /** Index of that solution. */
  readonly baselineIndex: number;
  /**
   * Whether it is certain that this pair was missed: its score is below the baseline whatever the
   * unknown values are, or no other pair can be. Otherwise at least one of several pairs was missed.
   */
  readonly isCertain: boolean;
}

/**
 * Explains why solutions of an auction were filtered out: for each one reported as filtered, lists the
 * directed pairs on which a solution of only that pair scores more.
 *
 * A solution's score is the sum of its pair scores. These are exact if the limits and policies of
 * the orders are known; otherwise a pair scores at least the surplus of its orders (or 0), and at
 * most the solution's score minus those of the other pairs. Baselines are always exact.
 *
 * @param competition One auction, as returned by `v2/solver_competition`.
 * @param terms Orders and their fee policies in this auction, both optional: the more is known, the
 * fewer pairs are in question.
 * @returns One entry per pair in question, in the order of the solutions; none for a filtered
 * solution that has no tokens, as in old responses, or for which no pair can have been missed.
 * @throws {InputError} If an option is unknown or invalid.
 * @throws {RangeError} If an amount or a price is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/winner-selection/src/arbitrator.rs | partition_unfair_solutions of the service}
 *
 * @example 60 of 100 can go to a pair that another solver would have given 70
 * ```ts
 * import type { Competition } from "orderlens";
 * import { missedBaselines } from "orderlens/metrics";
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
 *   isWinner: ranking === 1,
 *   filteredOut: ranking === 2,
 * });
 * const competition: Competition = {
 *   auctionId: 1,
 *   auctionStartBlock: 10,
 *   transactionHashes: [],
 *   referenceScores: { "0xb0": 0n },
 *   auction: { orders: ["0x0a to 0x0b", "0x0b to 0x0c"], prices: {} },
 *   solutions: [bid("0xa0", 60n, 2, [[x, y], [y, z]]), bid("0xb0", 70n, 1, [[x, y]])],
 * };
 *
 * assertEquals(missedBaselines(competition), [{
 *   auctionId: 1,
 *   index: 0,
 *   sellToken: "0x0a",
 *   buyToken: "0x0b",
 *   pairScore: { low: 0n, high: 60n },
 *   baseline: 70n,
 *   baselineIndex: 1,
 *   isCertain: true,
 * }]);
 * ```
 */
export function missedBaselines(
  competition: Competition,
  terms: Partial<ScoringTerms> = {},
): readonly MissedBaseline[] {
  checkOptions(terms, SCORING_TERMS, "Cannot find missed baselines");
  const { auctionId, solutions } = competition;
  if (!solutions.some(({ filteredOut }) => filteredOut)) return [];
  const sheet = readBids(competition, undefined);
  const scoresByBid = scoreBatches(
    competition,
    sheet,
    () => createFairnessTerms(competition, terms),
  );
  const baselines = findBaselineBids(sheet, scoresByBid);
  return [...scoresByBid].flatMap(([index, scores]) => {
    const solution = solutions[index]!;
    if (!solution.filteredOut || !hasAllPairs(competition, sheet, index)) return [];
    const missed = scores.flatMap((score) => {
      const baselineIndex = baselines[score.pair] ?? -1;
      if (baselineIndex === -1) return [];
      const baseline = sheet.scores[baselineIndex]!;
      const pairScore = boundPairScore(score, scores, solution.score);
      if (pairScore.low >= baseline) return [];
      return [{ score, pairScore, baseline, baselineIndex }];
    });
    return missed.map(({ score, pairScore, baseline, baselineIndex }): MissedBaseline => ({
      auctionId,
      index,
      ...findPairTokens(solution, sheet, { index, pair: score.pair }),
      pairScore,
      baseline,
      baselineIndex,
      isCertain: missed.length === 1 || pairScore.high < baseline,
    }));
  });
}

/** Bounds the score of a pair: the lower bounds of the other pairs reduce its upper bound. */
function boundPairScore(
  score: PairScore,
  scores: readonly PairScore[],
  total: bigint,
): AtomInterval {
  const low = score.lowerBound;
  if (score.isExact) return { low, high: low };
  const otherScores = scores.filter((candidate) => candidate !== score);
  const high = otherScores.reduce((bound, { lowerBound }) => bound - lowerBound, total);
  return { low: otherScores.every(({ isExact }) => isExact) ? high : low, high };
}

function findPairTokens(
  { orders }: Solution,
  { starts, pairs }: BidSheet,
  { index, pair }: { index: number; pair: number },
): { sellToken: string; buyToken: string } {
  const { sellToken = "", buyToken = "" } =
    orders[pairs.indexOf(pair, starts[index]) - starts[index]!]!;
  return { sellToken, buyToken };
}
