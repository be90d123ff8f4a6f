import pl, { type LazyDataFrame } from "nodejs-polars";
import type { Cell, Frame, PolarsFrame } from "./frame.ts";

/** A frame that polars reads when it is collected, and only the columns and rows it needs. */
export type LazyFrame = LazyDataFrame;

/** Writes a frame as Parquet, packed with zstd; equal frames give equal bytes. */
export function writeParquet(frame: PolarsFrame, file: string): void {
  frame.writeParquet(file, { compression: "zstd" });
}

/** Reads a Parquet file. */
export function readParquet(file: string): Frame {
  return pl.readParquet(file) as Frame;
}

/** Reads Parquet files lazily: a path, or a pattern such as `trades/*.parquet`. */
export function scanParquet(pattern: string): LazyFrame {
  return pl.scanParquet(pattern);
}

/** Frames of one schema below each other. */
export function stackFrames(frames: readonly [Frame, ...Frame[]]): Frame {
  return (frames.length === 1 ? frames[0] : pl.concat([...frames])) as Frame;
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
  await rows.sinkParquet(file, { compression: "zstd", maintainOrder: true }).collect();
}

/** Number of rows of a Parquet file. */
export function countParquet(file: string): number {
  const counted = pl.scanParquet(file).select(pl.len()).collectSync();
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
