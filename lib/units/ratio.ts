/**
 * An exact fraction of two integers.
 *
 * Not reduced to lowest terms: the two numbers are the amounts that were compared. Two equal ratios
 * may therefore have different parts: compare them with {@linkcode compareRatios}. Build one with
 * {@linkcode ratio}, which keeps the denominator positive.
 */
export interface Ratio {
  /** The part; carries the sign. */
  readonly numerator: bigint;
  /** The whole; always positive. */
  readonly denominator: bigint;
}

/**
 * Builds the exact fraction `numerator / denominator`.
 *
 * @param numerator Any integer.
 * @param denominator Any integer except `0n`; the sign moves to the numerator.
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
      `Cannot build the ratio ${numerator} / ${denominator}: the denominator must not be 0`,
    );
  }
  return denominator < 0n
    ? { numerator: -numerator, denominator: -denominator }
    : { numerator, denominator };
}

/**
 * Compares two ratios by their exact values; suitable for `Array.prototype.sort`.
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

/** Rejects a ratio whose denominator is not positive; {@linkcode ratio} never builds one. */
export function requirePositiveDenominator({ numerator, denominator }: Ratio): void {
  if (denominator <= 0n) {
    throw new RangeError(
      `Cannot use the ratio ${numerator} / ${denominator}: the denominator must be positive, build it with ratio()`,
    );
  }
}
