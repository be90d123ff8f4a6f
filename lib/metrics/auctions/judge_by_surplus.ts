import { checkOptions, type OptionRules } from "../../errors/option_rules.ts";
import type { Competition } from "../../schemas/mod.ts";
import { readBids } from "./bid_sheet.ts";
import { createFairnessTerms, scorePairs } from "./judge_fairness.ts";
import { SCORING_TERMS, type ScoringTerms } from "./score_solution.ts";

/** Terms of {@linkcode judgeBySurplus}: the orders, whose fee policies are not needed. */
export type SurplusTerms = Omit<ScoringTerms, "policies">;

const { policies: _, ...TERMS } = SCORING_TERMS;
const OPTIONS: OptionRules<Partial<SurplusTerms>> = TERMS;

/** Judgements on one solution of several pairs, without the scores of its pairs. */
export interface SurplusJudgement {
  /** Id of the auction. */
  readonly auctionId: number;
  /** Rank of the solution, as reported. */
  readonly ranking: number;
  /** Whether the service filtered it out. */
  readonly filteredOut: boolean;
  /** Whether the surplus of a pair is below the best surplus on that pair alone. */
  readonly surplus: boolean;
  /** Whether the score, split in proportion to surplus, is below the best score on a pair alone. */
  readonly scaled: boolean;
  /** Whether the surplus of a pair is below the best score on that pair alone. */
  readonly raw: boolean;
  /**
   * The decision that all fees lead to: `"must_filter"` if no split of the score reaches all
   * baselines, `"must_keep"` if the surplus alone does, otherwise `"undetermined"`.
   */
  readonly bracket: "must_filter" | "must_keep" | "undetermined";
}

/** Surplus of a solution on one pair, and the best that solutions of this pair alone offered. */
interface PairSurplus {
  readonly surplus: bigint;
  readonly bestSurplus: bigint;
  readonly bestScore: bigint;
}

/**
 * Judges the fairness of solutions by what analyses use where the score of each pair is unknown: three
 * stand-ins for it, each with its own baseline, and the bounds that hold whatever the fees are.
 *
 * For each directed pair of a solution, `u` is its surplus in the score's units (rounded down as the
 * score is), `S` the score of the solution and `U` the sum of its `u`. Baselines are the best surplus and
 * the best score of solutions that score on this pair alone. The solution is unfair if on some pair
 * `u < best surplus` (`surplus`), `S * u < best score * U` (`scaled`) or `u < best score` (`raw`). Fees
 * are never negative, so that its true score on a pair is at least `u`, and all of them sum to `S`.
 *
 * {@linkcode replayCompetition} decides by the scores of pairs instead, where trades and reports have
 * the fee policies.
 *
 * @param competition One auction, as returned by `v2/solver_competition`.
 * @param terms The orders, for their limits.
 * @returns One entry for each solution that scores on several pairs, in the order of the solutions; none
 * for a solution with an order that is unknown, has no price, or is filled below its limit. In a
 * baseline, such an order has a surplus of 0.
 * @throws {InputError} If an option is unknown or invalid.
 * @throws {RangeError} If an amount or a price is negative.
 * @see {@link https://github.com/fhenneke/cow-competition-loo/blob/2090ed49210d1f8e0954d7f15184ab8e2dc52ff7/docs/winner-selection.md | the three methods and the bounds}
 *
 * @example 60 for two pairs, of which others bid 14 and 40 with a surplus of 12 and 20
 * ```ts
 * import { judgeBySurplus } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const [x, y, z] = ["0x0a", "0x0b", "0x0c"];
 * const orders = ["0x01", "0x02"].map((uid) => {
 *   return { uid, kind: "sell", sellAmount: 100n, buyAmount: 100n } as const;
 * });
 * const solution = (score: bigint, ranking: number, bought: { xy?: bigint; yz?: bigint }) => ({
 *   solverAddress: `0xa${ranking}`,
 *   score,
 *   ranking,
 *   clearingPrices: {},
 *   orders: [
 *     { id: "0x01", sellAmount: 100n, sellToken: x, buyToken: y, buyAmount: bought.xy },
 *     { id: "0x02", sellAmount: 100n, sellToken: y, buyToken: z, buyAmount: bought.yz },
 *   ].flatMap(({ buyAmount, ...order }) => buyAmount === undefined ? [] : [{ ...order, buyAmount }]),
 *   isWinner: false,
 *   filteredOut: ranking === 3,
 * });
 * const competition = {
 *   auctionId: 1,
 *   auctionStartBlock: 10,
 *   transactionHashes: [],
 *   referenceScores: {},
 *   auction: { orders: ["0x01", "0x02"], prices: { [y]: 10n ** 18n, [z]: 10n ** 18n } },
 *   solutions: [
 *     solution(60n, 3, { xy: 110n, yz: 130n }),
 *     solution(14n, 2, { xy: 112n }),
 *     solution(40n, 1, { yz: 120n }),
 *   ],
 * };
 * const [judgement] = judgeBySurplus(competition, { orders });
 *
 * // 10 < 12; 60 * 10 >= 14 * 40 and 60 * 30 >= 40 * 40; 10 < 14; 14 + 40 <= 60.
 * assertEquals([judgement?.surplus, judgement?.scaled, judgement?.raw], [true, false, true]);
 * assertEquals(judgement?.bracket, "undetermined");
 * ```
 */
