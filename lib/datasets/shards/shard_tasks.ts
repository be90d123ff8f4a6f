import { localFiles } from "../../http/local_files.ts";
import type { Frame } from "../../tables/mod.ts";
import { DatasetPaths, hashWrittenFile, moveFile } from "../layout/files.ts";
import type { DatasetFile } from "../layout/manifest.ts";
import { findShardContradictions } from "./shard_contradictions.ts";
import { collectReferences, FactIndex, findReferenced, type ReferencedKeys } from "./fact_index.ts";
import { describeRows, freeFrames, toFileFrame, writeTable } from "./file_columns.ts";
import {
  hasRewards,
  PUBLISHED_TABLES,
  selectSiblingTables,
  SETTLEMENT_TABLES,
} from "./published_tables.ts";
import { listWeeks, splitByWeek } from "./reward_weeks.ts";
import { resolveReferences, toDerivedRecords } from "./resolve_references.ts";
import { readShard, type ShardContents } from "./shard_contents.ts";
import type { TableContext } from "./table_context.ts";
import { toTableRecords } from "./table_records.ts";

/**
 * Builds the tables of one shard from its answers alone, and writes each into a file, which is
 * opened again and counted.
 *
 * @param raw File of the answers.
 * @param fileOf Where the file of a table goes.
 * @returns Its tables, its records, and what its answers hold that this version does not know.
 * @throws {InputError} If a written file does not have the rows that were written.
 */
export async function buildShard(
  raw: string,
  context: TableContext,
  fileOf: (table: string) => string,
) {
  const isAudited = context.tables.some((table) => SETTLEMENT_TABLES.includes(table));
  const contents = await readShard(raw, context, { isAudited });
  const tables:
    ({ readonly name: string; readonly rows: number } & ReturnType<typeof describeRows>)[] = [];
  const synced: Promise<void>[] = [];
  const records = toTableRecords(contents, context);
  for (const table of selectSiblingTables(raw, context.tables)) {
    if (table.kind !== "record") continue;
    const frame = toFileFrame(table, table.build(records), context.source);
    const written = writeTable(table, frame, fileOf(table.name));
    // It fails when all of them are awaited.
    written.catch(() => {});
    synced.push(written);
    tables.push({ name: table.name, rows: frame.height, ...describeRows(frame, table.key) });
  }
  await Promise.all(synced);
  await freeFrames();
  return { tables, drift: contents.drift, contents };
}

/** What a shard that is at hand has and names, and the accounting weeks of its auctions for rewards. */
export function indexShard(contents: ShardContents, { tables }: TableContext) {
  return { ...collectReferences(contents), weeks: hasRewards(tables) ? listWeeks(contents) : [] };
}

/** Writes what a shard has and names, from which others are looked up. */
export async function writeReferences(
  file: string,
  contents: ShardContents,
  context: TableContext,
): Promise<void> {
  await localFiles().writeFile(file, JSON.stringify(indexShard(contents, context)));
}

/** Where answers are written. */
interface DeriveTarget {
  /** Folder of the dataset. */
  readonly folder: string;
  /** Path of the file of the service's answers. */
  readonly raw: string;
  /** What the tables are built with; those among them are written. */
  readonly context: TableContext;
}

/**
 * Derives and writes the answers of a shard that is at hand, but for those of weeks.
 *
 * @returns The files, what rewards follow from, and what its records contradict.
 */
export async function deriveShard(
  contents: ShardContents,
  index: FactIndex,
  place: DeriveTarget,
) {
  const shard = resolveReferences(contents, index);
  const files: DatasetFile[] = [];
  const records = toDerivedRecords(shard, place.context, index);
  for (const { name, kind, build } of PUBLISHED_TABLES) {
    // Rewards follow from whole weeks.
    if (kind !== "derived" || hasRewards([name])) continue;
    files.push(...await writeDerivedTable(place, name, () => build(records)));
  }
  return {
    files,
    weeks: hasRewards(place.context.tables) ? splitByWeek(shard) : [],
    ...findShardContradictions(shard, place.context, index),
  };
}

/** Writes a table of answers and puts it in place, if it was asked for; returns its file. */
export async function writeDerivedTable(
  { folder, raw, context }: DeriveTarget,
  name: string,
  build: () => Frame,
): Promise<DatasetFile[]> {
  const [table] = context.tables.includes(name) ? selectSiblingTables(raw, [name]) : [];
  if (table === undefined) return [];
  const paths = new DatasetPaths(folder);
  const frame = toFileFrame(table, build(), context.source);
  const path = `${name}/${raw.slice("raw/".length).replace(/\..*$/, "")}.parquet`;
  const [made, file] = [paths.toTemporary(path), paths.file(path)];
  await writeTable(table, frame, made);
  const facts = await hashWrittenFile(made);
  await moveFile(made, file);
  return [{ path, ...facts, rows: frame.height, ...describeRows(frame, table.key) }];
}

/** A file of the service's answers, and what its tables are built with. */
interface RawTask {
  /** The file. */
  readonly raw: string;
  /** What the tables are built with. */
  readonly context: TableContext;
}

/** What is done with one file of the service's answers after another, here or in workers. */
export const SHARD_TASKS = {
  /** Builds the tables of its records, each into a file, and writes what it has and names. */
  async build(
    { raw, context, files, names }: RawTask & {
      readonly files: Readonly<Record<string, string>>;
      readonly names: string;
    },
  ) {
    const built = await buildShard(raw, context, (table) => files[table]!);
    await writeReferences(names, built.contents, context);
    // Records do not leave a worker.
    return built as Omit<typeof built, "contents"> & Partial<typeof built>;
  },
  /** Says what it has and names. */
  async name({ raw, context }: RawTask) {
    return indexShard(await readShard(raw, context), context);
  },
  /** Finds what others name. */
  find: ({ raw, context, wanted }: RawTask & { readonly wanted: ReferencedKeys }) =>
    findReferenced(raw, context, wanted),
  /** Derives its answers, with an index that is complete. */
  async derive(
    { index: file, latest, ...place }: DeriveTarget & {
      readonly index: string;
      readonly latest: string;
    },
  ) {
    using index = FactIndex.open(file, latest);
    const { raw, context, folder } = place;
    const contents = await readShard(`${folder}/${raw}`, context);
    await freeFrames();
    return await deriveShard(contents, index, place);
  },
};

type ShardTasks = typeof SHARD_TASKS;

/** The name of a task. */
export type TaskName = keyof ShardTasks;
/** What a task is given. */
export type TaskInput<Name extends TaskName> = Parameters<ShardTasks[Name]>[0];
/** What a task gives. */
export type TaskResult<Name extends TaskName> = Awaited<ReturnType<ShardTasks[Name]>>;
