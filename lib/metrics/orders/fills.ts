import {
  type Competition,
  type DebugReport,
  effectiveValidTo,
  type Order,
  type OrderEvent,
  type OrderKind,
  type Solution,
  type Trade,
} from "../../schemas/mod.ts";
import { HexMap, sameHex } from "../../units/mod.ts";
import { anyRecord, type NotComputable } from "../not_computable.ts";
import {
  checkOptions,
  defineRule,
  type OptionRule,
  type OptionRules,
} from "../../errors/option_rules.ts";

/**
 * The amounts that one execution of an order exchanged. A `Trade`, a trade of a debug report and an
 * order of a competition's solution have them.
 */
export interface Fill {
  /** Sold, in sell-token atoms, all fees included. */
  readonly sellAmount: bigint;
  /** Bought, in buy-token atoms, after all fees. */
  readonly buyAmount: bigint;
  /**
   * Sold without the legacy signed fee, in sell-token atoms; the limit price applies to this
   * amount. Absent where no such fee is possible, as in solutions.
   */
  readonly sellAmountBeforeFees?: bigint | undefined;
}

/** The signed terms of an order: the amount that it fixes, and its limit. An `Order` has both. */
export interface OrderLimit {
  /** The fixed amount. */
  readonly kind: OrderKind;
  /** Limit amount to sell, in sell-token atoms. */
  readonly sellAmount: bigint;
  /** Limit amount to buy, in buy-token atoms. */
  readonly buyAmount: bigint;
}

/** The tokens of an order in addition to its limit. An `Order` has them. */
export interface OrderPair extends OrderLimit {
  /** Token sold. */
  readonly sellToken: string;
  /** Token bought. */
  readonly buyToken: string;
}

/**
 * Returns the amount that a fill sold at its price: `sellAmountBeforeFees`, or `sellAmount` if a
 * legacy signed fee is not reported separately.
 *
 * The settlement contract takes a signed fee on top of the amount that it exchanges, so surplus and
 * fees refer to this amount. Current orders sign no fee, so both are the same.
 *
 * @param fill Amounts in atoms.
 * @returns Sell-token atoms.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | amounts of the service}
 *
 * @example An order of 2022 that sold 100 and paid a signed fee of 3
 * ```ts
 * import { exchangedSellAmount } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const fill = { sellAmount: 103n, sellAmountBeforeFees: 100n, buyAmount: 95n };
 *
 * assertEquals(exchangedSellAmount(fill), 100n);
 * ```
 */
export function exchangedSellAmount(fill: Fill): bigint {
  return fill.sellAmountBeforeFees ?? fill.sellAmount;
}

/**
 * Sums the amounts of several fills of one order, as one fill.
 *
 * @param fills Fills of one order, in atoms; all of them, or those of a period.
 * @returns One fill; its amounts are `0n` for no fills.
 *
 * @example Two fills
 * ```ts
 * import { sumFills } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const sum = sumFills([{ sellAmount: 30n, buyAmount: 28n }, { sellAmount: 20n, buyAmount: 19n }]);
 *
 * assertEquals(sum, { sellAmount: 50n, buyAmount: 47n, sellAmountBeforeFees: 50n });
 * ```
 */
export function sumFills(fills: Iterable<Fill>): Fill {
  let sellAmount = 0n;
  let buyAmount = 0n;
  let sellAmountBeforeFees = 0n;
  for (const fill of fills) {
    sellAmount += fill.sellAmount;
    buyAmount += fill.buyAmount;
    sellAmountBeforeFees += exchangedSellAmount(fill);
  }
  return { sellAmount, buyAmount, sellAmountBeforeFees };
}

/** The executed totals of an order. An `Order` has them. */
export interface ExecutedTotals {
  /** Sold so far, in sell-token atoms, with the legacy signed fee. */
  readonly executedSellAmount: bigint;
  /** Sold so far without the legacy signed fee, in sell-token atoms. */
  readonly executedSellAmountBeforeFees: bigint;
  /** Bought so far, in buy-token atoms. */
  readonly executedBuyAmount: bigint;
}

/**
 * The executed totals of an order as one fill: it turns every metric of a fill into one of an
 * order.
 *
 * @param order The executed totals, in atoms.
 * @returns A fill of both totals; both are `0n` while nothing was executed.
 *
 * @example Surplus of an order that filled in parts
 * ```ts
 * import { orderFill, surplusAtoms } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const order = {
 *   kind: "sell",
 *   sellAmount: 100n,
 *   buyAmount: 90n,
 *   executedSellAmount: 50n,
 *   executedSellAmountBeforeFees: 50n,
 *   executedBuyAmount: 46n,
 * } as const;
 *
 * assertEquals(surplusAtoms(orderFill(order), order), 1n);
 * ```
 */
