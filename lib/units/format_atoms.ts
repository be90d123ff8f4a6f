import { divide } from "./divide.ts";
import { placePoint } from "./place_point.ts";
import { powerOfTen } from "./power_of_ten.ts";
import type { Rounding } from "./rounding.ts";

/** Options that do not affect the digits of an amount. */
export interface AtomsLook {
  /** Separator between groups of three digits of the whole part, such as `","`; none by default. */
  grouping?: string;
  /** Unit after the number and a space, such as `"WETH"`; none by default. */
  symbol?: string;
}

/** Formats an amount with all its digits. */
export interface ExactAtomsFormat extends AtomsLook {
  /**
   * `"trimmed"` drops trailing zeros of the fraction, `"all"` keeps as many fraction digits as the
   * token has decimals.
   *
   * @default {"trimmed"}
   */
  fractionDigits?: "trimmed" | "all";
}

/** Formats an amount with a chosen number of fraction digits. */
export interface RoundedAtomsFormat extends AtomsLook {
  /** Fraction digits, a whole number from 0 to 77; zeros are added where the token has fewer. */
  fractionDigits: number;
  /** How the remaining digits are rounded. */
  rounding: Rounding;
}

/** How {@linkcode formatAtoms} formats an amount: exactly, or with a named rounding. */
export type AtomsFormat = ExactAtomsFormat | RoundedAtomsFormat;

/**
 * Formats an amount of atoms as decimal text in whole tokens: `atoms / 10^decimals`.
 *
 * Exact for any number of digits, unless a number of fraction digits is chosen together with a
 * rounding. {@linkcode parseAtoms} reads the exact text back.
 *
 * @param atoms Any integer; negative amounts have a leading `-`.
 * @param decimals Decimals of the token, a whole number from 0 to 77.
 * @returns Digits, with a decimal point if they have a fraction; an amount that rounds to zero has
 * no sign.
 * @throws {RangeError} If `decimals` or `fractionDigits` is not a whole number from 0 to 77.
 *
 * @example Exact, trimmed or not, and rounded for a person
 * ```ts
 * import { formatAtoms } from "orderlens";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(formatAtoms(1_500_000n, 6), "1.5");
 * assertEquals(formatAtoms(1_500_000n, 6, { fractionDigits: "all" }), "1.500000");
 * assertEquals(
 *   formatAtoms(-1_234_567_890n, 6, {
 *     fractionDigits: 2,
 *     rounding: "halfEven",
 *     grouping: ",",
 *     symbol: "USDC",
 *   }),
 *   "-1,234.57 USDC",
 * );
 * ```
 */
export function formatAtoms(atoms: bigint, decimals: number, format: AtomsFormat = {}): string {
  const unit = powerOfTen(decimals);
  const suffix = format.symbol === undefined ? "" : ` ${format.symbol}`;
  if (isRounded(format)) {
    const { fractionDigits, rounding } = format;
    const rounded = divide(atoms * powerOfTen(fractionDigits), unit, { rounding });
    return placePoint(rounded, fractionDigits, format) + suffix;
  }
  const text = placePoint(atoms, decimals, format);
  if (format.fractionDigits === "all" || decimals === 0) return text + suffix;
  return text.replace(/\.?0+$/, "") + suffix;
}

function isRounded(format: AtomsFormat): format is RoundedAtomsFormat {
  return typeof format.fractionDigits === "number";
}
