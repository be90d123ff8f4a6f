import pl from "nodejs-polars";
import type { DataType, Expr, Series } from "nodejs-polars";
import { InputError } from "../../errors/mod.ts";
import { describeValue } from "../../errors/option_rules.ts";
import { buildFrame, type Column, DTYPES, type Frame, type PolarsFrame } from "./frame.ts";
import type { SolverOptions, TokenOptions } from "./lookups.ts";
import type { Table } from "./table.ts";

/** The column that counts. */
const ROW_COUNT = "row_count";

/**
 * Sums columns of amounts exactly, by group, as polars' `groupBy` does for numbers.
 *
 * Amounts of different tokens have no sum: put their token among `by`. Sort the result by numbers,
 * since text sorts `"10"` before `"9"`.
 *
 * @param frame A table, or a frame that polars derived from one.
 * @param by Names of the columns to group by; `null` is a separate group.
 * @param amounts Names of columns of decimal text in atoms.
 * @returns One row per group, in order of appearance: the columns of `by`, `row_count` (Int64,
 *   rows), and each sum as text under the name of its column; no rows give no groups.
 * @throws {InputError} If a column is missing or named twice, or an amount is not decimal text of
 *   whole atoms or is `null`: the sum is then unknown.
 *
 * @example Fees by token
 * ```ts
 * import pl from "nodejs-polars";
 * import { sumAtomsBy } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const fees = pl.DataFrame({
 *   fee_token: ["0xa0", "0xb0", "0xa0"],
 *   fee_atoms: ["9007199254740993", "7", "10"],
 * });
 *
 * assertEquals(sumAtomsBy(fees, "fee_token", "fee_atoms").toRecords(), [
 *   { fee_token: "0xa0", row_count: 2, fee_atoms: "9007199254741003" },
 *   { fee_token: "0xb0", row_count: 1, fee_atoms: "7" },
 * ]);
 * ```
 */
export function sumAtomsBy(
  frame: PolarsFrame,
  by: string | readonly string[],
  amounts: string | readonly string[],
): Frame {
  const keys = [by].flat();
  const names = [amounts].flat();
  requireColumns(frame, [...keys, ...names]);
  const { firstRows, counts, groupByRow } = groupRows(frame, keys);
  return pl.DataFrame([
    ...keys.map((name) => frame.getColumn(name).gather(firstRows)),
    pl.Series(ROW_COUNT, counts, pl.Int64),
    ...names.map((name) => {
      const sums = counts.map(() => 0n);
      for (const [row, cell] of frame.getColumn(name).toArray().entries()) {
        sums[groupByRow[row]!]! += readAtoms(cell, { name, row });
      }
      return pl.Series(name, sums.map(String), pl.String);
    }),
  ]) as Frame;
}

function requireColumns(frame: PolarsFrame, names: readonly string[]): void {
  const action = "Cannot sum amounts by group";
  if (typeof Object(frame).getColumn !== "function") {
    throw new InputError(`${action} of ${describeValue(frame)}`, {
      remedy: "Pass a polars frame, such as one that a table function returned",
    });
  }
  for (const [index, name] of names.entries()) {
    if (!frame.columns.includes(name)) {
      throw new InputError(`${action}: the frame has no column ${describeValue(name)}`, {
        remedy: `Pass one of ${frame.columns.join(", ")}`,
      });
    }
    if (name === ROW_COUNT || names.indexOf(name) < index) {
      throw new InputError(`${action}: the result would have two columns ${describeValue(name)}`, {
        remedy: "Name each column once, and rename a column row_count",
      });
    }
  }
}

/** Groups of rows with equal keys, in order of appearance. */
interface Groups {
  /** The first row of each group. */
  readonly firstRows: number[];
  /** The number of rows of each group. */
  readonly counts: number[];
  /** The group of each row. */
  readonly groupByRow: readonly number[];
}

