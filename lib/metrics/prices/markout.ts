import { checkOptions, oneOf, type OptionRules } from "../../errors/option_rules.ts";
import type { Competition, OrderKind } from "../../schemas/mod.ts";
import {
  bpsRatio,
  compareRatios,
  Decimal,
  powerOfTen,
  type Ratio,
  ratio,
  ratioToNumber,
  sameHex,
} from "../../units/mod.ts";
import { findMedianRatio, subtractRatios } from "../../units/ratio.ts";
import { compareSamples, type Interval } from "../intervals.ts";
import { isNotComputable, list, type NotComputable } from "../not_computable.ts";
import type { Fill, OrderLimit, OrderPair } from "../orders/fills.ts";

/** A token with its market price. */
export interface MarketPrice {
  /** Address of the token. */
  readonly token: string;
  /** Number of decimals. */
  readonly decimals: number;
  /** Price of one whole token, in the same unit of account for both tokens. */
  readonly price: Decimal;
}

/** Market prices of both tokens of a fill when it was executed. */
export interface MarketPrices {
  /** Price of the token sold. */
  readonly sell: MarketPrice;
  /** Price of the token bought. */
  readonly buy: MarketPrice;
}

/** A fee that was charged on a fill. An `ExecutedProtocolFee` has these fields. */
export interface ChargedFee {
  /** The amount, in atoms of `token`. */
  readonly amount: bigint;
  /** Address of one of the fill's tokens. */
  readonly token: string;
}

/** Options of {@linkcode markout}. */
export interface MarkoutOptions {
  /**
   * Fees to add back to the amounts, such as `trade.executedProtocolFees`: the markout is then that
   * of the solver's execution, which analysts call solver efficiency. @default {none}
   */
  readonly fees?: Iterable<ChargedFee>;
  /** The amount that the order fixes: determines the side of a fee if both tokens are the same. */
  readonly kind?: OrderKind;
}

const OPTIONS: OptionRules<MarkoutOptions> = {
  fees: list(),
  kind: oneOf<OrderKind>("sell", "buy"),
};

/** The reason why a fill has no markout. */
export type MarkoutReason =
  | "price_zero"
  | "nothing_sold"
  | "fee_in_other_token"
  | "fee_side_unknown";

/**
 * Computes the advantage of a fill over the market, as a share of the amount sold:
 * `(bought / sold) / (sellPrice / buyPrice) - 1`.
 *
 * Amounts are those of the trade, after all fees, in whole tokens; prices are those of the market when
 * the trade was executed. Both are exact decimals, so nothing is rounded. 0 is the market
 * price; a negative markout is worse than it.
 *
 * With `fees`, those in the token bought are added to the amount bought, and those in the token
 * sold are subtracted from the amount sold: *solver efficiency*, the markout before protocol and
 * partner fees.
 *
 * @param fill The trade: sold with all fees included, bought after all fees; atoms.
 * @param prices Prices of whole tokens, both in the same unit of account, and decimals.
 * @param options Fees to add back.
 * @returns Exact basis points; or why they cannot be computed.
 * @throws {InputError} If an option is unknown or invalid.
 * @throws {RangeError} If decimals are not a whole number from 0 to 77.
 * @see {@link https://github.com/cowprotocol/dune-queries/blob/3648728e2505557895f9de1871d5c8a5accc2e04/cowprotocol/execution_quality/markout/cow_markout_6031665.sql | markout in the protocol's Dune queries}
 * @see {@link https://github.com/cowprotocol/dune-queries/blob/40bf58104f933f0791a40ba93b69461b4deff9ca/cowprotocol/execution_quality/markout/cow_markout_and_solver_efficiency_6662628.sql | solver efficiency in the protocol's Dune queries}
 *
 * @example 2 WETH sold for 4,990 USDC at a market price of 2,500, with a fee of 5
 * ```ts
 * import { Decimal } from "orderlens";
 * import { isNotComputable, markout } from "orderlens/metrics";
 * import { ratioToNumber } from "orderlens/units";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const fill = { sellAmount: 2n * 10n ** 18n, buyAmount: 4_990_000_000n };
 * const prices = {
 *   sell: { token: "0xc0", decimals: 18, price: Decimal.parse("2500") },
 *   buy: { token: "0xa0", decimals: 6, price: Decimal.parse("1") },
 * };
 * const fees = [{ token: "0xa0", amount: 5_000_000n }];
 *
 * const net = markout(fill, prices);
 * const gross = markout(fill, prices, { fees });
 *
 * assert(!isNotComputable(net) && !isNotComputable(gross));
 * assertEquals([ratioToNumber(net), ratioToNumber(gross)], [-20, -10]);
 * ```
 */
