const POWERS: readonly bigint[] = Array.from(
  { length: 78 },
  (_, exponent) => 10n ** BigInt(exponent),
);

/**
 * Ten to the power of a token's decimals: the atoms in one whole token.
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
      `Cannot scale by ${decimals} decimals: the number must be whole and from 0 to 77`,
    );
  }
  return power;
}
