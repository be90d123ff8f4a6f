import { exchangedSellAmount, type Fill, type OrderLimit } from "../metrics/mod.ts";
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
