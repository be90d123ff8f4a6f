/** Options of {@linkcode divide}. */
export interface DivideOptions {
  /** Rounding of the quotient to an integer. */
  rounding: Rounding;
}

/**
 * Divides two integers of any sign with a named rounding.
 *
 * @param dividend Any integer.
 * @param divisor Any integer except `0n`.
 * @returns The exact quotient, rounded to an integer as `rounding` says.
 * @throws {RangeError} If `divisor` is `0n`, or `rounding` is not one of the names.
 *
 * @example Minus seven halves, six ways
 * ```ts
 * import { divide } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(divide(-7n, 2n, { rounding: "floor" }), -4n);
 * assertEquals(divide(-7n, 2n, { rounding: "ceil" }), -3n);
 * assertEquals(divide(-7n, 2n, { rounding: "trunc" }), -3n);
 * assertEquals(divide(-7n, 2n, { rounding: "expand" }), -4n);
 * assertEquals(divide(-7n, 2n, { rounding: "halfEven" }), -4n);
 * assertEquals(divide(-5n, 2n, { rounding: "halfExpand" }), -3n);
 * ```
 */
export function divide(dividend: bigint, divisor: bigint, options: DivideOptions): bigint {
  if (divisor === 0n) throw createZeroDivisorError(dividend, divisor);
  const truncated = dividend / divisor;
  const remainder = dividend % divisor;
  const isExact = remainder === 0n;
  const awayFromZero = (dividend < 0n) === (divisor < 0n) ? 1n : -1n;
  switch (options.rounding) {
    case "trunc":
      return truncated;
    case "expand":
      return isExact ? truncated : truncated + awayFromZero;
    case "floor":
      return isExact || awayFromZero === 1n ? truncated : truncated - 1n;
    case "ceil":
      return isExact || awayFromZero === -1n ? truncated : truncated + 1n;
    case "halfEven":
    case "halfExpand": {
      const twice = 2n * (remainder < 0n ? -remainder : remainder);
      const size = divisor < 0n ? -divisor : divisor;
      const tieGoesAway = options.rounding === "halfExpand" || truncated % 2n !== 0n;
      return twice > size || (twice === size && tieGoesAway) ? truncated + awayFromZero : truncated;
    }
    default:
      throw new RangeError(
        `Cannot divide ${dividend} by ${divisor}: unknown rounding ${
          JSON.stringify(options.rounding)
        }, use "floor", "ceil", "trunc", "expand", "halfEven" or "halfExpand"`,
      );
  }
}

/**
 * Divides two non-negative integers, rounding down.
 *
 * For integers that may be negative, where "down" is ambiguous, use {@linkcode divide} with a named
 * rounding.
 *
 * @param dividend Any integer `>= 0n`.
 * @param divisor Any integer `> 0n`.
 * @returns The largest integer not above the exact quotient.
 * @throws {RangeError} If `divisor` is not positive or `dividend` is negative.
 *
 * @example The remainder is dropped
 * ```ts
 * import { divideDown } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(divideDown(7n, 2n), 3n);
 * assertEquals(divideDown(6n, 2n), 3n);
 * ```
 */
export function divideDown(dividend: bigint, divisor: bigint): bigint {
  if (divisor <= 0n || dividend < 0n) throw createRangeError(`${dividend}`, divisor, "down");
  return dividend / divisor;
}

/**
 * Divides two non-negative integers, rounding up.
 *
 * For integers that may be negative use {@linkcode divide} with a named rounding.
 *
 * @param dividend Any integer `>= 0n`.
 * @param divisor Any integer `> 0n`.
 * @returns The smallest integer not below the exact quotient.
 * @throws {RangeError} If `divisor` is not positive or `dividend` is negative.
 *
 * @example Any remainder rounds up
 * ```ts
 * import { divideUp } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(divideUp(7n, 2n), 4n);
 * assertEquals(divideUp(6n, 2n), 3n);
 * ```
 */
