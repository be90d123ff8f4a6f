import type { Order } from "./order.ts";

/**
 * The last second in which an order may be filled, in unix seconds: `validTo`, or for an EthFlow
 * order the expiry set by its trader, because its signed expiry is the maximum.
 *
 * @example An EthFlow order
 * ```ts
 * import { effectiveValidTo } from "orderlens/schemas";
 * import { assertEquals } from "@std/assert";
 *
 * const ethflowData = { userValidTo: 1_800_000_000, refundTxHash: null };
 *
 * assertEquals(effectiveValidTo({ validTo: 4_294_967_295, ethflowData }), 1_800_000_000);
 * ```
 */
export function effectiveValidTo(order: Pick<Order, "validTo" | "ethflowData">): number {
  return order.ethflowData?.userValidTo ?? order.validTo;
}
