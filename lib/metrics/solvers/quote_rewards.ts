import { checkOptions, type OptionRules, required } from "../../errors/option_rules.ts";
import type { Competition, DebugReport, Order, Trade } from "../../schemas/mod.ts";
import { HexMap, sameHex } from "../../units/mod.ts";
import { anyRecord, indexByUid, isNotComputable, list } from "../not_computable.ts";
import type { Fill } from "../orders/fills.ts";
import { auctionRole } from "../orders/order_bids.ts";
import { marketPosition } from "../quotes/quote_baseline.ts";
import { slippage } from "../slippage/slippage.ts";
import type { SettlementOutcomes } from "./settlement_outcomes.ts";

/** Options of {@linkcode quoteRewards}. */
export interface QuoteRewardOptions {
  /** The outcomes of the winning solutions of the same auctions. */
  readonly outcomes: SettlementOutcomes;
  /** The executed orders, with their stored quotes. */
  readonly orders?: Iterable<Order>;
  /** Their trades: the fee policies determine the quote that the trader was shown. */
  readonly trades?: Iterable<Trade>;
  /** Their debug reports, each of which contains every bid on its order. */
  readonly debugReports?: Iterable<DebugReport>;
  /**
   * Whether the competitions include every auction while the orders were open, so that a bid that
   * is absent was not made. @default {false}
   */
  readonly areAllAuctions?: boolean;
  /**
   * Whether the quote has to be verified and its solver to have bid as well, as since 2025-08-12.
   *
   * @default {true}
   */
  readonly needsBid?: boolean;
}

const OPTIONS: OptionRules<QuoteRewardOptions> = {
  outcomes: required(anyRecord()),
  orders: list(),
  trades: list(),
  debugReports: list(),
  areAllAuctions: Boolean,
  needsBid: Boolean,
};

/** The reason why a quote earns nothing, or may earn nothing. */
export type QuoteRewardReason =
  | "order_unknown"
  | "no_quote"
  | "partially_fillable"
  | "quote_not_verified"
  | "out_of_market"
  | "settlement_unknown"
  | "bid_below_gross_quote"
  | "bid_not_seen"
  | "no_bid_as_good";

/** Whether the quote of one executed order earned its solver a reward. */
export interface OrderQuoteReward {
  /** UID of the order. */
  readonly orderUid: string;
  /** Id of the auction it was executed from. */
  readonly auctionId: number;
  /** Address of the solver that quoted; `null` if the order or its quote is unknown. */
  readonly solver: string | null;
  /** Whether it earned one: certainly, possibly, or not; `"unknown"` if the order is unknown. */
  readonly verdict: "earned" | "possible" | "not_earned" | "unknown";
  /** The reason why it did not, or may not have; `null` if it did. */
  readonly reason: QuoteRewardReason | null;
}

/**
 * Determines whether the quote that each executed order was placed with earned its solver a quote reward.
 *
 * The documentation has four conditions: the order is a fill-or-kill market order, its quote is
 * verified, it was executed (by any solver), and the quoting solver proposed an execution at least
 * as good as the quote in at least one auction, in a solution that was not filtered out. A market
 * order is one whose {@linkcode marketPosition} is `"in_market"`.
 *
 * Which fees "as good as the quote" excludes is not public. So a bid that reaches the *gross* quote
 * certainly earns a reward, one that reaches only the quote that the *trader was shown* (after
 * network and volume fees) possibly does, and one below that does not. A bid that is in none of the
 * competitions may be in another auction, unless the order's debug report is passed or
 * `areAllAuctions` is set.
 *
 * @param competitions The auctions, with their bids.
 * @param options The outcomes, and records of the orders.
 * @returns One per order executed from these auctions and listed in them, in the order of the
 * outcomes; orders that a solver provided have no quote and are left out.
 * @throws {InputError} If an option is unknown or invalid.
 * @see {@link https://github.com/cowprotocol/docs/blob/00b4a6dfa413a13af9467fc13f9f8cd8c9a7193c/docs/cow-protocol/reference/core/auctions/rewards.md | the protocol's documentation of 2025-11}
 *
 * @example Nothing executed, nothing earned
 * ```ts
 * import { quoteRewards } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(quoteRewards([], { outcomes: { solutions: [], solvers: [] } }), []);
 * ```
 */