export function divideUp(dividend: bigint, divisor: bigint): bigint {
  if (divisor <= 0n || dividend < 0n) throw createRangeError(`${dividend}`, divisor, "up");
  return (dividend + divisor - 1n) / divisor;
}

function createRangeError(dividend: string, divisor: bigint, direction: "down" | "up"): RangeError {
  if (divisor === 0n) return createZeroDivisorError(dividend, divisor);
  const isProduct = dividend.includes("*");
  return new RangeError(
    `Cannot divide ${dividend} by ${divisor} rounding ${direction}: ` +
      `the ${isProduct ? "factors" : "dividend"} must be >= 0 and the divisor > 0; ` +
      "use divide() with a named rounding for other signs",
  );
}

function createZeroDivisorError(dividend: bigint | string, divisor: bigint): RangeError {
  return new RangeError(`Cannot divide ${dividend} by ${divisor}: the divisor must not be 0`);
}

/**
 * Rounding of an exact quotient to an integer. The names are those of `Intl.NumberFormat`.
 *
 * - `"floor"`: down, towards minus infinity
 * - `"ceil"`: up, towards plus infinity
 * - `"trunc"`: towards zero
 * - `"expand"`: away from zero
 * - `"halfEven"`: to the nearest; a tie goes to the even neighbour
 * - `"halfExpand"`: to the nearest; a tie goes away from zero
 */
export type Rounding = "floor" | "ceil" | "trunc" | "expand" | "halfEven" | "halfExpand";

/** The largest number of decimals whose power of ten fits into 256 bits. */
export const MAX_DECIMALS = 77;

const POWERS: readonly bigint[] = Array.from(
  { length: MAX_DECIMALS + 1 },
  (_, exponent) => 10n ** BigInt(exponent),
);

/**
 * Returns ten to the power of a token's decimals: the atoms in one whole token.
 *
 * @param decimals A whole number from 0 to 77; 10^77 is the largest power that fits into 256 bits.
 * @returns `10n ** BigInt(decimals)`.
 * @throws {RangeError} If `decimals` is not a whole number from 0 to 77.
 *
 * @example One USDC and one WETH, in atoms
 * ```ts
 * import { powerOfTen } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(powerOfTen(6), 1_000_000n);
 * assertEquals(powerOfTen(18), 1_000_000_000_000_000_000n);
 * ```
 */
export function powerOfTen(decimals: number): bigint {
  const power = POWERS[decimals];
  if (power === undefined) {
    throw new RangeError(
      `Cannot scale by ${decimals} decimals: the number must be whole and from 0 to ${MAX_DECIMALS}`,
    );
  }
  return power;
}

const WAD_DECIMALS = 18;
const WAD = 1e18;

/**
 * Converts a fee factor to the integer that the service multiplies by: the double product
 * `factor * 1e18`, rounded half to even.
 *
 * The product is that of two IEEE doubles, as in the service, not that of the decimals they print
 * as; from 2^52 on, doubles are integers.
 *
 * @param factor A double `>= 0`, such as `f / (1 - f)` for a fee factor `f`.
 * @returns `10^18` for a factor of one.
 * @throws {RangeError} If `factor` is negative (`-0` included), `NaN` or infinite, or its product
 * is infinite.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/number/src/u256_ext.rs | checked_mul_f64 of the service}
 *
 * @example A surplus fee of 30% is not exactly three sevenths
 * ```ts
 * import { factorToWad } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(factorToWad(0.3 / (1 - 0.3)), 428_571_428_571_428_608n);
 * ```
 */
export function factorToWad(factor: number): bigint {
  const product = factor * WAD;
  if (!Number.isFinite(product) || product < 0 || Object.is(factor, -0)) {
    throw new RangeError(
      `Cannot multiply by the factor ${
        Object.is(factor, -0) ? "-0" : factor
      }: it must be a finite, non-negative number`,
    );
  }
  const floor = Math.floor(product);
  const fraction = product - floor;
  const roundsUp = fraction > 0.5 || (fraction === 0.5 && floor % 2 === 1);
  return BigInt(roundsUp ? floor + 1 : floor);
}

