import { InputError } from "../../errors/mod.ts";
import {
  countRows,
  inFile,
  PARQUET_END,
  withNotes,
  writeParquet,
} from "../../tables/columns/frame_files.ts";
import type { Frame, Table } from "../../tables/mod.ts";
import { bytesAt, withFile, writeAll } from "../layout/files.ts";
import type { DatasetDrift, DatasetFile, DatasetSource } from "../layout/manifest.ts";
import { freeFrames, notesOf, timesOf } from "./file_columns.ts";
import { tablesBeside } from "./published_tables.ts";
import { readShard } from "./shard_contents.ts";
import type { ShardContents, TableContext } from "./table_context.ts";

/** A table of one shard that was written. */
export interface BuiltTable extends Pick<DatasetFile, "rows" | "leastKey" | "greatestKey"> {
  /** Name of the table. */
  readonly name: string;
}

/** What one shard became. */
export interface BuiltShard {
  /** Its tables. */
  readonly tables: readonly BuiltTable[];
  /** What its answers hold that this version of the library does not know. */
  readonly drift: DatasetDrift;
  /** Its records, from which answers are derived. */
  readonly contents: ShardContents;
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
  for (const { table, key, isSorted, build } of tablesBeside(raw, context.tables)) {
    if (build === undefined) continue;
    const rows = fileFrame(table, build(contents, context), context.source);
    const frame = isSorted?.(contents) === true ? rows : sortedBy(key, rows);
    const written = writeTable(table, frame, fileOf(table.name));
    // It fails when all of them are awaited.
    written.catch(() => {});
    synced.push(written);
    built.push({ name: table.name, rows: frame.height, ...keysOf(frame, key) });
  }
  await Promise.all(synced);
  await freeFrames();
  return { tables: built, drift: contents.drift, contents };
}

/** The rows of a table as its files have them: with where they are from, and timestamps. */
export function fileFrame(
  table: Pick<Table<never>, "columns">,
  rows: Frame,
  { network, environment, chainId }: DatasetSource,
): Frame {
  const constants = { network, environment, chain_id: chainId };
  return inFile(rows, constants, timesOf(table));
}

/** Writes a table at once; the disk takes its time while the next table is made. */
export async function writeTable(
  table: Pick<Table<never>, "grain" | "columns">,
  frame: Frame,
  file: string,
): Promise<void> {
  await writeNoted(frame, file, notesOf(table));
  const found = countRows(file, "chain_id");
  if (found === frame.height) return;
  throw new InputError(`Cannot keep ${file}: it has ${found} of ${frame.height} rows`, {
    remedy: "Check the disk, and start the export again",
  });
}

/** Writes a frame with what its file says of itself, and waits until it is on the disk. */
export async function writeNoted(
  frame: Frame,
  file: string,
  notes: Readonly<Record<string, string>>,
): Promise<void> {
  writeParquet(frame, file);
  await noteFile(file, notes);
}

/** Adds what a Parquet file says of itself to its end, and waits until it is on the disk. */
export async function noteFile(
  file: string,
  notes: Readonly<Record<string, string>>,
): Promise<void> {
  await withFile(file, "r+", async (open) => {
    const { size } = await open.stat();
    const end = await bytesAt(open, size - PARQUET_END, PARQUET_END);
    const length = new DataView(end.buffer).getUint32(0, true);
    const start = size - PARQUET_END - length;
    const noted = withNotes(await bytesAt(open, start, size - start), notes);
    await open.truncate(start);
    await writeAll(open, noted, start);
    await open.sync();
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
