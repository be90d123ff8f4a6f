import type { Competition } from "../../schemas/mod.ts";
import { bpsRatio, compareRatios, Decimal, type Ratio, ratio, sameHex } from "../../units/mod.ts";
import type { NotComputable } from "../not_computable.ts";
import type { OrderLimit, OrderPair } from "../orders/fills.ts";

/** The native prices of an order's two tokens in one unit: native atoms for so many of their atoms. */
export interface LimitPrices {
  /** Of the token sold. */
  readonly sell: bigint | Decimal;
  /** Of the token bought. */
  readonly buy: bigint | Decimal;
}

/**
 * How far the market is over the limit of an order at native prices, such as those of an auction, in
 * basis points of the limit.
 *
 * With `S` and `B` the limit and `p` the prices, sell: `10^4 * (S * pS / pB - B) / B`; buy:
 * `10^4 * (S - B * pB / pS) / S`. Exact, nothing is rounded. Before fees and network costs, which a
 * bid has to pay as well: a limit a little within the market may still get no bid.
 *
 * @param order Which amount is fixed, and the limit, in atoms.
 * @param prices Above 0, as `auction.prices` of a competition has them.
 * @returns Positive if the limit is within the market, negative if it is beyond; or why it cannot be
 * computed: the limit or its value is 0.
 *
 * @example A limit of 201 where the market gives 200
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
  const [sell, buy] = [decimalOf(prices.sell), decimalOf(prices.buy)];
  // Both values with the scale of either price, so that it cancels out.
  const given = sellAmount * sell.coefficient * 10n ** BigInt(buy.scale);
  const asked = buyAmount * buy.coefficient * 10n ** BigInt(sell.scale);
  const limit = kind === "sell" ? asked : given;
  if (limit === 0n) {
    return {
      reason: "zero_baseline",
      detail: "The limit of this order is worth 0 at these prices",
    };
  }
  return bpsRatio(given - asked, limit);
}

function decimalOf(price: bigint | Decimal): Decimal {
  return typeof price === "bigint" ? new Decimal(price, 0) : price;
}

/** What a solution offered another order of the same pair. */
export interface PairOffer {
  /** Id of the auction. */
  readonly auctionId: number;
  /** UID of the other order. */
  readonly uid: string;
  /** Address of the solver. */
  readonly solver: string;
  /** Rank of the solution, from 1. */
  readonly ranking: number;
  /** What the other order would have sold, in sell-token atoms, after all fees. */
  readonly sellAmount: bigint;
  /** What it would have bought, in buy-token atoms, after all fees. */
  readonly buyAmount: bigint;
}

/**
 * The best price at which a solution of an auction would have settled another order of the same
 * directed pair: what the auction shows of the market where nobody bid on an order.
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
      if (best === null || compareRatios(priceOf(offer), priceOf(best)) > 0) best = offer;
    }
  }
  return best;
}

function priceOf({ sellAmount, buyAmount }: PairOffer): Ratio {
  return ratio(buyAmount, sellAmount);
}
