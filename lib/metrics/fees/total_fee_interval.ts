import { divideDown, divideUp } from "../../units/mod.ts";
import type { AtomInterval } from "../prices/atom_interval.ts";
import { exchangedSellAmount, type Fill } from "../orders/fill.ts";
import type { NotComputable } from "../not_computable.ts";

/** Options of {@linkcode totalFeeInterval}. */
export interface TotalFeeOptions {
  /** All fees of the fill as the service reports them, in sell-token atoms, `>= 0n`. */
  readonly executedFee: bigint;
}

/**
 * All fees of a fill of a *sell* order in atoms of the buy token, as an interval: the smallest and
 * the largest whole number that fit its `executedFee` in the sell token.
 *
 * The service knows the price `r = Psell / Pbuy` and from it the fees `F = ceil(s * r) - b` and
 * `e = floor(F / r)`; only `s`, `b` and `e` are reported. The first says
 * `(F + b - 1) / s < r <= (F + b) / s`, the second `F / (e + 1) < r <= F / e`. Some price satisfies
 * both exactly if
 *
 * - `(F + b - 1) / s < F / e`, that is `F > e * (b - 1) / (s - e)`
 * - `F / (e + 1) < (F + b) / s`, that is `F < (e + 1) * b / (s - e - 1)`
 *
 * so that `low = floor(e * (b - 1) / (s - e)) + 1` (`0n` for `e = 0n`) and
 * `high = ceil((e + 1) * b / (s - e - 1)) - 1`: every number in between is the fee at some price,
 * and no other number is. Both lie around `e * b / (s - e)`.
 *
 * @param fill One execution of a sell order after all fees, in atoms.
 * @param options The fill's `executedFee`.
 * @returns The interval, or why there is none: `"fee_does_not_fit"` if no price gives this fee for
 * this fill, `"unbounded"` if the fee is all but one atom of what was sold.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | fee_in_sell_token of the service}
 *
 * @example At a price of 2 the fee was 10; 11 and 12 would read the same
 * ```ts
 * import { totalFeeInterval } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const fill = { sellAmount: 100n, buyAmount: 190n };
 *
 * assertEquals(totalFeeInterval(fill, { executedFee: 5n }), { low: 10n, high: 12n });
 * ```
 */
export function totalFeeInterval(
  fill: Fill,
  options: TotalFeeOptions,
): AtomInterval | NotComputable<"fee_does_not_fit" | "unbounded"> {
  const s = exchangedSellAmount(fill);
  const b = fill.buyAmount;
  const e = options.executedFee;
  if (e < 0n || s <= 0n || b <= 0n || e >= s) {
    return {
      reason: "fee_does_not_fit",
      detail: `No price gives a fee of ${e} for ${s} atoms sold and ${b} bought`,
    };
  }
  if (e === s - 1n) {
    return { reason: "unbounded", detail: `The fee of ${e} leaves only 1 of ${s} atoms sold` };
  }
  const low = e === 0n ? 0n : divideDown(e * (b - 1n), s - e) + 1n;
  const high = divideUp((e + 1n) * b, s - e - 1n) - 1n;
  return low <= high ? { low, high } : {
    reason: "fee_does_not_fit",
    detail: `No price gives a fee of ${e} for ${s} atoms sold and ${b} bought`,
  };
}
