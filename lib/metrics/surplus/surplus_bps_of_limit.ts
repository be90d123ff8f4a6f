import { bpsRatio, type Ratio } from "../../units/mod.ts";
import { exchangedSellAmount, type Fill, type OrderLimit } from "../orders/fill.ts";
import { isNotComputable, type NotComputable } from "../not_computable.ts";
import { scaledLimit } from "./surplus_over_limit.ts";

/**
 * Surplus in basis points of the limit amount, scaled to the fill: how much better than the signed
 * price it was. This is the usual metric, and the one in the protocol's documentation.
 *
 * `10^4 * surplus / limit`, with the limit in the same whole atoms as in `surplusAtoms`:
 * sell `ceil(s * B / S)`, buy `floor(S * b / B)`. So the ratio times the limit is the surplus again,
 * exactly.
 *
 * @param fill One execution after all fees, or `orderFill(order)` for the whole order; atoms.
 * @param order Which amount is fixed, and the limit.
 * @returns Exact basis points, positive above the limit; or why they cannot be computed: the order
 * fixes `0n`, or the scaled limit is `0n`, as for an order that would sell for nothing.
 * @throws {RangeError} If an amount is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | surplus_over of the service}
 *
 * @example 2,100 for a limit of 2,000
 * ```ts
 * import { isNotComputable, surplusBpsOfLimit } from "orderlens/metrics";
 * import { ratioToNumber } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * const order = { kind: "sell", sellAmount: 1n, buyAmount: 2_000n } as const;
 * const bps = surplusBpsOfLimit({ sellAmount: 1n, buyAmount: 2_100n }, order);
 *
 * assertEquals(isNotComputable(bps) ? bps : ratioToNumber(bps), 500);
 * ```
 */
export function surplusBpsOfLimit(
  fill: Fill,
  order: OrderLimit,
): Ratio | NotComputable<"limit_without_price" | "zero_baseline"> {
  const limit = scaledLimit(fill, order);
  if (isNotComputable(limit)) return limit;
  if (limit === 0n) {
    return { reason: "zero_baseline", detail: "The limit of this fill is 0 atoms" };
  }
  const surplus = order.kind === "sell"
    ? fill.buyAmount - limit
    : limit - exchangedSellAmount(fill);
  return bpsRatio(surplus, limit);
}
