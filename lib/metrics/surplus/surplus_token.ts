import type { OrderPair } from "../orders/fill.ts";

/**
 * The token of an order's surplus and its protocol fees: the one whose amount the order does not
 * fix.
 *
 * @param order Which amount is fixed, and both tokens.
 * @returns The buy token of a sell order, the sell token of a buy order, in the letter case given.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | surplus_token of the service}
 *
 * @example A buy order saves what it sells
 * ```ts
 * import { surplusToken } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const token = surplusToken({
 *   kind: "buy",
 *   sellAmount: 10n,
 *   buyAmount: 3n,
 *   sellToken: "0xa1",
 *   buyToken: "0xb2",
 * });
 *
 * assertEquals(token, "0xa1");
 * ```
 */
export function surplusToken(order: OrderPair): string {
  return order.kind === "sell" ? order.buyToken : order.sellToken;
}
