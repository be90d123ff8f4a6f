import type { Competition } from "../../schemas/mod.ts";
import type { BidSheet } from "./bid_sheet.ts";
import type { OrderScore } from "./score_order.ts";

/**
 * Whether the fairness filter keeps a solution, and how that is known.
 *
 * - `"single"`: it scores on one directed pair only; such a solution is never filtered
 * - `"fair"`: each of its pairs scores at least the best single-pair solution on it
 * - `"unfair"`: at least one does not
 * - `"undecided"`: the scores of its pairs are not known well enough to decide
 */
export type Fairness = "single" | "fair" | "unfair" | "undecided";

/** What the judgement needs besides the bids. */
export interface FairnessTerms {
  /** Whether an order counts for the score. */
  readonly isScored: (uid: string) => boolean;
  /** The score of one order of a solution, if known; absent if no orders were passed. */
  readonly scoreOf: ((solution: number, order: number) => OrderScore | undefined) | undefined;
}

/** What is known of the score of one pair of a solution. */
export interface PairScore {
  /** Number of the pair on the bid sheet. */
  pair: number;
  /** Lower bound of the pair's score, in native atoms. */
  atLeast: bigint;
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
  const scoresOf = batchScores(competition, sheet, terms);
  if (scoresOf.size === 0) return verdicts;
  const baselines = baselineBids(sheet, scoresOf).map((bid) => sheet.scores[bid]);
  for (const [bid, scores] of scoresOf) {
    if (scores.length === 1) continue;
    verdicts[bid] = hasAllPairs(competition, sheet, bid)
      ? judge(scores, sheet.scores[bid]!, baselines)
      : "undecided";
  }
  return verdicts;
}

/** The pair scores of each bid that trades several pairs, by bid. */
export function batchScores(
  competition: Competition,
  sheet: BidSheet,
  terms: () => FairnessTerms,
): ReadonlyMap<number, readonly PairScore[]> {
  const scores = new Map<number, PairScore[]>();
  let known: FairnessTerms | undefined;
  for (let bid = 0; bid < sheet.size; bid++) {
    if (!hasSeveralPairs(sheet, bid)) continue;
    known ??= terms();
    scores.set(bid, pairScoresOf(competition, sheet, { bid, ...known }));
  }
  return scores;
}

/** Whether the answer names the tokens of every order of a bid. */
export function hasAllPairs(
  { solutions }: Competition,
  { starts }: BidSheet,
  bid: number,
): boolean {
  return starts[bid + 1]! - starts[bid]! === solutions[bid]!.orders.length;
}

function hasSeveralPairs({ starts, pairs }: BidSheet, bid: number): boolean {
  const start = starts[bid]!;
  for (let at = starts[bid + 1]! - 1; at > start; at--) {
    if (pairs[at] !== pairs[start]) return true;
  }
  return false;
}

function pairScoresOf(
  competition: Competition,
  sheet: BidSheet,
  { bid, isScored, scoreOf }: FairnessTerms & { bid: number },
): PairScore[] {
  const scores: PairScore[] = [];
  let at = sheet.starts[bid]!;
  for (const [place, order] of competition.solutions[bid]!.orders.entries()) {
    if (order.sellToken === undefined || order.buyToken === undefined) continue;
    const pair = sheet.pairs[at++]!;
    if (!isScored(order.id)) continue;
    let known = scores.find((each) => each.pair === pair);
    if (known === undefined) scores.push(known = { pair, atLeast: 0n, isExact: true });
    const score = scoreOf?.(bid, place);
    if (score === undefined) {
      known.isExact = false;
    } else {
      known.atLeast += score.score;
      known.isExact &&= score.kind === "exact";
    }
  }
  return scores;
}

/** The best bid among those that score on exactly one pair, by pair; -1 where there is none. */
export function baselineBids(
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

function judge(
  scores: readonly PairScore[],
  total: bigint,
  baselines: readonly (bigint | undefined)[],
): Fairness {
  let left = total;
  let needed = 0n;
  let isFair = true;
  let inexact = 0;
  for (const { pair, atLeast, isExact } of scores) {
    const baseline = baselines[pair];
    const isBelow = baseline !== undefined && atLeast < baseline;
    if (isExact) {
      if (isBelow) return "unfair";
      left -= atLeast;
    } else {
      inexact++;
      needed += isBelow ? baseline : atLeast;
      isFair &&= !isBelow;
    }
  }
  if (inexact === 0) return "fair";
  if (needed > left) return "unfair";
  // The score of the only inexact pair is the total minus the exact ones.
  return isFair || inexact === 1 ? "fair" : "undecided";
}
