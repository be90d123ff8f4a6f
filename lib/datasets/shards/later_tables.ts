import { ANSWER_NAMES, TABLE_NAMES } from "./published_tables.ts";

/** The tables of the first version, without `blocks`, which need a node. */
const FIRST: readonly string[] = [
  "auctions",
  "solutions",
  "solution_orders",
  "reference_scores",
  "orders",
  "trades",
  "protocol_fees",
  "order_events",
  "app_data",
  "native_prices",
  "order_listings",
];

/** Tables of later versions that are made of the answers which those of the first need. */
const LATER: readonly string[] = ["executions", ...ANSWER_NAMES];

/**
 * The tables that a request stands for in this version: one for all tables of an earlier version is
 * one for those that came later too. Others are as they were asked for.
 */
export function withLaterTables(tables: readonly string[]): string[] {
  if (!FIRST.every((name) => tables.includes(name))) return [...tables];
  return TABLE_NAMES.filter((name) => tables.includes(name) || LATER.includes(name));
}
