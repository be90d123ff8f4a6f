import { compareRatios, type Ratio, ratio } from "../../units/mod.ts";

/** Possible prices: a range of exact ratios; either end may be open. */
export interface PriceInterval {
  /** Lower end. */
  readonly low: Ratio;
  /** Whether the lower end itself is possible. */
  readonly includesLow: boolean;
  /** Upper end; `null` if there is none. */
  readonly high: Ratio | null;
  /** Whether the upper end itself is possible. */
  readonly includesHigh: boolean;
}

/** The same prices inverted: `1 / price`. A price of 0 is excluded. */
export function invertPrices(prices: PriceInterval): PriceInterval {
  const { low, includesLow, high, includesHigh } = prices;
  return {
    low: high === null ? ratio(0n, 1n) : ratio(high.denominator, high.numerator),
    includesLow: high !== null && includesHigh,
    high: low.numerator === 0n ? null : ratio(low.denominator, low.numerator),
    includesHigh: low.numerator !== 0n && includesLow,
  };
}

/** Prices that both ranges contain; `null` if there are none. */
export function commonPrices(a: PriceInterval, b: PriceInterval): PriceInterval | null {
  const lowest = compareRatios(a.low, b.low);
  const { low, includesLow } = lowest > 0
    ? a
    : lowest < 0
    ? b
    : { low: a.low, includesLow: a.includesLow && b.includesLow };
  const highest = a.high === null
    ? (b.high === null ? 0 : 1)
    : b.high === null
    ? -1
    : compareRatios(a.high, b.high);
  const { high, includesHigh } = highest < 0
    ? a
    : highest > 0
    ? b
    : { high: a.high, includesHigh: a.includesHigh && b.includesHigh };
  if (high !== null) {
    const width = compareRatios(low, high);
    if (width > 0 || (width === 0 && !(includesLow && includesHigh))) return null;
  }
  return { low, includesLow, high, includesHigh };
}
