/**
 * Names of the tables of a dataset, for completions: the tables themselves bring polars, which needs
 * permissions and time. A test compares them.
 */
export const TABLE_NAMES: readonly string[] = [
  "auctions",
  "solutions",
  "solution_orders",
  "reference_scores",
  "orders",
  "trades",
  "protocol_fees",
  "executions",
  "order_events",
  "app_data",
  "native_prices",
  "order_listings",
  "blocks",
  "settlements",
  "imbalances",
  "chain_differences",
  "fills",
  "fees",
  "bids",
  "outcomes",
  "lifecycle",
  "rewards",
  "auction_rewards",
];
