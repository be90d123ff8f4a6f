import { SOURCE_COLUMNS } from "../../datasets/shards/source_columns.ts";
import { ANSWER_NAMES, TABLE_NAMES, tablesOf } from "../../datasets/shards/published_tables.ts";
import type { SqlColumn } from "./views.ts";

/** The table that a view of the same name extends: the view is `auctions`. */
const RENAMED: Readonly<Record<string, string>> = { auctions: "raw_auctions" };

/** A table of a dataset, as SQL sees it. */
export interface SqlTable {
  /** Its name in SQL. */
  readonly name: string;
  /** The folder of its files. */
  readonly folder: string;
  /** What one row is. */
  readonly grain: string;
  /** Columns that together are different in every row; empty if files may repeat rows. */
  readonly key: readonly string[];
  /** Its columns. */
  readonly columns: readonly SqlColumn[];
}

/** All tables that a dataset may have. */
export function datasetTables(): SqlTable[] {
  // Views have the names of answers still.
  const records = TABLE_NAMES.filter((name) => !ANSWER_NAMES.includes(name));
  return tablesOf(records).map(({ table, key, hasRepeats }) => ({
    name: RENAMED[table.name] ?? table.name,
    folder: table.name,
    grain: table.grain,
    key: hasRepeats === true
      ? []
      : key[0] === "chain_id"
      ? key
      : ["chain_id", "environment", ...key],
    columns: [
      ...SOURCE_COLUMNS.map(({ name, dtype, unit, description }) => ({
        name,
        dtype,
        unit,
        text: description,
      })),
      ...table.columns.map(({ name, dtype, unit, source }) => ({
        name,
        dtype,
        unit: unit ?? null,
        text: source,
      })),
    ],
  }));
}
