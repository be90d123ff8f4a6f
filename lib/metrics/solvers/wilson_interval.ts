import { isWhole } from "../../errors/is_whole.ts";
import { checkOptions, type OptionRules, rule } from "../../errors/option_rules.ts";

/** An interval of numbers from 0 to 1. */
export interface Interval {
  /** Lower end. */
  readonly low: number;
  /** Upper end, at least `low`. */
  readonly high: number;
}

/** Confidence of an interval. */
export interface WilsonOptions {
  /**
   * Number of standard deviations of the normal distribution on each side, above 0; the default is
   * for 95%.
   *
   * @default {1.959963984540054}
   */
  readonly z?: number;
}

const OPTIONS: OptionRules<WilsonOptions> = {
  z: rule("a number above 0", (z) => typeof z === "number"),
};

/** Standard deviations on each side that cover 95% of a normal distribution. */
export const Z_OF_95_PERCENT = 1.959963984540054;

/**
 * The Wilson score interval of a rate: a confidence interval for the true rate, given `successes`
 * out of `trials`.
 *
 * `(p + z²/2n ± z·√(p(1-p)/n + z²/4n²)) / (1 + z²/n)` with `p = successes / trials`, `n = trials`.
 * It stays between 0 and 1 and is valid for few trials and for rates near 0 or 1, unlike the usual
 * `p ± z·√(p(1-p)/n)`. It applies to rates only: to counts of independent trials with two outcomes,
 * not to sums of money.
 *
 * The ends are statistics for an axis, computed in doubles, and not exact amounts.
 *
 * @param successes A whole number from 0 to `trials`.
 * @param trials A whole number.
 * @returns The interval; `low` is exactly 0 without a success and `high` exactly 1 without a
 * failure. `null` for no trials.
 * @throws {InputError} If an option is unknown or invalid.
 * @throws {RangeError} If the counts are not such numbers, or `z` is not above 0.
 * @see {@link https://doi.org/10.1080/01621459.1927.10502953 | Wilson 1927}
 *
 * @example Eight of ten
 * ```ts
 * import { wilsonInterval } from "orderlens/metrics";
 * import { assertAlmostEquals } from "@std/assert";
 *
 * const interval = wilsonInterval(8, 10);
 *
 * assertAlmostEquals(interval?.low ?? NaN, 0.4901625);
 * assertAlmostEquals(interval?.high ?? NaN, 0.9433178);
 * ```
 */
export function wilsonInterval(
  successes: number,
  trials: number,
  options: WilsonOptions = {},
): Interval | null {
  checkOptions(options, OPTIONS, "Cannot compute an interval");
  const { z = Z_OF_95_PERCENT } = options;
  if (!isWhole(trials, 0) || !isWhole(successes, 0, trials)) {
    throw new RangeError(
      `Cannot estimate a rate from ${successes} of ${trials}: both must be whole numbers, the first at most the second`,
    );
  }
  if (!(z > 0 && z < Infinity)) {
    throw new RangeError(`Cannot estimate a rate with z ${z}: it must be a finite number above 0`);
  }
  if (trials === 0) return null;
  const rate = successes / trials;
  const spread = z * z / trials;
  const centre = rate + spread / 2;
  const reach = z * Math.sqrt(rate * (1 - rate) / trials + spread / (4 * trials));
  const scale = 1 + spread;
  return {
    low: successes === 0 ? 0 : Math.max(0, (centre - reach) / scale),
    high: successes === trials ? 1 : Math.min(1, (centre + reach) / scale),
  };
}
