import pl, { type LazyDataFrame } from "nodejs-polars";
import type { Cell, Frame, PolarsFrame } from "./frame.ts";

/** A frame that polars reads when it is collected, and only the columns and rows it needs. */
export type LazyFrame = LazyDataFrame;

/** Rows of a joined file that are packed together, and in memory meanwhile. */
const ROWS_IN_GROUP = 50_000;

/** Writes a frame as Parquet, packed with zstd; equal frames give equal bytes. */
export function writeParquet(frame: PolarsFrame, file: string): void {
  frame.writeParquet(file, { compression: "zstd" });
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
  const columns = Object.entries(constants).map(([name, value]) =>
    pl.lit(value).cast(typeof value === "number" ? pl.Int64 : pl.String).alias(name)
  );
  const names = [...Object.keys(constants), ...frame.columns];
  return frame.withColumns(...columns).select(...names) as Frame;
}

/**
 * Writes Parquet files below each other into one, a few rows at a time.
 *
 * @param files The files, of one schema.
 * @param file The file to write.
 * @param distinct Columns of which each combination is written once, the first; all rows if empty.
 */
export async function joinParquet(
  files: readonly [string, ...string[]],
  file: string,
  distinct: readonly string[],
): Promise<void> {
  const frames = files.map((one) => pl.scanParquet(one));
  const all = frames.length === 1 ? frames[0]! : pl.concat(frames);
  const rows = distinct.length === 0
    ? all
    : all.unique({ subset: [...distinct], keep: "first", maintainOrder: true });
  await rows.sinkParquet(file, {
    compression: "zstd",
    maintainOrder: true,
    rowGroupSize: ROWS_IN_GROUP,
  }).collect();
}

/** Number of rows of a Parquet file. */
export function countParquet(file: string): number {
  const counted = pl.scanParquet(file, { glob: false }).select(pl.len()).collectSync();
  return Number(counted.row(0)[0]);
}

/** The rows of a frame whose whole numbers in some columns are none of those given. */
export function withoutKeys(
  frame: Frame,
  columns: readonly string[],
  keys: readonly (readonly number[])[],
): Frame {
  const others = pl.DataFrame(
    columns.map((name, place) => pl.Series(name, keys.map((key) => key[place]!), pl.Int64)),
  );
  return frame.join(
    others,
    { on: [...columns], how: "anti", maintainOrder: "left" } as never,
  ) as Frame;
}

/** The rows of a frame whose text in a column is none of those given. */
export function withoutValues(frame: Frame, column: string, values: readonly string[]): Frame {
  return frame.filter(pl.col(column).isIn([...values]).not()) as Frame;
}

/**
 * Least of a column of whole numbers, and the greatest of it and of a second one; `null` without any
 * in the first.
 */
export function spanOfColumns(
  files: readonly string[],
  column: string,
  second: string,
): [number, number] | null {
  if (files.length === 0) return null;
  const frames = files.map((file) => pl.scanParquet(file).select(column, second));
  const all = frames.length === 1 ? frames[0]! : pl.concat(frames);
  const [least, ...greatest] = all.select(
    pl.col(column).min().alias("least"),
    pl.col(column).max().alias("greatest"),
    pl.col(second).max().alias("second"),
  ).collectSync().row(0);
  if (typeof least !== "number") return null;
  return [least, Math.max(...greatest.filter((value) => typeof value === "number"))];
}

/** Number of different values of a column, nulls left out. */
export function countDistinct(files: readonly string[], column: string): number {
  if (files.length === 0) return 0;
  const frames = files.map((file) => pl.scanParquet(file).select(column));
  const all = frames.length === 1 ? frames[0]! : pl.concat(frames);
  return all.select(pl.col(column).dropNulls().unique()).collectSync().height;
}
