import { formatCsvCell } from "../tables/columns/csv_cell.ts";
import type { SqlRow, SqlValue } from "./sql_result.ts";

/**
 * A line of a result in CSV, with its end: the same on the command line, in a file and on a page. Text
 * that a spreadsheet would take for a formula begins with `'`.
 */
export function formatCsvLine(values: readonly SqlValue[]): string {
  return `${values.map(formatCsvCell).join()}\n`;
}

/** A row of a result as a line of CSV, its cells in the order of the columns. */
export function formatCsvRow(names: readonly string[], row: SqlRow): string {
  return formatCsvLine(names.map((name) => row[name] ?? null));
}

/**
 * A row of a result in JSON, the same everywhere: whole numbers that a double cannot hold are text, and
 * what JSON cannot say is null.
 */
export function formatJsonRow(row: SqlRow): string {
  return JSON.stringify(row, (_, value) => typeof value === "bigint" ? `${value}` : value);
}
