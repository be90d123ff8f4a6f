import { localFiles } from "../../http/local_files.ts";
import type { Frame } from "../../tables/mod.ts";
import { DatasetPaths, factsOfMade, putInPlace } from "../layout/files.ts";
import type { DatasetFile } from "../layout/manifest.ts";
import {
  buildShard,
  type BuiltShard,
  fileFrame,
  keysOf,
  sortedBy,
  writeTable,
} from "./build_shard.ts";
import {
  FactIndex,
  findWanted,
  type FoundRecords,
  namesOf,
  type ShardNames,
  type Wanted,
} from "./fact_index.ts";
import { hasAnswers, tablesBeside } from "./published_tables.ts";
import { weekNames, type WeekPart, weekPartsOf } from "./reward_weeks.ts";
import { shardAnswers, wholeShard } from "./shard_answers.ts";
import { readShard } from "./shard_contents.ts";
import type { ShardContents, TableContext } from "./table_context.ts";

/** What a shard has and names, and the accounting weeks of its auctions. */
export interface NamedShard extends ShardNames {
  /** The first days of the weeks. */
  readonly weeks: readonly string[];
}

/** What a shard that is at hand has and names. */
export function nameShard(contents: ShardContents): NamedShard {
  return { ...namesOf(contents), weeks: weekNames(contents) };
}

/** Writes what a shard has and names, if answers will be derived from it. */
export async function writeNames(
  file: string,
  contents: ShardContents,
  { tables }: TableContext,
): Promise<void> {
  if (hasAnswers(tables)) await localFiles().writeFile(file, JSON.stringify(nameShard(contents)));
}

/** Answers of one shard that were written, and what rewards follow from. */
export interface DerivedShard {
  /** The files. */
  readonly files: readonly DatasetFile[];
  /** Parts of accounting weeks. */
  readonly weeks: readonly WeekPart[];
}

/** Where answers are written. */
export interface AnswerPlace {
  /** Folder of the dataset. */
  readonly folder: string;
  /** Path of the file of the service's answers. */
  readonly raw: string;
  /** What the tables are built with; those among them are written. */
  readonly context: TableContext;
}

/** Derives and writes the answers of a shard that is at hand, but for those of weeks. */
export async function deriveShard(
  contents: ShardContents,
  index: FactIndex,
  place: AnswerPlace,
): Promise<DerivedShard> {
  const shard = wholeShard(contents, index);
  const files: DatasetFile[] = [];
  for (const [name, build] of Object.entries(shardAnswers(shard, place.context, index))) {
    files.push(...await writeAnswer(place, name, build));
  }
  return { files, weeks: weekPartsOf(shard) };
}

/** Writes a table of answers and puts it in place, if it was asked for; returns its file. */
export async function writeAnswer(
  { folder, raw, context }: AnswerPlace,
  name: string,
  build: () => Frame,
): Promise<DatasetFile[]> {
  const [table] = context.tables.includes(name) ? tablesBeside(raw, [name]) : [];
  if (table === undefined) return [];
  const paths = new DatasetPaths(folder);
  const frame = sortedBy(table.key, fileFrame(table.table, build(), context.source));
  const path = `${name}/${raw.slice("raw/".length).replace(/\..*$/, "")}.parquet`;
  const [made, file] = [paths.temporaryOf(path), paths.file(path)];
  await writeTable(table.table, frame, made);
  const facts = await factsOfMade(made);
  await putInPlace(made, file);
  return [{ path, ...facts, rows: frame.height, ...keysOf(frame, table.key) }];
}

/** A file of the service's answers, and what its tables are built with. */
interface RawTask {
  /** The file. */
  readonly raw: string;
  /** What the tables are built with. */
  readonly context: TableContext;
}

/** What is done with one file of the service's answers after another, here or in workers. */
export interface ShardTasks {
  /**
   * Builds the tables of its records, each into a file, and writes what it has and names into another
   * one. Its records do not leave a worker.
   */
  build(
    task: RawTask & {
      readonly files: Readonly<Record<string, string>>;
      readonly names: string;
    },
  ): Promise<Omit<BuiltShard, "contents"> & Partial<BuiltShard>>;
  /** Says what it has and names. */
  name(task: RawTask): Promise<NamedShard>;
  /** Finds what others name. */
  find(task: RawTask & { readonly wanted: Wanted }): Promise<FoundRecords>;
  /** Derives its answers, with an index that is complete. */
  derive(
    task: AnswerPlace & { readonly index: string; readonly latest: string },
  ): Promise<DerivedShard>;
}

/** Does them. */
export const SHARD_TASKS: ShardTasks = {
  async build({ raw, context, files, names }) {
    const built = await buildShard(raw, context, (table) => files[table]!);
    await writeNames(names, built.contents, context);
    return built;
  },
  async name({ raw, context }) {
    return nameShard(await readShard(raw, { ...context, tables: [] }));
  },
  find: ({ raw, context, wanted }) => findWanted(raw, context, wanted),
  async derive({ index: file, latest, ...place }) {
    const index = FactIndex.open(file, latest);
    try {
      const { raw, context, folder } = place;
      const contents = await readShard(`${folder}/${raw}`, { ...context, tables: [] });
      return await deriveShard(contents, index, place);
    } finally {
      index[Symbol.dispose]();
    }
  },
};

/** The name of a task. */
export type TaskName = keyof ShardTasks;
/** What a task is given. */
export type TaskOf<Name extends TaskName> = Parameters<ShardTasks[Name]>[0];
/** What a task gives. */
export type ResultOf<Name extends TaskName> = Awaited<ReturnType<ShardTasks[Name]>>;
