import { InputError } from "../../errors/input_error.ts";
import { type RowKind, type Rows, rowsOf } from "../rows/row_kind.ts";
import { isNumber } from "../rows/row_selection.ts";

/** Rows of any kind, by the names of their columns. */
export type OpenRow = Readonly<Record<string, unknown>>;

/** Which columns of some rows are read. */
export interface OpenColumns {
  /** Columns that must be there, each a column of numbers or of anything else. */
  readonly needed: Readonly<Record<string, "number" | "text">>;
  /** Columns that are read where they are there. @default {none} */
  readonly read?: readonly string[];
}

/**
 * The rows of a chart for any table, checked to have the columns that the caller names.
 *
 * @param action Beginning of error messages, such as `Cannot draw timeSeries`.
 * @throws {InputError} If they are no rows, a column is missing, or one of numbers is text.
 */
export function openRows<Row extends object>(
  given: Rows<Row>,
  { needed, read = [] }: OpenColumns,
  action: string,
): readonly Row[] {
  const columns = {
    ...Object.fromEntries(read.map((name) => [name, "text?"])),
    ...needed,
  } as RowKind<OpenRow>["columns"];
  const rows = rowsOf(given as Rows<OpenRow>, { table: null, columns }, { action });
  for (const [name, holds] of Object.entries(needed)) {
    const text = holds === "number" && rows.find((row) => typeof row[name] === "string");
    if (!text) continue;
    throw new InputError(`${action}: the column ${name} is text`, {
      facts: { first: String(text[name]).slice(0, 80) },
      remedy: "Take a column of numbers, such as the one that stands beside it",
    });
  }
  return rows as readonly object[] as readonly Row[];
}

/** A number of a row as axes take it; `null` where there is none. */
export function numberIn(row: object, column: string): number | null {
  const value: unknown = Reflect.get(row, column);
  const number = typeof value === "bigint" ? Number(value) : value;
  return isNumber(number) ? number : null;
}

/** A text of a row; `null` where there is none. Other values become their text. */
export function textIn(row: object, column: string): string | null {
  const value: unknown = Reflect.get(row, column);
  return value === null || value === undefined || value === "" ? null : String(value);
}