export function orderFill(order: ExecutedTotals): Fill {
  return {
    sellAmount: order.executedSellAmount,
    buyAmount: order.executedBuyAmount,
    sellAmountBeforeFees: order.executedSellAmountBeforeFees,
  };
}

/** Lists the transactions that settled an auction. Old responses list them only for the whole auction. */
export function listTransactions({ transactionHashes, solutions }: Competition): string[] {
  return [...transactionHashes, ...solutions.flatMap(({ txHash }) => txHash ?? [])];
}

/** A fill by its order and its transaction. */
type SettledFill = Pick<Trade, "orderUid" | "txHash">;

/**
 * Whether a fill is of an auction's settlements. A transaction may hold several settlements, also of
 * other auctions: where solutions name it, one of them has to hold the order.
 */
export function isSettledFrom(
  competition: Pick<Competition, "transactionHashes" | "solutions">,
  { orderUid, txHash }: SettledFill,
): boolean {
  if (txHash === null) return false;
  const settledSolutions = findSettledSolutions(competition.solutions, txHash);
  return settledSolutions.length > 0
    ? settledSolutions.some(({ orders }) => orders.some(({ id }) => sameHex(id, orderUid)))
    : competition.transactionHashes.some((hash) => sameHex(hash, txHash));
}

/** Finds the solutions that a transaction settled: mostly one. */
export function findSettledSolutions<Settled extends Pick<Solution, "txHash">>(
  solutions: readonly Settled[],
  txHash: string,
): Settled[] {
  return solutions.filter((solution) =>
    solution.txHash != null && sameHex(solution.txHash, txHash)
  );
}

/**
 * Finds the auction of a fill, by its transaction: where several auctions were settled in it, the one
 * whose solution holds the order.
 */
export function indexAuctionsOfFills(
  competitions: Iterable<Competition>,
): (fill: SettledFill) => Competition | undefined {
  const auctions = new HexMap<Competition[]>();
  for (const competition of competitions) {
    for (const hash of new Set(listTransactions(competition).map((hash) => hash.toLowerCase()))) {
      const settledAuctions = auctions.get(hash);
      if (settledAuctions === undefined) auctions.set(hash, [competition]);
      else settledAuctions.push(competition);
    }
  }
  return (fill) => {
    const [only, ...otherAuctions] = auctions.get(fill.txHash ?? "") ?? [];
    if (only === undefined || otherAuctions.length === 0) return only;
    return [only, ...otherAuctions].find((competition) => isSettledFrom(competition, fill));
  };
}

/** Maximum number of trades that a debug report lists. */
export const MAX_REPORTED_TRADES = 100;

/**
 * Finds the auction of a fill in a debug report: that of the trade at the same position on the chain.
 *
 * @returns `null` without a report, or if it does not name the auction of the trade.
 */
export function findReportedAuctionId(
  { blockNumber, logIndex }: Pick<Trade, "blockNumber" | "logIndex">,
  report: DebugReport | null | undefined,
): number | null {
  const twin = report?.trades.find((trade) =>
    trade.blockNumber === blockNumber && trade.logIndex === logIndex
  );
  return twin?.auctionId ?? null;
}

/**
 * Returns the reason why a limit that fixes 0 atoms has no price; `undefined` for any other limit.
 */
export function checkLimitPrice(
  { kind, sellAmount, buyAmount }: OrderLimit,
): NotComputable<"limit_without_price"> | undefined {
  const fixed = kind === "sell" ? sellAmount : buyAmount;
  return fixed === 0n
    ? { reason: "limit_without_price", detail: "The order is for 0 atoms" }
    : undefined;
}

/**
 * Source of a time: `block` is the timestamp of the block itself, `event` that of the event
 * `traded` of a debug report, stored when the service indexed the fill, a little after its block, and
 * `bracketed` an interval that follows from the dates of orders.
 */
export type TimeBasis = "block" | "event" | "bracketed";

/** The interval in which something happened. */
export interface TimeBracket {
  /** It did not happen earlier. */
  readonly min: Temporal.Instant;
  /** It did not happen later; `null` if no bound is known. */
  readonly max: Temporal.Instant | null;
}

