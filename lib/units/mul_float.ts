import { divideDown } from "./divide.ts";
import { LARGEST_AMOUNT } from "./largest_amount.ts";
import { powerOfTen } from "./power_of_ten.ts";

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
  const below = Math.floor(product);
  const rest = product - below;
  const roundsUp = rest > 0.5 || (rest === 0.5 && below % 2 === 1);
  return BigInt(roundsUp ? below + 1 : below);
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
  if (x < 0n || x > LARGEST_AMOUNT) {
    throw new RangeError(
      `Cannot multiply ${x} by ${factor}: the amount must be from 0 to 2^256 - 1`,
    );
  }
  if (factor === 1) return x;
  const product = x * wad;
  if (product > LARGEST_AMOUNT) {
    throw new RangeError(
      `Cannot multiply ${x} by ${factor}: the product with ${wad} needs more than 256 bits`,
    );
  }
  return divideDown(product, powerOfTen(WAD_DECIMALS));
}