export function markout(
  fill: Fill,
  prices: MarketPrices,
  options: MarkoutOptions = {},
): Ratio | NotComputable<MarkoutReason> {
  checkOptions(options, OPTIONS, "Cannot compute a markout");
  const { sell, buy } = prices;
  for (const { token, price } of [sell, buy]) {
    if (price.coefficient === 0n) {
      return { reason: "price_zero", detail: `The market price of ${token} is 0` };
    }
  }
  const amounts = addBackFees(fill, prices, options);
  if ("reason" in amounts) return amounts;
  const { sold: soldAtoms, bought: boughtAtoms } = amounts;
  if (soldAtoms <= 0n) {
    return { reason: "nothing_sold", detail: `The fill sold ${soldAtoms} atoms before fees` };
  }
  const soldValue = computeMarketValue(soldAtoms, sell);
  const boughtValue = computeMarketValue(boughtAtoms, buy);
  const base = soldValue.numerator * boughtValue.denominator;
  return bpsRatio(boughtValue.numerator * soldValue.denominator - base, base);
}

/** Computes the value of an amount at a price, exactly. */
export function computeMarketValue(
  atoms: bigint,
  { decimals, price }: Omit<MarketPrice, "token">,
): Ratio {
  return ratio(atoms * price.coefficient, powerOfTen(decimals) * 10n ** BigInt(price.scale));
}

function addBackFees(
  { sellAmount, buyAmount }: Fill,
  { sell, buy }: MarketPrices,
  { fees = [], kind }: MarkoutOptions,
): { sold: bigint; bought: bigint } | NotComputable<MarkoutReason> {
  let [sold, bought] = [sellAmount, buyAmount];
  const isSameToken = sameHex(sell.token, buy.token);
  for (const { token, amount } of fees) {
    if (!sameHex(token, sell.token) && !sameHex(token, buy.token)) {
      const detail = `A fee is in ${token}, which is neither the token sold nor the token bought`;
      return { reason: "fee_in_other_token", detail };
    }
    if (isSameToken && kind === undefined) {
      const detail =
        "The fill sold and bought the same token: pass kind, which determines the side of the fee";
      return { reason: "fee_side_unknown", detail };
    }
    if (isSameToken ? kind === "sell" : sameHex(token, buy.token)) bought += amount;
    else sold -= amount;
  }
  return { sold, bought };
}

/** An amount of a token, and the price of one atom. */
export interface PricedAmount {
  /** Atoms of the token. */
  readonly atoms: bigint;
  /** Native atoms for one atom of it, above 0. */
  readonly price: Decimal;
}

/**
 * Divides the value of the income by the value paid, both in the native token: `income / paid`, each its
 * atoms times its price. Exact: prices are decimals, and nothing is rounded.
 *
 * @returns 1 if both values are equal, less if less is received.
 * @throws {RangeError} If the value paid is 0.
 */
export function divideNativeValues(paid: PricedAmount, income: PricedAmount): Ratio {
  return ratio(
    income.atoms * income.price.coefficient * 10n ** BigInt(paid.price.scale),
    paid.atoms * paid.price.coefficient * 10n ** BigInt(income.price.scale),
  );
}

/** A fill with its markout at a later price, and the number of solvers that bid for it. */
export interface ContestedFill {
  /** Solvers with a bid on its order in the auction that settled it; `null` if unknown. */
  readonly bidders: number | null;
  /** Its markout at later prices, from `markout`; or the reason why there is none. */
  readonly markout: Ratio | NotComputable<string>;
  /** Its markout before protocol and partner fees; or the reason why there is none. */
  readonly beforeFees: Ratio | NotComputable<string>;
}