function groupRows(frame: PolarsFrame, keys: readonly string[]): Groups {
  const columns = keys.map((name) => (frame.getColumn(name) as Series).toArray());
  const indexByKey = new Map<string, number>();
  const firstRows: number[] = [];
  const counts: number[] = [];
  const groupByRow = Array.from({ length: frame.height }, (_, row) => {
    const key = JSON.stringify(
      columns.map(({ [row]: cell }) =>
        typeof cell === "bigint" || typeof cell === "number" ? `${cell}` : cell
      ),
    );
    const group = indexByKey.get(key) ?? indexByKey.size;
    if (group === indexByKey.size) {
      indexByKey.set(key, group);
      firstRows.push(row);
      counts.push(0);
    }
    counts[group]!++;
    return group;
  });
  return { firstRows, counts, groupByRow };
}

/** A column of any polars frame. */
export type PolarsSeries = Series;

/** A whole number in the format of amounts: digits with an optional minus sign. */
const INTEGER_TEXT = /^-?\d+$/;

/**
 * Sums a column of amounts exactly: polars' own `sum` takes numbers only, and a `Float64` column is
 * rounded.
 *
 * Amounts of different tokens have no sum: choose one token first, or use `sumAtomsBy`.
 *
 * @param column A column of decimal text, such as `frame.getColumn("fee_atoms")`, or its cells.
 * @returns The sum in the unit of the column, exact; 0 without rows.
 * @throws {InputError} If a cell is not decimal text of whole atoms, or is `null`: the sum is then
 * unknown.
 *
 * @example Two amounts that no double holds
 * ```ts
 * import pl from "nodejs-polars";
 * import { sumAtoms } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const frame = pl.DataFrame({ score: ["9007199254740993", "-10"], solver: ["0xa0", "0xb0"] });
 *
 * assertEquals(sumAtoms(frame.getColumn("score")), 9_007_199_254_740_983n);
 * ```
 */
export function sumAtoms(column: PolarsSeries | Iterable<string | null>): bigint {
  const { name, cells } = toCells(column);
  let sum = 0n;
  for (const [row, cell] of cells.entries()) sum += readAtoms(cell, { name, row });
  return sum;
}

/** Position of a cell. */
interface CellPosition {
  readonly name: string;
  readonly row: number;
}

/**
 * Reads the amount in one cell.
 *
 * @throws {InputError} If it is not an amount.
 */
function readAtoms(cell: unknown, { name, row }: CellPosition): bigint {
  if (typeof cell === "string" && INTEGER_TEXT.test(cell)) return BigInt(cell);
  if (cell === null) {
    throw new InputError(`Cannot sum ${name}: it is unknown (null) in row ${row}`, {
      remedy: `Drop such rows first, with frame.dropNulls(${JSON.stringify(name)}), and say so`,
    });
  }
  throw new InputError(
    `Cannot sum ${name}: ${describeValue(cell)} in row ${row} is not an amount of atoms`,
    {
      remedy: "Pass a column of amounts, such as fee_atoms; use polars' sum for columns of doubles",
    },
  );
}

function toCells(column: unknown): { name: string; cells: readonly unknown[] } {
  if (typeof column === "object" && column !== null) {
    if (column instanceof Array) return { name: "the cells", cells: column };
    if ("toArray" in column && typeof column.toArray === "function") {
      return { name: String(Reflect.get(column, "name")), cells: column.toArray() };
    }
    if (Symbol.iterator in column) return toCells([...column as Iterable<unknown>]);
  }
  throw new InputError(`Cannot sum ${describeValue(column)}`, {
    remedy: 'Pass a column, as frame.getColumn("fee_atoms") gives it, or an array of texts',
  });
}

/** An expression of polars. */
export type PolarsExpr = Expr;

/**
 * Divides one column by another as doubles, for shares and rates.
 *
 * polars' `div` and `divideBy` silently truncate whole numbers to 0 or 1, and a `sum` of amounts
 * that were cast to `Int64` wraps: divide with this, and add amounts up with {@linkcode sumAtoms}.
 *
 * @param part A column by its name, or an expression.
 * @param whole The column that it is a part of.
 * @returns An expression of `Float64`; `null` where one of them is or the whole is 0.
 *
 * @example 7 of 10 orders were filled
 * ```ts
 * import pl from "nodejs-polars";
 * import { divideColumns } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const counts = pl.DataFrame({ filled: [7], orders: [10] });
 *
 * assertEquals(counts.select(divideColumns("filled", "orders")).row(0), [0.7]);
 * ```
 */
