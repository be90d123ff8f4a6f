import type { BookOrder } from "./book_order.ts";
import type { Market } from "./market.ts";

/** Minimum number of auctions to keep: pending settlements need theirs. */
export const MIN_KEPT_AUCTIONS = 10;
/** Maximum number of orders that the kept auctions list, over all auctions. */
const MAX_LISTED = 1_000_000;
/** Maximum number of ended orders to keep. */
const MAX_ENDED = 50_000;
/** Number of blocks between cleanups of open orders' history. */
const OPEN_ORDERS_INTERVAL = 64;

/** Drops old history of a market, so that its memory use stays bounded. */
export class History {
  readonly #keptAuctions: number;
  /** Start times of the kept blocks, in milliseconds since the unix epoch, oldest first. */
  readonly #blockStartsMs: number[] = [];

  /** Keeps the history of the latest auctions. */
  constructor(kept: number) {
    this.#keptAuctions = kept;
  }

  /** Records a completed block, and drops the history before the kept blocks. */
  forget(market: Market): void {
    const { book, block } = market;
    this.#blockStartsMs.push(market.time.ms);
    if (this.#blockStartsMs.length > this.#keptAuctions) this.#blockStartsMs.shift();
    const first = block - this.#keptAuctions + 1;
    forgetAuctions(market, first);
    market.chain.forget(first);
    for (const ended of book.ended) {
      const isOver = ended.endedAt < first || book.ended.size > MAX_ENDED;
      if (!isOver || ended.order.attempts > 0) break;
      book.forgetOrder(ended);
    }
    const beforeMs = this.#blockStartsMs[0]!;
    book.forgetNotifications(beforeMs);
    if (block % OPEN_ORDERS_INTERVAL !== 0) return;
    for (const order of book.open) {
      forgetEvents(order, beforeMs);
      book.forgetAuctionsOf(order);
    }
  }
}

/** Drops old auctions; the latest one always stays. */
function forgetAuctions({ book, block }: Market, first: number): void {
  for (const auction of book.auctions.values()) {
    const { auctionStartBlock } = auction.competition;
    const isOver = auctionStartBlock < first ||
      book.listed > MAX_LISTED && auctionStartBlock <= block - MIN_KEPT_AUCTIONS;
    if (!isOver || auction === book.latestAuction) return;
    book.forgetAuction(auction);
  }
}

/** Drops old events; the last one always stays, because the order's stage depends on it. */
function forgetEvents({ events }: BookOrder, beforeMs: number): void {
  const kept = events.findIndex(({ timestamp }) => timestamp.epochMilliseconds >= beforeMs);
  events.splice(0, kept === -1 ? events.length - 1 : kept);
}
