import { InputError } from "../../errors/mod.ts";
import { quoted } from "../../errors/option_rules.ts";
import type { Cell, PolarsFrame } from "./frame.ts";

/**
 * Rows of any frame as objects: for charts, after polars has filtered, sorted or joined a table.
 *
 * The same as the frame's `toRecords()`, with more precise types. The type parameter is not
 * checked.
 *
 * @param frame A table, or a frame that polars derived from one.
 * @returns One object per row, by column name, in the order of the frame.
 * @throws {InputError} If `frame` is not a frame.
 *
 * @example The winners of an auction
 * ```ts
 * import pl from "nodejs-polars";
 * import { auctionRanking } from "orderlens/charts";
 * import { records, solutionsTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const winners = solutionsTable([]).filter(pl.col("is_winner"));
 *
 * assertEquals(auctionRanking(records(winners)).rows, []);
 * ```
 */
export function records<Row = Record<string, Cell>>(frame: PolarsFrame): Row[] {
  if (typeof Object(frame).toRecords !== "function") {
    throw new InputError(`Cannot read rows from ${quoted(frame)}`, {
      remedy: "Pass a polars frame, such as one that a table function returned",
    });
  }
  return frame.toRecords() as Row[];
}
