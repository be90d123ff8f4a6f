import { type Decimal, type Ratio, ratio } from "../../units/mod.ts";

/** An amount of a token, and the price of one atom. */
export interface PricedAmount {
  /** Atoms of the token. */
  readonly atoms: bigint;
  /** Native atoms for one atom of it, above 0. */
  readonly price: Decimal;
}

/**
 * The value received as a share of the value given, both in the native token: `received / given`,
 * each its atoms times its price. Exact: prices are decimals, and nothing is rounded.
 *
 * @returns 1 if both values are equal, less if less is received.
 * @throws {RangeError} If the value given is 0.
 */
export function shareOfNativeValue(given: PricedAmount, received: PricedAmount): Ratio {
  return ratio(
    received.atoms * received.price.coefficient * 10n ** BigInt(given.price.scale),
    given.atoms * given.price.coefficient * 10n ** BigInt(received.price.scale),
  );
}
