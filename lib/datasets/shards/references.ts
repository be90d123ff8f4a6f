/** Columns of one table whose values are in another. */
export interface Reference {
  /** The table that names. */
  readonly table: string;
  /** Its columns. */
  readonly columns: readonly string[];
  /** The table that is named. */
  readonly to: string;
  /** Its columns, as many. */
  readonly toColumns: readonly string[];
}

/** What tables name of each other; within the file of the same 1,000 auctions. */
export const REFERENCES: readonly Reference[] = [
  ...["solutions", "solution_orders", "reference_scores", "native_prices"]
    .map((table) => reference(table, "auction_id", "auctions", "auction_id")),
  reference("order_listings", "first_auction_id", "auctions", "auction_id"),
  reference("order_listings", "last_auction_id", "auctions", "auction_id"),
  ...["trades", "protocol_fees", "order_events"]
    .map((table) => reference(table, "order_uid", "orders", "order_uid")),
];

/** Keys of tables in others, which databases and catalogues declare. */
export const FOREIGN_KEYS: readonly Reference[] = [
  ...REFERENCES,
  {
    table: "protocol_fees",
    columns: ["chain_id", "block_number", "log_index"],
    to: "trades",
    toColumns: ["chain_id", "block_number", "log_index"],
  },
];

function reference(table: string, column: string, to: string, toColumn: string): Reference {
  return { table, columns: [column], to, toColumns: [toColumn] };
}
