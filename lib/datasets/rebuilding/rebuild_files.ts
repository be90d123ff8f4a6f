import type { DatabaseSync } from "node:sqlite";
import { mapInOrder } from "../../endpoints/calls.ts";
import { frameCells } from "../../tables/columns/frame.ts";
import { readParquet, withoutKeys, withoutValues } from "../../tables/columns/frame_files.ts";
import type { Frame } from "../../tables/mod.ts";
import { type DatasetPaths, factsOfMade, folderOf, syncFile, syncFolder } from "../layout/files.ts";
import { isPartitioned, sourceOfFile } from "../layout/id_ranges.ts";
import type { DatasetDrift, DatasetFile } from "../layout/manifest.ts";
import { keysOf, writeNoted } from "../shards/build_shard.ts";
import { freeFrames, notesOf } from "../shards/file_columns.ts";
import { hasAnswers, isOfAuctions, tablesOf } from "../shards/published_tables.ts";
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
  const index = `${paths.temporary}/fills.sqlite`;
  left = await leaveFillsOnce(paths, left, index);
  left = await leaveSettlementsOnce(paths, left);
  await Deno.remove(index);
  return left;
}

/** Where the rows of a settlement stand, and how much differs from the report there. */
interface Standing {
  readonly file: string;
  readonly differences: number;
}

/**
 * Leaves each settlement of a dataset of several environments in it once: a transaction settles one
 * auction, also where two environments name it. The rows count whose environment has fewer
 * differences, since a settlement differs from auctions that it is not of; if that does not tell, the
 * first by path.
 *
 * @returns The files, with the facts of those that were written again.
 */
async function leaveSettlementsOnce(
  paths: DatasetPaths,
  files: readonly DatasetFile[],
): Promise<DatasetFile[]> {
  const isOf = (table: string) => ({ path }: DatasetFile) => path.startsWith(`${table}/`);
  const first = SETTLEMENT_TABLES.find((table) => files.some(isOf(table)));
  if (first === undefined) return [...files];
  const standing = new Map<string, Standing>();
  const left = new Map<string, Set<string>>();
  for (const { path } of files.filter(isOf(first))) {
    const file = path.slice(first.length);
    for (const { hash, differences } of await settlementsIn(paths.file(path))) {
      const other = standing.get(hash);
      if (other?.file === file) continue;
      const isKept = other === undefined || differences < other.differences;
      if (isKept) standing.set(hash, { file, differences });
      const without = isKept ? other?.file : file;
      if (without === undefined) continue;
      const hashes = left.get(without) ?? new Set();
      left.set(without, hashes.add(hash));
    }
  }
  const kept: DatasetFile[] = [];
  for (const file of files) {
    const slash = file.path.indexOf("/");
    const isTable = SETTLEMENT_TABLES.includes(file.path.slice(0, slash));
    const hashes = isTable ? left.get(file.path.slice(slash)) : undefined;
    if (hashes === undefined) {
      kept.push(file);
      continue;
    }
    const frame = withoutValues(readParquet(paths.file(file.path)), "tx_hash", [...hashes]);
    kept.push(await replaceRows(paths, file, frame));
  }
  return kept;
}

async function settlementsIn(file: string): Promise<{ hash: string; differences: number }[]> {
  const frame = readParquet(file);
  const names = [
    "tx_hash",
    ...frame.columns.includes("difference_count") ? ["difference_count"] : [],
  ];
  const [hashes, counts] = frameCells(frame.select(...names), { start: 0, count: frame.height });
  const found = (hashes?.cells ?? []).map((hash, row) => ({
    hash: String(hash),
    // What cannot be audited has no differences.
    differences: counts === undefined ? 0 : Number(counts.cells[row] ?? Infinity),
  }));
  await freeFrames();
  return found;
}

const PLACE = ["block_number", "log_index"] as const;
/** Tables of fills; the first that is there tells where each fill belongs. */
const FILL_TABLES: readonly string[] = ["trades", "fills", "protocol_fees", "fees"];

/**
 * Leaves each fill of a dataset of several environments in it once: every environment reports all
 * fills of the chain, by block and log index. The row counts whose environment knows the auction that
 * settled the fill; if none does, the first by path.
 *
 * @param index File for an index; removed by the caller.
 * @returns The files, with the facts of those that were written again.
 */
