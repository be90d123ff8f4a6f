import { effectiveValidTo, isClosedStatus, type Order } from "../schemas/mod.ts";

const DAY_MS = 86_400_000;

/**
 * Whether nothing about an order can change any more.
 *
 * That is so a day after the expiry of an order that is closed: no settlement may come later than
 * the expiry, and a day is ample time for the service to notice those that came. Before that only of an
 * order that one fill fulfilled and whose fees are known, which the service finds out after the fill. A
 * cancellation alone decides nothing: a settlement on its way may still fill the order.
 */
export function isFinalOrder(order: Order, nowMs: number): boolean {
  if (!isClosedStatus(order.status)) return false;
  const { executedFee, partiallyFillable } = order;
  const areFeesKnown = !partiallyFillable && executedFee !== undefined && executedFee > 0n;
  if (order.status === "fulfilled" && areFeesKnown) return true;
  return nowMs > effectiveValidTo(order) * 1000 + DAY_MS;
}
