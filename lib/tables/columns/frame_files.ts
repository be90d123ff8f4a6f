import pl from "nodejs-polars";
import type { Expr, LazyDataFrame } from "nodejs-polars";
import { BEGINS_FORMULA, IS_DECIMAL } from "./csv_cell.ts";
import type { Cell, Frame, PolarsFrame } from "./frame.ts";
import type { NamedSolver } from "./lookups.ts";

/** A frame that polars reads when it is collected, and only the columns and rows it needs. */
export type LazyFrame = LazyDataFrame;

/** Rows of a joined file that are packed together, and in memory meanwhile. */
const ROWS_IN_GROUP = 50_000;

/** Writes a frame as Parquet, packed with zstd; equal frames give equal bytes. */
export function writeParquet(frame: PolarsFrame, file: string): void {
  frame.writeParquet(file, { compression: "zstd" });
}

/** Bytes at the end of a Parquet file: the length of its footer before them, and a mark. */
export const PARQUET_END = 8;

/** What polars writes of a file in its metadata: a list of one pair, with this key. */
const METADATA = "\x19\x1c\x18\x0cARROW:schema\x18";

/**
 * The end of a Parquet file, with texts in its metadata (`key_value_metadata`), which polars cannot
 * write, in place of the schema that it keeps there a second time. A footer has a list of pairs in
 * Thrift's compact protocol.
 *
 * @param end Footer and end of a file that polars wrote.
 */
export function withNotes(
  end: Uint8Array,
  notes: Readonly<Record<string, string>>,
): Uint8Array<ArrayBuffer> {
  const start = new TextDecoder("latin1").decode(end).indexOf(METADATA);
  if (start === -1) throw new TypeError("polars wrote other metadata than is known");
  let behind = start + METADATA.length;
  let schema = 0;
  for (let bits = 0, byte = 0x80; byte >= 0x80; bits += 7) {
    byte = end[behind++]!;
    schema |= (byte & 0x7f) << bits;
  }
  behind += schema + 1;
  const list = listOf(notes);
  const noted = new Uint8Array(start + list.length + end.length - behind);
  noted.set(end.subarray(0, start));
  noted.set(list, start);
  noted.set(end.subarray(behind), start + list.length);
  const length = noted.length - PARQUET_END;
  new DataView(noted.buffer).setUint32(length, length, true);
  return noted;
}

/** Lists of pairs that were made: the files of a table say the same of themselves. */
const lists = new WeakMap<Readonly<Record<string, string>>, Uint8Array>();

function listOf(notes: Readonly<Record<string, string>>): Uint8Array {
  const made = lists.get(notes);
  if (made !== undefined) return made;
  const text = (value: string) => {
    const bytes = new TextEncoder().encode(value);
    return [0x18, ...varint(bytes.length), ...bytes];
  };
  const pairs = Object.entries(notes);
  const list = [0x19, 0xfc, ...varint(pairs.length)];
  for (const [key, value] of pairs) list.push(...text(key), ...text(value), 0);
  const bytes = Uint8Array.from(list);
  lists.set(notes, bytes);
  return bytes;
}

/** A whole number as Thrift writes lengths: seven bits a byte, the last ones first. */
function varint(value: number): number[] {
  return value < 0x80 ? [value] : [value & 0x7f | 0x80, ...varint(value >> 7)];
}

/** Reads a Parquet file. */
export function readParquet(file: string): Frame {
  return pl.readParquet(file) as Frame;
}

/** Number of rows of a Parquet file, as far as one of its columns can be read. */
export function countRows(file: string, column: string): number {
  return pl.readParquet(file, { columns: [column] }).height;
}

/** Reads Parquet files lazily: a path, or a pattern such as `trades/*.parquet`. */
export function scanParquet(pattern: string): LazyFrame {
  return pl.scanParquet(pattern);
}

/**
 * Rows whose whole number is in a range. The bounds are typed as the column is: polars would cast the
 * column to compare it with a plain number, and then read files that its statistics rule out.
 */
export function whereBetween(
  frame: LazyFrame,
  column: string,
  { from, to }: { readonly from: number; readonly to: number },
): LazyFrame {
  const [least, most] = [from, to].map((bound) => pl.lit(bound).cast(pl.Int64));
  return frame.filter(pl.col(column).gtEq(least)).filter(pl.col(column).ltEq(most));
}

