import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  DuckDBDataChunk,
  type DuckDBInstance,
  type DuckDBType,
  VARCHAR,
} from "@duckdb/node-api";
import type { Frame } from "../tables/mod.ts";
import { selected, type SqlRelation } from "./catalogue.ts";

/** A table of a session that is no file: its rows are a frame, which is built when a query needs it. */
export interface FrameTable extends SqlRelation {
  /** Builds its rows; timestamps are made from the texts of the same times. */
  readonly frame: () => Promise<Frame>;
}

const TYPES: Readonly<Record<string, DuckDBType>> = {
  String: VARCHAR,
  Int64: BIGINT,
  Float64: DOUBLE,
  Bool: BOOLEAN,
};

const ROWS_AT_ONCE = 500;

/** Makes a table of a frame, whole or not at all, some rows at a time, so that others get their turn. */
export async function holdFrame(instance: DuckDBInstance, table: FrameTable): Promise<void> {
  const frame = await table.frame();
  const columns = table.columns.flatMap(({ name, dtype }) => {
    const type = TYPES[dtype];
    return type === undefined ? [] : [{ name, type }];
  });
  const times = table.columns.filter(({ dtype }) => dtype === "Datetime").map(({ name }) =>
    `CAST(${name.replace(/_utc$/, "")} AS TIMESTAMPTZ) AS ${name}`
  );
  const values = columns.map(({ name, type }) => {
    const all = frame.getColumn(name).toArray();
    return type === BIGINT ? all.map((value) => value === null ? null : BigInt(value)) : all;
  });
  const connection = await instance.connect();
  try {
    const types = columns.map(({ name, type }) => `${name} ${type}`);
    await connection.run(`CREATE TEMP TABLE appended (${types.join(", ")})`);
    const appender = await connection.createAppender("appended", "main", "temp");
    for (let from = 0; from < frame.height; from += ROWS_AT_ONCE) {
      const chunk = DuckDBDataChunk.create(columns.map(({ type }) => type));
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
