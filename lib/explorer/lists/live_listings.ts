import type { OrderBook } from "../../client/mod.ts";
import { tradesOf } from "../../client/trades_of.ts";
import type { Order } from "../../schemas/mod.ts";
import { Kept } from "../caching/kept.ts";
import { orderRow, type TradeRow, tradeRow } from "./list_rows.ts";
import { type Listing, listingOf, type Listings, newerOrder, newerTrade } from "./listing.ts";
import type { RecentCompetitions } from "./recent_competitions.ts";

/** Orders that are asked for: two requests of a public deployment. */
const MOST_ORDERS = { public: 256, local: 2_000 };
/** Orders whose fills are asked for at once, one request each. */
const MOST_FILLS = { public: 20, local: 2_000 };

/** What {@linkcode LiveListings} needs. */
export interface LiveListingsOptions {
  /** The newest auctions. */
  readonly recent: RecentCompetitions;
  /** Whether the deployment is in this process. */
  readonly isLocal: boolean;
  /** Milliseconds for which the lists are not read again. */
  readonly freshMs: number;
  /** Source of time. */
  readonly now: () => number;
}

/** Fills of orders, and how much each had sold when they were read. */
type Fills = Map<string, { readonly sold: bigint; readonly rows: readonly TradeRow[] }>;

/**
 * The lists of a deployment that goes on: its newest auctions, the orders in them, and their fills.
 * An interface without lists of everything has no more to ask for.
 */
export class LiveListings implements Listings {
  readonly #book: OrderBook;
  readonly #options: LiveListingsOptions;
  readonly #kept: Kept<Listing>;
  #fills: Fills = new Map();

  /** Asks for nothing yet. */
  constructor(book: OrderBook, options: LiveListingsOptions) {
    this.#book = book;
    this.#options = options;
    const { freshMs, now } = options;
    this.#kept = new Kept({ mostWeight: 1, freshMs, now });
  }

  /** The rows, at most as old as the options say. */
  async current(): Promise<Listing> {
    return await this.#kept.of("all", () => this.#read());
  }

  async #read(): Promise<Listing> {
    const { recent, isLocal } = this.#options;
    const bound = isLocal ? "local" : "public";
    const auctions = await recent.rows();
    const uids = await recent.uids(isLocal ? "listed" : "bids", MOST_ORDERS[bound]);
    const { orders } = uids.length === 0 ? { orders: [] } : await this.#book.orders(uids);
    await this.#readFills(orders, MOST_FILLS[bound]);
    return listingOf({
      orders: orders.map(orderRow).sort(newerOrder),
      auctions,
      trades: [...this.#fills.values()].flatMap(({ rows }) => rows).sort(newerTrade),
      note: `What the newest ${auctions.length} auctions hold: ` +
        `the deployment has no list of all orders.`,
    });
  }

  /** Reads fills only of orders that were executed since. */
  async #readFills(orders: readonly Order[], most: number): Promise<void> {
    const fills: Fills = new Map();
    let asked = 0;
    for (const { uid, executedSellAmount: sold } of orders) {
      const known = this.#fills.get(uid);
      if (sold === 0n) continue;
      if (known?.sold === sold) fills.set(uid, known);
      else if (asked++ < most) {
        const rows = (await tradesOf(this.#book, uid, {})).map(tradeRow);
        fills.set(uid, { sold, rows });
      }
    }
    this.#fills = fills;
  }
}
