import { VERSION } from "../../http/mod.ts";
import type { Deployment } from "../../recordings/deployment.ts";
import { printExchange } from "../../recordings/request_key.ts";
import {
  type DatasetPaths,
  factsOfMade,
  folderOf,
  shardName,
  UNBID_ORDERS,
} from "../layout/durable_files.ts";
import { copyWhole, packLines } from "../layout/folders.ts";
import type { DatasetDrift, DatasetFile, DatasetManifest } from "../layout/manifest.ts";
import { requireWhole } from "../layout/require_whole.ts";
import { buildShard } from "../shards/build_shard.ts";
import { shardDrift, sumOfDrift } from "../shards/shard_records.ts";
import { tableContext } from "../shards/table_context.ts";
import { inOrder, type ItemAnswers, itemsIn } from "../state/segment_lines.ts";
import { AnswerIndex } from "./answer_index.ts";
import { type MergedFacts, mergedFacts } from "./merged_facts.ts";

/** A dataset that is merged. */
export interface MergeInput {
  /** Where its files are. */
  readonly paths: DatasetPaths;
  /** Its folder, for errors. */
  readonly folder: string;
  /** Its manifest. */
  readonly manifest: DatasetManifest;
  /** SHA-256 of its manifest. */
  readonly sha256: string;
  /** Its deployment. */
  readonly deployment: Deployment;
}

/** Where merged files go, and how. */
export interface MergeJob {
  /** The folder that is being made. */
  readonly output: DatasetPaths;
  /** Folder in each folder of files, with a slash; empty for a dataset of one environment. */
  readonly partition: string;
  /** File of the index; removed by the caller. */
  readonly index: string;
  /** Ends it. */
  readonly signal: AbortSignal | undefined;
  /** Called before each file of 1,000 auctions. */
  readonly report: (progress: MergeProgress) => void;
}

/** Merges datasets of one environment. */
export async function mergeEnvironment(
  inputs: readonly MergeInput[],
  job: MergeJob,
): Promise<MergedFacts & { drift: DatasetDrift; files: DatasetFile[] }> {
  const facts = mergedFacts(inputs);
  const shards = shardsOf(inputs);
  const index = new AnswerIndex(job.index);
  try {
    for (const [done, shard] of shards.entries()) {
      job.report({ phase: "answers", shard, done, total: shards.length });
      await indexShard(inputs, index, { shard, signal: job.signal });
    }
    const files: DatasetFile[] = [];
    const drifts: DatasetDrift[] = [];
    for (const [done, shard] of shards.entries()) {
      job.signal?.throwIfAborted();
      // Every order without a bid in one dataset may have one in another.
      if (shard === shardName(UNBID_ORDERS) && index.linesOf(shard) === 0) continue;
      job.report({ phase: "tables", shard, done, total: shards.length });
      const made = await makeShard(inputs, { index, shard, job });
      files.push(...made.files);
      drifts.push(made.drift);
    }
    return { ...facts.finish(index), drift: sumOfDrift(drifts), files };
  } finally {
    index.close();
  }
}

function shardsOf(inputs: readonly MergeInput[]): string[] {
  return [...new Set(inputs.flatMap(({ manifest }) => shardsIn(manifest)))].sort();
}

function shardsIn({ files }: DatasetManifest): string[] {
  return files.filter(({ path }) => path.startsWith("raw/"))
    .map(({ path }) => path.slice("raw/".length, -".ndjson.zst".length));
}

