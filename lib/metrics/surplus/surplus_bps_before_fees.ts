import { bpsRatio, type Ratio } from "../../units/mod.ts";
import { exchangedSellAmount, type Fill, type OrderLimit } from "../orders/fill.ts";
import { isNotComputable, type NotComputable } from "../not_computable.ts";
import { surplusAtoms } from "./surplus_atoms.ts";

/** The fees that {@linkcode surplusBpsBeforeFees} adds back. */
export interface SurplusBeforeFeesOptions {
  /**
   * Fees of the fill in atoms of the *surplus token*, `>= 0n`: the protocol fees alone, or with the
   * network fee from `networkFee`, for the amount that the solver traded.
   */
  readonly feeAtoms: bigint;
}

/**
 * Surplus in basis points of the amount before fees: the trader's share of the gross execution.
 *
 * Sell: `10^4 * surplus / (b + fees)`, since fees are deducted from the amount bought. Buy:
 * `10^4 * surplus / (s - fees)`, since fees are added to the amount sold. The surplus itself is
 * after fees, as in every other metric.
 *
 * @param fill One execution after all fees, in atoms.
 * @param order Which amount is fixed, and the limit.
 * @returns Exact basis points, positive above the limit; or why they cannot be computed: the order
 * fixes `0n`, or the amount before fees is not positive.
 * @throws {RangeError} If an amount is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | surplus before and after fees in the service}
 *
 * @example A surplus of 100 after a fee of 100
 * ```ts
 * import { isNotComputable, surplusBpsBeforeFees } from "orderlens/metrics";
 * import { ratioToNumber } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * const order = { kind: "sell", sellAmount: 1n, buyAmount: 1_800n } as const;
 * const fill = { sellAmount: 1n, buyAmount: 1_900n };
 * const bps = surplusBpsBeforeFees(fill, order, { feeAtoms: 100n });
 *
 * assertEquals(isNotComputable(bps) ? bps : ratioToNumber(bps), 500);
 * ```
 */
export function surplusBpsBeforeFees(
  fill: Fill,
  order: OrderLimit,
  options: SurplusBeforeFeesOptions,
): Ratio | NotComputable<"limit_without_price" | "nothing_executed" | "fees_above_volume"> {
  const { feeAtoms } = options;
  const surplus = surplusAtoms(fill, order);
  if (isNotComputable(surplus)) return surplus;
  const executed = order.kind === "sell" ? fill.buyAmount : exchangedSellAmount(fill);
  const gross = order.kind === "sell" ? executed + feeAtoms : executed - feeAtoms;
  if (gross > 0n) return bpsRatio(surplus, gross);
  return executed === 0n ? { reason: "nothing_executed", detail: "The fill executed 0 atoms" } : {
    reason: "fees_above_volume",
    detail: `The fees are ${feeAtoms} of ${executed} atoms executed`,
  };
}
