import type { Competition } from "../../schemas/mod.ts";
import { integer, text } from "../../tables/columns/columns.ts";
import type { Table } from "../../tables/mod.ts";

/** Consecutive auctions that list an order. */
export interface OrderListingFacts {
  /** UID of the order. */
  readonly uid: string;
  /** The first of the auctions. */
  readonly first: number;
  /** The last of them. */
  readonly last: number;
  /** How many they are. */
  readonly count: number;
}

/** One row per order and interval of auctions that list it. */
export const ORDER_LISTINGS: Table<OrderListingFacts> = {
  name: "order_listings",
  grain: "One order and an interval of auctions that all list it; intervals end with the file",
  columns: [
    text("order_uid", { source: "competition.auction.orders", cell: ({ uid }) => uid }),
    integer("first_auction_id", {
      source: "first auction of the interval",
      cell: ({ first }) => first,
    }),
    integer("last_auction_id", {
      source: "last auction of the interval",
      cell: ({ last }) => last,
    }),
    integer("auction_count", {
      unit: "auctions",
      source: "number of auctions in the interval; ids without an auction do not end it",
      cell: ({ count }) => count,
    }),
  ],
};

interface OpenInterval {
  readonly first: number;
  last: number;
  count: number;
  /** Place of its last auction among all auctions. */
  place: number;
}

/** Collects the intervals from auctions in the order of their ids. */
export class ListingIntervals {
  readonly #open = new Map<string, OpenInterval>();
  readonly #closed: OrderListingFacts[] = [];
  #place = 0;

  /** Adds the next auction. */
  add({ auctionId, auction }: Competition): void {
    this.#place++;
    for (const uid of auction.orders) {
      const open = this.#open.get(uid);
      if (open?.place === this.#place) continue;
      if (open?.place === this.#place - 1) {
        open.last = auctionId;
        open.count++;
        open.place = this.#place;
      } else {
        if (open !== undefined) this.#close(uid, open);
        this.#open.set(uid, { first: auctionId, last: auctionId, count: 1, place: this.#place });
      }
    }
  }

  /** All intervals, by UID and first auction. */
  sorted(): OrderListingFacts[] {
    for (const [uid, open] of this.#open) this.#close(uid, open);
    this.#open.clear();
    return this.#closed.sort((a, b) =>
      a.uid === b.uid ? a.first - b.first : a.uid < b.uid ? -1 : 1
    );
  }

  #close(uid: string, { first, last, count }: OpenInterval): void {
    this.#closed.push({ uid, first, last, count });
  }
}
