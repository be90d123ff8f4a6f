import { InputError } from "../errors/mod.ts";
import { readParquet } from "../tables/columns/frame_files.ts";
import type { Dtype, Frame } from "../tables/mod.ts";
import { TYPES } from "./catalogue.ts";
import { quoteName, type SqlResult } from "./sql_result.ts";
import type { EngineColumn } from "./write_result.ts";

/** Kinds of columns by the engine's types; all others are text: amounts, decimals, dates. */
const DTYPES: Readonly<Record<string, Exclude<Dtype, "String">>> = {
  BOOLEAN: "Bool",
  TINYINT: "Int64",
  SMALLINT: "Int64",
  INTEGER: "Int64",
  BIGINT: "Int64",
  HUGEINT: "Int64",
  FLOAT: "Float64",
  DOUBLE: "Float64",
};

/** The largest whole number up to which a double has every one. */
const MAX_SAFE = String(Number.MAX_SAFE_INTEGER);

/**
 * Reads the rows of a result into a frame: amounts, decimals and dates as text. They pass through a
 * Parquet file, which the engine writes and polars reads.
 *
 * @throws {InputError} If a frame cannot hold every digit of a number.
 */
export async function readFrame(result: SqlResult): Promise<Frame> {
  await requireHeld(result);
  const columns = result.columns.map(({ name, type }) => {
    const column = quoteName(name);
    return `CAST(${column} AS ${TYPES[DTYPES[type] ?? "String"]}) AS ${column}`;
  });
  return await result.useParquet(columns.join(", "), readParquet);
}

/** Rejects whole numbers that charts would round, and doubles that are no numbers. */
async function requireHeld(result: SqlResult): Promise<void> {
  const checked = result.columns.flatMap((column) => {
    const condition = CONDITIONS[column.type]?.(quoteName(column.name));
    return condition === undefined ? [] : [{ column, condition }];
  });
  if (checked.length === 0) return;
  const worst = checked.map(({ column: { name }, condition }) =>
    `any_value(CASE WHEN ${condition} THEN ${quoteName(name)} END)`
  );
  for (const [index, value] of (await result.aggregate(worst.join(", "))).entries()) {
    if (value !== null) throw createHoldError(checked[index]!.column, value);
  }
}

const isUnsafe = (column: string) => `${column} > ${MAX_SAFE} OR ${column} < -${MAX_SAFE}`;
const isNoNumber = (column: string) => `NOT isfinite(${column})`;

/** Conditions for values that a frame cannot hold, by types of the engine. */
const CONDITIONS: Readonly<Record<string, (column: string) => string>> = {
  BIGINT: isUnsafe,
  HUGEINT: isUnsafe,
  FLOAT: isNoNumber,
  DOUBLE: isNoNumber,
};

function createHoldError({ name, type }: EngineColumn, value: unknown): InputError {
  return new InputError(`Cannot put ${value} into the column ${name} of a frame`, {
    remedy: DTYPES[type] === "Int64"
      ? `Select it as text: CAST(${name} AS VARCHAR)`
      : `Select null instead: CASE WHEN isfinite(${name}) THEN ${name} END`,
  });
}