export function judgeBySurplus(competition: Competition, terms: SurplusTerms): SurplusJudgement[] {
  checkOptions(terms, OPTIONS, "Cannot judge by surplus");
  const { auctionId, solutions } = competition;
  const sheet = readBids(competition, undefined);
  const fairnessTerms = createFairnessTerms(competition, terms);
  const isKnown = (bid: number) =>
    solutions[bid]!.orders.every(({ id }, order) =>
      !fairnessTerms.isScored(id) || fairnessTerms.findScore?.(bid, order) !== undefined
    );
  const bids = solutions.map((_, bid) => scorePairs(competition, sheet, { bid, ...fairnessTerms }));
  const bestScores = new Map<number, bigint>();
  const bestSurpluses = new Map<number, bigint>();
  for (const [bid, [single, ...otherPairs]] of bids.entries()) {
    if (single === undefined || otherPairs.length > 0) continue;
    raise(bestScores, single.pair, solutions[bid]!.score);
    raise(bestSurpluses, single.pair, single.lowerBound);
  }
  return bids.flatMap((pairs, bid) => {
    if (pairs.length < 2 || !isKnown(bid)) return [];
    const { ranking, score, filteredOut } = solutions[bid]!;
    const compared = pairs.map(({ pair, lowerBound }) => ({
      surplus: lowerBound,
      bestSurplus: bestSurpluses.get(pair) ?? 0n,
      bestScore: bestScores.get(pair) ?? 0n,
    }));
    return [{ auctionId, ranking, filteredOut, ...judgePairs(compared, score) }];
  });
}

function raise(best: Map<number, bigint>, pair: number, amount: bigint): void {
  if (amount > (best.get(pair) ?? -1n)) best.set(pair, amount);
}

function judgePairs(pairs: readonly PairSurplus[], score: bigint) {
  const totalSurplus = pairs.reduce((sum, { surplus }) => sum + surplus, 0n);
  const required = pairs.reduce(
    (sum, { surplus, bestScore }) => sum + (surplus > bestScore ? surplus : bestScore),
    0n,
  );
  const raw = pairs.some(({ surplus, bestScore }) => surplus < bestScore);
  return {
    surplus: pairs.some(({ surplus, bestSurplus }) => surplus < bestSurplus),
    scaled: pairs.some(({ surplus, bestScore }) => score * surplus < bestScore * totalSurplus),
    raw,
    bracket: !raw
      ? "must_keep" as const
      : required > score
      ? "must_filter" as const
      : "undetermined" as const,
  };
}
