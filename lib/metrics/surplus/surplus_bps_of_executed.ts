import { bpsRatio, type Ratio } from "../../units/mod.ts";
import { exchangedSellAmount, type Fill, type OrderLimit } from "../orders/fill.ts";
import { isNotComputable, type NotComputable } from "../not_computable.ts";
import { surplusAtoms } from "./surplus_atoms.ts";

/**
 * Surplus in basis points of the executed amount of the surplus token, as the explorer shows it.
 *
 * Sell: `10^4 * surplus / b`. Buy: `10^4 * surplus / s`. With surplus, this is smaller than
 * `surplusBpsOfLimit` for a sell order, and larger for a buy order.
 *
 * @param fill One execution after all fees, or `orderFill(order)` for the whole order; atoms.
 * @param order Which amount is fixed, and the limit.
 * @returns Exact basis points, positive above the limit; or why they cannot be computed: the order
 * fixes `0n`, or nothing of the surplus token was executed.
 * @throws {RangeError} If an amount is negative.
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
export function surplusBpsOfExecuted(
  fill: Fill,
  order: OrderLimit,
): Ratio | NotComputable<"limit_without_price" | "nothing_executed"> {
  const executed = order.kind === "sell" ? fill.buyAmount : exchangedSellAmount(fill);
  const surplus = surplusAtoms(fill, order);
  if (isNotComputable(surplus)) return surplus;
  return executed === 0n
    ? { reason: "nothing_executed", detail: "The fill executed 0 atoms" }
    : bpsRatio(surplus, executed);
}