/** The digits of the longest whole number in each of some columns of decimal text; 0 without one. */
export function measureDigits(
  frame: Frame,
  names: readonly string[],
): (readonly [name: string, digits: number])[] {
  if (names.length === 0) return [];
  const [longest = []] = frame.select(...names.map(countDigits)).rows();
  return names.map((name, place) => [name, Number(longest[place] ?? 0)]);
}

/** Runs a query of polars' SQL over lazy frames by name; nothing is read before it is collected. */
export function queryFrames(frames: Readonly<Record<string, LazyFrame>>, query: string): LazyFrame {
  return pl.SQLContext(frames).execute(query);
}

/** In which file of a pattern a column of texts has each of some values: paths by value. */
export async function filesByValue(
  pattern: string,
  column: string,
  values: readonly string[],
): Promise<Map<string, string>> {
  const found = await pl.scanParquet(pattern, { includeFilePaths: "file" })
    .filter(pl.col(column).isIn([...values]))
    .select(column, "file").collect();
  return new Map(found.toRecords().map((row) => [String(row[column]), String(row.file)]));
}

/** The rows of Parquet files in which a column of texts has one of some values. */
export async function rowsByValue(
  pattern: string,
  column: string,
  values: readonly string[],
): Promise<Readonly<Record<string, unknown>>[]> {
  if (values.length === 0) return [];
  const found = await pl.scanParquet(pattern).filter(pl.col(column).isIn([...values])).collect();
  return found.toRecords();
}

/** The rows of Parquet files in which a column of words, separated by spaces, has one. */
export async function rowsWithWord(
  pattern: string,
  { column, word, select }: {
    readonly column: string;
    readonly word: string;
    readonly select: readonly string[];
  },
): Promise<Readonly<Record<string, unknown>>[]> {
  const found = await pl.scanParquet(pattern)
    .filter(pl.col(column).str.contains(pl.lit(word), true))
    .select(...new Set([...select, column])).collect();
  return found.toRecords().filter((row) => String(row[column]).split(" ").includes(word));
}

/** Adds columns in front that are the same in every row: texts, or whole numbers. */
export function withConstants(frame: Frame, constants: Readonly<Record<string, Cell>>): Frame {
  return inFile(frame, constants, []);
}

/** Names solvers that have none, in each column of names beside one of addresses. */
export function withNames(frame: Frame, solvers: readonly NamedSolver[]): Frame {
  const columns = frame.columns.filter((column) =>
    column.endsWith("solver_name") && frame.columns.includes(column.slice(0, -"_name".length))
  );
  return frame.withColumns(
    ...columns.map((column) =>
      solvers.reduce(
        (named, { address, name }) => {
          const isIt = pl.col(column.slice(0, -"_name".length)).eq(pl.lit(address.toLowerCase()));
          return pl.when(pl.col(column).isNull().and(isIt)).then(pl.lit(name)).otherwise(named);
        },
        pl.col(column),
      ).alias(column)
    ),
  ) as Frame;
}

/** A time in a table: its text, its milliseconds, and the timestamp that files have behind them. */
export interface TimeColumns {
  /** Name of the text. */
  readonly text: string;
  /** Name of the milliseconds. */
  readonly milliseconds: string;
  /** Name of the timestamp. */
  readonly timestamp: string;
}

/** Rows up to which each text of a time is read where it stands. */
const FEW_ROWS = 500;

/** Adds columns in front that are the same in every row, and behind times the same as timestamps. */
export function inFile(
  frame: Frame,
  constants: Readonly<Record<string, Cell>>,
  times: readonly TimeColumns[],
): Frame {
  const isShort = frame.height <= FEW_ROWS;
  const found: PolarsFrame = isShort ? frame : withTimestamps(frame, times);
  const front = Object.entries(constants).map(([name, value]) => constant(name, value));
  const parts: Expr[] = [];
  let rest = frame.columns;
  for (const time of times) {
    const end = rest.indexOf(time.milliseconds) + 1;
    parts.push(pl.col(rest.slice(0, end) as never));
    parts.push(isShort ? timestampOf(time) : pl.col(time.timestamp));
    rest = rest.slice(end);
  }
  if (rest.length > 0) parts.push(pl.col(rest as never));
  return found.select(...front, ...parts) as Frame;
}

/** Expressions that were made: an export needs the same few for each of its tables. */
const expressions = new Map<string, Expr>();

function madeOnce(key: string, make: () => Expr): Expr {
  const made = expressions.get(key) ?? make();
  expressions.set(key, made);
  return made;
}

