import { type Need, type Table, TABLES } from "../../tables/mod.ts";
import { formatShard, UNBID_ORDERS } from "../layout/files.ts";
import type { DatasetManifest, DatasetRequest } from "../layout/manifest.ts";
import { listFileColumns } from "./file_columns.ts";

/** A file of orders that nobody bid on. */
const UNBID_FILE = new RegExp(`\\b${formatShard(UNBID_ORDERS)}\\.[^/\\\\]*$`);

/** The tables of a dataset, in the order in which they are documented. */
export const PUBLISHED_TABLES: readonly Table[] = Object.values(TABLES)
  .filter(({ needs }) => needs !== undefined);

/** Names of the tables that follow from the others. */
export const DERIVED_NAMES: readonly string[] = PUBLISHED_TABLES
  .flatMap(({ name, kind }) => kind === "derived" ? name : []);

/** Whether a dataset with some tables has answers. */
export function includesDerived(tables: readonly string[]): boolean {
  return tables.some((name) => DERIVED_NAMES.includes(name));
}

/** Whether some tables are those of accounting weeks. */
export function hasRewards(tables: readonly string[]): boolean {
  return [TABLES.rewards, TABLES.auctionRewards].some(({ name }) => tables.includes(name));
}

/** Whether a dataset was asked for answers, and its records changed since they were derived. */
export function lacksDerived(
  { request, derived }: Pick<DatasetManifest, "request" | "derived">,
): boolean {
  return derived == null && includesDerived(request.tables);
}

/** Names of the tables of a dataset. */
export const TABLE_NAMES: readonly string[] = PUBLISHED_TABLES.map(({ name }) => name);

/** Names of the columns of some tables, those of the source first. */
export function listColumns(names: readonly string[]): Record<string, string[]> {
  return Object.fromEntries(
    selectTables(names).map((
      table,
    ) => [table.name, listFileColumns(table).map(({ name }) => name)]),
  );
}

/** Columns that together are different in every row of all datasets: ids are those of an environment. */
export function toGlobalKey(key: readonly string[]): readonly string[] {
  return key[0] === "chain_id" ? key : ["chain_id", "environment", ...key];
}

/** The tables of some names, in their order. */
export function selectTables(names: readonly string[]): Table[] {
  return PUBLISHED_TABLES.filter(({ name }) => names.includes(name));
}

/** The tables of some names that stand beside a file of answers, by its path or by that of a table. */
export function selectSiblingTables(path: string, names: readonly string[]): Table[] {
  const hasAuctions = isAuctionFile(path);
  return selectTables(names).filter(({ isOfUnbid }) => hasAuctions || isOfUnbid === true);
}

/** Whether a file is that of auctions, or of single orders, and not of orders that nobody bid on. */
export function isAuctionFile(path: string): boolean {
  return !UNBID_FILE.test(path);
}

/** Columns of one table whose values are in another. */
interface Reference {
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
export const REFERENCES: readonly Reference[] = PUBLISHED_TABLES.flatMap(
  ({ name, references = [] }) =>
    references.map(({ columns, to, toColumns = columns }) => {
      return { table: name, columns, to, toColumns };
    }),
);

/** The same as keys, which databases and catalogues declare: those of the table that is named. */
export const FOREIGN_KEYS: readonly Reference[] = REFERENCES.map((one) => {
  const key = PUBLISHED_TABLES.find(({ name }) => name === one.to)?.key ?? [];
  const isWider = one.columns.length > key.length;
  return isWider ? { ...one, columns: key, toColumns: key } : one;
});

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
export function resolveNeeds(request: DatasetRequest): ReadonlySet<Need> {
  const { tables, owner, uids } = request;
  const needs = new Set(selectTables(tables).flatMap(({ needs = [] }) => needs));
  const isOfOrders = owner !== null || uids !== null;
  if (isOfOrders) needs.add("orders");
  if (needs.delete("times")) needs.add(request.blockTimes ? "blocks" : "orders");
  if (isOfOrders && tables.some((table) => !WITHOUT_AUCTIONS.includes(table))) needs.add("trades");
  if (!request.blockTimes) needs.delete("blocks");
  if (!request.trades) needs.delete("trades");
  if (!request.debugReports) needs.delete("reports");
  return needs;
}
