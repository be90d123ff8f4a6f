import type { OrderBook } from "../../client/mod.ts";
import { NotFoundError, NotRecordedError } from "../../errors/mod.ts";
import type { Competition } from "../../schemas/mod.ts";
import { type AuctionRow, auctionRow } from "./list_rows.ts";

/** Auctions that are kept. */
const MOST_KEPT = 200;
/** Auctions that are asked for at the beginning, and again after a long pause. */
const FIRST = 25;
/** Settlements appear after their auction: as many of the newest are asked for again. */
const LOOKED_AT_AGAIN = 3;

interface RecentAuction {
  readonly row: AuctionRow;
  readonly bids: readonly string[];
  readonly listed: readonly string[];
}

/** The newest auctions of a deployment that goes on, each asked for as rarely as possible. */
export class RecentCompetitions {
  readonly #book: OrderBook;
  readonly #freshMs: number;
  readonly #now: () => number;
  readonly #auctions = new Map<number, RecentAuction>();
  #lookedAt = -Infinity;
  #looking: Promise<void> | null = null;

  /** @param options `freshMs` is how long what is known is not asked for again. */
  constructor(book: OrderBook, { freshMs, now }: { freshMs: number; now: () => number }) {
    this.#book = book;
    this.#freshMs = freshMs;
    this.#now = now;
  }

  /** The newest auctions, the newest first. */
  async rows(): Promise<AuctionRow[]> {
    await this.#refresh();
    return this.#newest().map(({ row }) => row);
  }

  /** UIDs of the orders that somebody bid on, or that an auction listed, the newest first. */
  async uids(which: "bids" | "listed", most: number): Promise<string[]> {
    await this.#refresh();
    const uids = new Set<string>();
    for (const auction of this.#newest()) {
      for (const uid of auction[which]) {
        if (uids.size >= most) return [...uids];
        uids.add(uid);
      }
    }
    return [...uids];
  }

  #newest(): RecentAuction[] {
    return [...this.#auctions.values()].sort((a, b) => b.row.auctionId - a.row.auctionId);
  }

  async #refresh(): Promise<void> {
    if (this.#looking !== null) return await this.#looking;
    if (this.#now() - this.#lookedAt < this.#freshMs) return;
    this.#looking = this.#look();
    try {
      await this.#looking;
      this.#lookedAt = this.#now();
    } finally {
      this.#looking = null;
    }
  }

  async #look(): Promise<void> {
    const latest = await this.#competition("latest");
    if (latest === null) return;
    const unsettled = this.#newest().slice(0, LOOKED_AT_AGAIN)
      .filter(({ row }) => row.settlements.length === 0 && row.winners.length > 0)
      .map(({ row }) => row.auctionId);
    const known = Math.max(...this.#auctions.keys(), latest.auctionId - FIRST);
    for (let id = Math.max(known + 1, 0); id < latest.auctionId; id++) unsettled.push(id);
    this.#add(latest);
    for (const id of unsettled) {
      if (id === latest.auctionId) continue;
      const competition = await this.#competition(id);
      if (competition !== null) this.#add(competition);
    }
    for (const { row } of this.#newest().slice(MOST_KEPT)) this.#auctions.delete(row.auctionId);
  }

  #add(competition: Competition): void {
    const { auctionId, auction, solutions } = competition;
    const bids = new Set(solutions.flatMap(({ orders }) => orders.map(({ id }) => id)));
    this.#auctions.set(auctionId, {
      row: auctionRow(competition),
      bids: [...bids],
      listed: auction.orders,
    });
  }

  async #competition(which: number | "latest"): Promise<Competition | null> {
    try {
      return await this.#book.competition(which);
    } catch (error) {
      if (error instanceof NotFoundError || error instanceof NotRecordedError) return null;
      throw error;
    }
  }
}
