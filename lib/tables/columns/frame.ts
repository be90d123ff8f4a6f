import pl from "nodejs-polars";
import type { DataFrame, Series } from "nodejs-polars";
import { InputError } from "../../errors/mod.ts";
import { describeValue } from "../../errors/option_rules.ts";
import { NameLookup, type SolverOptions, TokenAmounts, type TokenOptions } from "./lookups.ts";

/** Rows of a frame as objects. */
export interface FrameRecords {
  /**
   * One object per row, by column name. Charts accept it unchanged; the type parameter is not
   * checked.
   */
  toRecords<Row = Record<string, Cell>>(): Row[];
}

/** Any data frame that polars' methods return. */
export type PolarsFrame = DataFrame;

/** A data frame of polars, which all tables are. */
export type Frame = FrameRecords & PolarsFrame;

/** Value of a cell; amounts are text, never `bigint`, which polars would wrap silently. */
export type Cell = string | number | boolean | null;

/** The kinds of column that tables have; polars' own names. */
export type Dtype = "String" | "Int64" | "Float64" | "Bool";

/** One column of a table, declared once for the frame, its documentation and its tests. */
export interface Column<Row> {
  /** Name, with the unit where a number has one. */
  readonly name: string;
  /** Kind of the column. */
  readonly dtype: Dtype;
  /** Unit of the values; `null` if there is none. */
  readonly unit: string | null;
  /** Source of the value: a field of the API, or its derivation. */
  readonly source: string;
  /** The value of one row. */
  readonly cell: (row: Row, amounts: TokenAmounts, names: NameLookup) => Cell;
}

/** Columns of a frame, and its name for errors. */
interface FrameColumns<Row> {
  /** Name. */
  readonly name: string;
  /** Columns, in order. */
  readonly columns: readonly Column<Row>[];
}

/** The polars type of each {@linkcode Dtype}. */
export const DTYPES = {
  String: pl.String,
  Int64: pl.Int64,
  Float64: pl.Float64,
  Bool: pl.Bool,
} as const;

/** Whether polars keeps the value unchanged: a `bigint` or an unsafe integer would lose digits. */
function isLossless(cell: unknown, dtype: Dtype): boolean {
  switch (dtype) {
    case "String":
      return typeof cell === "string";
    case "Float64":
      return Number.isFinite(cell);
    case "Int64":
      return Number.isSafeInteger(cell);
    case "Bool":
      return typeof cell === "boolean";
  }
}

/**
 * Builds a frame from rows, column by column; no rows give the same schema.
 *
 * @throws {InputError} If a cell is not of its column's kind: a `bigint` never reaches polars.
 */
export function buildFrame<Row>(
  table: FrameColumns<Row>,
  rows: Iterable<Row>,
  options: TokenOptions & SolverOptions = {},
): Frame {
  const rowList: readonly Row[] = Array.isArray(rows) ? rows : [...rows];
  const amounts = new TokenAmounts(options);
  const names = new NameLookup(options);
  const frame = pl.DataFrame(
    table.columns.map((column) => buildSeries(table, column, { rows: rowList, amounts, names })),
  );
  amounts.report();
  return frame as Frame;
}

/** A column and its rows. */
interface CellSources<Row> {
  readonly rows: readonly Row[];
  readonly amounts: TokenAmounts;
  readonly names: NameLookup;
}

function buildSeries<Row>(
  table: FrameColumns<Row>,
  column: Column<Row>,
  sources: CellSources<Row>,
): Series {
  const { name, dtype } = column;
  const { cells, hasGap } = buildCells(table, column, sources);
  if (dtype === "String") return buildTextSeries(name, cells as (string | null)[]);
  // Polars copies an array of doubles without inspecting each value.
  return dtype === "Float64" && !hasGap
    ? pl.Series(name, Float64Array.from(cells as number[]), pl.Float64)
    : pl.Series(name, cells, DTYPES[dtype]);
}

/** The cells of a column, each checked, and whether any is `null`. */
function buildCells<Row>(
  table: FrameColumns<Row>,
  column: Column<Row>,
  { rows, amounts, names }: CellSources<Row>,
): { cells: Cell[]; hasGap: boolean } {
  const { cell, dtype } = column;
  const cells = new Array<Cell>(rows.length);
  let hasGap = false;
  for (let index = 0; index < rows.length; index++) {
    const value = cell(rows[index]!, amounts, names);
    if (value === null) hasGap = true;
    else if (!isLossless(value, dtype)) throw createCellError(table, column, { value, row: index });
    cells[index] = value;
  }
  return { cells, hasGap };
}

