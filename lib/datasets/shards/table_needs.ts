import type { DatasetRequest } from "../layout/manifest.ts";

/**
 * What an export asks for besides the auctions, of which `blocks` and `settlements` are from a node.
 */
export type Need = "orders" | "trades" | "app_data" | "reports" | "blocks" | "settlements";

/** Tables that are made of settlements. */
export const SETTLEMENT_TABLES: readonly string[] = [
  "settlements",
  "imbalances",
  "chain_differences",
];

/** Tables that are empty without a node. */
export const NODE_TABLES: readonly string[] = ["blocks", ...SETTLEMENT_TABLES];

/** What each table is made of, besides the auctions; `orders` name the others, so all have them. */
const NEEDS: Readonly<Record<string, readonly Need[]>> = {
  auctions: ["blocks"],
  solutions: ["orders", "trades", "reports", "blocks"],
  solution_orders: ["orders", "trades"],
  reference_scores: [],
  orders: ["orders"],
  trades: ["orders", "trades", "reports", "blocks"],
  protocol_fees: ["orders", "trades", "reports"],
  executions: ["orders", "reports"],
  order_events: ["orders", "reports"],
  app_data: ["orders", "app_data"],
  native_prices: [],
  order_listings: [],
  blocks: ["blocks"],
  settlements: ["settlements", "orders", "trades"],
  imbalances: ["settlements"],
  chain_differences: ["settlements", "orders", "trades"],
};

/** Tables that say nothing of auctions, where single orders are asked for. */
const WITHOUT_AUCTIONS: readonly string[] = ["executions", "order_events", "app_data"];

/**
 * What an export has to ask for, for its tables and with its settings.
 *
 * Without a node, orders stand in for timestamps: their dates bound the times of auctions. Auctions
 * of single orders are found by their fills.
 */
export function needsOf(request: DatasetRequest): ReadonlySet<Need> {
  const { tables, owner, uids } = request;
  const needs = new Set(tables.flatMap((table) => NEEDS[table] ?? []));
  const isOfOrders = owner !== null || uids !== null;
  if (isOfOrders || needs.has("blocks") && !request.blockTimes) needs.add("orders");
  if (isOfOrders && tables.some((table) => !WITHOUT_AUCTIONS.includes(table))) needs.add("trades");
  if (!request.blockTimes) needs.delete("blocks");
  if (!request.trades) needs.delete("trades");
  if (!request.debugReports) needs.delete("reports");
  return needs;
}
