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
