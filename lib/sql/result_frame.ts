import { InputError } from "../errors/mod.ts";
import { buildFrame } from "../tables/columns/frame.ts";
import type { Cell, Column, Dtype, Frame } from "../tables/mod.ts";
import type { SqlResult, SqlRow } from "./sql_result.ts";

/** Kinds of columns by the engine's types; all others are text: amounts, decimals, dates. */
const DTYPES: Readonly<Record<string, Dtype>> = {
  BOOLEAN: "Bool",
  TINYINT: "Int64",
  SMALLINT: "Int64",
  INTEGER: "Int64",
  BIGINT: "Int64",
  HUGEINT: "Int64",
  FLOAT: "Float64",
  DOUBLE: "Float64",
};

/**
 * Reads the rows of a result into a frame: amounts, decimals and dates as text.
 *
 * @throws {InputError} If a frame cannot hold every digit of a number.
 */
export async function readFrame(result: SqlResult): Promise<Frame> {
  const columns = result.columns.map(({ name, type }): Column<SqlRow> => {
    const dtype = DTYPES[type] ?? "String";
    const cell = ({ [name]: value = null }: SqlRow): Cell => {
      if (typeof value !== "bigint" && (typeof value !== "number" || Number.isFinite(value))) {
        return dtype === "String" && value !== null ? String(value) : value;
      }
      throw new InputError(`Cannot put ${value} into the column ${name} of a frame`, {
        remedy: typeof value === "bigint"
          ? `Select it as text: CAST(${name} AS VARCHAR)`
          : `Select null instead: CASE WHEN isfinite(${name}) THEN ${name} END`,
      });
    };
    return { name, dtype, unit: null, source: "the query", cell };
  });
  const rows = (await Array.fromAsync(result.parts())).flat();
  return buildFrame({ name: "result", columns }, rows);
}
