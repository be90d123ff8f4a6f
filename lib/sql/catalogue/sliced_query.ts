import type { SqlTable } from "./dataset_tables.ts";
import type { SqlView } from "./views.ts";

/** The column by which rows are in slices: those of one order meet no others in a sliced step. */
const SLICED_BY = "order_uid";
/** Bytes that joins hold for one row of the table that they begin with. */
const BYTES_PER_ROW = 8_000;

/** The two parts of a view whose joins are made in slices. */
export interface SlicedQuery {
  /** The query of the sliced step. */
  readonly step: string;
  /** The query of the view, which reads the step's rows by `source`. */
  readonly rest: (source: string) => string;
}

/** A query in two parts: up to the step that is made in slices, and from there on. */
export function slicedQuery(query: string, step: string): SlicedQuery {
  const end = query.indexOf("\n),\n", query.search(new RegExp(`^(?:WITH )?${step} AS \\($`, "m")));
  return {
    step: `${query.slice(0, end)}\n)\nSELECT * FROM ${step}`,
    rest: (source) => `WITH ${step} AS (\n  SELECT * FROM ${source}\n)${query.slice(end + 2)}`,
  };
}

/** The tables of a view that are read in slices. */
export function slicedTables({ tables, optional }: SqlView, all: readonly SqlTable[]): string[] {
  return all.filter(({ folder, columns }) =>
    (tables.includes(folder) || optional.includes(folder)) &&
    columns.some(({ name }) => name === SLICED_BY)
  ).map(({ name }) => name);
}

/** The rows of one slice. */
export function sliceOf(table: string, slice: number, slices: number): string {
  return `SELECT * FROM memory.main.${table} WHERE hash(${SLICED_BY}) % ${slices} = ${slice}`;
}

/** Number of slices whose joins fit into a memory. */
export function slicesOf(rows: number, memory: number): number {
  return Math.max(1, Math.ceil(rows * BYTES_PER_ROW / memory));
}
