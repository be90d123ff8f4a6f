import { writeParquet } from "../tables/columns/frame_files.ts";
import { InputError, nearestText } from "../errors/orderlens_error.ts";
import type { Frame } from "../tables/mod.ts";
import { neededBy, readViews } from "./catalogue.ts";
import { openSql, type SqlOptions, systemTemporaryFolder } from "./open_sql.ts";
import type { QueryOptions, SqlRow } from "./sql_result.ts";

/** What DuckDB says of a table that a query names and that is not there. */
const NO_SUCH_TABLE = /Table with name (\w+) does not exist/;

/** What a query over frames reads. */
export interface QueriedFrames extends QueryOptions, Pick<SqlOptions, "memoryLimit"> {
  /** Datasets whose tables it may name besides. */
  readonly folders: readonly string[];
  /** Frames by the names that it has for them. */
  readonly frames: readonly (readonly [name: string, frame: Frame])[];
  /** Names of all tables that a query may name, for where it names another one. */
  readonly tables: readonly string[];
}

/**
 * Those of some tables that a query needs, also by way of views.
 *
 * @throws {InputError} If the query is not text.
 */
export async function readNeeded(query: string, tables: readonly string[]): Promise<string[]> {
  if (typeof query !== "string") {
    throw new InputError(`Cannot run the query: it is ${query === null ? null : typeof query}`, {
      remedy: "Pass one SELECT as text",
    });
  }
  const views = await readViews();
  const needed = neededBy(query, [...tables.map((name) => ({ name })), ...views]);
  return needed.map(({ name }) => name).filter((name) => tables.includes(name));
}

/**
 * Runs one query over frames, and returns all rows; views that add up tables of a dataset add up
 * frames of these names.
 *
 * @throws {InputError} If it is not one `SELECT`, or fails; with the place in its text.
 */
export async function queryFrames<Row = SqlRow>(
  query: string,
  { folders, frames, tables, memoryLimit, ...options }: QueriedFrames,
): Promise<Row[]> {
  const { mkdtemp, rm } = process.getBuiltinModule("node:fs/promises");
  const folder = await mkdtemp(`${systemTemporaryFolder()}/orderlens-frames-`);
  try {
    const files: Record<string, string> = {};
    for (const [name, frame] of frames) {
      files[name] = `${folder}/${name}.parquet`;
      writeParquet(frame, files[name]);
    }
    const session = await openSql(folders, { with: files, memoryLimit });
    try {
      return await session.query<Row>(query, options);
    } catch (cause) {
      throw await unknownTable(cause, tables);
    } finally {
      session[Symbol.dispose]();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** An error of a query, or where it names a table that is not there, which ones are. */
async function unknownTable(cause: unknown, tables: readonly string[]): Promise<unknown> {
  const unknown = cause instanceof InputError ? NO_SUCH_TABLE.exec(cause.message) : null;
  if (unknown === null) return cause;
  const views = (await readViews()).map(({ name }) => name);
  const nearest = nearestText(unknown[1]!, [...tables, ...views]);
  const [first] = unknown.input.split("\n");
  return new InputError(first + (nearest === undefined ? "" : ` Did you mean ${nearest}?`), {
    remedy: `Name one of its tables: ${tables.join(", ")}; or a view: ${views.join(", ")}`,
    cause,
  });
}
