import { type Need, type Table, TABLES } from "../../tables/mod.ts";
import { formatShard, UNBID_ORDERS } from "../layout/files.ts";
import type { DatasetManifest, DatasetRequest } from "../layout/manifest.ts";
import { toFileColumns } from "./file_columns.ts";

/** Path of the file of orders that nobody bid on. */
const UNBID_FILE = new RegExp(`\\b${formatShard(UNBID_ORDERS)}\\.[^/\\\\]*$`);

/** The tables of a dataset, in the order in which they are documented. */
export const PUBLISHED_TABLES: readonly Table[] = Object.values(TABLES)
  .filter(({ needs }) => needs !== undefined);

/** Names of the derived tables. */
export const DERIVED: readonly string[] = PUBLISHED_TABLES
  .flatMap(({ name, kind }) => kind === "derived" ? name : []);

/** Whether some tables are derived ones. */
export function includesDerived(tables: readonly string[]): boolean {
  return tables.some((name) => DERIVED.includes(name));
}

/** Whether some tables are those of accounting weeks. */
export function includesRewards(tables: readonly string[]): boolean {
  return [TABLES.rewards, TABLES.auctionRewards].some(({ name }) => tables.includes(name));
}

/** Whether the derived tables of a dataset are missing: its records changed since. */
export function lacksDerived(
  { request, derived }: Pick<DatasetManifest, "request" | "derived">,
): boolean {
  return derived == null && includesDerived(request.tables);
}

/** Names of the tables of a dataset. */
export const TABLE_NAMES: readonly string[] = PUBLISHED_TABLES.map(({ name }) => name);

/** Lists the columns of some tables, those of the source first. */
export function listColumns(names: readonly string[]): Record<string, string[]> {
  return Object.fromEntries(
    selectTables(names).map((table) => [table.name, toFileColumns(table).map(({ name }) => name)]),
  );
}

/** Extends a key to be unique in all datasets: ids are unique in an environment only. */
export function toGlobalKey(key: readonly string[]): readonly string[] {
  return key[0] === "chain_id" ? key : ["chain_id", "environment", ...key];
}

/** Selects tables by name, in their order. */
export function selectTables(names: readonly string[]): Table[] {
  return PUBLISHED_TABLES.filter(({ name }) => names.includes(name));
}

/** Selects tables that belong to a file of responses, by its path or by that of a table. */
export function selectSiblingTables(path: string, names: readonly string[]): Table[] {
  const isUnbid = isUnbidFile(path);
  return selectTables(names).filter(({ isOfUnbid }) => !isUnbid || isOfUnbid === true);
}

/** Whether a file has the orders that nobody bid on; the others have auctions or selected orders. */
export function isUnbidFile(path: string): boolean {
  return UNBID_FILE.test(path);
}

/** Columns of one table whose values are in another. */
interface Reference {
  /** The referencing table. */
  readonly table: string;
  readonly columns: readonly string[];
  /** The referenced table. */
  readonly to: string;
  /** Its columns, as many. */
  readonly toColumns: readonly string[];
}

/** References between tables, within the file of the same 1,000 auctions. */
export const REFERENCES: readonly Reference[] = PUBLISHED_TABLES.flatMap(
  ({ name, references = [] }) =>
    references.map(({ columns, to, toColumns = columns }) => {
      return { table: name, columns, to, toColumns };
    }),
);

/** References as foreign keys for databases and catalogues: to the key of the referenced table. */
export const FOREIGN_KEYS: readonly Reference[] = REFERENCES.map((reference) => {
  const key = PUBLISHED_TABLES.find(({ name }) => name === reference.to)?.key ?? [];
  const isWider = reference.columns.length > key.length;
  return isWider ? { ...reference, columns: key, toColumns: key } : reference;
});

/** Tables built from settlements. */
export const SETTLEMENT_TABLES: readonly string[] = [
  "settlements",
  "imbalances",
  "chain_differences",
  "settlement_slippage",
];

/** Tables that are empty without a node. */
export const NODE_TABLES: readonly string[] = ["blocks", ...SETTLEMENT_TABLES];

/** Tables built from instances of auctions. */
export const INSTANCE_TABLES: readonly string[] = PUBLISHED_TABLES
  .flatMap(({ name, needs }) => needs?.includes("instances") ? name : []);

/** Tables without auctions, for exports of single orders. */
const WITHOUT_AUCTIONS: readonly string[] = ["executions", "order_events", "app_data"];

/**
 * Returns the records that an export requests for its tables and settings.
 *
 * Without a node, orders replace timestamps where a table needs times: their dates bound those of
 * auctions. Auctions of single orders are found by their fills.
 */
export function findNeeds(request: DatasetRequest): ReadonlySet<Need> {
  const { tables, owner, uids } = request;
  const needs = new Set(selectTables(tables).flatMap(({ needs = [] }) => needs));
  const isOfOrders = owner !== null || uids !== null;
  if (isOfOrders) needs.add("orders");
  if (needs.delete("times")) needs.add(request.blockTimes ? "blocks" : "orders");
  if (isOfOrders && tables.some((table) => !WITHOUT_AUCTIONS.includes(table))) needs.add("trades");
  if (!request.blockTimes) needs.delete("blocks");
  if (!request.trades) needs.delete("trades");
  if (!request.debugReports) needs.delete("reports");
  if (request.instances !== undefined) needs.add("instances");
  else needs.delete("instances");
  return needs;
}
