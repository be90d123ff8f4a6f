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
  if (c <= 0n || a < 0n || b < 0n) throw outOfRange(a, b, c, "down");
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
  if (c <= 0n || a < 0n || b < 0n) throw outOfRange(a, b, c, "up");
  return (a * b + c - 1n) / c;
}

function outOfRange(a: bigint, b: bigint, c: bigint, direction: "down" | "up"): RangeError {
  if (c === 0n) {
    return new RangeError(`Cannot divide ${a} * ${b} by ${c}: the divisor must not be 0`);
  }
  return new RangeError(
    `Cannot divide ${a} * ${b} by ${c} rounding ${direction}: ` +
      `the factors must be >= 0 and the divisor > 0; use divide() with a named rounding for other signs`,
  );
}
