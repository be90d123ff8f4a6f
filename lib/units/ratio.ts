/**
 * An exact fraction of two integers.
 *
 * Kept as it was made, not in lowest terms: the two numbers are the very amounts that were
 * compared. So two equal ratios may look different: compare with {@linkcode compareRatios}, never
 * by their parts. Make one with {@linkcode ratio}, which sees to the sign of the denominator.
 */
export interface Ratio {
  /** The part; carries the sign. */
  readonly numerator: bigint;
  /** The whole; always positive. */
  readonly denominator: bigint;
}

/**
 * Makes the exact fraction `numerator / denominator`.
 *
 * @param numerator Any integer.
 * @param denominator Any integer but `0n`; the sign moves to the numerator.
 * @returns The fraction, not reduced; zero is `0n` over the denominator.
 * @throws {RangeError} If `denominator` is `0n`.
 *
 * @example A third, and minus a third
 * ```ts
 * import { ratio } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(ratio(2n, 6n), { numerator: 2n, denominator: 6n });
 * assertEquals(ratio(1n, -3n), { numerator: -1n, denominator: 3n });
 * ```
 */
export function ratio(numerator: bigint, denominator: bigint): Ratio {
  if (denominator === 0n) {
    throw new RangeError(
      `Cannot make the ratio ${numerator} / ${denominator}: the denominator must not be 0`,
    );
  }
  return denominator < 0n
    ? { numerator: -numerator, denominator: -denominator }
    : { numerator, denominator };
}

/**
 * Orders two ratios by their exact values; fit for `Array.prototype.sort`.
 *
 * @returns `-1` if `a` is smaller, `1` if it is larger, `0` if both have the same value.
 * @throws {RangeError} If a denominator is not positive.
 *
 * @example Equal values, whatever the parts
 * ```ts
 * import { compareRatios, ratio } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(compareRatios(ratio(1n, 3n), ratio(2n, 6n)), 0);
 * assertEquals(compareRatios(ratio(1n, 3n), ratio(34n, 100n)), -1);
 * ```
 */
export function compareRatios(a: Ratio, b: Ratio): -1 | 0 | 1 {
  requirePositiveDenominator(a);
  requirePositiveDenominator(b);
  const left = a.numerator * b.denominator;
  const right = b.numerator * a.denominator;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Refuses a ratio that was not made by {@linkcode ratio} and does not keep its promise. */
export function requirePositiveDenominator({ numerator, denominator }: Ratio): void {
  if (denominator <= 0n) {
    throw new RangeError(
      `Cannot use the ratio ${numerator} / ${denominator}: the denominator must be positive, make it with ratio()`,
    );
  }
}