export function divideColumns(part: string | PolarsExpr, whole: string | PolarsExpr): PolarsExpr {
  const [top, bottom] = [part, whole].map((column) =>
    (typeof column === "string" ? pl.col(column) : column).cast(pl.Float64)
  ) as [Expr, Expr];
  return pl.when(bottom.eq(0)).then(pl.lit(null)).otherwise(top.divideBy(bottom));
}

/** The polars type of one column. */
export type PolarsDtype = DataType;

/**
 * Returns the polars types of all columns of a table, which reading a CSV file of it needs.
 *
 * Parquet stores types and NDJSON quotes text, but a CSV reader guesses: it reads amounts as
 * numbers, and loses digits or rejects them.
 *
 * @param table A declared table, such as `ORDERS`.
 * @returns Types by column name, in the order of the table.
 * @throws {InputError} If it is not a declared table.
 *
 * @example An amount too long for any number, to CSV and back
 * ```ts
 * import pl from "nodejs-polars";
 * import { buildTable, REFERENCE_SCORES, toPolarsSchema } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const solver = `0x${"ab".repeat(20)}`;
 * const frame = buildTable(REFERENCE_SCORES, {
 *   competitions: [{
 *     auctionId: 7,
 *     auctionStartBlock: 100,
 *     transactionHashes: [],
 *     referenceScores: { [solver]: 2n ** 256n - 1n },
 *     auction: { orders: [], prices: {} },
 *     solutions: [],
 *   }],
 * });
 *
 * const back = pl.readCSV(frame.writeCSV(), { schema: toPolarsSchema(REFERENCE_SCORES) });
 * assertEquals(back.toRecords(), frame.toRecords());
 * ```
 */
export function toPolarsSchema(table: Pick<Table, "columns">): Record<string, PolarsDtype> {
  const declaration: unknown = table;
  if (typeof declaration !== "object" || declaration === null || !("columns" in declaration)) {
    throw new InputError(`Cannot return the schema of ${describeValue(declaration)}`, {
      remedy: "Pass a declared table, such as ORDERS or FILLS",
    });
  }
  return Object.fromEntries(table.columns.map(({ name, dtype }) => [name, DTYPES[dtype]]));
}

/** Columns of a table whose values many rows share. */
interface FramePart {
  /** Some columns of the table. */
  readonly columns: readonly Column<never>[];
  /** Distinct rows, of which these columns are read. */
  readonly facts: readonly unknown[];
  /** Index of the facts of each row of the frame. */
  readonly indices: readonly number[];
}

const INDEX_COLUMN = "index of the facts";

/**
 * Builds a frame of which many rows have values in common: each value is computed once and repeated
 * by polars. Equal to {@linkcode buildFrame} over all rows.
 *
 * @param parts Together all columns of the table, for the same number of rows.
 */
export function buildFrameFromParts(
  table: Pick<Table, "name" | "columns">,
  parts: readonly FramePart[],
  options: TokenOptions & SolverOptions = {},
): Frame {
  const columns = new Map(
    parts.flatMap(({ columns, facts, indices }) => {
      const distinct = buildFrame({ name: table.name, columns }, facts as never[], options)
        .withColumns(
          pl.Series(INDEX_COLUMN, Int32Array.from(facts, (_, index) => index)),
        );
      const rows = pl.DataFrame([pl.Series(INDEX_COLUMN, Int32Array.from(indices))])
        .join(distinct, { on: INDEX_COLUMN, how: "left" });
      return columns.map(({ name }) => [name, rows.getColumn(name)] as const);
    }),
  );
  return pl.DataFrame(table.columns.map(({ name }) => columns.get(name)!)) as Frame;
}
