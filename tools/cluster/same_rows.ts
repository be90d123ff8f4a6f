import type { SqlRow } from "../../lib/sql/mod.ts";
import { TaskError } from "../terminal/task_error.ts";

/** A row as text, every digit and both zeros of a double distinct. */
function textOf(row: SqlRow): string {
  return JSON.stringify(row, (_, value) => {
    if (typeof value === "bigint") return `${value}n`;
    return Object.is(value, -0) ? "-0" : value;
  });
}

/**
 * Compares all rows of two engines, in any order.
 *
 * @throws {TaskError} Shows the first row that differs.
 */
export function requireSame(what: string, found: readonly SqlRow[], wanted: readonly SqlRow[]) {
  const [ours, theirs] = [found, wanted].map((rows) => rows.map(textOf).sort());
  const place = theirs!.findIndex((text, at) => text !== ours![at]);
  if (place === -1 && ours!.length === theirs!.length && theirs!.length > 0) return;
  throw new TaskError(`${what}: ${ours!.length} rows in Spark, ${theirs!.length} in DuckDB`, {
    fix: `the first that differs:\n  spark  ${ours![Math.max(place, 0)]}\n  duckdb ${
      theirs![Math.max(place, 0)]
    }`,
  });
}
