import {
  comparePriceSides,
  dollarRate,
  type DollarToken,
  dollarValue,
  isNotComputable,
} from "../../metrics/mod.ts";
import type { Exchange } from "../../metrics/prices/price_interval.ts";
import type { Competition, DebugReport } from "../../schemas/mod.ts";
import { findDollarTokens } from "../../tables/columns/lookups.ts";
import { type Decimal, HexMap, type Ratio, ratio } from "../../units/mod.ts";

/** US dollars for one atom of both tokens of an order, by the native prices of one auction; exact. */
export interface DollarsPerAtom {
  /** For one atom of the sell token; `null` if it has no native price. */
  readonly sell: Ratio | null;
  /** For one atom of the buy token; `null` if it has no native price. */
  readonly buy: Ratio | null;
}

/** Records that have the native prices of auctions. */
interface PriceRecords {
  /** Competitions that were read. */
  readonly competitions: readonly Competition[];
  /** Debug report of the order; `null` without one. */
  readonly debugReport: DebugReport | null;
  /** Network of the tokens that are worth one US dollar; `null` without one. */
  readonly network: string | null;
}

/** Dollar tokens by network: those that ship do not change. */
const dollarTokensByNetwork = new Map<string, readonly DollarToken[]>();

function listTokens(network: string): readonly DollarToken[] {
  const cached = dollarTokensByNetwork.get(network);
  if (cached !== undefined) return cached;
  const tokens = findDollarTokens({ network });
  dollarTokensByNetwork.set(network, tokens);
  return tokens;
}

/**
 * Rates an exchange in US dollars, as tables rate fills: by the dollar tokens of its auction, and not where
 * the native prices of both sides disagree.
 *
 * @returns `null` without a rate.
 */
export function rateExchange(
  exchange: Exchange,
  auctionId: number | null,
  { competitions, debugReport, network }: PriceRecords,
): DollarsPerAtom | null {
  if (network === null || auctionId === null) return null;
  const tokens = listTokens(network);
  if (tokens.length === 0) return null;
  const prices: HexMap<bigint | Decimal> = new HexMap(Object.entries(
    competitions.find((competition) => competition.auctionId === auctionId)?.auction.prices ??
      debugReport?.auctions.find(({ id }) => id === auctionId)?.nativePrices ?? {},
  ));
  const findPrice = (token: string) => prices.get(token);
  const rate = dollarRate(tokens, findPrice);
  if (isNotComputable(rate)) return null;
  const sides = comparePriceSides(exchange, findPrice);
  if (!isNotComputable(sides) && sides.verdict !== "consistent") return null;
  const toDollars = (token: string) => {
    const price = findPrice(token);
    return price === undefined ? null : dollarValue(1n, price, rate);
  };
  return { sell: toDollars(exchange.sellToken), buy: toDollars(exchange.buyToken) };
}

/** An amount, and the US dollars for one atom of it. */
interface RatedAmount {
  readonly atoms: bigint;
  readonly usdPerAtom: Ratio | null | undefined;
}

/** Values an amount in US dollars, exact; `null` without a rate. */
export function valueInDollars(atoms: bigint, usdPerAtom: Ratio | null | undefined): Ratio | null {
  return usdPerAtom == null ? null : { ...usdPerAtom, numerator: atoms * usdPerAtom.numerator };
}

/** Sums amounts in US dollars, exact; `null` if one of them has no rate, and without any. */
export function sumDollars(amounts: readonly RatedAmount[]): Ratio | null {
  let sum: Ratio | null = null;
  for (const { atoms, usdPerAtom } of amounts) {
    const dollars = valueInDollars(atoms, usdPerAtom);
    if (dollars === null) return null;
    const { numerator, denominator } = dollars;
    sum = sum === null ? { numerator, denominator } : ratio(
      sum.numerator * denominator + numerator * sum.denominator,
      sum.denominator * denominator,
    );
  }
  return sum;
}
