import type { Competition, DebugReport, OrderKind, Trade } from "../../schemas/mod.ts";
import { HexMap } from "../../units/mod.ts";
import type { NotComputable } from "../not_computable.ts";

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

/** What an order was signed for: which amount it fixes, and its limit. An `Order` has both. */
export interface OrderLimit {
  /** Which amount is fixed. */
  readonly kind: OrderKind;
  /** Limit amount to sell, in sell-token atoms. */
  readonly sellAmount: bigint;
  /** Limit amount to buy, in buy-token atoms. */
  readonly buyAmount: bigint;
}

/** The tokens of an order besides its limit. An `Order` has them. */
export interface OrderPair extends OrderLimit {
  /** Token sold. */
  readonly sellToken: string;
  /** Token bought. */
  readonly buyToken: string;
}

/**
 * What a fill sold at its price: `sellAmountBeforeFees`, or `sellAmount` if a legacy signed fee is
 * not reported separately.
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
 * Several fills of one order as one fill: the sums of their amounts.
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

/** Transactions that settled an auction. Old answers list them only for the auction as a whole. */
export function transactionsOf({ transactionHashes, solutions }: Competition): string[] {
  return [...transactionHashes, ...solutions.flatMap(({ txHash }) => txHash ?? [])];
}

/** Auctions by the transactions that settled them: the auction of a fill is that of its transaction. */
export function auctionsByTransaction(competitions: Iterable<Competition>): HexMap<Competition> {
  const auctions = new HexMap<Competition>();
  for (const competition of competitions) {
    for (const hash of transactionsOf(competition)) auctions.set(hash, competition);
  }
  return auctions;
}

/**
 * The auction of a fill according to a debug report: that of its trade at the same position on the
 * chain.
 *
 * @returns `null` without a report, or if it does not name the auction of the trade.
 */
export function reportedAuctionId(
  { blockNumber, logIndex }: Pick<Trade, "blockNumber" | "logIndex">,
  report: DebugReport | null | undefined,
): number | null {
  const twin = report?.trades.find((trade) =>
    trade.blockNumber === blockNumber && trade.logIndex === logIndex
  );
  return twin?.auctionId ?? null;
}

/**
 * Why nothing can be measured against a limit that fixes 0 atoms; `undefined` for any other limit.
 */
export function limitWithoutPrice(
  { kind, sellAmount, buyAmount }: OrderLimit,
): NotComputable<"limit_without_price"> | undefined {
  const fixed = kind === "sell" ? sellAmount : buyAmount;
  return fixed === 0n
    ? { reason: "limit_without_price", detail: "The order is for 0 atoms" }
    : undefined;
}
