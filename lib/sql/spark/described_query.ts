import { InputError } from "../../errors/mod.ts";
import { LISTED } from "../engine/query_error.ts";
import { quoted } from "../engine/quoted.ts";
import type { SparkColumn } from "./spark_values.ts";

const BLANKS = String.raw`(?:\s|--[^\n]*\n|/\*[^]*?\*/)*`;
const DESCRIBE = new RegExp(`^${BLANKS}(?:DESCRIBE|DESC)\\s([^]+)$`, "i");
const OF_DUCKDB = new RegExp(`^${BLANKS}(SUMMARIZE|SHOW|EXPLAIN)\\b`, "i");

/**
 * The query whose columns `DESCRIBE fills` or `DESCRIBE SELECT …` asks for; `null` for any other.
 *
 * Spark's own `DESCRIBE` is no query, and knows a view only after it was read.
 *
 * @throws {InputError} If only DuckDB has the statement: `SUMMARIZE`, `SHOW` or `EXPLAIN`.
 */
export function describedQuery(query: string): string | null {
  const [, statement] = OF_DUCKDB.exec(query) ?? [];
  if (statement !== undefined) {
    throw new InputError(`Cannot run the query on Spark: it is ${statement.toUpperCase()}`, {
      remedy: `Run it on DuckDB, or pass one SELECT, WITH … SELECT or DESCRIBE; ${LISTED}`,
    });
  }
  const what = DESCRIBE.exec(query)?.[1]?.trim();
  if (what === undefined) return null;
  return /^\w+$/.test(what) ? `SELECT * FROM ${what}` : what;
}

/** Columns as a query for them, with the names that `DESCRIBE` has in DuckDB. */
export function columnRows(columns: readonly SparkColumn[]): string {
  const rows = columns.map(({ name, type }) => `(${quoted(name)}, ${quoted(type)})`);
  return `SELECT * FROM (VALUES ${rows.join(", ")}) AS columns(column_name, column_type)`;
}
