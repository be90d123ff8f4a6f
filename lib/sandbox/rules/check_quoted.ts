import { marketPosition, type OrderLimit } from "../../metrics/mod.ts";
import type { OrderQuote } from "../../schemas/mod.ts";
import type { SignedOrder } from "../market/state/book_order.ts";
import type { Market } from "../market/state/market.ts";
import { rejection } from "../wire/reply.ts";

/** Maximum gas to settle one order. */
const MAX_GAS = 8_000_000;

/** An order with the quote that will be stored with it. */
export interface QuotedOrder {
  /** The signed order. */
  readonly signed: SignedOrder;
  /** Its owner. */
  readonly owner: string;
  /** Its quote. */
  readonly quote: OrderQuote;
}

/**
 * Checks an order against its quote: the number of its owner's open out-of-market orders, and the
 * gas including hooks.
 *
 * @throws {Rejection} 400 with a type.
 */
export function checkQuoted(
  market: Market,
  { signed, owner, quote }: QuotedOrder,
  { openLimitOrders, hookGas }: { openLimitOrders?: number; hookGas: number },
): void {
  const isOneMore = openLimitOrders !== undefined && isOutOfMarket(signed, quote);
  if (isOneMore && openOutOfMarket(market, owner) >= openLimitOrders) {
    throw rejection(400, "TooManyLimitOrders", "Too many limit orders");
  }
  if (quote.gasAmount.toNumber() + hookGas > MAX_GAS) {
    throw rejection(400, "TooMuchGas", "Executing order requires too many gas units");
  }
}

function openOutOfMarket(market: Market, owner: string): number {
  const now = market.time.instant;
  let count = 0;
  for (const order of market.book.ordersByOwner.get(owner) ?? []) {
    const { quote } = order.origin;
    if (quote === null || order.statusAt(now) !== "open") continue;
    if (isOutOfMarket(order.signed, quote)) count++;
  }
  return count;
}

function isOutOfMarket(order: OrderLimit, quote: OrderQuote): boolean {
  return marketPosition(order, quote).position === "out_of_market";
}