async function leaveFillsOnce(
  paths: DatasetPaths,
  files: readonly DatasetFile[],
  index: string,
): Promise<DatasetFile[]> {
  const isOf = (table: string) => files.some(({ path }) => path.startsWith(`${table}/`));
  const table = FILL_TABLES.find(isOf) ?? "trades";
  const repeated = new RepeatedFills(index);
  try {
    for (const { path } of files) {
      if (path.startsWith(`${table}/`)) {
        await repeated.add(path.slice(table.length), paths.file(path));
      }
    }
    const kept: DatasetFile[] = [];
    for (const file of files) {
      const slash = file.path.indexOf("/");
      const isOfFills = FILL_TABLES.includes(file.path.slice(0, slash));
      const places = isOfFills ? repeated.of(file.path.slice(slash)) : [];
      if (places.length === 0) {
        kept.push(file);
        continue;
      }
      const frame = withoutKeys(readParquet(paths.file(file.path)), PLACE, places);
      kept.push(await replaceRows(paths, file, frame));
    }
    return kept;
  } finally {
    repeated.close();
  }
}

/** Fills by place in the chain, and the files in which they are not to be. */
class RepeatedFills {
  readonly #database: DatabaseSync;

  constructor(file: string) {
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    this.#database = new DatabaseSync(file);
    this.#database.exec(
      `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
       DROP TABLE IF EXISTS fills;
       DROP TABLE IF EXISTS repeated;
       CREATE TABLE fills (block INTEGER, log INTEGER, file TEXT, isKnown INTEGER,
         PRIMARY KEY (block, log)) WITHOUT ROWID;
       CREATE TABLE repeated (file TEXT, block INTEGER, log INTEGER)`,
    );
  }

  /** Notes the fills of a file; equal places in one file are one fill. */
  async add(name: string, file: string): Promise<void> {
    const frame = readParquet(file);
    const names = [...PLACE, ...frame.columns.includes("auction_id") ? ["auction_id"] : []];
    const [blocks, logs, auctions] = frameCells(frame.select(...names), {
      start: 0,
      count: frame.height,
    });
    const find = this.#database.prepare("SELECT * FROM fills WHERE block = ? AND log = ?");
    const keep = this.#database.prepare("INSERT OR REPLACE INTO fills VALUES (?, ?, ?, ?)");
    const leave = this.#database.prepare("INSERT INTO repeated VALUES (?, ?, ?)");
    for (let row = 0; row < frame.height; row++) {
      const [block, log] = [Number(blocks!.cells[row]), Number(logs!.cells[row])];
      const isKnown = (auctions?.cells[row] ?? null) === null ? 0 : 1;
      const other = find.get(block, log);
      if (other?.file === name) continue;
      if (other === undefined || isKnown > Number(other.isKnown)) {
        keep.run(block, log, name, isKnown);
        if (other !== undefined) leave.run(String(other.file), block, log);
      } else leave.run(name, block, log);
    }
    await freeFrames();
  }

  /** The places of fills that a file is not to have. */
  of(name: string): [number, number][] {
    return this.#database.prepare("SELECT block, log FROM repeated WHERE file = ?").all(name)
      .map(({ block, log }) => [Number(block), Number(log)]);
  }

  close(): void {
    this.#database.close();
  }
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
  /** File with what it has and names, for answers; none if an earlier run built its tables. */
  readonly names?: string | undefined;
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
      names: hasAnswers(context.tables) ? paths.temporaryOf(`${nameOfRaw(raw)}.names`) : undefined,
    };
    return { raw, pathOf, names: task.names, ...await workers.run("build", task, ended) };
  };
  const all = mapInOrder(raws, build, { concurrency: workers.concurrency, signal });
  for await (const { raw, pathOf, tables: built, drift, names, contents } of all) {
    const tables: DatasetFile[] = [];
    for (const { name, ...facts } of built) {
      const path = pathOf(name);
      tables.push({ path, ...await putInPlace(paths, path), ...facts });
    }
    yield { raw, tables, drift, names, contents: isSingle ? contents : undefined };
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
