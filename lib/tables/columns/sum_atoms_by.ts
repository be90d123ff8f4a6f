import pl, { type Series } from "nodejs-polars";
import { InputError } from "../../errors/mod.ts";
import { quoted } from "../../errors/require_known.ts";
import type { Frame, PolarsFrame } from "./frame.ts";
import { atomsOf } from "./sum_atoms.ts";

/** The column that counts. */
const ROW_COUNT = "row_count";

/**
 * The exact sums of columns of amounts, by group: what polars' `groupBy` is for numbers.
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
  const { first, counts, groupOf } = groupsOf(frame, keys);
  return pl.DataFrame([
    ...keys.map((name) => frame.getColumn(name).gather(first)),
    pl.Series(ROW_COUNT, counts, pl.Int64),
    ...names.map((name) => {
      const sums = counts.map(() => 0n);
      for (const [row, cell] of frame.getColumn(name).toArray().entries()) {
        sums[groupOf[row]!]! += atomsOf(cell, { name, row });
      }
      return pl.Series(name, sums.map(String), pl.String);
    }),
  ]) as Frame;
}

function requireColumns(frame: PolarsFrame, names: readonly string[]): void {
  const action = "Cannot sum amounts by group";
  if (typeof Object(frame).getColumn !== "function") {
    throw new InputError(`${action} of ${quoted(frame)}`, {
      remedy: "Pass a polars frame, such as one that a table function returned",
    });
  }
  for (const [place, name] of names.entries()) {
    if (!frame.columns.includes(name)) {
      throw new InputError(`${action}: the frame has no column ${quoted(name)}`, {
        remedy: `Pass one of ${frame.columns.join(", ")}`,
      });
    }
    if (name === ROW_COUNT || names.indexOf(name) < place) {
      throw new InputError(`${action}: the result would have two columns ${quoted(name)}`, {
        remedy: "Name each column once, and rename a column row_count",
      });
    }
  }
}

/** Groups of rows with equal keys, in order of appearance. */
interface Groups {
  /** The first row of each group. */
  readonly first: number[];
  /** The number of rows of each group. */
  readonly counts: number[];
  /** The group of each row. */
  readonly groupOf: readonly number[];
}

function groupsOf(frame: PolarsFrame, keys: readonly string[]): Groups {
  const columns = keys.map((name) => frame.getColumn(name) as Series).map((one) => one.toArray());
  const places = new Map<string, number>();
  const first: number[] = [];
  const counts: number[] = [];
  const groupOf = Array.from({ length: frame.height }, (_, row) => {
    const key = JSON.stringify(columns.map((cells) => keyOf(cells[row])));
    const place = places.get(key) ?? places.size;
    if (place === places.size) {
      places.set(key, place);
      first.push(row);
      counts.push(0);
    }
    counts[place]!++;
    return place;
  });
  return { first, counts, groupOf };
}

/** A cell as a JSON value; different cells stay different. */
function keyOf(cell: unknown): unknown {
  return typeof cell === "bigint" || typeof cell === "number" ? `${cell}` : cell;
}