async function indexShard(
  inputs: readonly MergeInput[],
  index: AnswerIndex,
  { shard, signal }: { readonly shard: string; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const having = [...inputs.entries()].filter(([, { manifest }]) =>
    shardsIn(manifest).includes(shard)
  );
  for (const [input, { paths, folder, manifest }] of having) {
    signal?.throwIfAborted();
    const path = `raw/${shard}.ndjson.zst`;
    await requireWhole(paths, manifest.files.find((file) => file.path === path)!);
    await index.add(
      { input, folder, shard },
      itemsIn(paths.file(path), shard),
      having.length === 1,
    );
  }
}

/** What one file of 1,000 auctions is made of. */
interface Making {
  readonly index: AnswerIndex;
  readonly shard: string;
  readonly job: MergeJob;
}

/** The files of 1,000 auctions, and what their answers hold that is not known. */
interface MadeShard {
  readonly files: DatasetFile[];
  readonly drift: DatasetDrift;
}

/** The files of 1,000 auctions: copied where one dataset has all of them as they are. */
async function makeShard(inputs: readonly MergeInput[], making: Making): Promise<MadeShard> {
  const { index, shard } = making;
  const sources = index.filesOf(shard);
  const [only] = sources;
  const isWhole = sources.length === 1 && only!.fromShard === shard &&
    only!.items === index.itemsIn(only!.input, shard);
  const input = inputs[only?.input ?? 0]!;
  const { library, request } = input.manifest;
  if (isWhole && library === VERSION && !request.blockTimes) return await copyShard(input, making);
  return await buildMerged(inputs, making);
}

async function copyShard(
  { paths, manifest }: MergeInput,
  { shard, job: { output, partition } }: Making,
): Promise<MadeShard> {
  const copied: DatasetFile[] = [];
  for (const file of manifest.files) {
    const [table = "", name = ""] = file.path.split("/");
    if (name.split(".")[0] !== shard) continue;
    const path = `${table}/${partition}${name}`;
    const place = await placeFor(output, path);
    await copyWhole(paths, file, place);
    copied.push({ ...file, path });
  }
  const raw = output.file(`raw/${partition}${shard}.ndjson.zst`);
  return { files: copied, drift: await shardDrift(raw) };
}

async function buildMerged(
  inputs: readonly MergeInput[],
  { index, shard, job: { output, partition } }: Making,
): Promise<MadeShard> {
  const [{ manifest: { source, request }, deployment }] = inputs as [MergeInput];
  const raw = `raw/${partition}${shard}.ndjson.zst`;
  const place = await placeFor(output, raw);
  await packLines(place, linesOf(inputs, index, shard));
  const pathOf = (table: string) => `${table}/${partition}${shard}.parquet`;
  for (const table of request.tables) await placeFor(output, pathOf(table));
  const context = tableContext(source, request, deployment);
  const built = await buildShard(place, context, (table) => output.file(pathOf(table)));
  const files: DatasetFile[] = [{
    path: raw,
    ...await factsOfMade(place),
    rows: index.linesOf(shard),
    leastKey: null,
    greatestKey: null,
  }];
  for (const { name, ...facts } of built.tables) {
    const path = pathOf(name);
    files.push({ path, ...await factsOfMade(output.file(path)), ...facts });
  }
  return { files, drift: built.drift };
}

async function placeFor(output: DatasetPaths, path: string): Promise<string> {
  const place = output.file(path);
  await Deno.mkdir(folderOf(place), { recursive: true });
  return place;
}

/** The answers that stand in one file, in its order. */
async function* linesOf(
  inputs: readonly MergeInput[],
  index: AnswerIndex,
  shard: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  const files = index.filesOf(shard).map(({ input, fromShard }) =>
    countingItems(inputs[input]!, index, { input, fromShard, shard })
  );
  for await (const item of inOrder(files)) {
    const publisher = item.kind === "block" ? index.publisherOf(item.key) : shard;
    for (const answer of item.answers) {
      const path = publisher === shard ? answer.path : `${answer.path}?in=${publisher}`;
      yield encoder.encode(printExchange({ ...answer, path }));
    }
  }
}

async function* countingItems(
  { paths }: MergeInput,
  index: AnswerIndex,
  at: { readonly input: number; readonly fromShard: string; readonly shard: string },
): AsyncGenerator<ItemAnswers, void, undefined> {
  for await (const item of itemsIn(paths.file(`raw/${at.fromShard}.ndjson.zst`), at.fromShard)) {
    if (index.counts(item.kind, item.key, at)) yield item;
  }
}

/** How far a merge is. */
export interface MergeProgress {
  /** Whether answers are compared or files are made. */
  readonly phase: "answers" | "tables";
  /** The 1,000 auction ids that it is about, as file names have them. */
  readonly shard: string;
  /** Files of 1,000 auctions of this environment that are done. */
  readonly done: number;
  /** All of them. */
  readonly total: number;
}
