import { type Competition, decodeCompetition } from "../../schemas/mod.ts";
import { ListedOrders, type Listing } from "./listed_orders.ts";
import { NativePriceRows } from "./native_price_rows.ts";
import type { OrderListingFacts } from "./order_listings.ts";

/**
 * Decodes auctions one after another. Accepts what the decoder accepts, but reads what an auction
 * lists, nearly all of its body, against what its neighbour lists.
 */
export class AuctionReader {
  /** The native prices of all auctions. */
  readonly prices: NativePriceRows = new NativePriceRows();
  readonly #orders = new ListedOrders();
  readonly #listings = new Map<number, Listing>();

  /**
   * Decodes an auction, and keeps what it lists.
   *
   * @returns The auction with those orders and native prices that its solutions need.
   * @throws {DecodeError} If it is not a competition.
   */
  read(body: unknown): Competition {
    const { auction, ...others }: Record<string, unknown> = Object(body);
    const { orders, prices, ...extras }: Record<string, unknown> = Object(auction);
    const listed = this.#orders.read(orders);
    if (listed === undefined || !this.prices.read(prices)) return decodeCompetition(body);
    const decoded = decodeCompetition({
      ...others,
      auction: { ...extras, orders: [], prices: {} },
    });
    const bids = decoded.solutions.flatMap((solution) => solution.orders);
    const competition = {
      ...decoded,
      auction: {
        orders: this.#orders.among(bids.map(({ id }) => id)),
        prices: this.prices.of(tokensOf(bids)),
      },
    };
    const { auctionId } = competition;
    if (!this.#listings.has(auctionId)) this.prices.keep(competition);
    this.#listings.set(auctionId, { auctionId, orders: listed });
    return competition;
  }

  /** Number of orders that each auction lists, by its id. */
  get orderCounts(): ReadonlyMap<number, number> {
    return new Map([...this.#listings].map(([id, { orders }]) => [id, orders.length]));
  }

  /** All intervals in which orders were listed. */
  intervals(): OrderListingFacts[] {
    return this.#orders.intervals([...this.#listings.values()]);
  }
}

/** Tokens of orders in lower case; `null` if one does not name its own. */
function tokensOf(
  bids: readonly { readonly sellToken?: string; readonly buyToken?: string }[],
): ReadonlySet<string> | null {
  const tokens = new Set<string>();
  for (const { sellToken, buyToken } of bids) {
    if (sellToken === undefined || buyToken === undefined) return null;
    tokens.add(sellToken.toLowerCase()).add(buyToken.toLowerCase());
  }
  return tokens;
}