function createCellError<Row>(
  table: FrameColumns<Row>,
  { name, dtype }: Column<Row>,
  { value, row }: { value: unknown; row: number },
): InputError {
  const text = String(value).slice(0, 80);
  return new InputError(`Cannot put ${text} (${typeof value}) into ${table.name}.${name}`, {
    facts: { row, dtype },
    remedy: "Pass decoded records, as returned by decodeOrder and the other decoders",
  });
}

/** Minimum number of rows for which indexing texts is worthwhile. */
const MIN_ROWS = 500;
/** Minimum number of rows per distinct text for which it is worthwhile. */
const MIN_ROWS_PER_TEXT = 4;

/**
 * A series of texts. Passing texts to polars is the slowest step, so texts that repeat (tokens,
 * solvers, states) are passed once and repeated by polars.
 *
 * @param cells Texts and `null`.
 */
function buildTextSeries(name: string, cells: (string | null)[]): Series {
  const repeated = cells.length < MIN_ROWS ? undefined : indexTexts(cells);
  return repeated === undefined
    ? pl.Series(name, cells, pl.String)
    : pl.Series(name, repeated.texts, pl.String).gather(repeated.places);
}

/** Distinct texts, and the index of each cell's text; `undefined` if most texts are distinct. */
function indexTexts(
  cells: readonly (string | null)[],
): { texts: (string | null)[]; places: number[] } | undefined {
  const indexByText = new Map<string | null, number>();
  const texts: (string | null)[] = [];
  const places = new Array<number>(cells.length);
  for (let index = 0; index < cells.length; index++) {
    const text = cells[index]!;
    let textIndex = indexByText.get(text);
    if (textIndex === undefined) {
      textIndex = texts.length;
      const isDistinct = textIndex * MIN_ROWS_PER_TEXT > index;
      if (textIndex > MIN_ROWS / MIN_ROWS_PER_TEXT && isDistinct) return undefined;
      indexByText.set(text, textIndex);
      texts.push(text);
    }
    places[index] = textIndex;
  }
  return { texts, places };
}

/** Cells of one column; whole numbers beyond 2^53 are bigints. */
export interface CellColumn {
  /** Name of the column. */
  readonly name: string;
  /** Kind of the column. */
  readonly dtype: Dtype;
  /** The cells, in the order of the rows. */
  readonly cells: readonly (string | number | bigint | boolean | null)[];
}

/** Reads the cells of some rows of a frame, column by column, with every digit. */
export function readCells(
  frame: PolarsFrame,
  { start, count }: { readonly start: number; readonly count: number },
): CellColumn[] {
  const slice = frame.slice(start, count);
  return slice.columns.map((name) => {
    const series = slice.getColumn(name);
    const dtype = series.dtype.variant as Dtype;
    const cells = series.toArray();
    // Polars rounds what a double does not hold, without an error.
    const isExact = dtype !== "Int64" ||
      cells.every((cell) => cell === null || Number.isSafeInteger(cell));
    return { name, dtype, cells: isExact ? cells : wholeNumbers(series.cast(pl.String).toArray()) };
  });
}

function wholeNumbers(texts: readonly (string | null)[]): (bigint | null)[] {
  return texts.map((text) => text === null ? null : BigInt(text));
}

/**
 * Rows of any frame as objects: for charts, after polars has filtered, sorted or joined a table.
 *
 * Equal to the frame's `toRecords()`, with more precise types. The type parameter is not
 * checked.
 *
 * @param frame A table, or a frame that polars derived from one.
 * @returns One object per row, by column name, in the order of the frame.
 * @throws {InputError} If `frame` is not a frame.
 *
 * @example The winners of an auction
 * ```ts
 * import pl from "nodejs-polars";
 * import { auctionRanking } from "orderlens/charts";
 * import { buildTable, records, SOLUTIONS } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const winners = buildTable(SOLUTIONS, { competitions: [] }).filter(pl.col("is_winner"));
 *
 * assertEquals(auctionRanking(records(winners)).rows, []);
 * ```
 */
export function records<Row = Record<string, Cell>>(frame: PolarsFrame): Row[] {
  if (typeof Object(frame).toRecords !== "function") {
    throw new InputError(`Cannot read rows from ${describeValue(frame)}`, {
      remedy: "Pass a polars frame, such as one that a table function returned",
    });
  }
  return frame.toRecords() as Row[];
}
