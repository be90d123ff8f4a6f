import { atomsToNumber, type Decimal, type HexMap } from "../../units/mod.ts";

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
  return typeof price === "bigint"
    ? atomsToNumber(atoms * price, PRICE_AND_NATIVE_DECIMALS)
    : atomsToNumber(atoms, PRICE_AND_NATIVE_DECIMALS) * price.toNumber();
}
