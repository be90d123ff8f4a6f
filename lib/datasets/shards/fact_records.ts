import { integer, text, time } from "../../tables/columns/columns.ts";
import type { Table } from "../../tables/mod.ts";

/** A document and its hash. */
export interface AppDataFacts {
  /** The hash that orders name. */
  readonly hash: string;
  /** The document, as it was hashed. */
  readonly document: string;
}

/** One row per app data document of the shard's orders. */
export const APP_DATA: Table<AppDataFacts> = {
  name: "app_data",
  grain: "One app data document that orders of the file name",
  columns: [
    text("app_data_hash", { source: "order.appData", cell: ({ hash }) => hash }),
    text("document", {
      source: "order.fullAppData, or the answer of app_data/{hash}: the text that was hashed",
      cell: ({ document }) => document,
    }),
  ],
};

/** A block and when it was produced. */
export interface BlockFacts {
  /** Its number. */
  readonly number: number;
  /** Its timestamp. */
  readonly at: Temporal.Instant;
}

/** One row per block in which an auction started or a fill was settled. */
export const BLOCKS: Table<BlockFacts> = {
  name: "blocks",
  grain: "One block in which an auction of the dataset started or one of its fills was settled",
  columns: [
    integer("block_number", { source: "number of the block", cell: ({ number }) => number }),
    ...time<BlockFacts>("timestamp", {
      source: "timestamp of the block, from a node, in whole seconds",
      at: ({ at }) => at,
    }),
  ],
};

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
