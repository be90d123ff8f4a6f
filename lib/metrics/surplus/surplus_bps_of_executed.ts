import { bpsRatio, type Ratio } from "../../units/mod.ts";
import { exchangedSellAmount, type Fill, type OrderLimit } from "../orders/fill.ts";
import { surplusAtoms } from "./surplus_atoms.ts";

/**
 * Surplus in basis points of the executed amount of the surplus token, as the explorer shows it.
 *
 * Sell: `10^4 * surplus / b`. Buy: `10^4 * surplus / s`. Smaller than the share of the limit for a
 * sell order with surplus, larger for a buy order.
 *
 * @param fill One execution after all fees, or `orderFill(order)` for the whole order; atoms.
 * @param order Which amount is fixed, and the limit.
 * @returns Exact basis points, positive above the limit; `null` where the executed amount is `0n`.
 * @throws {RangeError} If the amount that the order fixes is `0n`, or an amount is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | surplus_over of the service}
 *
 * @example 50 saved of a limit of 2,100, that is 50 of the 2,050 sold
 * ```ts
 * import { surplusBpsOfExecuted } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const order = { kind: "buy", sellAmount: 2_100n, buyAmount: 1n } as const;
 * const bps = surplusBpsOfExecuted({ sellAmount: 2_050n, buyAmount: 1n }, order);
 *
 * assertEquals(bps, { numerator: 500_000n, denominator: 2_050n });
 * ```
 */
export function surplusBpsOfExecuted(fill: Fill, order: OrderLimit): Ratio | null {
  const executed = order.kind === "sell" ? fill.buyAmount : exchangedSellAmount(fill);
  const surplus = surplusAtoms(fill, order);
  return executed === 0n ? null : bpsRatio(surplus, executed);
}
