import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBType,
  VARCHAR,
  version,
} from "@duckdb/node-api";
import type { Frame } from "../tables/mod.ts";
import { neededBy, readViews, type SqlRelation } from "./catalogue.ts";
import { lock, makeViews, newDatabase, selected, type SqlOptions } from "./open_sql.ts";
import { SqlSession } from "./sql_session.ts";
import { viewsHash } from "./write_result.ts";

/** A table of a session that is no file: its rows are a frame, which is built when a query needs it. */
export interface FrameTable extends SqlRelation {
  /** Builds its rows. */
  readonly frame: () => Promise<Frame>;
}

/**
 * Opens tables that are no files for SQL, and the views that add them up, in memory and without
 * writing anything. The rows of a table are read when a query first names it.
 */
export async function openFrames(
  tables: readonly FrameTable[],
  options: Pick<SqlOptions, "memoryLimit" | "threads" | "usesDisk"> = {},
): Promise<SqlSession> {
  const { instance, connection } = await newDatabase(options);
  const made = tables.flatMap((table) => {
    const columns = heldColumns(table).map(({ name, type }) => `${name} ${type}`);
    return [
      `CREATE TABLE ${HELD}.${table.name} (${columns.join(", ")})`,
      `CREATE VIEW ${table.name} AS ${selected(table, rowsOf(table))}`,
    ];
  });
  await connection.run([`CREATE SCHEMA ${HELD}`, ...made].join(";"));
  const named = tables.map(({ name }) => ({ name }));
  const views = await readViews();
  const viewed = await makeViews(connection, views, tables);
  await lock(connection, [], [], {});
  const held = new Map<string, Promise<void>>();
  const hold = (table: FrameTable) => {
    const holding = held.get(table.name) ?? append(connection, table);
    held.set(table.name, holding);
    holding.catch(() => held.delete(table.name));
    return holding;
  };
  return new SqlSession({
    instance,
    connection,
    relations: [...tables, ...viewed],
    requireWhole: async (query) => {
      const needed = new Set(neededBy(query, [...named, ...views]).map(({ name }) => name));
      for (const table of tables) if (needed.has(table.name)) await hold(table);
    },
    missing: new Map(),
    listed: "`DESCRIBE fills` lists the columns of a table",
    warnings: [],
    facts: {
      engine: { name: "duckdb", version: version().replace(/^v/, "") },
      inputs: [],
      tables: [],
      viewsSha256: viewsHash(views),
    },
  });
}

/** The schema of the rows as they are held: texts, numbers and booleans. */
const HELD = "held";

const TYPES: Readonly<Record<string, DuckDBType>> = {
  String: VARCHAR,
  Int64: BIGINT,
  Float64: DOUBLE,
  Bool: BOOLEAN,
};

/** The columns that are held: a timestamp is made from the text beside it. */
function heldColumns({ columns }: SqlRelation) {
  return columns.flatMap(({ name, dtype }) => {
    const type = TYPES[dtype];
    return type === undefined ? [] : [{ name, type }];
  });
}

function rowsOf({ name, columns }: SqlRelation): string {
  const times = columns.filter(({ dtype }) => dtype === "Datetime").map((column) =>
    `CAST(${column.name.replace(/_utc$/, "")} AS TIMESTAMPTZ) AS ${column.name}`
  );
  return `(SELECT ${["*", ...times].join(", ")} FROM ${HELD}.${name})`;
}

const ROWS_AT_ONCE = 500;

/** Adds the rows of a frame, some at a time, so that others get their turn. */
async function append(connection: DuckDBConnection, table: FrameTable): Promise<void> {
  const frame = await table.frame();
  const columns = heldColumns(table);
  const types = columns.map(({ type }) => type);
  const values = columns.map(({ name, type }) => {
    const all = frame.getColumn(name).toArray();
    return type === BIGINT ? all.map((value) => value === null ? null : BigInt(value)) : all;
  });
  const appender = await connection.createAppender(table.name, HELD);
  for (let from = 0; from < frame.height; from += ROWS_AT_ONCE) {
    const chunk = DuckDBDataChunk.create(types);
    chunk.setColumns(values.map((all) => all.slice(from, from + ROWS_AT_ONCE)));
    appender.appendDataChunk(chunk);
    // Others get their turn until the engine answers.
    await connection.run("SELECT 1");
  }
  appender.closeSync();
}
