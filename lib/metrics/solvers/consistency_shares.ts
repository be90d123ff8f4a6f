import { checkOptions, oneOf, type OptionRules } from "../../errors/option_rules.ts";
import type { Competition, Solution } from "../../schemas/mod.ts";
import {
  groupByHex,
  HexMap,
  mulDivDown,
  powerOfTen,
  type Ratio,
  ratio,
  sameHex,
} from "../../units/mod.ts";
import {
  anyRecord,
  type ByUid,
  defineByUidRule,
  indexByUid,
  isNotComputable,
  type NotComputable,
} from "../not_computable.ts";
import type { OrderLimit } from "../orders/fills.ts";
import { auctionRole, ROLE_OPTIONS, type RoleOptions } from "../orders/order_bids.ts";
import { surplusOverLimit } from "../surplus.ts";
import {
  type Rate,
  rate,
  type SettlementOutcomes,
  type SolutionOutcome,
} from "./settlement_outcomes.ts";

const SHARE_DIGITS = 36;
/** Options of {@linkcode consistencyShares}. */
export interface ConsistencyOptions extends RoleOptions {
  /** The outcomes of the winning solutions of the same auctions. */
  readonly outcomes: SettlementOutcomes;
  /** The orders: their limits. */
  readonly orders: ByUid<OrderLimit>;
  /**
   * `"executed_orders"`, the metric in force from 2026-04-14 to 2026-06-29: a solver's share is its part
   * of the executed orders that it bid on.
   *
   * @default {"order_share"}
   */
  readonly metric?: "order_share" | "executed_orders";
}

const OPTIONS: OptionRules<ConsistencyOptions> = {
  ...ROLE_OPTIONS,
  outcomes: anyRecord(),
  orders: defineByUidRule("orders by UID"),
  metric: oneOf("order_share", "executed_orders"),
};

/** Consistency of a solver's bids and settlements. */
export interface SolverConsistency {
  /** Address of the solver, as first written. */
  readonly solver: string;
  /** Sum of its shares in the executed orders that it bid on, each rounded down to 36 digits. */
  readonly orderShareSum: Ratio;
  /** Pairs of auction and order that it won and settled in time, out of those it won. */
  readonly successRate: Rate;
  /** Product of both, rounded down to 36 digits. */
  readonly metric: Ratio;
  /** Its share of the sum of all metrics, and so of the budget; `null` if that sum is 0. */
  readonly share: Ratio | null;
}

/** The consistency of the solvers of a set of auctions. */
export interface ConsistencyShares {
  /** Number of executed orders with shares, each counted once per auction. */
  readonly executedOrders: number;
  /**
   * Number of executed orders without shares: no bid had surplus, or they are a solver's liquidity.
   */
  readonly ordersWithoutSurplus: number;
  /**
   * Number of executed orders left out: their limit or role is unknown, or their limit has no
   * price.
   */
  readonly ordersUnknown: number;
  /** The solvers that bid, by descending metric. */
  readonly solvers: readonly SolverConsistency[];
}

/**
 * Computes the shares of solvers in the consistency budget of a period, by the metric in force since
 * 2026-06-30: success rate times the sum of order shares.
 *
 * - order share: for each executed order, the surplus of the solver's best unfiltered bid on it, as
 *   a share of the sum of those of all solvers that bid, in the auction that executed it
 * - success rate: pairs of auction and order that the solver won and settled in time, out of those
 *   it won
 *
 * By the metric `executed_orders`, each executed order is one share of every solver with an unfiltered
 * bid on it in the auction that executed it, whatever its surplus, and the success rate does not count.
 *
 * An estimate: surplus is that over the limit price after all fees, as proposed; a solver that won
 * nothing has no success rate, which counts as 0; pending and unknown settlements count as not in
 * time. Shares are rounded down to 36 digits, so that sums stay exact integers of that unit.
 *
 * @param competitions Auctions of one period, each once.
 * @returns Shares by solver; zeros and no solvers for no auctions.
 * @throws {InputError} If an option is unknown or invalid.
 * @throws {RangeError} If an amount is negative.
 * @see {@link https://docs.cow.fi/cow-protocol/reference/core/auctions/rewards | the protocol's documentation}
 * @see {@link https://forum.cow.fi/t/consistency-metric-v2/3474 | its announcement}
 *
 * @example Surplus of 30 won, surplus of 10 bid
 * ```ts
 * import { consistencyShares, type SolutionOutcome } from "orderlens/metrics";
 * import { ratio } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * const bid = (solverAddress: string, ranking: number, buyAmount: bigint) => ({
 *   solverAddress,
 *   score: buyAmount - 100n,
 *   ranking,
 *   clearingPrices: {},
 *   orders: [{ id: "0x0f", sellAmount: 50n, buyAmount, sellToken: "0xa1", buyToken: "0xb2" }],
 *   isWinner: ranking === 1,
 *   filteredOut: false,
 * });
 * const competition = {
 *   auctionId: 1,
 *   auctionStartBlock: 1,
 *   transactionHashes: ["0x01"],
 *   referenceScores: { "0xa0": 10n },
 *   auction: { orders: ["0x0f"], prices: {} },
 *   solutions: [bid("0xb0", 2, 110n), bid("0xa0", 1, 130n)],
 * };
 * const settled: SolutionOutcome = {
 *   auctionId: 1,
 *   ranking: 1,
 *   solver: "0xa0",
 *   score: 30n,
 *   orders: ["0x0f"],
 *   result: "in_time",
 *   basis: "trade_block",
 *   txHash: "0x01",
 *   block: 3,
 *   deadlineBlock: 4,
 *   attempts: [],
 * };
 * const order = { kind: "sell", sellAmount: 50n, buyAmount: 100n } as const;
 * const { solvers } = consistencyShares([competition], {
 *   outcomes: { solutions: [settled], solvers: [] },
 *   orders: new Map([["0x0f", order]]),
 * });
 *
 * const quarter = 25n * 10n ** 34n;
 * assertEquals(solvers.map(({ solver }) => solver), ["0xa0", "0xb0"]);
 * assertEquals(solvers[0]?.orderShareSum, ratio(3n * quarter, 4n * quarter));
 * assertEquals(solvers[1]?.orderShareSum, ratio(quarter, 4n * quarter));
 * // The second one won nothing, and so has no success rate.
 * assertEquals(solvers[0]?.share, ratio(3n * quarter, 3n * quarter));
 * ```
 */
