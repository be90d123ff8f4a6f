import type { OrderKind } from "../../schemas/mod.ts";
import { ratio } from "../../units/mod.ts";
import { exchangedSellAmount, type Fill } from "../orders/fill.ts";
import type { NotComputable } from "../not_computable.ts";
import type { PriceInterval } from "./price_interval.ts";

/** What a price before fees follows from, besides the amounts. */
export interface ImpliedPriceOptions {
  /** Which amount the order fixes. */
  readonly kind: OrderKind;
  /** All fees of *this fill* as the service reports them, in sell-token atoms. */
  readonly executedFee: bigint;
}

/**
 * The price before fees that the amounts and `executedFee` of a fill imply: buy-token atoms per
 * sell-token atom at the settlement's uniform prices, `r = Psell / Pbuy`.
 *
 * The service rounds, so a range of prices gives the same amounts `s`, `b`, `e`:
 *
 * - buy order: `e = s - floor(b / r)`, so `b / (s - e + 1) < r <= b / (s - e)`
 * - sell order: `e = floor(F / r)` with `F = ceil(s * r) - b`. From `F < s * r - b + 1` and `e <= F / r`
 *   follows `r > (b - 1) / (s - e)`; from `F >= s * r - b` and `F / r < e + 1` follows
 *   `r < b / (s - e - 1)`
 *
 * No price outside the range is possible; for a sell order, not every price inside it is.
 *
 * @param fill One execution after all fees, in atoms.
 * @returns The range; or `"fee_does_not_fit"` if the fee exceeds the amount sold.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | fees at uniform prices in the service}
 *
 * @example 100 sold for 190 after a fee of 5
 * ```ts
 * import { impliedPrice } from "orderlens/metrics";
 * import { ratio } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * const fill = { sellAmount: 100n, buyAmount: 190n };
 *
 * assertEquals(impliedPrice(fill, { kind: "sell", executedFee: 5n }), {
 *   low: ratio(189n, 95n),
 *   includesLow: false,
 *   high: ratio(190n, 94n),
 *   includesHigh: false,
 * });
 * ```
 */
export function impliedPrice(
  fill: Fill,
  options: ImpliedPriceOptions,
): PriceInterval | NotComputable<"fee_does_not_fit"> {
  const { kind, executedFee } = options;
  const b = fill.buyAmount;
  const left = exchangedSellAmount(fill) - executedFee;
  if (executedFee < 0n || left < 0n || b <= 0n || (left === 0n && kind === "sell")) {
    return {
      reason: "fee_does_not_fit",
      detail: `After a fee of ${executedFee}, ${left} atoms are left to sell for ${b}`,
    };
  }
  return kind === "buy"
    ? {
      low: ratio(b, left + 1n),
      includesLow: false,
      high: left === 0n ? null : ratio(b, left),
      includesHigh: left !== 0n,
    }
    : {
      low: ratio(b - 1n, left),
      includesLow: false,
      high: left === 1n ? null : ratio(b, left - 1n),
      includesHigh: false,
    };
}
