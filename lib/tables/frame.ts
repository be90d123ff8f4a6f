import pl, { type DataFrame } from "nodejs-polars";
import { InputError } from "../errors/input_error.ts";

/** A polars data frame. */
export type Frame = DataFrame;

/** What a cell may hold; amounts are text, never `bigint`, which polars would wrap silently. */
export type Cell = string | number | boolean | null;

/** The kinds of column that tables have; polars' own names. */
export type Dtype = "String" | "Int64" | "Float64" | "Bool";

/** One column of a table, declared once for the frame, its documentation and its tests. */
export interface Column<Row> {
  /** Name, with the unit where a number has one. */
  name: string;
  /** Kind of the column. */
  dtype: Dtype;
  /** Unit of the values, or `null` where there is none. */
  unit: string | null;
  /** Where the value comes from: a field of the wire, or how it is derived. */
  source: string;
  /** The value of one row. */
  cell: (row: Row) => Cell;
}

/** A table: what one row is, and its columns. */
export interface Table<Row> {
  /** Name, in the plural. */
  name: string;
  /** What one row is, in one sentence. */
  grain: string;
  /** Columns, in order. */
  columns: readonly Column<Row>[];
}

const DTYPES = {
  String: pl.String,
  Int64: pl.Int64,
  Float64: pl.Float64,
  Bool: pl.Bool,
} as const;

/** Whether polars keeps the value: a `bigint` would lose its digits, an unsafe integer its last. */
function isKept(cell: unknown, dtype: Dtype): boolean {
  if (cell === null) return true;
  switch (dtype) {
    case "String":
      return typeof cell === "string";
    case "Int64":
      return Number.isSafeInteger(cell);
    case "Float64":
      return typeof cell === "number";
    case "Bool":
      return typeof cell === "boolean";
  }
}

/**
 * Builds a frame from rows, column by column; no rows give the same schema.
 *
 * @throws {InputError} If a cell is not of its column's kind: a `bigint` never reaches polars.
 */
export function buildFrame<Row>(table: Table<Row>, rows: Iterable<Row>): Frame {
  const all = Array.isArray(rows) ? rows as readonly Row[] : [...rows];
  const series = table.columns.map(({ name, dtype, cell }) => {
    const cells = new Array<Cell>(all.length);
    for (const [index, row] of all.entries()) {
      const value = cell(row);
      if (!isKept(value, dtype)) {
        throw new InputError(
          `Cannot put ${String(value).slice(0, 80)} (${typeof value}) into ${table.name}.${name}`,
          {
            facts: { row: index, dtype },
            remedy: "Give amounts as decimal text and numbers as safe numbers",
          },
        );
      }
      cells[index] = value;
    }
    return pl.Series(name, cells, DTYPES[dtype]);
  });
  return pl.DataFrame(Object.fromEntries(series.map((one) => [one.name, one])));
}
