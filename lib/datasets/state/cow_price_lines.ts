import type { CowPrice } from "../../metrics/mod.ts";
import { formatPriceSource } from "../../metrics/solvers/cow_price.ts";
import { NETWORKS } from "../../networks/networks.ts";
import { formatAtoms } from "../../units/mod.ts";
import { NATIVE_DECIMALS } from "../../units/parse_atoms.ts";
import type { DatasetSource } from "../layout/manifest.ts";

/** Formats each price of COW: its week, every digit, and its source. */
export function formatCowPrices(
  prices: readonly CowPrice[] = [],
  { network }: Pick<DatasetSource, "network">,
): string[] {
  return prices.map((price) => {
    const week = price.week === undefined ? "every week" : `the week of ${price.week}`;
    return `Price of COW in ${week}: ${formatCowPrice(price, network)}`;
  });
}

/** Formats a price of COW with every digit, and its source. */
export function formatCowPrice({ nativeAtoms, source }: CowPrice, network: string | null): string {
  const deployed = Object.values(NETWORKS).find(({ name }) => name === network);
  const symbol = deployed?.nativeToken.symbol ?? "native tokens";
  return `${formatAtoms(BigInt(nativeAtoms), NATIVE_DECIMALS, { symbol })} ` +
    `(${nativeAtoms} atoms) for one COW, ${
      source === undefined ? "source not stated" : `from ${source}`
    }`;
}

/** Formats prices as a value of `--cow-price`; a file of prices by week is left to fill in. */
export function formatPriceArgument(prices: readonly CowPrice[]): string {
  const [first, second] = prices;
  if (first === undefined || second !== undefined || first.week !== undefined) return "PRICES.csv";
  const { nativeAtoms, source } = first;
  return source === undefined
    ? `${nativeAtoms}`
    : `'${nativeAtoms}@${formatPriceSource(source).replaceAll("'", "'\\''")}'`;
}
