import { powerOfTen } from "./power_of_ten.ts";
import { readDigits } from "./read_digits.ts";

/**
 * Parses decimal text in whole tokens as an amount of atoms, exactly: `text * 10^decimals`.
 *
 * Nothing is rounded or guessed: text with more fraction digits than the token has decimals, or
 * with ambiguous separators, is rejected. Accepts every text that {@linkcode formatAtoms} writes
 * without grouping, symbol and added zeros.
 *
 * @param text Digits, optionally with a sign, and with a decimal point and more digits for a
 * fraction. At most `decimals` fraction digits, zeros included.
 * @param decimals Decimals of the token, a whole number from 0 to 77.
 * @returns Atoms; negative if the text is.
 * @throws {InputError} If the text is empty, has an exponent, separators, spaces or anything else
 * that is not a digit, or more than `decimals` fraction digits.
 * @throws {RangeError} If `decimals` is not a whole number from 0 to 77.
 *
 * @example An amount a person typed
 * ```ts
 * import { InputError, parseAtoms } from "orderlens";
 * import { assertEquals, assertThrows } from "@std/assert";
 *
 * assertEquals(parseAtoms("1.5", 6), 1_500_000n);
 * assertEquals(parseAtoms("-0.000001", 6), -1n);
 * assertThrows(() => parseAtoms("0.0000001", 6), InputError, "7 fraction digits");
 * ```
 */
export function parseAtoms(text: string, decimals: number): bigint {
  const unit = powerOfTen(decimals);
  const { coefficient, fractionDigits } = readDigits(text, {
    what: `an amount with ${decimals} decimal${decimals === 1 ? "" : "s"}`,
    maxFractionDigits: decimals,
  });
  return coefficient * (unit / powerOfTen(fractionDigits));
}