/**
 * Multiplies an amount by a double exactly as the service does: `floor(x * k / 10^18)`, where `k`
 * is {@linkcode factorToWad} of the factor; a factor of one changes nothing.
 *
 * Rounds down because the service does. With this, fees agree with the service's to the atom.
 *
 * @param x Atoms, from `0n` to 2^256 - 1.
 * @param factor A double `>= 0`.
 * @returns Atoms.
 * @throws {RangeError} If `factor` is negative, `NaN` or infinite, if `x` is out of range, or if
 * `x * k` needs more than 256 bits; the service computes no fee in that case.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/number/src/u256_ext.rs | checked_mul_f64 of the service}
 *
 * @example A fee of 30% of the surplus, from the surplus after the fee
 * ```ts
 * import { mulFloat } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(mulFloat(232_862_198_197_807_143_295n, 0.3 / 0.7), 99_798_084_941_917_355_642n);
 * ```
 */
export function mulFloat(x: bigint, factor: number): bigint {
  const wad = factorToWad(factor);
  if (x < 0n || x > MAX_AMOUNT) {
    throw new RangeError(
      `Cannot multiply ${x} by ${factor}: the amount must be from 0 to 2^256 - 1`,
    );
  }
  if (factor === 1) return x;
  const product = x * wad;
  if (product > MAX_AMOUNT) {
    throw new RangeError(
      `Cannot multiply ${x} by ${factor}: the product with ${wad} needs more than 256 bits`,
    );
  }
  return divideDown(product, powerOfTen(WAD_DECIMALS));
}

/**
 * Multiplies, then divides, rounding down: `floor(a * b / c)`.
 *
 * The product is exact, however long it is, so the division is the only rounding.
 *
 * @param a Any integer `>= 0n`.
 * @param b Any integer `>= 0n`.
 * @param c The divisor, any integer `> 0n`.
 * @returns The largest integer not above `a * b / c`.
 * @throws {RangeError} If `c` is not positive, or `a` or `b` is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/number/src/u256_ext.rs | checked_mul_ratio of the service}
 *
 * @example The share of a limit that belongs to a fill
 * ```ts
 * import { mulDivDown } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * // One third of a limit of 10 atoms.
 * assertEquals(mulDivDown(10n, 1n, 3n), 3n);
 * ```
 */
export function mulDivDown(a: bigint, b: bigint, c: bigint): bigint {
  if (c <= 0n || a < 0n || b < 0n) throw createRangeError(`${a} * ${b}`, c, "down");
  return (a * b) / c;
}

/**
 * Multiplies, then divides, rounding up: `ceil(a * b / c)`.
 *
 * @param a Any integer `>= 0n`.
 * @param b Any integer `>= 0n`.
 * @param c The divisor, any integer `> 0n`.
 * @returns The smallest integer not below `a * b / c`.
 * @throws {RangeError} If `c` is not positive, or `a` or `b` is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/number/src/u256_ext.rs | checked_mul_ratio_ceil of the service}
 *
 * @example The minimum that a fill owes, rounded as in the settlement contract
 * ```ts
 * import { mulDivUp } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(mulDivUp(10n, 1n, 3n), 4n);
 * assertEquals(mulDivUp(9n, 1n, 3n), 3n);
 * ```
 */
export function mulDivUp(a: bigint, b: bigint, c: bigint): bigint {
  if (c <= 0n || a < 0n || b < 0n) throw createRangeError(`${a} * ${b}`, c, "up");
  return (a * b + c - 1n) / c;
}

/** The largest amount that fits into the 256-bit words of the EVM, in atoms. */
export const MAX_AMOUNT = 2n ** 256n - 1n;