/** The markouts of fills that equally many solvers bid for. */
export interface WinnersCurse {
  /** Number of solvers that bid; `null` for fills for which it is unknown. */
  readonly bidders: number | null;
  /** Fills with both markouts. */
  readonly fills: number;
  /** Fills that lack one of them, and are left out. */
  readonly unknownFills: number;
  /** Median of the markouts, in basis points; `null` without fills. */
  readonly markout: Ratio | null;
  /** Median of those before fees, in basis points; `null` without fills. */
  readonly beforeFees: Ratio | null;
  /**
   * `beforeFees` less that of the fills with the fewest bidders, in basis points: above 0, winners against
   * more bidders paid more. `null` without fills or where `bidders` is, 0 for the fewest.
   */
  readonly curse: Ratio | null;
  /**
   * The 95% interval of `curse`, in basis points, by {@linkcode compareSamples}: there is no significant
   * difference where it contains 0. `null` for the fewest or unknown bidders, and where either has fewer than 10 fills.
   */
  readonly curseInterval: Interval | null;
}

/**
 * Measures the winner's curse, whether winners against more bidders pay more than the trade is worth:
 * medians of the markouts some time after the fill, by the number of solvers that bid for its order. Exact:
 * the median of an even number of fills is the mean of the two in the middle.
 *
 * A markout above 0 is better for the trader than the later market, at the expense of the solver. Prices
 * within the delay move by chance too, so a difference is one of the sample: its interval shows whether
 * there is one.
 *
 * @returns One per number of bidders, ascending; last, if there are any, that of fills whose number of
 * bidders is unknown, which is compared with none.
 * @see {@link https://doi.org/10.2118/2993-PA | Capen, Clapp and Campbell, Competitive bidding in high-risk situations}
 *
 * @example Against two bidders, the trader got 4 basis points more
 * ```ts
 * import { winnersCurse } from "orderlens/metrics";
 * import { ratio } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * const fill = (bidders: number, bps: bigint) => (
 *   { bidders, markout: ratio(bps, 1n), beforeFees: ratio(bps, 1n) }
 * );
 * const [, two] = winnersCurse([fill(1, -3n), fill(2, 1n)]);
 *
 * assertEquals(two?.curse, ratio(4n, 1n));
 * ```
 */
export function winnersCurse(fills: Iterable<ContestedFill>): WinnersCurse[] {
  const groups = [...Map.groupBy(fills, ({ bidders }) => bidders)].map(([bidders, groupFills]) => {
    const measuredFills = groupFills.flatMap(({ markout, beforeFees }) =>
      isNotComputable(markout) || isNotComputable(beforeFees) ? [] : [{ markout, beforeFees }]
    );
    return {
      bidders,
      fills: measuredFills.length,
      unknownFills: groupFills.length - measuredFills.length,
      markout: findMedianRatio(measuredFills.map((fill) => fill.markout)),
      beforeFees: findMedianRatio(measuredFills.map((fill) => fill.beforeFees)),
      sample: { values: measuredFills.map((fill) => ratioToNumber(fill.beforeFees)) },
    };
  }).sort((a, b) => (a.bidders ?? Infinity) - (b.bidders ?? Infinity));
  const fewest = groups.find(({ bidders, beforeFees }) => bidders !== null && beforeFees !== null);
  return groups.map(({ sample, ...row }) => ({
    ...row,
    curse: row.bidders !== null && row.beforeFees && fewest?.beforeFees
      ? subtractRatios(row.beforeFees, fewest.beforeFees)
      : null,
    curseInterval: fewest && row.bidders !== null && row.bidders !== fewest.bidders
      ? compareSamples(sample, fewest.sample)?.interval ?? null
      : null,
  }));
}

/** Native prices of an order's two tokens, for the same number of atoms of each. */
export interface LimitPrices {
  /** Of the token sold. */
  readonly sell: bigint | Decimal;
  /** Of the token bought. */
  readonly buy: bigint | Decimal;
}

/**
 * Computes the distance of native prices, such as those of an auction, over the limit of an order, in
 * basis points of the limit. It does not decide whether an order is in market: `marketPosition` compares
 * the limit with the quote.
 *
 * With `S` and `B` the limit and `p` the prices, sell: `10^4 * (S * pS / pB - B) / B`; buy:
 * `10^4 * (S - B * pB / pS) / S`. Exact, nothing is rounded. Before fees and network costs, which a
 * bid has to pay as well: a limit a little within these prices may still get no bid.
 *
 * @param order The fixed amount, and the limit, in atoms.
 * @param prices Above 0, as `auction.prices` of a competition has them.
 * @returns Positive if the limit is within these prices, negative if it is beyond; or why it cannot be
 * computed: the limit or its value is 0.
 *
 * @example A limit of 201 where native prices give 200
 * ```ts
 * import { isNotComputable, marketOverLimitBps } from "orderlens/metrics";
 * import { formatBps } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * const order = { kind: "sell", sellAmount: 100n, buyAmount: 201n } as const;
 * const over = marketOverLimitBps(order, { sell: 2n, buy: 1n });
 *
 * const text = isNotComputable(over) ? "" : formatBps(over, { digits: 2, rounding: "halfEven" });
 * assertEquals(text, "-49.75 bps");
 * ```
 */
