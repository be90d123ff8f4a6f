import { localFiles } from "../../http/local_files.ts";
import { mapInOrder } from "../../endpoints/calls.ts";
import { formatInstant } from "../../units/mod.ts";
import type { DatasetPaths } from "../layout/files.ts";
import { statIfExists } from "../layout/folders.ts";
import type { DatasetContradiction, DatasetFile } from "../layout/manifest.ts";
import { FactIndex, lookUpRecords } from "./fact_index.ts";
import { DERIVED_NAMES, hasRewards, includesDerived, isAuctionFile } from "./published_tables.ts";
import { buildRewardFrames, type RewardFrames, RewardWeeks } from "./reward_weeks.ts";
import { readShard, type ShardContents } from "./shard_contents.ts";
import { deriveShard, indexShard, writeDerivedTable } from "./shard_tasks.ts";
import { sumContradictions } from "./shard_contradictions.ts";
import { ShardWorkers } from "./shard_workers.ts";
import type { TableContext } from "./table_context.ts";

/** What answers are derived from. */
export interface DeriveOptions {
  /** The folder. */
  readonly paths: DatasetPaths;
  /** Files of the service's answers, by path. */
  readonly raws: readonly DatasetFile[];
  /** What the tables are built with; the answers among them are written. */
  readonly context: TableContext;
  /** Ends it between two files. */
  readonly signal?: AbortSignal | undefined;
  /** Records that are at hand, by the path of their file: those of an only file of auctions. */
  readonly atHand?: ReadonlyMap<string, ShardContents> | undefined;
  /**
   * Whether records are compared also where no table is derived and they stand in several files.
   *
   * @default {false}
   */
  readonly comparesAll?: boolean | undefined;
  /** Who reads files and derives answers. @default {this thread} */
  readonly workers?: ShardWorkers | undefined;
}

/** A table of answers that was written, and the file of the service's answers that it belongs to. */
interface DerivedFile extends DatasetFile {
  /** Path of the file of the service's answers. */
  readonly raw: string;
}

/** Derived tables, and what the records contradict that they follow from. */
interface DerivedTables<File extends DatasetFile = DerivedFile> {
  /** Files of the tables. */
  readonly files: File[];
  /** Contradictions of the records, by kind. */
  readonly contradictions: DatasetContradiction[];
  /** UIDs, in lower case, of orders whose fills do not add up to what they executed. */
  readonly doubtfulFills: readonly string[];
}

/** The files of a dataset with answers that are derived anew; those of records stay as they are. */
export async function replaceDerived(
  files: readonly DatasetFile[],
  sources: Omit<DeriveOptions, "raws">,
): Promise<DerivedTables<DatasetFile>> {
  const isAnswer = ({ path }: DatasetFile) => DERIVED_NAMES.includes(path.split("/")[0]!);
  const records = files.filter((file) => !isAnswer(file));
  const raws = records.filter(({ path }) => path.startsWith("raw/"))
    .sort((a, b) => a.path < b.path ? -1 : 1);
  const { files: answers, ...found } = await deriveTables({ ...sources, raws, comparesAll: true });
  return { files: [...records, ...answers.map(({ raw: _, ...file }) => file)], ...found };
}

/**
 * Writes what follows from all answers of the service, one file for each of theirs, and compares records
 * with one another. What an order or a
 * fill needs of other files is looked up there, so the same answers give the same bytes in whatever
 * order and in however many runs they came.
 *
 * Reads each file twice: for what it has and names, and once it is known what others have of that, to
 * derive its answers. In between, what is named is found in the files that have it. An only file of
 * auctions is read once.
 */
