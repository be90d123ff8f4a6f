import type { Rounding } from "./rounding.ts";

/** How {@linkcode divide} rounds. */
export interface DivideOptions {
  /** How the quotient is rounded to an integer. */
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
  if (divisor === 0n) throw divisionByZero(dividend, divisor);
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
      const whole = divisor < 0n ? -divisor : divisor;
      const tieGoesAway = options.rounding === "halfExpand" || truncated % 2n !== 0n;
      return twice > whole || (twice === whole && tieGoesAway)
        ? truncated + awayFromZero
        : truncated;
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
  if (divisor <= 0n || dividend < 0n) throw outOfRange(dividend, divisor, "down");
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
  if (divisor <= 0n || dividend < 0n) throw outOfRange(dividend, divisor, "up");
  return (dividend + divisor - 1n) / divisor;
}

function outOfRange(dividend: bigint, divisor: bigint, direction: "down" | "up"): RangeError {
  if (divisor === 0n) return divisionByZero(dividend, divisor);
  return new RangeError(
    `Cannot divide ${dividend} by ${divisor} rounding ${direction}: ` +
      `the dividend must be >= 0 and the divisor > 0; use divide() with a named rounding for other signs`,
  );
}

function divisionByZero(dividend: bigint, divisor: bigint): RangeError {
  return new RangeError(`Cannot divide ${dividend} by ${divisor}: the divisor must not be 0`);
}
