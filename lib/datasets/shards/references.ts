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

const FILL = ["chain_id", "block_number", "log_index"];

/** What tables name of each other; within the file of the same 1,000 auctions. */
export const REFERENCES: readonly Reference[] = [
  reference("solutions", ["auction_id"], "auctions"),
  reference("solution_orders", ["auction_id"], "auctions"),
  reference("solution_orders", ["auction_id", "ranking"], "solutions"),
  reference("reference_scores", ["auction_id"], "auctions"),
  reference("native_prices", ["auction_id"], "auctions"),
  { ...reference("order_listings", ["first_auction_id"], "auctions"), toColumns: ["auction_id"] },
  { ...reference("order_listings", ["last_auction_id"], "auctions"), toColumns: ["auction_id"] },
  reference("trades", ["order_uid"], "orders"),
  reference("protocol_fees", ["order_uid"], "orders"),
  reference("protocol_fees", [...FILL, "order_uid"], "trades"),
  reference("executions", ["order_uid"], "orders"),
  reference("order_events", ["order_uid"], "orders"),
  reference("imbalances", ["chain_id", "tx_hash"], "settlements"),
  reference("chain_differences", ["chain_id", "tx_hash"], "settlements"),
];

/** The same as keys, which databases and catalogues declare. */
export const FOREIGN_KEYS: readonly Reference[] = REFERENCES.map((one) =>
  one.to === "trades" ? reference(one.table, FILL, one.to) : one
);

/** Columns that have the same names in both tables. */
function reference(table: string, columns: readonly string[], to: string): Reference {
  return { table, columns, to, toColumns: columns };
}
