import pl from "nodejs-polars";
import type { Expr, LazyDataFrame } from "nodejs-polars";
import { BEGINS_FORMULA, IS_DECIMAL } from "./csv_cell.ts";
import type { Cell, Frame, PolarsFrame } from "./frame.ts";
import { HexMap } from "../../units/mod.ts";
import type { NamedSolver } from "./lookups.ts";

/** A frame that polars reads when it is collected, and only the columns and rows it needs. */
export type LazyFrame = LazyDataFrame;

/** Rows of a joined file that are compressed together, and held in memory meanwhile. */
const ROW_GROUP_SIZE = 50_000;

/** Writes a frame as Parquet, compressed with zstd; equal frames give equal bytes. */
export function writeParquet(frame: PolarsFrame, file: string): void {
  frame.writeParquet(file, { compression: "zstd" });
}

/** Bytes at the end of a Parquet file: the length of its footer before them, and a mark. */
export const PARQUET_END = 8;

/** Metadata that polars writes into a file: a list of one pair, with this key. */
const ARROW_METADATA = "\x19\x1c\x18\x0cARROW:schema\x18";

/**
 * Sets the metadata (`key_value_metadata`) in the end of a Parquet file, which polars cannot write, in
 * place of the second copy of the schema there. A footer has a list of pairs in Thrift's compact
 * protocol.
 *
 * @param end Footer and end of a file that polars wrote.
 */
export function setMetadata(
  end: Uint8Array,
  metadata: Readonly<Record<string, string>>,
): Uint8Array<ArrayBuffer> {
  const start = new TextDecoder("latin1").decode(end).indexOf(ARROW_METADATA);
  if (start === -1) throw new TypeError("polars wrote other metadata than is known");
  let offset = start + ARROW_METADATA.length;
  let schemaLength = 0;
  for (let bits = 0, byte = 0x80; byte >= 0x80; bits += 7) {
    byte = end[offset++]!;
    schemaLength |= (byte & 0x7f) << bits;
  }
  offset += schemaLength + 1;
  const list = encodeMetadata(metadata);
  const result = new Uint8Array(start + list.length + end.length - offset);
  result.set(end.subarray(0, start));
  result.set(list, start);
  result.set(end.subarray(offset), start + list.length);
  const length = result.length - PARQUET_END;
  new DataView(result.buffer).setUint32(length, length, true);
  return result;
}

/** Encoded metadata by its pairs: the files of a table have equal metadata. */
const encodedMetadata = new WeakMap<Readonly<Record<string, string>>, Uint8Array>();

function encodeMetadata(metadata: Readonly<Record<string, string>>): Uint8Array {
  const cached = encodedMetadata.get(metadata);
  if (cached !== undefined) return cached;
  const encodeText = (value: string) => {
    const bytes = new TextEncoder().encode(value);
    return [0x18, ...encodeVarint(bytes.length), ...bytes];
  };
  const pairs = Object.entries(metadata);
  const list = [0x19, 0xfc, ...encodeVarint(pairs.length)];
  for (const [key, value] of pairs) list.push(...encodeText(key), ...encodeText(value), 0);
  const bytes = Uint8Array.from(list);
  encodedMetadata.set(metadata, bytes);
  return bytes;
}

/** Encodes a whole number as Thrift writes lengths: seven bits a byte, the last ones first. */
function encodeVarint(value: number): number[] {
  return value < 0x80 ? [value] : [value & 0x7f | 0x80, ...encodeVarint(value >> 7)];
}

/** Reads a Parquet file. */
export function readParquet(file: string): Frame {
  return pl.readParquet(file) as Frame;
}

/** Counts the rows of a Parquet file by one of its columns. */
export function countRows(file: string, column: string): number {
  return pl.readParquet(file, { columns: [column] }).height;
}

/** Reads Parquet files lazily: a path, or a pattern such as `trades/*.parquet`. */
export function scanParquet(pattern: string): LazyFrame {
  return pl.scanParquet(pattern);
}

/**
 * Filters rows whose whole number is in a range. The bounds are typed as the column is: polars would cast the
 * column to compare it with a plain number, and then read files that its statistics rule out.
 */
export function filterBetween(
  frame: LazyFrame,
  column: string,
  { from, to }: { readonly from: number; readonly to: number },
): LazyFrame {
  const [min, max] = [from, to].map((bound) => pl.lit(bound).cast(pl.Int64));
  return frame.filter(pl.col(column).gtEq(min)).filter(pl.col(column).ltEq(max));
}

