import type { DataType } from "nodejs-polars";
import { InputError } from "../../errors/mod.ts";
import { quoted } from "../../errors/require_known.ts";
import { DTYPES, type Table } from "./frame.ts";

/** The polars type of one column. */
export type PolarsDtype = DataType;

/**
 * The polars types of all columns of a table, which reading a CSV file of it needs.
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
 * import { referenceScoresTable, REFERENCE_SCORES, schemaOf } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const solver = `0x${"ab".repeat(20)}`;
 * const frame = referenceScoresTable([{
 *   auctionId: 7,
 *   auctionStartBlock: 100,
 *   transactionHashes: [],
 *   referenceScores: { [solver]: 2n ** 256n - 1n },
 *   auction: { orders: [], prices: {} },
 *   solutions: [],
 * }]);
 *
 * const back = pl.readCSV(frame.writeCSV(), { schema: schemaOf(REFERENCE_SCORES) });
 * assertEquals(back.toRecords(), frame.toRecords());
 * ```
 */
export function schemaOf<Row>(table: Table<Row>): Record<string, PolarsDtype> {
  const given: unknown = table;
  if (typeof given !== "object" || given === null || !("columns" in given)) {
    throw new InputError(`Cannot return the schema of ${quoted(given)}`, {
      remedy: "Pass a declared table, such as ORDERS or FILLS",
    });
  }
  return Object.fromEntries(table.columns.map(({ name, dtype }) => [name, DTYPES[dtype]]));
}
