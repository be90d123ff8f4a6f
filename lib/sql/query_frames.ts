import { writeParquet } from "../tables/columns/frame_files.ts";
import type { Frame } from "../tables/mod.ts";
import { neededBy, readViews } from "./catalogue.ts";
import { openSql, systemTemporaryFolder } from "./open_sql.ts";
import type { QueryOptions, SqlRow } from "./sql_result.ts";

/** What a query over frames reads. */
export interface QueriedFrames extends QueryOptions {
  /** Datasets whose tables it may name besides. */
  readonly folders: readonly string[];
  /** Frames by the names that it has for them. */
  readonly frames: readonly (readonly [name: string, frame: Frame])[];
}

/** Those of some tables that a query needs, also by way of views. */
export async function readNeeded(query: string, tables: readonly string[]): Promise<string[]> {
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
  { folders, frames, signal }: QueriedFrames,
): Promise<Row[]> {
  const { mkdtemp, rm } = process.getBuiltinModule("node:fs/promises");
  const folder = await mkdtemp(`${systemTemporaryFolder()}/orderlens-frames-`);
  try {
    const files: Record<string, string> = {};
    for (const [name, frame] of frames) {
      files[name] = `${folder}/${name}.parquet`;
      writeParquet(frame, files[name]);
    }
    const session = await openSql(folders, { with: files });
    try {
      return await session.query<Row>(query, signal === undefined ? {} : { signal });
    } finally {
      session[Symbol.dispose]();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}