export function consistencyShares(
  competitions: Iterable<Competition>,
  options: ConsistencyOptions,
): ConsistencyShares {
  checkOptions(options, OPTIONS, "Cannot compute consistency shares");
  const { outcomes, metric: metricName = "order_share" } = options;
  const orders = indexByUid(options.orders);
  const scale = powerOfTen(SHARE_DIGITS);
  const executedByAuction = Map.groupBy(
    outcomes.solutions.filter(({ txHash }) => txHash !== null),
    ({ auctionId }) => auctionId,
  );
  const tallies = new HexMap<{ solver: string; shares: bigint }>();
  const counts = { executedOrders: 0, ordersWithoutSurplus: 0, ordersUnknown: 0 };
  for (const { auctionId, auction, solutions } of competitions) {
    for (const { solverAddress: solver } of solutions) {
      if (!tallies.has(solver)) tallies.set(solver, { solver, shares: 0n });
    }
    for (
      const uid of (executedByAuction.get(auctionId) ?? []).flatMap((outcome) => outcome.orders)
    ) {
      const order = orders.get(uid);
      const role = auctionRole({ uid }, auction, options);
      if (role === "liquidity") {
        counts.ordersWithoutSurplus++;
        continue;
      }
      if (role === "unknown" || order === undefined && metricName === "order_share") {
        counts.ordersUnknown++;
        continue;
      }
      if (metricName === "executed_orders") {
        counts.executedOrders++;
        for (const key of findBidders(uid, solutions).keys()) tallies.get(key)!.shares += scale;
        continue;
      }
      if (order === undefined) continue;
      const surpluses = findBestSurpluses(uid, order, solutions);
      if (isNotComputable(surpluses)) {
        counts.ordersUnknown++;
        continue;
      }
      const total = surpluses.values().reduce((sum, surplus) => sum + surplus, 0n);
      if (total === 0n) {
        counts.ordersWithoutSurplus++;
        continue;
      }
      counts.executedOrders++;
      for (const [key, surplus] of surpluses) {
        tallies.get(key)!.shares += mulDivDown(surplus, scale, total);
      }
    }
  }
  const rates = computeSuccessRates(outcomes.solutions);
  const metrics = tallies.entries().map(([key, { solver, shares }]) => {
    const successRate = rates.get(key) ?? rate(0, 0);
    const { successes, trials } = successRate;
    const metric = metricName === "executed_orders"
      ? shares
      : trials === 0
      ? 0n
      : mulDivDown(shares, BigInt(successes), BigInt(trials));
    return { solver, shares, successRate, metric };
  }).toArray().sort((a, b) => a.metric === b.metric ? 0 : a.metric > b.metric ? -1 : 1);
  const sum = metrics.reduce((total, { metric }) => total + metric, 0n);
  return {
    ...counts,
    solvers: metrics.map(({ solver, shares, successRate, metric }) => ({
      solver,
      orderShareSum: ratio(shares, scale),
      successRate,
      metric: ratio(metric, scale),
      share: sum === 0n ? null : ratio(metric, sum),
    })),
  };
}

/**
 * Finds the surplus of each solver's best unfiltered bid on an order, by solver; a reason if the limit
 * has no price.
 */
function findBestSurpluses(
  uid: string,
  order: OrderLimit,
  solutions: readonly Solution[],
): HexMap<bigint> | NotComputable<"limit_without_price"> {
  const best = new HexMap<bigint>();
  for (const { solverAddress, filteredOut, orders } of solutions) {
    if (filteredOut) continue;
    const execution = orders.find(({ id }) => sameHex(id, uid));
    if (execution === undefined) continue;
    const surplus = surplusOverLimit(execution, order);
    if (isNotComputable(surplus)) return surplus;
    const previous = best.get(solverAddress);
    if (previous === undefined || surplus > previous) {
      best.set(solverAddress, surplus > 0n ? surplus : 0n);
    }
  }
  return best;
}

/** Finds the solvers with an unfiltered bid on an order. */
function findBidders(uid: string, solutions: readonly Solution[]): HexMap<true> {
  return new HexMap(
    solutions.filter(({ filteredOut, orders }) =>
      !filteredOut && orders.some(({ id }) => sameHex(id, uid))
    ).map(({ solverAddress }) => [solverAddress, true]),
  );
}

/** Computes success rates, in which a winning solution counts once for each of its orders. */
function computeSuccessRates(solutions: readonly SolutionOutcome[]): HexMap<Rate> {
  const rates = new HexMap<Rate>();
  for (const [key, won] of groupByHex(solutions, ({ solver }) => solver)) {
    const countPairs = (outcomes: readonly SolutionOutcome[]) =>
      outcomes.reduce((count, { orders }) => count + orders.length, 0);
    rates.set(
      key,
      rate(countPairs(won.filter(({ result }) => result === "in_time")), countPairs(won)),
    );
  }
  return rates;
}
