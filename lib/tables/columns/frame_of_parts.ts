import pl from "nodejs-polars";
import { buildFrame, type Column, type Frame, type Table } from "./frame.ts";
import type { SolverOptions } from "./solver_names.ts";
import type { TokenOptions } from "./token_amounts.ts";

/** Columns of a table whose values many rows share. */
export interface FramePart<Row> {
  /** Some columns of the table. */
  readonly columns: readonly Column<Row>[];
  /** Distinct rows, of which these columns are read. */
  readonly facts: readonly Row[];
  /** For each row of the frame, the index of its facts. */
  readonly places: readonly number[];
}

const PLACE = "place of the facts";

/**
 * Builds a frame of which many rows have values in common: each value is computed once and repeated
 * by polars. Equal to {@linkcode buildFrame} over all rows.
 *
 * @param parts Together all columns of the table, for the same number of rows.
 */
export function frameOfParts<Row>(
  table: Table<Row>,
  parts: readonly FramePart<Row>[],
  options: TokenOptions & SolverOptions = {},
): Frame {
  const columns = new Map(
    parts.flatMap(({ columns, facts, places }) => {
      const distinct = buildFrame({ ...table, columns }, facts, options).withColumns(
        pl.Series(PLACE, Int32Array.from(facts, (_, place) => place)),
      );
      const rows = pl.DataFrame([pl.Series(PLACE, Int32Array.from(places))])
        .join(distinct, { on: PLACE, how: "left" });
      return columns.map(({ name }) => [name, rows.getColumn(name)] as const);
    }),
  );
  return pl.DataFrame(table.columns.map(({ name }) => columns.get(name)!)) as Frame;
}