/** The time of an event on the chain: exact, or an interval. */
export interface KnownTime {
  /** The time; if `basis` is `bracketed`, the earliest that it can be. */
  readonly at: Temporal.Instant;
  /** Its source. */
  readonly basis: TimeBasis;
  /** The interval; `null` unless `basis` is `bracketed`. */
  readonly bracket: TimeBracket | null;
}

/** Times of blocks, where known, such as `AuctionTimes`. */
export interface BlockClock {
  /** Returns the time of a block; `null` if unknown. */
  block(number: number): KnownTime | null;
  /**
   * Returns the timestamp of a block as a node stated it, even if it is rejected because it
   * contradicts the orders; `null` without one.
   */
  statedBlock?(number: number): Temporal.Instant | null;
}

/** Returns the timestamp of a block as a node stated it; `null` without one. */
export function readStatedBlock(times: BlockClock, number: number): Temporal.Instant | null {
  if (times.statedBlock !== undefined) return times.statedBlock(number);
  const blockTime = times.block(number);
  return blockTime?.basis === "block" ? blockTime.at : null;
}

/** Defines the allowed values of an option that takes times of blocks and auctions. */
export function defineTimesRule<Clock extends BlockClock>(
  methods: readonly (keyof Clock & string)[],
): OptionRule<Clock> {
  return defineRule(
    "the times that `auctionTimes` returns",
    (value) =>
      typeof value === "object" && value !== null &&
      methods.every((method) => typeof Reflect.get(value, method) === "function"),
  );
}

/** Returns an exact time. */
export function toExactTime(time: Temporal.Instant, basis: "block" | "event"): KnownTime {
  return { at: time, basis, bracket: null };
}

/** Returns a time that is known only as an interval. */
export function toBracketedTime(bracket: TimeBracket): KnownTime {
  return { at: bracket.min, basis: "bracketed", bracket };
}

/** Returns the later of two times; either may be missing. */
export function selectLater(
  a: Temporal.Instant | null | undefined,
  b: Temporal.Instant | null | undefined,
): Temporal.Instant | null {
  if (a == null || b == null) return a ?? b ?? null;
  return Temporal.Instant.compare(a, b) < 0 ? b : a;
}

/** Returns the earlier of two times; either may be missing. */
export function selectEarlier(
  a: Temporal.Instant | null | undefined,
  b: Temporal.Instant | null | undefined,
): Temporal.Instant | null {
  if (a == null || b == null) return a ?? b ?? null;
  return Temporal.Instant.compare(a, b) < 0 ? a : b;
}

/** Returns the bracket of two bounds; `null` without a lower one, or if they contradict each other. */
export function toBracket(
  min: Temporal.Instant | null,
  max: Temporal.Instant | null,
): TimeBracket | null {
  if (min === null) return null;
  return max !== null && Temporal.Instant.compare(min, max) > 0 ? null : { min, max };
}

/** Sources for the time of a fill. */
export interface FillTimeOptions {
  /** Times of blocks, such as those that `auctionTimes` returns. */
  readonly times?: BlockClock | null | undefined;
  /** The time at which the service indexed the fill, from a debug report. */
  readonly indexedAt?: Temporal.Instant | null | undefined;
  /** The order: no fill happens before its creation or after its expiry. */
  readonly order?: OrderLifespan | null | undefined;
}

/** The fields of an order that bound the times of its fills. An `Order` has them. */
export type OrderLifespan =
  & Pick<Order, "creationDate" | "validTo" | "ethflowData">
  & Partial<Pick<Order, "class">>;

/** Timestamps of blocks are whole seconds, rounded down. */
const BLOCK_ROUNDING_MS = 1_000;

/**
 * Returns the milliseconds by which the timestamp of a block lies outside an order's life: negative before its
 * creation, positive after its expiry, 0 within. The settlement contract fills no order after
 * `validTo`.
 *
 * An order that a solver brought (class `liquidity`) is stored after its settlement: its creation
 * bounds nothing.
 */
export function measureMsOutsideLifespan(
  blockTime: Temporal.Instant,
  order: OrderLifespan,
): number {
  const blockMs = blockTime.epochMilliseconds;
  const createdMs = order.creationDate.epochMilliseconds;
  const expiryMs = Math.max(order.validTo, effectiveValidTo(order)) * 1_000;
  if (order.class !== "liquidity" && blockMs + BLOCK_ROUNDING_MS <= createdMs) {
    return blockMs - createdMs;
  }
  return Math.max(0, blockMs - expiryMs);
}

const TIME_OPTIONS: OptionRules<FillTimeOptions> = {
  times: anyRecord(),
  indexedAt: anyRecord(),
  order: anyRecord(),
};

