import type { DatasetRequest } from "../layout/manifest.ts";
import { tablesOf } from "./published_tables.ts";
import type { Need } from "./record_tables.ts";

export type { Need };

/** Tables that are made of settlements. */
export const SETTLEMENT_TABLES: readonly string[] = [
  "settlements",
  "imbalances",
  "chain_differences",
];

/** Tables that are empty without a node. */
export const NODE_TABLES: readonly string[] = ["blocks", ...SETTLEMENT_TABLES];

/** Tables that say nothing of auctions, where single orders are asked for. */
const WITHOUT_AUCTIONS: readonly string[] = ["executions", "order_events", "app_data"];

/**
 * What an export has to ask for, for its tables and with its settings.
 *
 * Without a node, orders stand in for timestamps where a table needs times: their dates bound those of
 * auctions. Auctions of single orders are found by their fills.
 */
export function needsOf(request: DatasetRequest): ReadonlySet<Need> {
  const { tables, owner, uids } = request;
  const needs = new Set(tablesOf(tables).flatMap((one) => one.needs));
  const isOfOrders = owner !== null || uids !== null;
  if (isOfOrders) needs.add("orders");
  if (needs.delete("times")) needs.add(request.blockTimes ? "blocks" : "orders");
  if (isOfOrders && tables.some((table) => !WITHOUT_AUCTIONS.includes(table))) needs.add("trades");
  if (!request.blockTimes) needs.delete("blocks");
  if (!request.trades) needs.delete("trades");
  if (!request.debugReports) needs.delete("reports");
  return needs;
}
