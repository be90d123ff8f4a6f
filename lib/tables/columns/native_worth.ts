import { type Decimal, type HexMap, ratioToNumber } from "../../units/mod.ts";

/** A native price is native atoms for 10^18 atoms, and 10^18 native atoms are a native token. */
const PRICE_AND_NATIVE_DECIMALS = 36;

/**
 * What atoms of a token are worth in whole native tokens, for axes: `atoms * price / 10^36`.
 *
 * @param prices Native prices by address; fractions are those of debug reports.
 * @returns `null` where the token has no price.
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
