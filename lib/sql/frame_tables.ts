import { DuckDBDataChunk, type DuckDBInstance } from "@duckdb/node-api";
import { InputError } from "../errors/mod.ts";
import { describeValue as quotedValue } from "../errors/option_rules.ts";
import type { Frame } from "../tables/mod.ts";
import { selected, type SqlRelation, TYPES } from "./catalogue.ts";

/** What a table is made of: a frame of polars, and any of this library. */
export type HeldFrame = Pick<Frame, "columns" | "height" | "getColumn">;

/** A table of a session that is no file: its rows are a frame, which is built when a query needs it. */
export interface FrameTable extends SqlRelation {
  /** Builds its rows; timestamps are made from the texts of the same times. */
  readonly frame: () => Promise<HeldFrame>;
}

const ROWS_AT_ONCE = 500;

/** Makes a table of a frame, whole or not at all, some rows at a time, so that others get their turn. */
export async function holdFrame(instance: DuckDBInstance, table: FrameTable): Promise<void> {
  const frame = await table.frame();
  const columns = table.columns.filter(({ dtype }) => dtype !== "Datetime");
  const times = table.columns.filter(({ dtype }) => dtype === "Datetime").map(({ name }) =>
    `CAST(${name.replace(/_utc$/, "")} AS TIMESTAMPTZ) AS ${name}`
  );
  const values = columns.map(({ name, dtype }) => {
    const all = frame.getColumn(name).toArray();
    return dtype === "Int64" ? all.map((value) => value === null ? null : BigInt(value)) : all;
  });
  const connection = await instance.connect();
  try {
    const types = columns.map(({ name, dtype }) => `${name} ${TYPES[dtype]}`);
    await connection.run(`CREATE TEMP TABLE appended (${types.join(", ")})`);
    const appender = await connection.createAppender("appended", "main", "temp");
    for (let from = 0; from < frame.height; from += ROWS_AT_ONCE) {
      const chunk = DuckDBDataChunk.create(columns.map((_, at) => appender.columnType(at)));
      chunk.setColumns(values.map((all) => all.slice(from, from + ROWS_AT_ONCE)));
      appender.appendDataChunk(chunk);
      // Others get their turn until the engine answers.
      await connection.run("SELECT 1");
    }
    appender.closeSync();
    const rows = selected(table, `(SELECT ${["*", ...times].join(", ")} FROM appended)`);
    await connection.run(`CREATE TABLE memory.main.${table.name} AS ${rows}`);
  } finally {
    connection.closeSync();
  }
}

/** Whether a value is a frame whose rows are there: a lazy frame and a promise of one are not. */
export function isFrame(value: unknown): value is HeldFrame {
  const { columns, getColumn, height } = Object(value);
  return Array.isArray(columns) && typeof getColumn === "function" && typeof height === "number";
}

/**
 * Frames of one's own as tables; their columns that end in `_atoms` are amounts.
 *
 * @param taken Tables and views that have other names.
 * @throws {InputError} If one is no frame, a name is taken or no name of a table, or a column is of a
 * type that SQL has no column for.
 */
export function ownFrames(
  own: Readonly<Record<string, HeldFrame>>,
  taken: readonly Pick<SqlRelation, "name">[],
): FrameTable[] {
  return Object.entries(own).map(([name, frame]) => {
    const failed = (why: string, remedy: string) =>
      new InputError(`Cannot query the frame ${name}: ${why}`, { remedy });
    if (!isFrame(frame)) {
      throw new InputError(`Cannot query ${quotedValue(frame)} as the table ${name}`, {
        remedy: "Pass a frame, such as `pl.DataFrame(rows)`, or the path of a CSV or Parquet file",
      });
    }
    if (!/^[a-z_]\w*$/i.test(name) || taken.some((one) => one.name === name.toLowerCase())) {
      throw failed("this is no name for it", "Use letters, digits and _, and no name of a table");
    }
    const columns = frame.columns.map((column) => {
      const type: string = frame.getColumn(column).dtype.variant;
      const dtype = type.replace(/^U?Int\d+$/, "Int64").replace(/^Float\d+$/, "Float64");
      if (dtype in TYPES && dtype !== "Datetime") {
        return { name: column, dtype, unit: null, text: "as in the frame" };
      }
      throw failed(`its column ${column} is of type ${type}`, "Cast it to text or a number");
    });
    const grain = "One row of the frame";
    return { name, kind: "own", grain, key: [], columns, frame: () => Promise.resolve(frame) };
  });
}
