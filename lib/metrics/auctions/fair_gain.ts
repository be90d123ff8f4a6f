import { checkOptions, type OptionRules } from "../../errors/option_rules.ts";
import type { Competition, Solution } from "../../schemas/mod.ts";
import { HexMap } from "../../units/mod.ts";
import { type ByUid, defineByUidRule, indexByUid } from "../not_computable.ts";
import type { OrderLimit } from "../orders/fills.ts";
import { leftOnTheTable } from "../orders/lifecycle_facts.ts";
import { type OrderBid, ROLE_OPTIONS, type RoleOptions } from "../orders/order_bids.ts";
import { createScoredCheck } from "./judge_fairness.ts";
import { replayCompetition } from "./replay_competition.ts";
import { REPLAY_OPTIONS, type ReplayOptions } from "./score_solution.ts";

/** Gain of an order in an auction over the best bid on its pair alone. */
export interface FairGain {
  /** Id of the auction. */
  readonly auctionId: number;
  /** UID of the order. */
  readonly uid: string;
  /** The winning bid on the order: its amounts are after all fees. */
  readonly winner: OrderBid;
  /** Whether the winning solution scores on two or more directed pairs. */
  readonly isBatch: boolean;
  /**
   * The best bid on the order, by its price, among solutions that score on its pair alone: the
   * benchmark, which may be the winner itself; of equal ones the better ranked, `null` if there is none.
   */
  readonly benchmark: OrderBid | null;
  /**
   * Gain of the winning bid over the price of the benchmark, in atoms of the surplus token: negative if
   * it gives less; `null` without a benchmark, and if the order was not passed.
   */
  readonly atoms: bigint | null;
}

/** Records in addition to the auction. */
export interface FairGainOptions extends RoleOptions {
  /** The orders, for the amount that each fixes. */
  readonly orders?: ByUid<Pick<OrderLimit, "kind">>;
}

const GAIN_OPTIONS: OptionRules<FairGainOptions> = {
  ...ROLE_OPTIONS,
  orders: defineByUidRule("orders by UID"),
};

/**
 * Computes the gain of each order of the winning solutions over its best single-pair bid: the benchmark
 * of a fair combinatorial auction, in which a batch may win only if no trader would have got more alone.
 *
 * Sell order: `bought − floor(sold · benchBuy / benchSell)` buy-token atoms. Buy order:
 * `ceil(bought · benchSell / benchBuy) − sold` sell-token atoms. Rounded for the winner by less than an
 * atom, so that the same price gains 0. The service compares whole pairs, by score: an order can get less
 * than its benchmark where another of its pair gets more, or the benchmark is for a part of its amount.
 * Orders that do not count for scores, as a solver's liquidity, are left out.
 *
 * @param competition One auction, as returned by `v2/solver_competition`.
 * @param options The orders, without which no gain is known.
 * @returns One for each order of a winning solution, by rank; none for solutions whose responses have no
 * tokens, as old ones.
 * @throws {InputError} If an option is unknown or invalid.
 * @throws {RangeError} If an amount is negative.
 * @see {@link https://arxiv.org/abs/2408.12225 | Canidio and Henneke, Fair combinatorial auction for blockchain trade intents}
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/winner-selection/src/arbitrator.rs | partition_unfair_solutions of the service}
 *
 * @example A batch that gives an order 22 where it would have got 20 alone
 * ```ts
 * import { fairGains } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const bid = (id: string, buyAmount: bigint) => ({
 *   ...{ id, sellAmount: 10n, buyAmount, sellToken: "0x0a", buyToken: id === "0x01" ? "0x0b" : "0x0c" },
 * });
 * const solution = (ranking: number, orders: ReturnType<typeof bid>[]) => ({
 *   ...{ solverAddress: `0xa${ranking}`, score: 1n, ranking, clearingPrices: {}, orders },
 *   ...{ isWinner: ranking === 1, filteredOut: false },
 * });
 * const competition = {
 *   auctionId: 1,
 *   auctionStartBlock: 1,
 *   transactionHashes: [],
 *   referenceScores: {},
 *   auction: { orders: ["0x01", "0x02"], prices: {} },
 *   solutions: [solution(2, [bid("0x01", 20n)]), solution(1, [bid("0x01", 22n), bid("0x02", 9n)])],
 * };
 * const orders = [{ uid: "0x01", kind: "sell" }, { uid: "0x02", kind: "sell" }] as const;
 *
 * assertEquals(fairGains(competition, { orders }).map(({ atoms }) => atoms), [2n, null]);
 * ```
 */
