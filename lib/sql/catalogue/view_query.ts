import type { SqlTable } from "./dataset_tables.ts";
import type { SqlView } from "./views.ts";

/** Types of columns as every engine casts to them. */
const TYPES: Readonly<Record<string, string>> = {
  String: "STRING",
  Int64: "BIGINT",
  Float64: "DOUBLE",
  Bool: "BOOLEAN",
};

/** The query of a table without rows, in the SQL of every engine. */
export function emptyTable({ columns }: SqlTable): string {
  const none = columns.map(({ name, dtype }) => `CAST(NULL AS ${TYPES[dtype]}) AS ${name}`);
  return `SELECT ${none.join(", ")} WHERE FALSE`;
}

/**
 * The query of a view over a dataset: optional tables that the dataset lacks stand in it without
 * rows.
 *
 * @param missing Optional tables of the view that the dataset does not have.
 */
export function viewQuery({ query }: SqlView, missing: readonly SqlTable[]): string {
  if (missing.length === 0) return query;
  const tables = missing.map((table) => `${table.name} AS (\n  ${emptyTable(table)}\n)`);
  return query.replace(/^WITH (RECURSIVE )?/, (found) => `${found}${tables.join(",\n")},\n`);
}
