import { formatCsvCell } from "../tables/columns/csv_cell.ts";
import type { SqlRow, SqlValue } from "./sql_result.ts";

/**
 * Formats a line of a result in CSV, with its end, for the command line, files and pages. Text
 * that a spreadsheet would take for a formula begins with `'`.
 */
export function formatCsvLine(values: readonly SqlValue[]): string {
  return `${values.map(formatCsvCell).join()}\n`;
}

/** Formats a row of a result as a line of CSV, its cells in the order of the columns. */
export function formatCsvRow(names: readonly string[], row: SqlRow): string {
  return formatCsvLine(names.map((name) => row[name] ?? null));
}

/**
 * Formats a row of a result in JSON: whole numbers that a double cannot hold are text, and values that
 * JSON does not have are null.
 */
export function formatJsonRow(row: SqlRow): string {
  return JSON.stringify(row, (_, value) => typeof value === "bigint" ? `${value}` : value);
}
