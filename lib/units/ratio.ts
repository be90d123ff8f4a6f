import { powerOfTen } from "./arithmetic.ts";

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
  const scaledA = a.numerator * b.denominator;
  const scaledB = b.numerator * a.denominator;
  return scaledA < scaledB ? -1 : scaledA > scaledB ? 1 : 0;
}

/** Subtracts exactly: `a - b`. */
export function subtractRatios(a: Ratio, b: Ratio): Ratio {
  return a.denominator === b.denominator ? ratio(a.numerator - b.numerator, a.denominator) : ratio(
    a.numerator * b.denominator - b.numerator * a.denominator,
    a.denominator * b.denominator,
  );
}

/** Finds the exact median of ratios: of an even number, the mean of the two in the middle; `null` of none. */
export function findMedianRatio(ratios: Iterable<Ratio>): Ratio | null {
  const sorted = [...ratios].sort(compareRatios);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  if (low === undefined || high === undefined) return null;
  if (low === high) return low;
  return ratio(
    low.numerator * high.denominator + high.numerator * low.denominator,
    2n * low.denominator * high.denominator,
  );
}

/** Rejects a ratio whose denominator is not positive; {@linkcode ratio} never builds one. */
export function requirePositiveDenominator({ numerator, denominator }: Ratio): void {
  if (denominator <= 0n) {
    throw new RangeError(
      `Cannot use the ratio ${numerator} / ${denominator}: the denominator must be positive, build it with ratio()`,
    );
  }
}

const SIGNIFICAND_BITS = 53;
const MIN_EXPONENT = -1074;
const INFINITY_BITS = 0x7ffn << 52n;

/**
 * Converts an exact value to the nearest double, for an axis: the only conversion of exact amounts
 * to `number`.
 *
 * Rounds once, half to even, like one IEEE 754 division. The result is correct even where numerator
 * or denominator is not representable as a double, and for subnormal results. Do not use the result
 * in further computations.
 *
 * @param value Any ratio below the largest double (about 1.8e308) in size.
 * @returns The nearest double; `0` for zero and for anything nearer to zero than to the smallest
 * double, never `-0`.
 * @throws {RangeError} If the value is beyond the largest finite double, or the denominator is not
 * positive.
 *
 * @example Two integers beyond the range of doubles, with a quotient within it
 * ```ts
 * import { ratio, ratioToNumber } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(ratioToNumber(ratio(3n * 10n ** 400n, 4n * 10n ** 400n)), 0.75);
 * assertEquals(ratioToNumber(ratio(1n, 3n)), 1 / 3);
 * ```
 */
export function ratioToNumber(value: Ratio): number {
  requirePositiveDenominator(value);
  const { numerator, denominator } = value;
  if (numerator === 0n) return 0;
  const size = toNearestDouble(numerator < 0n ? -numerator : numerator, denominator);
  if (size === undefined) {
    throw new RangeError(
      `Cannot convert ${shorten(numerator)} / ${shorten(denominator)} to a number: ` +
        `it is beyond the largest double`,
    );
  }
  return size !== 0 && numerator < 0n ? -size : size;
}

/**
 * Converts an amount of atoms to a number of whole tokens, for an axis: the double nearest to
 * `atoms / 10^decimals`.
 *
 * @param atoms Any integer below 10^308 in size.
 * @param decimals Decimals of the token, a whole number from 0 to 77.
 * @returns Whole tokens, rounded once, half to even; the sign is that of `atoms`.
 * @throws {RangeError} If `decimals` is not a whole number from 0 to 77, or the result is beyond
 * the largest finite double.
 *
 * @example One and a half USDC
 * ```ts
 * import { atomsToNumber } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(atomsToNumber(1_500_000n, 6), 1.5);
 * ```
 */
export function atomsToNumber(atoms: bigint, decimals: number): number {
  return ratioToNumber({ numerator: atoms, denominator: powerOfTen(decimals) });
}

/** Returns the double nearest to `numerator / denominator`, both positive; `undefined` beyond the largest. */
function toNearestDouble(numerator: bigint, denominator: bigint): number | undefined {
  if (numerator <= Number.MAX_SAFE_INTEGER && denominator <= Number.MAX_SAFE_INTEGER) {
    return Number(numerator) / Number(denominator);
  }
  const log2 = Math.round(Math.log2(Number(numerator) / Number(denominator)));
  return Math.abs(log2) < 900
    ? roundQuotient(numerator, denominator, 62 - log2)
    : assembleDouble(numerator, denominator);
}

/**
 * Rounds a quotient of 62 or 63 bits, which `shift` makes, as `Number` rounds a `bigint`. The last
 * of those bits stands for all bits after it.
 */
function roundQuotient(numerator: bigint, denominator: bigint, shift: number): number {
  const dividend = shift > 0 ? numerator << BigInt(shift) : numerator;
  const divisor = shift < 0 ? denominator << BigInt(-shift) : denominator;
  const quotient = dividend / divisor;
  const isExact = quotient * divisor === dividend;
  return Number(isExact ? quotient : quotient | 1n) * 2 ** -shift;
}

/** Builds a double from its bits, for results that may be subnormal or too large. */
function assembleDouble(numerator: bigint, denominator: bigint): number | undefined {
  const exponent = Math.max(
    floorLog2(numerator, denominator) - (SIGNIFICAND_BITS - 1),
    MIN_EXPONENT,
  );
  const dividend = exponent < 0 ? numerator << BigInt(-exponent) : numerator;
  const divisor = exponent < 0 ? denominator : denominator << BigInt(exponent);
  let significand = dividend / divisor;
  const twice = 2n * (dividend % divisor);
  if (twice > divisor || (twice === divisor && significand % 2n === 1n)) significand += 1n;
  // The significand's leading bit adds one to the exponent field, and a carry one more.
  const bits = (BigInt(exponent - MIN_EXPONENT) << 52n) + significand;
  if (bits >= INFINITY_BITS) return undefined;
  return new Float64Array(BigUint64Array.of(bits).buffer)[0];
}

/** Returns the largest `e` with `2^e <= numerator / denominator`. */
function floorLog2(numerator: bigint, denominator: bigint): number {
  const guess = countBits(numerator) - countBits(denominator);
  const reaches = guess < 0
    ? numerator << BigInt(-guess) >= denominator
    : numerator >= denominator << BigInt(guess);
  return reaches ? guess : guess - 1;
}

function countBits(positive: bigint): number {
  const hex = positive.toString(16);
  return hex.length * 4 - Math.clz32(Number.parseInt(hex.slice(0, 1), 16)) + 28;
}

function shorten(value: bigint): string {
  const text = `${value}`;
  return text.length > 40 ? `${text.slice(0, 20)}… (${text.length} digits)` : text;
}
