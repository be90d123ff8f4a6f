import { mapInOrder } from "../../endpoints/calls.ts";
import { placesOfRows, type RepeatedRows, rowsInPlace } from "../../tables/columns/frame_files.ts";
import type { Frame } from "../../tables/mod.ts";
import { type DatasetPaths, factsOfMade, folderOf, syncFile, syncFolder } from "../layout/files.ts";
import { isPartitioned, sourceOfFile } from "../layout/id_ranges.ts";
import type { DatasetDrift, DatasetFile } from "../layout/manifest.ts";
import { keysOf, writeNoted } from "../shards/build_shard.ts";
import { namesFile } from "../shards/derive_answers.ts";
import { freeFrames, notesOf } from "../shards/file_columns.ts";
import { isOfAuctions, tablesOf } from "../shards/published_tables.ts";
import type { ShardWorkers } from "../shards/shard_workers.ts";
import type { ShardContents, TableContext } from "../shards/table_context.ts";
import { SETTLEMENT_TABLES } from "../shards/table_needs.ts";

/**
 * Leaves in a dataset of several environments what the chain has once; another one is left as it is.
 * Which row counts is the same for all files at once as for some of them first, and then for all.
 *
 * @param files Its files.
 * @returns The files by path, with the facts of those that were written again.
 */
export async function leaveRowsOnce(
  paths: DatasetPaths,
  files: readonly DatasetFile[],
): Promise<DatasetFile[]> {
  let left = files.toSorted((a, b) => a.path < b.path ? -1 : 1);
  if (!isPartitioned({ files })) return left;
  for (const { tables, ...repeated } of ONCE) left = await leaveOnce(paths, left, tables, repeated);
  return left;
}

/** What the chain has once, in tables of which the first that is there tells where. */
const ONCE: readonly (RepeatedRows & { readonly tables: readonly string[] })[] = [
  // Every environment reports all fills: one counts where the auction is known that settled it.
  {
    tables: ["trades", "fills", "protocol_fees", "fees"],
    key: ["block_number", "log_index"],
    known: "auction_id",
  },
  // A transaction settles one auction, also where two environments name it: it differs from others.
  { tables: SETTLEMENT_TABLES, key: ["tx_hash"], known: "difference_count", isLeast: true },
];

async function leaveOnce(
  paths: DatasetPaths,
  files: readonly DatasetFile[],
  tables: readonly string[],
  repeated: RepeatedRows,
): Promise<DatasetFile[]> {
  const isOf = (table: string) => ({ path }: DatasetFile) => path.startsWith(`${table}/`);
  const first = tables.find((table) => files.some(isOf(table)));
  if (first === undefined) return [...files];
  const own = files.filter(isOf(first)).map(({ path }) => path);
  const places = placesOfRows(own.map((path) => paths.file(path)), repeated);
  const kept: DatasetFile[] = [];
  for (const file of files) {
    const [table = ""] = file.path.split("/", 1);
    const place = own.indexOf(first + file.path.slice(table.length));
    if (!tables.includes(table) || place === -1) {
      kept.push(file);
      continue;
    }
    const frame = rowsInPlace(paths.file(file.path), place, { places, key: repeated.key });
    kept.push(frame.height === file.rows ? file : await replaceRows(paths, file, frame));
  }
  await freeFrames();
  return kept;
}

/** Writes the file of a table again with other rows; returns it with its new facts. */
async function replaceRows(
  paths: DatasetPaths,
  file: DatasetFile,
  frame: Frame,
): Promise<DatasetFile> {
  const place = paths.file(file.path);
  const made = paths.temporaryOf(file.path);
  const [{ table, key } = { table: undefined, key: [] }] = tablesOf([
    file.path.slice(0, file.path.indexOf("/")),
  ]);
  await writeNoted(frame, made, table === undefined ? {} : notesOf(table));
  await syncFile(made);
  await Deno.rename(made, place);
  const facts = { rows: frame.height, ...keysOf(frame, key) };
  await freeFrames();
  return { path: file.path, ...await factsOfMade(place), ...facts };
}

const RAW = ".ndjson.zst";

/** What is to be built again, and how. */
interface FilesToRebuild {
  /** Files of answers, by path. */
  readonly raws: readonly DatasetFile[];
  /** Where the files are built. */
  readonly paths: DatasetPaths;
  /** What the tables are built with. */
  readonly context: TableContext;
  /** Sees to it that a file of answers is there, and the one of the manifest. */
  readonly prepare: (raw: DatasetFile) => Promise<void>;
  /** Who builds them. */
  readonly workers: ShardWorkers;
  /** Ends it between two files. */
  readonly signal: AbortSignal | undefined;
}

/** A file of answers, and the tables that were built from it. */
export interface RebuiltFiles {
  /** The file of answers. */
  readonly raw: DatasetFile;
  /** Its tables, in place. */
  readonly tables: readonly DatasetFile[];
  /** What its answers hold that this version of the library does not know. */
  readonly drift: DatasetDrift;
  /** Its records, beside an only file of auctions: answers need not read them again. */
  readonly contents?: ShardContents | undefined;
}

/** Name of the files of 1,000 auctions, with the folder of their environment: `raw/NAME.ndjson.zst`. */
function nameOfRaw({ path }: Pick<DatasetFile, "path">): string {
  return path.slice("raw/".length, -RAW.length);
}

/** The files of answers of a dataset. */
export function rawsOf({ files }: { readonly files: readonly DatasetFile[] }): DatasetFile[] {
  return files.filter(({ path }) => path.startsWith("raw/"));
}

/** Builds the tables of files of answers, one file after another, in their order. */
export async function* rebuildFiles(
  { raws, paths, context, prepare, workers, signal }: FilesToRebuild,
): AsyncGenerator<RebuiltFiles, void, undefined> {
  const isSingle = raws.filter(({ path }) => isOfAuctions(path)).length <= 1;
  const build = async (raw: DatasetFile, ended: AbortSignal) => {
    await prepare(raw);
    const pathOf = (table: string) => `${table}/${nameOfRaw(raw)}.parquet`;
    const made = context.tables.map((table) => [table, paths.temporaryOf(pathOf(table))]);
    const task = {
      raw: paths.file(raw.path),
      context: { ...context, source: sourceOfFile(context.source, raw.path) },
      files: Object.fromEntries(made),
      names: namesFile(paths, raw.path),
    };
    return { raw, pathOf, ...await workers.run("build", task, ended) };
  };
  const all = mapInOrder(raws, build, { concurrency: workers.concurrency, signal });
  for await (const { raw, pathOf, tables: built, drift, contents } of all) {
    const tables: DatasetFile[] = [];
    for (const { name, ...facts } of built) {
      const path = pathOf(name);
      tables.push({ path, ...await putInPlace(paths, path), ...facts });
    }
    yield { raw, tables, drift, contents: isSingle ? contents : undefined };
  }
}

async function putInPlace(paths: DatasetPaths, path: string) {
  const [made, file] = [paths.temporaryOf(path), paths.file(path)];
  const facts = await factsOfMade(made);
  await Deno.mkdir(folderOf(file), { recursive: true });
  await Deno.rename(made, file);
  await syncFolder(folderOf(file));
  return facts;
}
