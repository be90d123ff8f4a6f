import type { Frame } from "../../tables/mod.ts";
import type { DatasetPaths } from "../layout/dataset_paths.ts";
import { factsOfMade, folderOf, syncFolder } from "../layout/durable_files.ts";
import type { DatasetFile } from "../layout/manifest.ts";
import { sourceOfFile } from "../layout/partitions.ts";
import { SHARD_ANSWERS, shardAnswers, wholeShard } from "./answer_rows.ts";
import { fileFrame, keysOf, sortedBy, writeTable } from "./build_shard.ts";
import { FactIndex } from "./fact_index.ts";
import { freeFrames } from "./free_frames.ts";
import { ANSWER_NAMES, hasAnswers, isOfAuctions, tablesBeside } from "./published_tables.ts";
import { noRewards, type RewardFrames, RewardWeeks } from "./reward_weeks.ts";
import { readShard, type ShardContents } from "./shard_contents.ts";
import type { TableContext } from "./table_context.ts";

/** What answers are derived from. */
export interface AnswerSources {
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
}

/** A table of answers that was written, and the file of the service's answers that it belongs to. */
export interface AnswerFile extends DatasetFile {
  /** Path of the file of the service's answers. */
  readonly raw: string;
}

/** The files of a dataset with answers that are derived anew; those of records stay as they are. */
export async function withAnswers(
  files: readonly DatasetFile[],
  sources: Omit<AnswerSources, "raws">,
): Promise<DatasetFile[]> {
  const isAnswer = ({ path }: DatasetFile) => ANSWER_NAMES.includes(path.split("/")[0]!);
  const records = files.filter((file) => !isAnswer(file));
  const raws = records.filter(({ path }) => path.startsWith("raw/"))
    .sort((a, b) => a.path < b.path ? -1 : 1);
  const answers = await deriveAnswers({ ...sources, raws });
  return [...records, ...answers.map(({ raw: _, ...file }) => file)];
}

/**
 * Writes what follows from all answers of the service: one file for each of theirs. What an order or a
 * fill needs of other files is looked up there, so the same answers give the same bytes in whatever
 * order and in however many runs they came.
 *
 * Of files in several partitions, each partition is a market of its own.
 */
export async function deriveAnswers(sources: AnswerSources): Promise<AnswerFile[]> {
  const { raws, context, paths } = sources;
  if (!hasAnswers(context.tables)) return [];
  await Deno.mkdir(paths.temporary, { recursive: true });
  const files: AnswerFile[] = [];
  const partitions = Map.groupBy(raws, ({ path }) => folderOf(path));
  for (const own of partitions.values()) files.push(...await derivePartition(sources, own));
  return files;
}

async function derivePartition(
  { paths, context, signal, atHand }: AnswerSources,
  raws: readonly DatasetFile[],
): Promise<AnswerFile[]> {
  const place = paths.temporaryOf("facts.sqlite");
  const ofAuctions = raws.filter(({ path }) => isOfAuctions(path));
  const isSingle = ofAuctions.length <= 1;
  const known = raws.map(({ path }) => ({
    ...context,
    source: sourceOfFile(context.source, path),
  }));
  const weeks = new RewardWeeks(known[0] ?? context);
  const kept = new Map<number, ShardContents>();
  const read = async (at: number) => {
    signal?.throwIfAborted();
    const { path } = raws[at]!;
    const contents = kept.get(at) ?? atHand?.get(path) ??
      await readShard(paths.file(path), { ...known[at]!, tables: [] });
    if (isSingle) kept.set(at, contents);
    return contents;
  };
  if (!isSingle) await Deno.remove(place).catch(() => {});
  const index = new FactIndex(isSingle ? ":memory:" : place);
  try {
    for (const at of raws.keys()) {
      const contents = await read(at);
      index.count(contents);
      if (!isSingle) index.keep(contents);
      weeks.expect(contents, at);
    }
    const writer = new AnswerWriter(paths, context.tables);
    const rewarded = new Map<number, RewardFrames>();
    for (const [at, raw] of raws.entries()) {
      const shard = wholeShard(await read(at), index);
      const answers = shardAnswers(shard, known[at]!, index);
      for (const name of SHARD_ANSWERS) await writer.write(raw, name, answers[name]!, known[at]!);
      weeks.add(shard, at);
      for (const [begun, frames] of weeks.close(at)) rewarded.set(begun, frames);
      await freeFrames();
    }
    for (const [at, raw] of raws.entries()) {
      const frames = rewarded.get(at) ?? noRewards(known[at]!);
      await writer.write(raw, "rewards", () => frames.rewards, known[at]!);
      await writer.write(raw, "auction_rewards", () => frames.auction_rewards, known[at]!);
    }
    return writer.files;
  } finally {
    index[Symbol.dispose]();
    if (!isSingle) await Deno.remove(place).catch(() => {});
  }
}

/** Writes tables and puts them in place, those that were asked for. */
class AnswerWriter {
  readonly files: AnswerFile[] = [];
  readonly #paths: DatasetPaths;
  readonly #tables: readonly string[];

  constructor(paths: DatasetPaths, tables: readonly string[]) {
    this.#paths = paths;
    this.#tables = tables;
  }

  async write(
    raw: DatasetFile,
    name: string,
    build: () => Frame,
    { source }: TableContext,
  ): Promise<void> {
    const [table] = this.#tables.includes(name) ? tablesBeside(raw.path, [name]) : [];
    if (table === undefined) return;
    const frame = sortedBy(table.key, fileFrame(table.table, build(), source));
    const path = `${name}/${raw.path.slice("raw/".length).replace(/\..*$/, "")}.parquet`;
    const [made, file] = [this.#paths.temporaryOf(path), this.#paths.file(path)];
    await writeTable(table.table, frame, made);
    const facts = await factsOfMade(made);
    await Deno.mkdir(folderOf(file), { recursive: true });
    await Deno.rename(made, file);
    await syncFolder(folderOf(file));
    this.files.push({
      raw: raw.path,
      path,
      ...facts,
      rows: frame.height,
      ...keysOf(frame, table.key),
    });
  }
}
