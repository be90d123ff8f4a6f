import {
  exchangedSellAmount,
  type Fill,
  type MarketPosition,
  marketPosition,
  type OrderLimit,
  type OrderPair,
  type StoredQuote,
  surplusToken,
} from "../metrics/mod.ts";
import { ratio, ratioToNumber } from "../units/mod.ts";

/** Whether the amount that an order fixes is above 0, so that its limit has a price. */
export function hasLimitPrice(order: OrderLimit): boolean {
  return (order.kind === "sell" ? order.sellAmount : order.buyAmount) > 0n;
}

/** Share of the whole order that a fill executed, for axes; `null` for an order of nothing. */
export function filledFraction(fill: Fill, order: OrderLimit): number | null {
  if (!hasLimitPrice(order)) return null;
  return ratioToNumber(
    order.kind === "sell"
      ? ratio(exchangedSellAmount(fill), order.sellAmount)
      : ratio(fill.buyAmount, order.buyAmount),
  );
}

/** The surplus token of an order, as a cell. */
export function surplusTokenOf(order: OrderPair): string {
  return surplusToken(order);
}

/** Where an order stood against its stored quote, as a cell; `null` where the body has no quote. */
export function positionOf(
  order: OrderLimit & { readonly quote?: StoredQuote | null | undefined },
): MarketPosition["position"] | null {
  const { position, basis } = marketPosition(order, order.quote);
  return basis === "no_quote" ? null : position;
}
