/**
 * Records to polars frames: one file per table, its grain in one sentence and its columns declared
 * once with name, kind, unit and source.
 *
 * Amounts are decimal text; beside those that people plot stands a `Float64` whose name carries the
 * unit. The one room that knows polars; importing it needs `--allow-ffi --allow-sys`.
 *
 * @module
 */
export type { Cell, Column, Dtype, Frame, Table } from "./frame.ts";
export { type SolutionRow, SOLUTIONS, solutionsTable } from "./solutions.ts";