/**
 * Returns the time of a fill: the timestamp of its block; if that is unknown, or outside the life of the
 * order, the time at which the service indexed it; otherwise an interval.
 *
 * @param fill The fill, with the number of its block.
 * @param options Times of blocks, the indexing time, and the order.
 * @returns The time and its basis; `null` if it is unknown.
 * @throws {InputError} If an option is unknown or invalid.
 *
 * @example The time of an event of a debug report
 * ```ts
 * import { fillTime } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const indexedAt = Temporal.Instant.from("2026-11-21T15:00:12.25Z");
 * const time = fillTime({ blockNumber: 23_000_000 }, { indexedAt });
 *
 * assertEquals([time?.basis, time?.at], ["event", indexedAt]);
 * assertEquals(fillTime({ blockNumber: 23_000_000 }), null);
 * ```
 */
export function fillTime(
  fill: Pick<Trade, "blockNumber">,
  options: FillTimeOptions = {},
): KnownTime | null {
  checkOptions(options, TIME_OPTIONS, "Cannot determine the time of a fill");
  const { times, indexedAt, order } = options;
  const blockTime = times?.block(fill.blockNumber) ?? null;
  const isContradicted = blockTime?.basis === "block" && order != null &&
    measureMsOutsideLifespan(blockTime.at, order) !== 0;
  if (blockTime?.basis === "block" && !isContradicted) return blockTime;
  if (indexedAt != null) return toExactTime(indexedAt, "event");
  if (isContradicted) return null;
  if (blockTime?.bracket == null || order == null) return blockTime;
  const { min, max } = blockTime.bracket;
  const expiry = Temporal.Instant.fromEpochMilliseconds(effectiveValidTo(order) * 1_000);
  const narrowed = toBracket(selectLater(min, order.creationDate), selectEarlier(max, expiry));
  return narrowed === null ? blockTime : toBracketedTime(narrowed);
}

/** Sources for the times of all fills of an order. */
interface FillTimesContext extends Pick<FillTimeOptions, "times"> {
  /** The order. */
  readonly order: Omit<OrderLifespan, "creationDate">;
  /** The time of its creation. */
  readonly createdAt: Temporal.Instant;
  /** Its debug report. */
  readonly debugReport: Pick<DebugReport, "events"> | null;
}

/** Determines the times of all fills of an order, in the order of blocks. */
export function determineFillTimes(
  fills: readonly Pick<Trade, "blockNumber">[],
  { order, createdAt, debugReport, times }: FillTimesContext,
): { first: KnownTime | null; last: KnownTime | null; areKnown: boolean; events: number } {
  const indexed = matchIndexedTimes(fills, debugReport);
  const knownTimes = fills.map((fill, index) =>
    fillTime(fill, {
      times,
      indexedAt: indexed[index],
      order: { ...order, creationDate: createdAt },
    })
  );
  const events = listTradedTimes(debugReport);
  return {
    first: preferEvent(knownTimes[0], events[0]),
    last: preferEvent(knownTimes.at(-1), events.at(-1)),
    areKnown: knownTimes.every((time) => time !== null),
    events: events.length,
  };
}

/** Prefers an event to a bracket, even if it cannot be matched with a fill. */
function preferEvent(
  time: KnownTime | null | undefined,
  event: Temporal.Instant | undefined,
): KnownTime | null {
  if (event === undefined || time?.basis === "block") return time ?? null;
  return time?.basis === "event" ? time : toExactTime(event, "event");
}

function listTradedTimes(
  report: Pick<DebugReport, "events"> | null | undefined,
): Temporal.Instant[] {
  return sortByTime(report?.events ?? []).filter(({ label }) => label === "traded")
    .map(({ timestamp }) => timestamp);
}

/**
 * Returns the time at which the service indexed each fill of an order, from its debug report.
 *
 * @param fills All fills of the order, in any order.
 * @returns One time per fill in the order of blocks; `null` if a fill and its event cannot be
 * matched.
 */
export function matchIndexedTimes(
  fills: readonly unknown[],
  report: Pick<DebugReport, "events"> | null | undefined,
): readonly (Temporal.Instant | null)[] {
  const times = listTradedTimes(report);
  // Events that repeat a label are not stored, so the counts can differ.
  return times.length === fills.length ? times : fills.map(() => null);
}

/** Sorts events by time, oldest first; those of the same instant keep their order. */
export function sortByTime(events: Iterable<OrderEvent>): OrderEvent[] {
  return [...events].sort((a, b) => Temporal.Instant.compare(a.timestamp, b.timestamp));
}
