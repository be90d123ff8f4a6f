import {
  type DollarRate,
  dollarRate,
  type DollarToken,
  isNotComputable,
  type NotComputable,
} from "../../metrics/mod.ts";
import type { Competition } from "../../schemas/mod.ts";
import { HexMap } from "../../units/mod.ts";
import { number } from "./columns.ts";
import type { Column } from "./frame.ts";
import { findDollarTokens, type TokenOptions } from "./lookups.ts";
import { findFillPriceSides, type KnownFill } from "./order_records.ts";

/** A row with the rate of the US dollar in its auction, or the reason why there is none. */
export interface RatedRow {
  /** The rate. */
  readonly dollarRate: DollarRate | NotComputable<string>;
}

/** The US dollars for one native token, by which charts convert the native values of a row. */
export const NATIVE_USD: Column<RatedRow> = number("native_usd", {
  unit: "US dollars for one native token",
  source: "dollarRate: by the median native price of the dollar tokens in the auction, for axes; " +
    "null without a rate",
  cell: ({ dollarRate: rate }) =>
    isNotComputable(rate) ? null : {
      numerator: rate.nativePerDollar.denominator * NATIVE_ATOMS,
      denominator: rate.nativePerDollar.numerator,
    },
});

const NATIVE_ATOMS = 10n ** 18n;

/** Returns a function that computes the rate of the US dollar in an auction, once for each. */
export function createAuctionRates(
  options: TokenOptions,
): (competition: Competition) => RatedRow["dollarRate"] {
  const tokens = findDollarTokens(options);
  const rates = new Map<Competition, RatedRow["dollarRate"]>();
  return (competition) => {
    let rate = rates.get(competition);
    if (rate === undefined) {
      const prices = new HexMap(
        tokens.length === 0 ? [] : Object.entries(competition.auction.prices),
      );
      rate = dollarRate(tokens, (token) => prices.get(token));
      rates.set(competition, rate);
    }
    return rate;
  };
}

/** Computes the rate of the US dollar in the auction of a fill; none where its native prices disagree. */
export function findFillDollarRate(
  fill: KnownFill,
  dollarTokens: readonly DollarToken[],
): RatedRow["dollarRate"] {
  const { prices } = fill;
  if (dollarTokens.length > 0 && prices.size === 0) {
    return { reason: "no_auction", detail: "The auction of the fill is unknown" };
  }
  const rate = dollarRate(dollarTokens, (token) => prices.get(token));
  if (isNotComputable(rate)) return rate;
  const verdict = findFillPriceSides(fill)?.verdict ?? "consistent";
  return verdict === "consistent" ? rate : {
    reason: `${verdict}_price`,
    detail: "What was sold and what was bought differ in value at the prices of the auction",
  };
}