export function quoteRewards(
  competitions: Iterable<Competition>,
  options: QuoteRewardOptions,
): OrderQuoteReward[] {
  checkOptions(options, OPTIONS, "Cannot determine quote rewards");
  const auctions = [...competitions];
  const orders = indexByUid<Order>(options.orders ?? []);
  const executed = findExecutedOrders(auctions, options.outcomes);
  const bids = collectQuoterBids(auctions, {
    orders,
    executed,
    reports: options.debugReports ?? [],
  });
  const policies = new HexMap<Trade["executedProtocolFees"]>();
  for (const { orderUid, executedProtocolFees } of options.trades ?? []) {
    policies.set(orderUid, executedProtocolFees);
  }
  return executed.entries().map(([uid, { auctionId, isSure }]): OrderQuoteReward => {
    const order = orders.get(uid);
    const solver = order?.quote?.solver ?? null;
    const base = { orderUid: uid, auctionId, solver };
    if (order === undefined) return { ...base, verdict: "unknown", reason: "order_unknown" };
    const refusal = findRefusal(order, options.needsBid ?? true);
    if (refusal !== null) return { ...base, verdict: "not_earned", reason: refusal };
    if (options.needsBid === false) {
      return isSure
        ? { ...base, verdict: "earned", reason: null }
        : { ...base, verdict: "possible", reason: "settlement_unknown" };
    }
    const { fills, isWhole } = bids.get(uid)!;
    const reason = judgeBids(fills, { order, executedProtocolFees: policies.get(uid) });
    if (reason === "no_bid_as_good") {
      return isWhole || options.areAllAuctions === true
        ? { ...base, verdict: "not_earned", reason }
        : { ...base, verdict: "possible", reason: "bid_not_seen" };
    }
    if (!isSure) return { ...base, verdict: "possible", reason: "settlement_unknown" };
    return { ...base, verdict: reason === null ? "earned" : "possible", reason };
  }).toArray();
}

interface Execution {
  readonly auctionId: number;
  /** Whether a settlement is certain, not just possible. */
  readonly isSure: boolean;
}

/**
 * Finds orders of winning solutions that were, or may have been, executed and that their auction lists.
 */
function findExecutedOrders(
  competitions: readonly Competition[],
  { solutions }: SettlementOutcomes,
): HexMap<Execution> {
  const auctions = new Map(
    competitions.map((competition) => [competition.auctionId, competition.auction]),
  );
  const executed = new HexMap<Execution>();
  for (const { auctionId, orders, result, txHash } of solutions) {
    const auction = auctions.get(auctionId);
    if (auction === undefined || result === "absent") continue;
    const isSure = txHash !== null || result === "in_time" || result === "late";
    for (const uid of orders) {
      if (auctionRole({ uid }, auction) !== "listed") continue;
      if (isSure || !executed.has(uid)) executed.set(uid, { auctionId, isSure });
    }
  }
  return executed;
}

/** The bids of a quoter on the order that it quoted, and whether they are all of them. */
interface QuoterBids {
  readonly fills: Fill[];
  isWhole: boolean;
}

interface BidSources {
  readonly orders: { get(uid: string): Order | undefined };
  readonly executed: HexMap<Execution>;
  readonly reports: Iterable<DebugReport>;
}

function collectQuoterBids(
  competitions: readonly Competition[],
  { orders, executed, reports }: BidSources,
): HexMap<QuoterBids> {
  const bids = new HexMap<QuoterBids>(
    executed.keys().map((uid) => [uid, { fills: [], isWhole: false }]),
  );
  const add = (uid: string, solver: string, fill: Fill) => {
    const quoter = orders.get(uid)?.quote?.solver;
    if (quoter !== undefined && sameHex(quoter, solver)) bids.get(uid)?.fills.push(fill);
  };
  for (const { solutions } of competitions) {
    for (const { solverAddress, filteredOut, orders: fills } of solutions) {
      if (filteredOut) continue;
      for (const { id, sellAmount, buyAmount } of fills) {
        add(id, solverAddress, { sellAmount, buyAmount });
      }
    }
  }
  for (const { orderUid, auctions } of reports) {
    const orderBids = bids.get(orderUid);
    if (orderBids === undefined) continue;
    orderBids.isWhole = true;
    for (
      const { solver, filteredOut, executedSell, executedBuy } of auctions.flatMap((
        { proposedSolutions },
      ) => proposedSolutions)
    ) {
      if (!filteredOut) add(orderUid, solver, { sellAmount: executedSell, buyAmount: executedBuy });
    }
  }
  return bids;
}

/** Finds the reason against a reward for the order and its quote, regardless of bids. */
function findRefusal(
  { quote, partiallyFillable, ...order }: Order,
  needsBid: boolean,
): QuoteRewardReason | null {
  if (quote === null || quote === undefined) return "no_quote";
  if (partiallyFillable) return "partially_fillable";
  if (needsBid && !quote.verified) return "quote_not_verified";
  return marketPosition(order, quote).position === "in_market" ? null : "out_of_market";
}

interface QuotedOrder {
  readonly order: Order;
  readonly executedProtocolFees: Trade["executedProtocolFees"];
}

/** Judges the best of the bids; an unknown baseline does not count as missed. */
function judgeBids(
  fills: readonly Fill[],
  { order, executedProtocolFees }: QuotedOrder,
): QuoteRewardReason | null {
  const isAsGoodAs = (fill: Fill, baseline: "gross" | "userShown") => {
    const policies = executedProtocolFees === undefined ? {} : { executedProtocolFees };
    const distance = slippage({ ...fill, ...policies }, order, order.quote, baseline);
    return isNotComputable(distance) ? baseline === "userShown" : distance.atoms >= 0n;
  };
  if (fills.some((fill) => isAsGoodAs(fill, "gross"))) return null;
  return fills.some((fill) => isAsGoodAs(fill, "userShown"))
    ? "bid_below_gross_quote"
    : "no_bid_as_good";
}