export function marketOverLimitBps(
  { kind, sellAmount, buyAmount }: OrderLimit,
  prices: LimitPrices,
): Ratio | NotComputable<"zero_baseline"> {
  const [sell, buy] = [toDecimal(prices.sell), toDecimal(prices.buy)];
  // Both values with the scale of either price, so that it cancels out.
  const sellValue = sellAmount * sell.coefficient * 10n ** BigInt(buy.scale);
  const buyValue = buyAmount * buy.coefficient * 10n ** BigInt(sell.scale);
  const limit = kind === "sell" ? buyValue : sellValue;
  if (limit === 0n) {
    return {
      reason: "zero_baseline",
      detail: "The limit of this order is worth 0 at these prices",
    };
  }
  return bpsRatio(sellValue - buyValue, limit);
}

function toDecimal(price: bigint | Decimal): Decimal {
  return typeof price === "bigint" ? new Decimal(price, 0) : price;
}

/** Offer of a solution to another order of the same pair. */
export interface PairOffer {
  /** Id of the auction. */
  readonly auctionId: number;
  /** UID of the other order. */
  readonly uid: string;
  /** Address of the solver. */
  readonly solver: string;
  /** Rank of the solution, from 1. */
  readonly ranking: number;
  /** Amount that the other order would have sold, in sell-token atoms, after all fees. */
  readonly sellAmount: bigint;
  /** Amount that it would have bought, in buy-token atoms, after all fees. */
  readonly buyAmount: bigint;
}

/**
 * Finds the best price at which a solution of an auction would have settled another order of the same
 * directed pair: evidence of the market where nobody bid on an order.
 *
 * Solutions that were filtered out do not count. Of equal prices the better rank is taken. It is no bid
 * on the order itself: another amount may have another price.
 *
 * @param competition The auction.
 * @param order The order; its own bids do not count.
 * @returns `null` if no solution has another order of the pair.
 *
 * @example The only other order of the pair
 * ```ts
 * import { bestPairOffer } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const pair = { sellToken: "0x0a", buyToken: "0x0b" };
 * const orders = [{ id: "0x02", sellAmount: 100n, buyAmount: 199n, ...pair }];
 * const solution = { solverAddress: "0x50", score: 1n, ranking: 1, isWinner: true, orders };
 * const solutions = [{ ...solution, filteredOut: false, clearingPrices: {} }];
 * const offer = bestPairOffer({ auctionId: 7, solutions }, { uid: "0x01", ...pair });
 *
 * assertEquals([offer?.uid, offer?.buyAmount], ["0x02", 199n]);
 * ```
 */
export function bestPairOffer(
  { auctionId, solutions }: Pick<Competition, "auctionId" | "solutions">,
  order: Omit<OrderPair, keyof OrderLimit> & { readonly uid: string },
): PairOffer | null {
  let best: PairOffer | null = null;
  const byRank = solutions.toSorted((a, b) => a.ranking - b.ranking);
  for (const { orders, solverAddress: solver, ranking, filteredOut } of byRank) {
    if (filteredOut) continue;
    for (const { id: uid, sellAmount, buyAmount, sellToken, buyToken } of orders) {
      const isPair = sellToken !== undefined && sameHex(sellToken, order.sellToken) &&
        buyToken !== undefined && sameHex(buyToken, order.buyToken);
      if (!isPair || sellAmount === 0n || sameHex(uid, order.uid)) continue;
      const offer = { auctionId, uid, solver, ranking, sellAmount, buyAmount };
      if (best === null || compareRatios(toPrice(offer), toPrice(best)) > 0) best = offer;
    }
  }
  return best;
}

function toPrice({ sellAmount, buyAmount }: PairOffer): Ratio {
  return ratio(buyAmount, sellAmount);
}
