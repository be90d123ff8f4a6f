import type { BookOrder } from "./book_order.ts";
import type { Market } from "./market.ts";

/** The fewest auctions that can be kept: settlements that are under way need theirs. */
export const MIN_KEPT_AUCTIONS = 10;
/** Orders that the kept auctions list at most in all, an order once for every auction. */
const MAX_LISTED = 1_000_000;
/** Orders that are over and kept at most. */
const MAX_ENDED = 50_000;
/** Auctions after which the past of open orders is looked through. */
const OPEN_ORDERS_EVERY = 64;

/** Drops old history of a market, so that its memory use stays bounded. */
export class History {
  readonly #kept: number;
  /** When the blocks began that are kept, in milliseconds since the unix epoch, oldest first. */
  readonly #beginnings: number[] = [];

  /** Keeps what happened in so many of the latest auctions. */
  constructor(kept: number) {
    this.#kept = kept;
  }

  /** Records a completed block, and drops what happened before the kept ones. */
  forget(market: Market): void {
    const { book, block } = market;
    this.#beginnings.push(market.time.ms);
    if (this.#beginnings.length > this.#kept) this.#beginnings.shift();
    const first = block - this.#kept + 1;
    forgetAuctions(market, first);
    for (const ended of book.ended) {
      const isOver = ended.endedAt < first || book.ended.size > MAX_ENDED;
      if (!isOver || ended.order.attempts > 0) break;
      book.forgetOrder(ended);
    }
    const beforeMs = this.#beginnings[0]!;
    book.forgetNotifications(beforeMs);
    if (block % OPEN_ORDERS_EVERY !== 0) return;
    for (const order of book.open) {
      forgetEvents(order, beforeMs);
      book.forgetAuctionsOf(order);
    }
  }
}

/** The newest one stays, however long ago it was. */
function forgetAuctions({ book, block }: Market, first: number): void {
  for (const auction of book.auctions.values()) {
    const { auctionStartBlock } = auction.competition;
    const isOver = auctionStartBlock < first ||
      book.listed > MAX_LISTED && auctionStartBlock <= block - MIN_KEPT_AUCTIONS;
    if (!isOver || auction === book.latestAuction) return;
    book.forgetAuction(auction);
  }
}

/** The last event stays: it tells what an order is about. */
function forgetEvents({ events }: BookOrder, beforeMs: number): void {
  const kept = events.findIndex(({ timestamp }) => timestamp.epochMilliseconds >= beforeMs);
  events.splice(0, kept === -1 ? events.length - 1 : kept);
}
