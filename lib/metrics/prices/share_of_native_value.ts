import { type Decimal, type Ratio, ratio } from "../../units/mod.ts";

/** An amount of a token, and what an atom of it is worth. */
export interface PricedAmount {
  /** Atoms of the token. */
  readonly atoms: bigint;
  /** Native atoms for one atom of it, above 0. */
  readonly price: Decimal;
}

/**
 * What share of the value that is given comes back, both in the native token: `received / given`, each
 * its atoms times its price. Exact: prices are decimals, and nothing is rounded.
 *
 * @returns 1 where the two are worth the same, less where less comes back.
 * @throws {RangeError} If what is given is worth nothing.
 */
export function shareOfNativeValue(given: PricedAmount, received: PricedAmount): Ratio {
  return ratio(
    received.atoms * received.price.coefficient * 10n ** BigInt(given.price.scale),
    given.atoms * given.price.coefficient * 10n ** BigInt(received.price.scale),
  );
}
