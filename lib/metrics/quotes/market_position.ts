import type { OrderLimit } from "../orders/fill.ts";
import { netQuoteAmount } from "./net_quote_amount.ts";
import { type StoredQuote, storedQuoteFee } from "./stored_quote.ts";

/** A gross quote with its network fee computed; amounts in atoms. */
export interface QuoteWithFee {
  /** Quoted sell amount, in sell-token atoms. */
  readonly sellAmount: bigint;
  /** Quoted buy amount, in buy-token atoms. */
  readonly buyAmount: bigint;
  /** Network fee at quoting, in sell-token atoms. */
  readonly fee: bigint;
}

/** The position of an order's limit relative to its quote, and that quote. */
export interface MarketPosition {
  /**
   * `"in_market"` if the order could be filled at the quote after the network fee;
   * `"out_of_market"` if it needs a better price.
   */
  readonly position: "in_market" | "out_of_market";
  /** The gross quote with its network fee computed; `null` without a quote. */
  readonly quote: QuoteWithFee | null;
  /**
   * What decided: the `"quote"`; `"no_quote"`; or `"quote_without_price"`, a quote without a price
   * or with a fee above its amounts. In the last two cases, the service considers an order out of
   * market.
   */
  readonly basis: "quote" | "no_quote" | "quote_without_price";
}

/**
 * Whether an order was a market order or a limit order in the sense that fees depend on: its limit
 * compared with its quote.
 *
 * Out of market if, sell: `S * (q.buy - floor(q.fee * q.buy / q.sell)) < q.sell * B`; buy:
 * `S * q.buy < (q.sell + q.fee) * B`. A limit exactly at the quote is in market. Only the fee in
 * the buy token is rounded, down as in the service. `order.class` is ignored: it is `limit` for
 * every current order.
 *
 * @param order Which amount is fixed, and the limit, in atoms.
 * @param quote The order's stored quote, or the quote of a price-improvement policy; `null` or
 * `undefined` if there is none.
 * @returns The position, the quote, and what decided.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/shared/src/order_validation.rs | is_order_outside_market_price of the service}
 *
 * @example A fee of 5 makes the limit of 1,991 unreachable, and 1,990 not
 * ```ts
 * import { marketPosition } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const quote = { sellAmount: 1_000n, buyAmount: 2_000n, fee: 5n };
 * const order = { kind: "sell", sellAmount: 1_000n, buyAmount: 1_990n } as const;
 *
 * assertEquals(marketPosition(order, quote).position, "in_market");
 * assertEquals(marketPosition({ ...order, buyAmount: 1_991n }, quote).position, "out_of_market");
 * ```
 */
export function marketPosition(
  order: OrderLimit,
  quote: StoredQuote | null | undefined,
): MarketPosition {
  if (quote === null || quote === undefined) {
    return { position: "out_of_market", quote: null, basis: "no_quote" };
  }
  const fee = storedQuoteFee(quote);
  if (fee === null) return { position: "out_of_market", quote: null, basis: "quote_without_price" };
  const used = { sellAmount: quote.sellAmount, buyAmount: quote.buyAmount, fee };
  const net = netQuoteAmount(used, { kind: order.kind, fee });
  if (net === null || net < 0n) {
    return { position: "out_of_market", quote: used, basis: "quote_without_price" };
  }
  const isOut = order.kind === "sell"
    ? order.sellAmount * net < used.sellAmount * order.buyAmount
    : order.sellAmount * used.buyAmount < net * order.buyAmount;
  return { position: isOut ? "out_of_market" : "in_market", quote: used, basis: "quote" };
}
