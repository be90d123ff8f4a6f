import { type Exchange, parseExchange } from "../../recordings/exchange.ts";
import { type Competition, decodeCompetition } from "../../schemas/mod.ts";
import { ListedOrders, type Listing } from "./listed_orders.ts";
import { NativePriceRows } from "./native_price_rows.ts";
import type { OrderListingFacts } from "./order_listings.ts";
import type { AuctionDecoder } from "./shard_records.ts";

const COMPETITION = '{"method":"GET","path":"/api/v2/solver_competition/';
/** How a kept answer begins the list of an auction's orders, and how it writes quotes in a body. */
const LIST = '\\"auction\\":{\\"orders\\":[\\"';
const QUOTE = '\\"';
/** What a list is replaced by once it was read. */
const READ = "read";

/**
 * Decodes auctions one after another. Accepts what the decoder accepts, but reads what an auction
 * lists, nearly all of its body, against what its neighbour lists.
 */
export class AuctionReader implements AuctionDecoder {
  /** The native prices of all auctions. */
  readonly prices: NativePriceRows = new NativePriceRows();
  readonly #orders = new ListedOrders();
  readonly #listings = new Map<number, Listing>();
  #cut: { line: string; where: string; orders: Int32Array } | undefined;

  /** Reads a line; the orders of an auction are read from its text, which takes most of it. */
  parse(line: string, where: string): Exchange {
    this.#cut = undefined;
    const found = line.startsWith(COMPETITION) ? line.indexOf(LIST) : -1;
    const start = found + LIST.length;
    const orders = found === -1 ? undefined : this.#orders.readText(line, start, QUOTE);
    if (orders === undefined) return parseExchange(line, where);
    this.#cut = { line, where, orders };
    const end = line.indexOf("]", start);
    return parseExchange(`${line.slice(0, start)}${READ}${QUOTE}${line.slice(end)}`, where);
  }

  /**
   * Decodes an auction, and keeps what it lists.
   *
   * @returns The auction with those orders and native prices that its solutions need.
   * @throws {DecodeError} If it is not a competition.
   */
  decode(body: unknown): Competition {
    const cut = this.#cut;
    if (cut === undefined) return this.#decode(body);
    const orders: unknown = Object(Object(body).auction).orders;
    const isCut = Array.isArray(orders) && orders.length === 1 && orders[0] === READ;
    if (isCut && this.prices.read(Object(body).auction.prices)) return this.#keep(body, cut.orders);
    return this.#decode(JSON.parse(parseExchange(cut.line, cut.where).responseBody));
  }

  #decode(body: unknown): Competition {
    const { orders, prices }: Record<string, unknown> = Object(Object(body).auction);
    const listed = this.#orders.read(orders);
    if (listed === undefined || !this.prices.read(prices)) return decodeCompetition(body);
    return this.#keep(body, listed);
  }

  #keep(body: unknown, listed: Int32Array): Competition {
    const { auction, ...others }: Record<string, unknown> = Object(body);
    const extras: Record<string, unknown> = { ...Object(auction), orders: [], prices: {} };
    const decoded = decodeCompetition({ ...others, auction: extras });
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
