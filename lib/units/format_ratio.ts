import { isWhole } from "../errors/is_whole.ts";
import { divide } from "./divide.ts";
import { placePoint } from "./place_point.ts";
import { type Ratio, requirePositiveDenominator } from "./ratio.ts";
import type { Rounding } from "./rounding.ts";

/** How a ratio is formatted. */
export interface RatioFormat {
  /** Digits after the decimal point, a whole number from 0 to 100; trailing zeros are kept. */
  digits: number;
  /** How the remaining digits are rounded. */
  rounding: Rounding;
  /** Separator between groups of three digits of the whole part, such as `","`; none by default. */
  grouping?: string;
}

/**
 * Formats a ratio as decimal text with a chosen number of digits.
 *
 * @param value Any ratio.
 * @returns Digits, with a decimal point where `digits` is not 0; a value that rounds to zero has no
 * sign.
 * @throws {RangeError} If `digits` is not a whole number from 0 to 100, or the denominator is not
 * positive.
 *
 * @example Two thirds
 * ```ts
 * import { formatRatio, ratio } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(formatRatio(ratio(2n, 3n), { digits: 4, rounding: "halfEven" }), "0.6667");
 * assertEquals(formatRatio(ratio(2n, 3n), { digits: 4, rounding: "trunc" }), "0.6666");
 * ```
 */
export function formatRatio(value: Ratio, format: RatioFormat): string {
  const { digits, rounding } = format;
  requirePositiveDenominator(value);
  if (!isWhole(digits, 0, 100)) {
    throw new RangeError(
      `Cannot format a ratio with ${digits} digits: the number must be whole and from 0 to 100`,
    );
  }
  const scaled = value.numerator * 10n ** BigInt(digits);
  return placePoint(divide(scaled, value.denominator, { rounding }), digits, format);
}

/**
 * Formats a fraction as a percentage: `100 * value`, with a percent sign.
 *
 * @param value A fraction of one: a half is fifty percent.
 * @returns The text of {@linkcode formatRatio} followed by `%`.
 * @throws {RangeError} If `digits` is not a whole number from 0 to 100, or the denominator is not
 * positive.
 *
 * @example One eighth
 * ```ts
 * import { formatPercent } from "orderlens";
 * import { ratio } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(formatPercent(ratio(1n, 8n), { digits: 1, rounding: "halfEven" }), "12.5%");
 * ```
 */
export function formatPercent(value: Ratio, format: RatioFormat): string {
  const { numerator, denominator } = value;
  return `${formatRatio({ numerator: numerator * 100n, denominator }, format)}%`;
}
