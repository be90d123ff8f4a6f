import pl from "nodejs-polars";
import type { Dtype, PolarsFrame } from "./frame.ts";

/** Some cells of one column; whole numbers beyond 2^53 are bigints. */
export interface CellColumn {
  /** Name of the column. */
  readonly name: string;
  /** Kind of the column. */
  readonly dtype: Dtype;
  /** The cells, in the order of the rows. */
  readonly cells: readonly (string | number | bigint | boolean | null)[];
}

/** Cells of some rows of a frame, column by column, with every digit. */
export function frameCells(
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

/** The kinds of a frame's columns, by name. */
export function frameDtypes(frame: PolarsFrame): Map<string, Dtype> {
  return new Map(
    frame.columns.map((name) => [name, frame.getColumn(name).dtype.variant as Dtype]),
  );
}
