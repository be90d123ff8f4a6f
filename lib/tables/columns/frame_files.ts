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

/** Number of rows of a Parquet file, as far as one of its columns can be read. */
export function countRows(file: string, column: string): number {
  return pl.readParquet(file, { columns: [column] }).height;
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