function constant(name: string, value: Cell): Expr {
  const dtype = typeof value === "number" ? pl.Int64 : pl.String;
  return madeOnce(JSON.stringify([name, value]), () => pl.lit(value).cast(dtype).alias(name));
}

function countDigits(name: string): Expr {
  const digits = () => pl.col(name).cast(pl.Utf8).str.replace("^-", "").str.lengths().max();
  return madeOnce(`digits ${name}`, digits);
}

function timestampOf({ text, timestamp }: TimeColumns): Expr {
  return madeOnce(
    `${text} ${timestamp}`,
    () =>
      pl.col(text).cast(pl.Datetime("us")).cast(pl.Int64).cast(pl.Datetime("us", "UTC"))
        .alias(timestamp),
  );
}

/** Adds timestamps; thousands of rows have the time of one auction: each text is read once. */
function withTimestamps(frame: Frame, times: readonly TimeColumns[]): PolarsFrame {
  let stamped: PolarsFrame = frame;
  for (const time of times) {
    const distinct = frame.select(time.text).unique().withColumns(timestampOf(time));
    const inOrder = { on: time.text, how: "left", maintainOrder: "left" } as const;
    stamped = stamped.join(distinct, inOrder as never);
  }
  return stamped;
}

/** Rows of one Parquet file, whatever its path looks like; nothing is read before it is collected. */
export function scanFile(file: string): LazyFrame {
  return pl.scanParquet(file, { glob: false });
}

/**
 * Rows of several frames below each other.
 *
 * @param distinct Columns of which each combination counts once, the first; all rows if empty.
 */
export function joinedFrames(
  frames: readonly LazyFrame[],
  distinct: readonly string[],
): LazyFrame {
  const all = frames.length === 1 ? frames[0]! : pl.concat([...frames]);
  return distinct.length === 0
    ? all
    : all.unique({ subset: [...distinct], keep: "first", maintainOrder: true });
}

/** Writes rows as Parquet, as CSV (RFC 4180), or as one JSON object a line, a few at a time. */
export async function sinkFrame(
  rows: LazyFrame,
  file: string,
  format: "parquet" | "csv" | "ndjson",
): Promise<void> {
  const sinks = {
    parquet: () => rows.sinkParquet(file, { compression: "zstd", rowGroupSize: ROWS_IN_GROUP }),
    csv: () => rows.sinkCSV(file, { lineTerminator: "\r\n" }),
    ndjson: () => rows.sinkNdJson(file),
  };
  await sinks[format]().collect();
}

/** Rows in which `'` stands before texts that a spreadsheet would take for a formula. */
export function guardFormulas(rows: LazyFrame, columns: readonly string[]): LazyFrame {
  return rows.withColumns(...columns.map((name) => {
    const text = pl.col(name);
    const isFormula = text.str.contains(BEGINS_FORMULA).and(text.str.contains(IS_DECIMAL).not());
    const guarded = pl.concatString([pl.lit("'"), text], "");
    return pl.when(isFormula).then(guarded).otherwise(text).alias(name);
  }));
}

/** Number of rows of a frame. */
export function countFrame(rows: LazyFrame): number {
  return Number(rows.select(pl.len()).collectSync().row(0)[0]);
}

/** Number of rows of a Parquet file. */
export function countParquet(file: string): number {
  return countFrame(scanFile(file));
}

/** Least of a column of whole numbers, and the greatest of it and of a second one; `null` without any. */
export type ColumnSpan = readonly [least: number | null, greatest: number | null];

/** The span of two columns in each of some files; all are read at once. */
export function spansOfColumns(
  files: readonly string[],
  column: string,
  second: string,
): ColumnSpan[] {
  if (files.length === 0) return [];
  const frames = files.map((file) =>
    scanFile(file).select(
      pl.col(column).min().alias("least"),
      pl.maxHorizontal([pl.col(column).max(), pl.col(second).max()]).alias("greatest"),
    )
  );
  return joinedFrames(frames, []).collectSync().rows() as [number | null, number | null][];
}

/** Number of different values of a column, nulls left out. */
export function countDistinct(files: readonly string[], column: string): number {
  if (files.length === 0) return 0;
  const frames = files.map((file) => pl.scanParquet(file).select(column));
  const all = frames.length === 1 ? frames[0]! : pl.concat(frames);
  return all.select(pl.col(column).dropNulls().unique()).collectSync().height;
}
