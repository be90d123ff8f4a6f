import { SETTLEMENT_TABLES } from "../datasets/shards/published_tables.ts";
import type { SqlTable } from "./catalogue.ts";
import { type DatasetFiles, scanFiles } from "./dataset_files.ts";

/** Tables of records that the chain has once and every environment reports, and the report that counts. */
interface ChainTables {
  /** Names; the first that all datasets have decides which report counts. */
  readonly tables: readonly string[];
  /** Columns in addition to the chain id that identify what is reported. */
  readonly key: readonly string[];
  /** Column of the first table by which reports are ordered: the first one counts. */
  readonly rank: string;
}

const CHAIN_TABLES: readonly ChainTables[] = [
  // Of one fill, the report with its auction counts.
  {
    tables: ["trades", "fills", "protocol_fees", "fees"],
    key: ["block_number", "log_index"],
    rank: "auction_id IS NULL",
  },
  // A transaction settles one auction, even if two environments name it.
  {
    tables: SETTLEMENT_TABLES,
    key: ["tx_hash"],
    rank: "difference_count IS NULL, difference_count",
  },
];

/**
 * Filters duplicates of one chain from the rows of a table: datasets of several environments, such as
 * production and staging, report the same fills.
 *
 * @param rows The rows of all datasets, as SQL.
 * @returns The rows, as SQL; those of one environment as they are.
 */
export async function filterChainRows(
  { name }: Pick<SqlTable, "name">,
  rows: string,
  files: DatasetFiles,
): Promise<string> {
  const chain = CHAIN_TABLES.find(({ tables }) => tables.includes(name));
  if (chain === undefined || !files.hasEnvironments) return rows;
  const names = new Set(files.tables.map((table) => table.name));
  const rankingTable = chain.tables.find((table) => names.has(table)) ?? name;
  await files.requireWhole(rankingTable);
  const key = ["chain_id", ...chain.key].join(", ");
  const rank = rankingTable === "imbalances" || rankingTable === "chain_differences"
    ? []
    : [chain.rank];
  const reports = files.listFiles(rankingTable).map((paths) => `SELECT * FROM ${scanFiles(paths)}`);
  if (reports.length === 0) return rows;
  const countedReports = `SELECT ${key}, environment FROM (${reports.join(" UNION ALL BY NAME ")})
    QUALIFY row_number() OVER (
      PARTITION BY ${key} ORDER BY ${[...rank, "environment NULLS FIRST"].join(", ")}) = 1`;
  const conditions = ["chain_id", "environment", ...chain.key].map((column) =>
    `counted.${column} IS NOT DISTINCT FROM reported.${column}`
  );
  return `SELECT reported.* FROM (${rows}) AS reported
    SEMI JOIN (${countedReports}) AS counted ON ${conditions.join(" AND ")}`;
}
