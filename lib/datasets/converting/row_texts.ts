import type { CellColumn } from "../../tables/columns/frame_cells.ts";
import type { RowBatch, SourceTable } from "./source_tables.ts";

type CellValue = CellColumn["cells"][number];

/** Characters with which spreadsheets begin a formula, and the mark that keeps them from it. */
const BEGINS_FORMULA = /^[=+\-@\t\r']/;
const IS_DECIMAL = /^-?\d+$/;
const NEEDS_QUOTES = /[",\r\n]/;

/** The first line of a CSV file. */
export function csvHeader({ columns }: SourceTable): string {
  return `${columns.map(({ name }) => name).join()}\r\n`;
}

/**
 * Rows as CSV (RFC 4180): null is empty, and the empty text is `""`. Text that a spreadsheet would
 * take for a formula begins with `'`, and so does text that begins with `'`; decimal numbers, with or
 * without a minus, stay as they are.
 */
export function csvRows({ rows, columns }: RowBatch, { guardFormulas }: CsvOptions): string {
  const print = guardFormulas ? guardedCell : csvCell;
  let text = "";
  for (let row = 0; row < rows; row++) {
    let line = "";
    for (const { cells } of columns) line += `,${print(cells[row]!)}`;
    text += `${line.slice(1)}\r\n`;
  }
  return text;
}

/** How CSV is written. */
export interface CsvOptions {
  /** Whether text that begins like a formula gets a `'` in front. */
  readonly guardFormulas: boolean;
}

function guardedCell(cell: CellValue): string {
  const isGuarded = typeof cell === "string" && BEGINS_FORMULA.test(cell) && !IS_DECIMAL.test(cell);
  return csvCell(isGuarded ? `'${cell}` : cell);
}

function csvCell(cell: CellValue): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  return cell === "" || NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/**
 * Rows as NDJSON: one object per line with every column. Amounts are strings, as is a whole number
 * that a double does not hold.
 */
export function ndjsonRows({ rows, columns }: RowBatch): string {
  const names = columns.map(({ name }) => `${JSON.stringify(name)}:`);
  let text = "";
  for (let row = 0; row < rows; row++) {
    let line = "";
    for (const [place, { cells }] of columns.entries()) {
      line += `,${names[place]}${jsonCell(cells[row]!)}`;
    }
    text += `{${line.slice(1)}}\n`;
  }
  return text;
}

function jsonCell(cell: CellValue): string {
  return typeof cell === "bigint" ? `"${cell}"` : JSON.stringify(cell);
}
