import { effectiveValidTo, isClosedStatus, type Order } from "../../schemas/mod.ts";

const DAY_MS = 86_400_000;

/**
 * Whether an order can no longer change.
 *
 * A closed order is final a day after its expiry: no settlement is possible after the expiry, and a
 * day is ample time for the service to index the last ones. Before that, an order is final only if
 * a single fill fulfilled it and its fees are known, which the service determines after the fill. A
 * cancellation alone is not final: a pending settlement may still fill the order.
 */
export function isFinalOrder(order: Order, nowMs: number): boolean {
  if (!isClosedStatus(order.status)) return false;
  const { executedFee, partiallyFillable } = order;
  const areFeesKnown = !partiallyFillable && executedFee !== undefined && executedFee > 0n;
  if (order.status === "fulfilled" && areFeesKnown) return true;
  return nowMs > effectiveValidTo(order) * 1000 + DAY_MS;
}
