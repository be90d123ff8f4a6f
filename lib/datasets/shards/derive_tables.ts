import { localFiles, statPath } from "../../http/local_files.ts";
import { mapInOrder } from "../../endpoints/calls.ts";
import { formatInstant } from "../../units/mod.ts";
import type { DatasetPaths } from "../layout/files.ts";
import type { DatasetContradiction, DatasetFile } from "../layout/manifest.ts";
import { FactIndex, lookUpRecords } from "./fact_index.ts";
import { DERIVED, includesDerived, includesRewards, isUnbidFile } from "./published_tables.ts";
import { buildRewardFrames, type RewardFrames, RewardWeeks } from "./reward_weeks.ts";
import { readShard, type ShardContents } from "./shard_contents.ts";
import { deriveShard, indexShard, writeDerivedTable } from "./shard_tasks.ts";
import { sumContradictions } from "./shard_contradictions.ts";
import { ShardWorkers } from "./shard_workers.ts";
import type { TableContext } from "./table_context.ts";

export interface DeriveOptions {
  readonly paths: DatasetPaths;
  readonly raws: readonly DatasetFile[];
  /** Context of the tables; the derived ones among them are written. */
  readonly context: TableContext;
  readonly signal?: AbortSignal | undefined;
  /** Loaded records, by the path of their file: those of a single file of auctions. */
  readonly atHand?: ReadonlyMap<string, ShardContents> | undefined;
  /**
   * Whether records of several files are compared even where no table is derived.
   *
   * @default {false}
   */
  readonly comparesAll?: boolean | undefined;
  /** Workers that read files and derive tables. @default {this thread} */
  readonly workers?: ShardWorkers | undefined;
}

/** The file of a derived table, and the file of responses that it belongs to. */
interface DerivedFile extends DatasetFile {
  readonly raw: string;
}

/** Derived tables, and the contradictions of their records. */
interface DerivedTables<File extends DatasetFile = DerivedFile> {
  readonly files: File[];
  readonly contradictions: DatasetContradiction[];
  /** UIDs, in lower case, of orders whose fills do not add up to what they executed. */
  readonly doubtfulFills: readonly string[];
}

/** Derives the tables of a dataset again; returns all of its files. */
export async function replaceDerived(
  files: readonly DatasetFile[],
  sources: Omit<DeriveOptions, "raws">,
): Promise<DerivedTables<DatasetFile>> {
  const isAnswer = ({ path }: DatasetFile) => DERIVED.includes(path.split("/")[0]!);
  const records = files.filter((file) => !isAnswer(file));
  const raws = records.filter(({ path }) => path.startsWith("raw/"))
    .sort((a, b) => a.path < b.path ? -1 : 1);
  const { files: derived, ...facts } = await deriveTables({
    ...sources,
    raws,
    comparesAll: true,
  });
  return { files: [...records, ...derived.map(({ raw: _, ...file }) => file)], ...facts };
}

/**
 * Writes the derived tables, one file per file of responses, and compares records with one another.
 * What an order or a fill needs from other files is looked up there, so equal responses give equal
 * bytes in whatever order and in however many runs they arrived.
 *
 * Reads each file twice: for the keys that it defines and references, and, once the referenced
 * records are found in their files, to derive its tables. A single file of auctions is read once.
 */
export async function deriveTables(
  { raws, paths, context, signal, atHand, comparesAll, workers = new ShardWorkers(1) }:
    DeriveOptions,
): Promise<DerivedTables> {
  const isSingle = raws.filter(({ path }) => !isUnbidFile(path)).length <= 1;
  // Records of several files would be read again only to be compared.
  if (!includesDerived(context.tables) && !isSingle && comparesAll !== true) {
    return { files: [], contradictions: [], doubtfulFills: [] };
  }
  await localFiles().mkdir(paths.temporary, { recursive: true });
  const shards = raws.map(({ path: raw }) => ({ folder: paths.folder, raw, context }));
  const loaded = new Map<number, ShardContents>();
  const readContents = async (index: number) => {
    const { raw, context } = shards[index]!;
    const contents = loaded.get(index) ?? atHand?.get(raw) ??
      await readShard(paths.file(raw), context);
    loaded.set(index, contents);
    return contents;
  };
  const mapShards = <Input, Output>(
    inputs: Iterable<Input>,
    task: (input: Input, signal: AbortSignal) => Promise<Output>,
  ) => mapInOrder(inputs, task, { concurrency: workers.concurrency, signal });
  const file = isSingle ? ":memory:" : paths.toTemporary("facts.sqlite");
  if (!isSingle) await localFiles().rm(file).catch(() => {});
  const facts = FactIndex.create(file);
  const weeks = new RewardWeeks(context, facts);
  try {
    const references = mapShards(shards.entries(), async ([index, { raw, context }], signal) => {
      const stored = await takeReferences(referencesPath(paths, raw));
      if (stored !== null) return { at: index, names: stored };
      if (isSingle) return { at: index, names: indexShard(await readContents(index), context) };
      return {
        at: index,
        names: await workers.run("name", { raw: paths.file(raw), context }, signal),
      };
    });
    for await (const { at: index, names } of references) {
      facts.add(index, names);
      weeks.expect(names.weeks, index);
    }
    const referenced = mapShards(facts.groupKeysByShard(), async ([index, keys], signal) => {
      if (isSingle) return lookUpRecords(await readContents(index), keys);
      const { raw, context } = shards[index]!;
      return await workers.run("find", { raw: paths.file(raw), context, wanted: keys }, signal);
    });
    for await (const records of referenced) facts.addRecords(records);
    const latest = formatInstant(facts.latest);
    const derived = mapShards(shards.entries(), async ([index, shard], signal) => {
      const derived = isSingle
        ? await deriveShard(await readContents(index), facts, shard)
        : await workers.run("derive", { ...shard, facts: file, latest }, signal);
      return { at: index, raw: shard.raw, ...derived };
    });
    const files: DerivedFile[] = [];
    const contradictions: DatasetContradiction[][] = [];
    const doubtfulFills: string[] = [];
    const rewarded = new Map<number, RewardFrames>();
    for await (const { at: index, raw, files: tables, weeks: parts, ...findings } of derived) {
      contradictions.push(findings.contradictions);
      doubtfulFills.push(...findings.doubtfulFills);
      files.push(...tables.map((table) => ({ ...table, raw })));
      weeks.add(parts, index);
      for (const [begun, frames] of weeks.close(index)) rewarded.set(begun, frames);
    }
    for (const [index, shard] of includesRewards(context.tables) ? shards.entries() : []) {
      const frames = rewarded.get(index) ?? buildRewardFrames([], shard.context);
      for (const [name, frame] of Object.entries(frames)) {
        const tables = await writeDerivedTable(shard, name, () => frame);
        files.push(...tables.map((table) => ({ ...table, raw: shard.raw })));
      }
    }
    return { files, contradictions: sumContradictions(contradictions), doubtfulFills };
  } finally {
    facts[Symbol.dispose]();
    if (!isSingle) await localFiles().rm(file).catch(() => {});
  }
}

/** Path of the references of a file of responses, which are written while its tables are built. */
export function referencesPath(paths: DatasetPaths, raw: string): string {
  return paths.toTemporary(`${raw}.names`);
}

/** Reads and removes the references of a file of responses, if this run built its tables. */
async function takeReferences(file: string): Promise<ReturnType<typeof indexShard> | null> {
  if (await statPath(file) === null) return null;
  const names = JSON.parse(await localFiles().readFile(file, "utf8"));
  await localFiles().rm(file);
  return names;
}