export function fairGains(competition: Competition, options: FairGainOptions = {}): FairGain[] {
  checkOptions(options, GAIN_OPTIONS, "Cannot compare with single-pair bids");
  const { auctionId, auction } = competition;
  const solutions = [...competition.solutions].sort((a, b) => a.ranking - b.ranking);
  const isScored = createScoredCheck(auction, options.surplusCapturingJitOrderOwners);
  const orders = indexByUid(options.orders ?? []);
  const pairCounts = new Map(solutions.map((bid) => [bid, countPairs(bid, isScored)]));
  const listScoredBids = (solution: Solution) =>
    solution.orders.filter(({ id }) => isScored(id)).map(({ id, sellAmount, buyAmount }) => {
      const { ranking, solverAddress: solver, score, isWinner, filteredOut } = solution;
      const facts = { auctionId, ranking, solver, score, isWinner, filteredOut };
      return { uid: id, bid: { ...facts, sellAmount, buyAmount } };
    });
  const soloBids = new HexMap<OrderBid[]>();
  for (const [solution, pairs] of pairCounts) {
    if (pairs !== 1) continue;
    for (const { uid, bid } of listScoredBids(solution)) {
      // The winner is compared like any other bid.
      soloBids.set(uid, [...soloBids.get(uid) ?? [], { ...bid, isWinner: false }]);
    }
  }
  return solutions.filter(({ isWinner }) => isWinner).flatMap((solution) => {
    const pairs = pairCounts.get(solution);
    if (pairs == null) return [];
    return listScoredBids(solution).map(({ uid, bid }): FairGain => {
      const order = orders.get(uid);
      const bids = soloBids.get(uid) ?? [];
      const gap = order === undefined ? null : leftOnTheTable(bid, order, { auctionId, bids });
      const isOwn = gap?.best.ranking === bid.ranking;
      return {
        auctionId,
        uid,
        winner: bid,
        isBatch: pairs > 1,
        benchmark: gap === null ? null : { ...gap.best, isWinner: isOwn },
        atoms: gap === null ? null : -gap.atoms,
      };
    });
  });
}

/** Counts the directed pairs that a solution scores on; `null` if one of its orders has no tokens. */
function countPairs({ orders }: Solution, isScored: (uid: string) => boolean): number | null {
  if (orders.some(({ sellToken, buyToken }) => sellToken === undefined || buyToken === undefined)) {
    return null;
  }
  const scored = orders.filter(({ id }) => isScored(id));
  return new Set(scored.map(({ sellToken, buyToken }) => `${sellToken} ${buyToken}`.toLowerCase()))
    .size;
}

/** Cost of the fairness filter in an auction. */
export interface FairnessCost {
  /** Id of the auction. */
  readonly auctionId: number;
  /** Number of solutions. */
  readonly solutions: number;
  /** Number of those that were filtered out as unfair; 0 on the fast path. */
  readonly filtered: number;
  /** Sum of the scores of the winners, as reported, in native atoms. */
  readonly totalScore: bigint;
  /** Sum of the scores that would have won if nothing had been filtered out. */
  readonly unfilteredScore: bigint;
  /** `unfilteredScore - totalScore`: the cost of fairness. */
  readonly lostScore: bigint;
}

/** The rules that winners are picked by, and orders, which identify the fast path. */
export type FairnessCostOptions = Pick<
  ReplayOptions,
  "maxWinners" | "wrappedNativeToken" | "orders"
>;

const COST_OPTIONS: OptionRules<FairnessCostOptions> = {
  orders: REPLAY_OPTIONS.orders,
  maxWinners: REPLAY_OPTIONS.maxWinners,
  wrappedNativeToken: REPLAY_OPTIONS.wrappedNativeToken,
};

/**
 * Computes the cost of the fairness filter in an auction: the scores that would have won without it, less
 * those that did win.
 *
 * Winners are picked again from all solutions as in {@linkcode replayCompetition}: by score, each directed
 * pair once. Solvers might have bid otherwise without the filter, which no record shows. It can be
 * negative: a batch that wins for its score may shut out others that together score more. An auction on
 * the fast path has no fairness filter, so it cost nothing there.
 *
 * @param competition One auction, as returned by `v2/solver_competition`.
 * @param options As of the replay.
 * @returns Scores in native atoms; all 0 for no solutions.
 * @throws {InputError} If an option is unknown or invalid.
 * @see {@link https://arxiv.org/abs/2408.12225 | Canidio and Henneke, Fair combinatorial auction for blockchain trade intents}
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/winner-selection/src/arbitrator.rs | pick_winners of the service}
 *
 * @example A batch of 100 was filtered out, and 70 won
 * ```ts
 * import { fairnessCost } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const [x, y, z] = ["0x0a", "0x0b", "0x0c"];
 * const bid = (sellToken: string, buyToken: string) => ({
 *   ...{ id: `${sellToken} to ${buyToken}`, sellAmount: 1n, buyAmount: 1n, sellToken, buyToken },
 * });
 * const solution = { clearingPrices: {}, solverAddress: "0xa0", isWinner: false };
 * const competition = {
 *   auctionId: 1,
 *   auctionStartBlock: 1,
 *   transactionHashes: [],
 *   referenceScores: {},
 *   auction: { orders: [], prices: {} },
 *   solutions: [
 *     { ...solution, ranking: 2, score: 100n, orders: [bid(x, y), bid(y, z)], filteredOut: true },
 *     { ...solution, ranking: 1, score: 70n, orders: [bid(x, y)], isWinner: true, filteredOut: false },
 *   ],
 * };
 *
 * const { filtered, totalScore, lostScore } = fairnessCost(competition);
 *
 * assertEquals([filtered, totalScore, lostScore], [1, 70n, 30n]);
 * ```
 */
export function fairnessCost(
  competition: Competition,
  options: FairnessCostOptions = {},
): FairnessCost {
  checkOptions(options, COST_OPTIONS, "Cannot compute what fairness cost");
  const { auctionId, solutions } = competition;
  const { totalScore: unfilteredScore, path } = replayCompetition(competition, {
    ...options,
    fairness: false,
  });
  const totalScore = solutions.reduce((sum, bid) => bid.isWinner ? sum + bid.score : sum, 0n);
  return {
    auctionId,
    solutions: solutions.length,
    filtered: path === "fast_path" ? 0 : solutions.filter(({ filteredOut }) => filteredOut).length,
    totalScore,
    unfilteredScore,
    lostScore: unfilteredScore - totalScore,
  };
}
