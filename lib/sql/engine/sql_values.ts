import type { DuckDBValue } from "@duckdb/node-api";

/** A value of a row. */
export type SqlValue = string | number | bigint | boolean | null;

/** One row of a result, by the names of its columns. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/**
 * A value as JavaScript has it: whole numbers as `number`, as `bigint` where that would lose digits;
 * amounts and what has no such type, such as dates and decimals, as text.
 *
 * @param type Its type in DuckDB.
 */
export function sqlValue(value: DuckDBValue, type: string): SqlValue {
  switch (typeof value) {
    case "bigint":
      if (type === "BIGNUM") return String(value);
      return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    case "string":
    case "number":
    case "boolean":
      return value;
    default:
      return value === null ? null : String(value);
  }
}