/** Counts the digits of the longest whole number in each of some columns of decimal text; 0 without one. */
export function measureDigits(
  frame: Frame,
  names: readonly string[],
): (readonly [name: string, digits: number])[] {
  if (names.length === 0) return [];
  const [longest = []] = frame.select(...names.map(countDigits)).rows();
  return names.map((name, index) => [name, Number(longest[index] ?? 0)]);
}

/** Runs a query of polars' SQL over lazy frames by name; nothing is read before it is collected. */
export function queryFrames(frames: Readonly<Record<string, LazyFrame>>, query: string): LazyFrame {
  return pl.SQLContext(frames).execute(query);
}

/** Finds the files of a pattern in which a column of texts has some values: paths by value. */
export async function findFilesByValue(
  pattern: string,
  column: string,
  values: readonly string[],
): Promise<Map<string, string>> {
  const frame = await pl.scanParquet(pattern, { includeFilePaths: "file" })
    .filter(pl.col(column).isIn([...values]))
    .select(column, "file").collect();
  return new Map(frame.toRecords().map((row) => [String(row[column]), String(row.file)]));
}

/** Finds the rows of Parquet files in which a column of texts has one of some values. */
export async function findRowsByValue(
  pattern: string,
  column: string,
  values: readonly string[],
): Promise<Readonly<Record<string, unknown>>[]> {
  if (values.length === 0) return [];
  const frame = await pl.scanParquet(pattern).filter(pl.col(column).isIn([...values])).collect();
  return frame.toRecords();
}

/** Finds the rows of Parquet files in which a column of words, separated by spaces, has a word. */
export async function findRowsWithWord(
  pattern: string,
  { column, word, select }: {
    readonly column: string;
    readonly word: string;
    readonly select: readonly string[];
  },
): Promise<Readonly<Record<string, unknown>>[]> {
  const frame = await pl.scanParquet(pattern)
    .filter(pl.col(column).str.contains(pl.lit(word), true))
    .select(...new Set([...select, column])).collect();
  return frame.toRecords().filter((row) => String(row[column]).split(" ").includes(word));
}

/** Adds constant columns in front: texts, or whole numbers. */
export function addConstants(frame: Frame, constants: Readonly<Record<string, Cell>>): Frame {
  return addFileColumns(frame, constants, []);
}

/** Sets names of solvers, in each column of names beside one of addresses; others stay. */
export function setSolverNames(frame: Frame, solvers: readonly NamedSolver[]): Frame {
  const names = new HexMap(solvers.map(({ address, name }) => [address, name]));
  const columns = frame.columns.filter((column) =>
    column.endsWith("solver_name") && frame.columns.includes(column.slice(0, -"_name".length))
  );
  return frame.withColumns(
    ...columns.map((column) => {
      const addresses = frame.getColumn(column.slice(0, -"_name".length)).toArray();
      const earlierNames = frame.getColumn(column).toArray();
      const named = addresses.map((address, row) =>
        names.get(String(address)) ?? earlierNames[row]
      );
      return pl.Series(column, named, pl.String);
    }),
  ) as Frame;
}

/** A time in a table: its text, its milliseconds, and the timestamp after them in files. */
export interface TimeColumns {
  /** Name of the text. */
  readonly text: string;
  /** Name of the milliseconds. */
  readonly milliseconds: string;
  /** Name of the timestamp. */
  readonly timestamp: string;
}

/** Rows up to which the text of a time is read in every row. */
const MAX_SHORT_ROWS = 500;

/** Adds constant columns in front, and a timestamp after each time. */
export function addFileColumns(
  frame: Frame,
  constants: Readonly<Record<string, Cell>>,
  times: readonly TimeColumns[],
): Frame {
  const isShort = frame.height <= MAX_SHORT_ROWS;
  const stamped: PolarsFrame = isShort ? frame : addTimestamps(frame, times);
  const front = Object.entries(constants).map(([name, value]) => buildConstant(name, value));
  const parts: Expr[] = [];
  let remaining = frame.columns;
  for (const time of times) {
    const end = remaining.indexOf(time.milliseconds) + 1;
    parts.push(pl.col(remaining.slice(0, end) as never));
    parts.push(isShort ? buildTimestamp(time) : pl.col(time.timestamp));
    remaining = remaining.slice(end);
  }
  if (remaining.length > 0) parts.push(pl.col(remaining as never));
  return stamped.select(...front, ...parts) as Frame;
}

/** Cached expressions: an export needs the same few for each of its tables. */
const expressions = new Map<string, Expr>();

