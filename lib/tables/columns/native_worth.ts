import { type Decimal, type HexMap, ratioToNumber } from "../../units/mod.ts";

/** A native price is in native atoms for 10^18 atoms, and a native token has 10^18 native atoms. */
const PRICE_AND_NATIVE_DECIMALS = 36;

/**
 * The value of atoms of a token in whole native tokens, for axes: `atoms * price / 10^36`.
 *
 * @param prices Native prices by address; those of debug reports can have fractions.
 * @returns `null` if the token has no price.
 */
export function nativeWorth(
  atoms: bigint,
  token: string,
  prices: HexMap<bigint | Decimal>,
): number | null {
  const price = prices.get(token);
  if (price === undefined) return null;
  return nativeNumber(atoms, price);
}

/** Atoms of a token with its price; `null` without an amount or a price. */
export function pricedAtoms(
  atoms: bigint | null | undefined,
  token: string,
  prices: HexMap<bigint | Decimal>,
): { readonly atoms: bigint; readonly price: bigint | Decimal } | null {
  const price = prices.get(token);
  return atoms === null || atoms === undefined || price === undefined ? null : { atoms, price };
}

/** What atoms are worth at a native price in whole native tokens, for axes; rounded once. */
export function nativeNumber(atoms: bigint, price: bigint | Decimal): number {
  const { coefficient, scale } = typeof price === "bigint"
    ? { coefficient: price, scale: 0 }
    : price;
  return ratioToNumber({
    numerator: atoms * coefficient,
    denominator: 10n ** BigInt(PRICE_AND_NATIVE_DECIMALS + scale),
  });
}
