import pl, { type Expr, type Series } from "nodejs-polars";
import { InputError } from "../../errors/mod.ts";
import { quoted } from "../../errors/require_known.ts";

/** A column of any polars frame. */
export type PolarsSeries = Series;

/** A whole number in the format of amounts: digits with an optional minus sign. */
const INTEGER_TEXT = /^-?\d+$/;

/**
 * The exact sum of a column of amounts: polars' own `sum` takes numbers only, and a `Float64` column
 * is rounded.
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
  const { name, cells } = cellsOf(column);
  let sum = 0n;
  for (const [row, cell] of cells.entries()) sum += atomsOf(cell, { name, row });
  return sum;
}

/** Position of a cell. */
interface CellPlace {
  readonly name: string;
  readonly row: number;
}

/**
 * The amount in one cell.
 *
 * @throws {InputError} If it is not an amount.
 */
export function atomsOf(cell: unknown, { name, row }: CellPlace): bigint {
  if (typeof cell === "string" && INTEGER_TEXT.test(cell)) return BigInt(cell);
  if (cell === null) {
    throw new InputError(`Cannot sum ${name}: it is unknown (null) in row ${row}`, {
      remedy: `Drop such rows first, with frame.dropNulls(${JSON.stringify(name)}), and say so`,
    });
  }
  throw new InputError(
    `Cannot sum ${name}: ${quoted(cell)} in row ${row} is not an amount of atoms`,
    {
      remedy: "Pass a column of amounts, such as fee_atoms; use polars' sum for columns of doubles",
    },
  );
}

function cellsOf(column: unknown): { name: string; cells: readonly unknown[] } {
  if (typeof column === "object" && column !== null) {
    if (column instanceof Array) return { name: "the cells", cells: column };
    if ("toArray" in column && typeof column.toArray === "function") {
      return { name: String(Reflect.get(column, "name")), cells: column.toArray() };
    }
    if (Symbol.iterator in column) return cellsOf([...column as Iterable<unknown>]);
  }
  throw new InputError(`Cannot sum ${quoted(column)}`, {
    remedy: 'Pass a column, as frame.getColumn("fee_atoms") gives it, or an array of texts',
  });
}

/** An expression of polars. */
export type PolarsExpr = Expr;

/**
 * One column divided by another as doubles, for shares and rates.
 *
 * polars' `div` and `divideBy` truncate whole numbers to 0 or 1 without a word, and a `sum` of amounts
 * that were cast to `Int64` wraps: divide with this, and add amounts up with {@linkcode sumAtoms}.
 *
 * @param part A column by its name, or an expression.
 * @param whole What it is a part of.
 * @returns An expression of `Float64`; `null` where one of them is or the whole is 0.
 *
 * @example 7 of 10 orders were filled
 * ```ts
 * import pl from "nodejs-polars";
 * import { shareOf } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const counts = pl.DataFrame({ filled: [7], orders: [10] });
 *
 * assertEquals(counts.select(shareOf("filled", "orders")).row(0), [0.7]);
 * ```
 */
export function shareOf(part: string | PolarsExpr, whole: string | PolarsExpr): PolarsExpr {
  const [top, bottom] = [part, whole].map((one) =>
    (typeof one === "string" ? pl.col(one) : one).cast(pl.Float64)
  ) as [Expr, Expr];
  return pl.when(bottom.eq(0)).then(pl.lit(null)).otherwise(top.divideBy(bottom));
}
