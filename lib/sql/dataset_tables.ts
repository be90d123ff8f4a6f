import { fileColumns } from "../datasets/shards/file_columns.ts";
import {
  ANSWER_NAMES,
  keyAnywhere,
  PUBLISHED_TABLES,
} from "../datasets/shards/published_tables.ts";
import type { SqlColumn } from "./catalogue.ts";

/** A table of a dataset, as SQL sees it. */
export interface SqlTable {
  /** Its name, which is that of the folder of its files. */
  readonly name: string;
  /** Whether it has what the service and the chain said, or what follows from it. */
  readonly kind: "record" | "answer";
  /** What one row is. */
  readonly grain: string;
  /** Columns that together are different in every row; empty if files may repeat rows. */
  readonly key: readonly string[];
  /** Its columns. */
  readonly columns: readonly SqlColumn[];
}

/** All tables that a dataset may have. */
export function datasetTables(): SqlTable[] {
  return PUBLISHED_TABLES.map(({ table, key, hasRepeats }) => ({
    name: table.name,
    kind: ANSWER_NAMES.includes(table.name) ? "answer" : "record",
    grain: table.grain,
    key: hasRepeats === true ? [] : keyAnywhere(key),
    columns: fileColumns(table).map(({ source, ...column }) => ({ ...column, text: source })),
  }));
}

/** Whether a column is an exact amount: decimal text in files, a number in a session. */
export function isAmount({ name, dtype, unit }: SqlColumn): boolean {
  // Prices are atoms for atoms, and may have a fraction.
  return dtype === "String" &&
    (name.endsWith("_atoms") || /^(?!.* for ).* atoms\b/.test(unit ?? ""));
}

/** Types of columns as both engines cast to them. */
const TYPES: Readonly<Record<string, string>> = {
  String: "STRING",
  Int64: "BIGINT",
  Float64: "DOUBLE",
  Bool: "BOOLEAN",
  Datetime: "TIMESTAMP",
};

/** The query of a table without rows. */
export function emptyTable({ columns }: SqlTable): string {
  const none = columns.map(({ name, dtype }) => `CAST(NULL AS ${TYPES[dtype]}) AS ${name}`);
  return `SELECT ${none.join(", ")} WHERE FALSE`;
}
