import type { SqlRow, SqlValue } from "../engine/sql_values.ts";

/** A column of a result on Spark. */
export interface SparkColumn {
  /** Its name. */
  readonly name: string;
  /** Its type as Spark names it, such as `bigint`. */
  readonly type: string;
}

const WHOLE = new Set(["tinyint", "smallint", "int", "bigint"]);

/** The columns of a message. */
export function sparkColumns(value: unknown): SparkColumn[] {
  if (!Array.isArray(value)) throw new TypeError("Spark sent no columns");
  const names = new Map<string, number>();
  return value.map(([name, type]) => {
    const seen = names.get(name) ?? 0;
    names.set(name, seen + 1);
    return { name: seen === 0 ? String(name) : `${name}:${seen}`, type: String(type) };
  });
}

/** Rows of a message, with the values that DuckDB would give. */
export function sparkRows(value: unknown, columns: readonly SparkColumn[]): SqlRow[] {
  if (!Array.isArray(value)) throw new TypeError("Spark sent no rows");
  return value.map((row: readonly unknown[]) =>
    Object.fromEntries(columns.map(({ name, type }, at) => [name, sparkValue(row[at], type)]))
  );
}

function sparkValue(value: unknown, type: string): SqlValue {
  if (value === null || value === undefined) return null;
  if (WHOLE.has(type)) {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : BigInt(String(value));
  }
  if (type === "double" || type === "float") return doubleOf(value);
  return typeof value === "boolean" ? value : String(value);
}

/** JSON has no infinite doubles. */
function doubleOf(value: unknown): number {
  if (value === "inf") return Infinity;
  return value === "-inf" ? -Infinity : Number(value);
}
