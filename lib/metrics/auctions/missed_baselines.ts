import { checkOptions } from "../../errors/option_rules.ts";
import type { Competition, Solution } from "../../schemas/mod.ts";
import type { AtomInterval } from "../prices/atom_interval.ts";
import { type BidSheet, readBids } from "./bid_sheet.ts";
import { fairnessTerms } from "./fairness_terms.ts";
import { baselineBids, batchScores, hasAllPairs, type PairScore } from "./judge_fairness.ts";
import { SCORING_TERMS, type ScoringTerms } from "./score_solution.ts";

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
   * Whether it is certain that this pair was missed: its score is below the baseline regardless of
   * what is unknown, or no other pair can be. Otherwise at least one of several pairs was missed.
   */
  readonly isCertain: boolean;
}

/**
 * Why solutions of an auction were filtered out: for each one reported as filtered, the directed
 * pairs on which a solution of only that pair scores more.
 *
 * A solution's score is the sum of its pair scores. These are exact if the limits and policies of
 * the orders are known; otherwise a pair scores at least the surplus of its orders (or 0), and at
 * most the solution's score minus those of the other pairs. Baselines are always exact.
 *
 * @param competition One auction, as returned by `v2/solver_competition`.
 * @param terms Orders and their fee policies in this auction, both optional: the more is known, the
 * fewer pairs are in question.
 * @returns One entry per pair in question, in the order of the solutions; none for a filtered
 * solution that has no tokens, as in old answers, or for which no pair can have been missed.
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
  const scoresOf = batchScores(competition, sheet, () => fairnessTerms(competition, terms));
  const baselines = baselineBids(sheet, scoresOf);
  return [...scoresOf].flatMap(([index, scores]) => {
    const solution = solutions[index]!;
    if (!solution.filteredOut || !hasAllPairs(competition, sheet, index)) return [];
    const missed = scores.flatMap((score) => {
      const baselineIndex = baselines[score.pair] ?? -1;
      if (baselineIndex === -1) return [];
      const baseline = sheet.scores[baselineIndex]!;
      const pairScore = boundsOf(score, scores, solution.score);
      if (pairScore.low >= baseline) return [];
      return [{ score, pairScore, baseline, baselineIndex }];
    });
    return missed.map(({ score, pairScore, baseline, baselineIndex }): MissedBaseline => ({
      auctionId,
      index,
      ...tokensOf(solution, sheet, { index, pair: score.pair }),
      pairScore,
      baseline,
      baselineIndex,
      isCertain: missed.length === 1 || pairScore.high < baseline,
    }));
  });
}

/** The lower bounds of the other pairs reduce the upper bound of this one. */
function boundsOf(score: PairScore, scores: readonly PairScore[], total: bigint): AtomInterval {
  const low = score.atLeast;
  if (score.isExact) return { low, high: low };
  const others = scores.filter((other) => other !== score);
  const high = others.reduce((left, { atLeast }) => left - atLeast, total);
  return { low: others.every(({ isExact }) => isExact) ? high : low, high };
}

function tokensOf(
  { orders }: Solution,
  { starts, pairs }: BidSheet,
  { index, pair }: { index: number; pair: number },
): { sellToken: string; buyToken: string } {
  const { sellToken = "", buyToken = "" } =
    orders[pairs.indexOf(pair, starts[index]) - starts[index]!]!;
  return { sellToken, buyToken };
}