function memoize(key: string, build: () => Expr): Expr {
  const expression = expressions.get(key) ?? build();
  expressions.set(key, expression);
  return expression;
}

function buildConstant(name: string, value: Cell): Expr {
  const dtype = typeof value === "number" ? pl.Int64 : pl.String;
  return memoize(JSON.stringify([name, value]), () => pl.lit(value).cast(dtype).alias(name));
}

function countDigits(name: string): Expr {
  const build = () => pl.col(name).cast(pl.Utf8).str.replace("^-", "").str.lengths().max();
  return memoize(`digits ${name}`, build);
}

function buildTimestamp({ text, timestamp }: TimeColumns): Expr {
  return memoize(
    `${text} ${timestamp}`,
    () =>
      pl.col(text).cast(pl.Datetime("us")).cast(pl.Int64).cast(pl.Datetime("us", "UTC"))
        .alias(timestamp),
  );
}

/** Adds timestamps; each text is read once, since thousands of rows have the time of one auction. */
function addTimestamps(frame: Frame, times: readonly TimeColumns[]): PolarsFrame {
  let stamped: PolarsFrame = frame;
  for (const time of times) {
    const distinct = frame.select(time.text).unique().withColumns(buildTimestamp(time));
    const inOrder = { on: time.text, how: "left", maintainOrder: "left" } as const;
    stamped = stamped.join(distinct, inOrder as never);
  }
  return stamped;
}

/** Scans one Parquet file, whatever characters its path has; nothing is read before it is collected. */
export function scanFile(file: string): LazyFrame {
  return pl.scanParquet(file, { glob: false });
}

/** Lists the columns of a frame by its schema; no rows are read. */
export function listFrameColumns(frame: LazyFrame): string[] {
  return frame.columns;
}

/** Selects columns of a frame. */
export function selectColumns(frame: LazyFrame, columns: readonly string[]): LazyFrame {
  return frame.select(...columns);
}

/**
 * Concatenates the rows of several frames.
 *
 * @param distinct Columns of which each combination counts once, the first; all rows if empty.
 */
export function concatFrames(
  frames: readonly LazyFrame[],
  distinct: readonly string[],
): LazyFrame {
  const rows = frames.length === 1 ? frames[0]! : pl.concat([...frames]);
  return distinct.length === 0
    ? rows
    : rows.unique({ subset: [...distinct], keep: "first", maintainOrder: true });
}

/** Writes rows as Parquet, as CSV (RFC 4180), or as one JSON object a line, a few at a time. */
export async function writeLazyFrame(
  rows: LazyFrame,
  file: string,
  format: "parquet" | "csv" | "ndjson",
): Promise<void> {
  const sinks = {
    parquet: () => rows.sinkParquet(file, { compression: "zstd", rowGroupSize: ROW_GROUP_SIZE }),
    csv: () => rows.sinkCSV(file, { lineTerminator: "\r\n" }),
    ndjson: () => rows.sinkNdJson(file),
  };
  await sinks[format]().collect();
}

/** Puts `'` before texts that a spreadsheet would take for a formula. */
export function guardFormulas(rows: LazyFrame, columns: readonly string[]): LazyFrame {
  return rows.withColumns(...columns.map((name) => {
    const text = pl.col(name);
    const isFormula = text.str.contains(BEGINS_FORMULA).and(text.str.contains(IS_DECIMAL).not());
    const guarded = pl.concatString([pl.lit("'"), text], "");
    return pl.when(isFormula).then(guarded).otherwise(text).alias(name);
  }));
}

/** Counts the rows of a frame. */
export function countFrame(rows: LazyFrame): number {
  return Number(rows.select(pl.len()).collectSync().row(0)[0]);
}

/** Counts the rows of a Parquet file. */
export function countParquet(file: string): number {
  return countFrame(scanFile(file));
}

/** Least of a column of whole numbers, and the greatest of it and of a second one; `null` without any. */
export type ColumnSpan = readonly [least: number | null, greatest: number | null];

/** Measures the span of two columns in each file; all are read at once. */
export function measureSpans(
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
  return concatFrames(frames, []).collectSync().rows() as [number | null, number | null][];
}

/** Counts the distinct values of a column, without nulls. */
export function countDistinct(files: readonly string[], column: string): number {
  if (files.length === 0) return 0;
  const frames = files.map((file) => pl.scanParquet(file).select(column));
  const rows = frames.length === 1 ? frames[0]! : pl.concat(frames);
  return rows.select(pl.col(column).dropNulls().unique()).collectSync().height;
}
