import { InputError } from "../../errors/mod.ts";
import { countRows, withConstants, writeParquet } from "../../tables/columns/frame_files.ts";
import type { Frame } from "../../tables/mod.ts";
import { syncFile } from "../layout/durable_files.ts";
import type { DatasetDrift } from "../layout/manifest.ts";
import { freeFrames } from "./free_frames.ts";
import { readShard, type ShardContents } from "./shard_contents.ts";
import { tablesBeside } from "./published_tables.ts";
import type { TableContext } from "./table_context.ts";

/** A table of one shard that was written. */
export interface BuiltTable {
  /** Name of the table. */
  readonly name: string;
  /** Number of rows. */
  readonly rows: number;
  /** Key of the first row; `null` without rows. */
  readonly leastKey: readonly (string | number | null)[] | null;
  /** Key of the last row; `null` without rows. */
  readonly greatestKey: readonly (string | number | null)[] | null;
}

/** What one shard became. */
export interface BuiltShard {
  /** Its tables. */
  readonly tables: readonly BuiltTable[];
  /** What its answers hold that this version of the library does not know. */
  readonly drift: DatasetDrift;
  /** Its records, from which answers are derived; absent where it was built in a worker. */
  readonly contents?: ShardContents;
}

/**
 * Builds the tables of one shard from its answers alone, and writes each into a file, which is
 * opened again and counted.
 *
 * @param raw File of the answers.
 * @param fileOf Where the file of a table goes.
 * @throws {InputError} If a written file does not have the rows that were written.
 */
export async function buildShard(
  raw: string,
  context: TableContext,
  fileOf: (table: string) => string,
): Promise<BuiltShard> {
  const contents = await readShard(raw, context);
  const built: BuiltTable[] = [];
  const synced: Promise<void>[] = [];
  const { network, environment, chainId } = context.source;
  for (const { table: { name }, key, isSorted, build } of tablesBeside(raw, context.tables)) {
    const constants = { network, environment, chain_id: chainId };
    if (build === undefined) continue;
    const rows = withConstants(build(contents, context), constants);
    const frame = isSorted?.(contents) === true ? rows : sortedBy(key, rows);
    const written = writeTable(frame, fileOf(name));
    // It fails when all of them are awaited.
    written.catch(() => {});
    synced.push(written);
    built.push({ name, rows: frame.height, ...keysOf(frame, key) });
  }
  await Promise.all(synced);
  await freeFrames();
  return { tables: built, drift: contents.drift, contents };
}

/** Writes a table at once; the disk takes its time while the next table is made. */
export async function writeTable(frame: Frame, file: string): Promise<void> {
  writeParquet(frame, file);
  await syncFile(file);
  const found = countRows(file, "chain_id");
  if (found === frame.height) return;
  throw new InputError(`Cannot keep ${file}: it has ${found} of ${frame.height} rows`, {
    remedy: "Check the disk, and start the export again",
  });
}

/** A frame by its key; rows of one key stay in their order. */
export function sortedBy(key: readonly string[], frame: Frame): Frame {
  return frame.sort({ by: [...key], maintainOrder: true }) as Frame;
}

/** Keys of the first and the last row. */
export function keysOf(frame: Frame, key: readonly string[]) {
  if (frame.height === 0) return { leastKey: null, greatestKey: null };
  const keys = frame.select(...key);
  const at = (row: number) => keys.row(row) as (string | number | null)[];
  return { leastKey: at(0), greatestKey: at(frame.height - 1) };
}
