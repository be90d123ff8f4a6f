import { Decimal } from "./decimal.ts";
import { divide } from "./divide.ts";
import { type AtomsFormat, formatAtoms } from "./format_atoms.ts";
import { powerOfTen } from "./power_of_ten.ts";

const PRICE_SCALE_DECIMALS = 18;
const NATIVE_DECIMALS = 18;

/**
 * Values an amount of a token in the native token: `floor(atoms * price / 10^18)`.
 *
 * Rounds down because the service does, so that scores agree to the atom.
 *
 * @param atoms Token atoms, any integer.
 * @param price Native price of the token: native atoms per 10^18 token atoms, `>= 0n`. Auctions have
 * whole ones, debug reports also fractions, whose every digit counts.
 * @returns Native atoms; a negative amount rounds away from zero, to the lower integer.
 * @throws {RangeError} If `price` is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/winner-selection/src/arbitrator.rs | scores of the service}
 *
 * @example 25 USDC at 0.0004 ETH each
 * ```ts
 * import { nativeValue } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * const usdcPrice = 400_000_000_000_000_000_000_000_000n;
 *
 * assertEquals(nativeValue(25_000_000n, usdcPrice), 10_000_000_000_000_000n);
 * ```
 */
export function nativeValue(atoms: bigint, price: bigint | Decimal): bigint {
  const { coefficient, scale } = price instanceof Decimal
    ? price
    : { coefficient: price, scale: 0 };
  if (coefficient < 0n) {
    throw new RangeError(
      `Cannot value ${atoms} atoms at a native price of ${price}: the price must not be negative`,
    );
  }
  return divide(atoms * coefficient, 10n ** BigInt(PRICE_SCALE_DECIMALS + scale), {
    rounding: "floor",
  });
}

/**
 * The smallest amount of a token that is worth at least `value` in the native token:
 * `ceil(value * 10^18 / price)`.
 *
 * The inverse of {@linkcode nativeValue}. That function rounds down, so this one rounds up: the
 * native value of the result is never below `value`, and the native value of one atom less always
 * is.
 *
 * @param value Native atoms, any integer.
 * @param price Native price of the token: native atoms per 10^18 token atoms, `> 0n`.
 * @returns Token atoms.
 * @throws {RangeError} If `price` is not positive: no amount of a worthless token reaches a value.
 *
 * @example How much USDC is 0.01 ETH, at 0.0004 ETH each
 * ```ts
 * import { atomsForNativeValue } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * const usdcPrice = 400_000_000_000_000_000_000_000_000n;
 *
 * assertEquals(atomsForNativeValue(10_000_000_000_000_000n, usdcPrice), 25_000_000n);
 * ```
 */
export function atomsForNativeValue(value: bigint, price: bigint): bigint {
  if (price <= 0n) {
    throw new RangeError(
      `Cannot find the atoms worth ${value} at a native price of ${price}: the price must be positive`,
    );
  }
  return divide(value * powerOfTen(PRICE_SCALE_DECIMALS), price, { rounding: "ceil" });
}

/**
 * Formats a native price as native tokens per whole token: `price * 10^(decimals - 36)`.
 *
 * Exact unless a number of fraction digits is chosen. The native token has 18 decimals on every
 * network.
 *
 * @param price Native price as in auctions: native atoms per 10^18 token atoms.
 * @param decimals Decimals of the priced token, a whole number from 0 to 77.
 * @returns Text in the format of {@linkcode formatAtoms}.
 * @throws {RangeError} If `decimals` or `fractionDigits` is not a whole number from 0 to 77.
 *
 * @example One USDC (6 decimals) in ETH
 * ```ts
 * import { formatNativePrice } from "orderlens";
 * import { assertEquals } from "@std/assert";
 *
 * const usdcPrice = 400_000_000_000_000_000_000_000_000n;
 *
 * assertEquals(formatNativePrice(usdcPrice, 6, { symbol: "ETH" }), "0.0004 ETH");
 * ```
 */
export function formatNativePrice(
  price: bigint,
  decimals: number,
  format: AtomsFormat = {},
): string {
  const nativeAtomsForOneToken = price * powerOfTen(decimals);
  return formatAtoms(nativeAtomsForOneToken, PRICE_SCALE_DECIMALS + NATIVE_DECIMALS, format);
}