export async function deriveTables(
  { raws, paths, context, signal, atHand, comparesAll, workers = new ShardWorkers(1) }:
    DeriveOptions,
): Promise<DerivedTables> {
  const isSingle = raws.filter(({ path }) => isAuctionFile(path)).length <= 1;
  // Records of several files would be read again only to be compared.
  if (!includesDerived(context.tables) && !isSingle && comparesAll !== true) {
    return { files: [], contradictions: [], doubtfulFills: [] };
  }
  await localFiles().mkdir(paths.temporary, { recursive: true });
  const shards = raws.map(({ path: raw }) => ({ folder: paths.folder, raw, context }));
  const kept = new Map<number, ShardContents>();
  const contentsOf = async (at: number) => {
    const { raw, context } = shards[at]!;
    const contents = kept.get(at) ?? atHand?.get(raw) ??
      await readShard(paths.file(raw), context);
    kept.set(at, contents);
    return contents;
  };
  const inOrder = <Input, Output>(
    inputs: Iterable<Input>,
    task: (input: Input, signal: AbortSignal) => Promise<Output>,
  ) => mapInOrder(inputs, task, { concurrency: workers.concurrency, signal });
  const file = isSingle ? ":memory:" : paths.toTemporary("facts.sqlite");
  if (!isSingle) await localFiles().rm(file).catch(() => {});
  const index = FactIndex.create(file);
  const weeks = new RewardWeeks(context, index);
  try {
    const named = inOrder(shards.entries(), async ([at, { raw, context }], signal) => {
      const known = await takeReferences(toReferencesPath(paths, raw));
      if (known !== null) return { at, names: known };
      if (isSingle) return { at, names: indexShard(await contentsOf(at), context) };
      return { at, names: await workers.run("name", { raw: paths.file(raw), context }, signal) };
    });
    for await (const { at, names } of named) {
      index.add(at, names);
      weeks.expect(names.weeks, at);
    }
    const found = inOrder(index.groupKeysByShard(), async ([at, wanted], signal) => {
      if (isSingle) return lookUpRecords(await contentsOf(at), wanted);
      const { raw, context } = shards[at]!;
      return await workers.run("find", { raw: paths.file(raw), context, wanted }, signal);
    });
    for await (const records of found) index.addRecords(records);
    const latest = formatInstant(index.latest);
    const derived = inOrder(shards.entries(), async ([at, place], signal) => {
      const derived = isSingle
        ? await deriveShard(await contentsOf(at), index, place)
        : await workers.run("derive", { ...place, index: file, latest }, signal);
      return { at, raw: place.raw, ...derived };
    });
    const files: DerivedFile[] = [];
    const contradictions: DatasetContradiction[][] = [];
    const doubtfulFills: string[] = [];
    const rewarded = new Map<number, RewardFrames>();
    for await (const { at, raw, files: own, weeks: parts, ...found } of derived) {
      contradictions.push(found.contradictions);
      doubtfulFills.push(...found.doubtfulFills);
      files.push(...own.map((one) => ({ ...one, raw })));
      weeks.add(parts, at);
      for (const [begun, frames] of weeks.close(at)) rewarded.set(begun, frames);
    }
    for (const [at, place] of hasRewards(context.tables) ? shards.entries() : []) {
      const frames = rewarded.get(at) ?? buildRewardFrames([], place.context);
      for (const [name, frame] of Object.entries(frames)) {
        const own = await writeDerivedTable(place, name, () => frame);
        files.push(...own.map((one) => ({ ...one, raw: place.raw })));
      }
    }
    return { files, contradictions: sumContradictions(contradictions), doubtfulFills };
  } finally {
    index[Symbol.dispose]();
    if (!isSingle) await localFiles().rm(file).catch(() => {});
  }
}

/** Where it is written what a file of answers has and names, as its tables are built. */
export function toReferencesPath(paths: DatasetPaths, raw: string): string {
  return paths.toTemporary(`${raw}.names`);
}

/** What a file of answers has and names, if this run built its tables; it is removed. */
async function takeReferences(file: string): Promise<ReturnType<typeof indexShard> | null> {
  if (await statIfExists(file) === null) return null;
  const names = JSON.parse(await localFiles().readFile(file, "utf8"));
  await localFiles().rm(file);
  return names;
}
