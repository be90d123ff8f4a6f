import { InputError } from "../../errors/mod.ts";
import type { Exchange } from "../../recordings/request_key.ts";
import { itemsFor, takeAll } from "../export/take_up.ts";
import {
  DatasetPaths,
  factsOfMade,
  folderOf,
  padded,
  rawPath,
  SELECTED_ORDERS,
  shardName,
  shardNamed,
  shardOf,
  UNBID_ORDERS,
} from "../layout/files.ts";
import { packLines } from "../layout/folders.ts";
import { mergeStates, unionOf, without } from "../layout/id_ranges.ts";
import {
  type DatasetFile,
  type DatasetManifest,
  filesIn,
  type ItemState,
} from "../layout/manifest.ts";
import { requireWhole } from "../layout/require_whole.ts";
import { needsOf } from "../shards/table_needs.ts";
import { ExportState, type Item } from "../state/export_state.ts";
import type { Keeping } from "../state/keep_outcomes.ts";
import { type ItemAnswers, itemsIn, keptAnswers, segmentLines } from "../state/segment_lines.ts";
import { type Assignment, manifestOf } from "../state/write_manifest.ts";
import { mergedRequest, type MergeInput } from "./merged_request.ts";

/** How far a merge is. */
export interface MergeProgress {
  /** Whether answers are compared or files are made. */
  readonly phase: "answers" | "tables";
  /** The 1,000 auction ids that it is about, as file names have them. */
  readonly shard: string;
  /** Files of 1,000 auctions that are done; of answers, those of this environment. */
  readonly done: number;
  /** All of them. */
  readonly total: number;
}

/** Where merged answers go, and how. */
interface MergeJob {
  /** The folder that is being made. */
  readonly output: DatasetPaths;
  /** Folder in each folder of files, with a slash; empty for a dataset of one environment. */
  readonly partition: string;
  /** Ends it. */
  readonly signal: AbortSignal | undefined;
  /** Called before each file of 1,000 auctions. */
  readonly report: (progress: MergeProgress) => void;
}

/** Datasets of one environment, and the state of the export that all of them would have been. */
interface Merging extends Pick<Keeping, "paths" | "state"> {
  readonly inputs: readonly MergeInput[];
  readonly assignment: Assignment;
  readonly signal: AbortSignal | undefined;
}

/**
 * Writes the answers of datasets of one environment as the export of all of them would have: each
 * answer is taken up as if the service gave it now, so that it stands with the first auctions that need
 * it. Of two that differ, the later one counts.
 *
 * @returns The manifest, with files of answers alone.
 * @throws {InputError} If the datasets do not belong together, or nothing tells which answer is later.
 */
export async function mergedAnswers(
  inputs: readonly MergeInput[],
  { output, partition, signal, report }: MergeJob,
): Promise<DatasetManifest> {
  const [{ manifest: { source }, deployment }] = inputs as [MergeInput];
  const { walk, ...asked } = mergedRequest(inputs.map(({ manifest }) => manifest));
  const paths = new DatasetPaths(`${output.temporary}/${partition}`);
  await Deno.mkdir(paths.own, { recursive: true });
  const state = new ExportState(paths);
  const assignment: Assignment = { source, ...asked, deployment: { ...deployment } };
  const merging: Merging = { inputs, assignment, paths, state, signal };
  try {
    beginState(merging);
    const shards = shardsOf(inputs);
    for (const [done, shard] of shards.entries()) {
      report({ phase: "answers", shard: shardName(shard), done, total: shards.length });
      await takeShard(merging, shard);
    }
    endState(merging);
    const files: DatasetFile[] = [];
    for (const shard of shards) {
      const rows = state.countAnswers(shard);
      // Every order without a bid in one dataset may have one in another.
      if (shard === UNBID_ORDERS && rows === 0) continue;
      signal?.throwIfAborted();
      const path = `raw/${partition}${shardName(shard)}.ndjson.zst`;
      const file = output.file(path);
      await Deno.mkdir(folderOf(file), { recursive: true });
      await packLines(file, segmentLines(paths, state, shard));
      files.push({ path, ...await factsOfMade(file), rows, leastKey: null, greatestKey: null });
    }
    const manifest = manifestOf(state, assignment);
    const isComplete = manifest.isComplete && isToldWhole(merging, { ids: manifest.ids, walk });
    return { ...manifest, ...walk === undefined ? {} : { walk }, isComplete, files };
  } finally {
    state.close();
  }
}

/** The shards of datasets; which orders have no bid is known once all auctions are. */
function shardsOf(inputs: readonly MergeInput[]): number[] {
  const place = (shard: number) => shard === UNBID_ORDERS ? Infinity : shard;
  const names = inputs.flatMap(({ manifest }) => filesIn(manifest, "raw")).map(nameOf);
  return [...new Set(names.flatMap((name) => shardNamed(name) ?? []))]
    .sort((a, b) => place(a) - place(b));
}

/** The shard of a file of answers. */
function nameOf({ path }: Pick<DatasetFile, "path">): string {
  return path.slice(path.lastIndexOf("/") + 1, path.indexOf("."));
}

function beginState({ inputs, assignment: { request }, state }: Merging): void {
  const refusals = inputs.map(({ manifest }) => manifest.reportsRefused);
  const [refused] = refusals;
  if (refused != null && !refusals.includes(null)) state.setMeta("reportsRefused", refused);
  // Which ids no dataset was asked for, their manifests tell.
  state.setMeta("floor", "0");
  if (request.owner !== null) state.add("account", request.owner, SELECTED_ORDERS);
}

/** Takes up the answers of one shard; of two about the same thing, the later one. */
async function takeShard(merging: Merging, shard: number): Promise<void> {
  const { inputs, assignment, paths, state, signal } = merging;
  const { request, source: { settlementContract } } = assignment;
  const keeping = { paths, state, round: 1, now: () => 0, step: () => {} };
  const asking = {
    state,
    needs: needsOf(request),
    settlementContract: settlementContract.toLowerCase(),
    concurrency: 1,
    signal,
    now: () => 0,
  };
  const found = async (answered: ItemAnswers): Promise<Item[]> => {
    const { kind, key } = answered;
    if (kind === "block") return blocksOf(state, key);
    if (shard === SELECTED_ORDERS && (kind === "order" || kind === "account")) {
      state.add(kind, key, shard);
    }
    const items = itemsFor({ assignment, keeping }, answered);
    const kept = items[0]?.state == null ? [] : await keptAnswers(paths, state, items[0]);
    return kept.length === 0 || await isLater(merging, answered, kept) ? items : [];
  };
  for (const input of inputs) {
    const file = input.manifest.files.find(({ path }) => path === rawPath(shard));
    if (file === undefined) continue;
    await requireWhole(input.paths, file);
    const items = itemsIn(input.paths.file(file.path), shardName(shard));
    await takeAll({ asking, keeping }, items, found);
  }
}

/** @throws {InputError} If nothing tells, with the files that have an answer. */
async function isLater(
  { inputs }: Merging,
  one: ItemAnswers,
  before: readonly Exchange[],
): Promise<boolean> {
  const isLater = isLaterAnswer(one, before);
  if (isLater !== null) return isLater;
  const { kind, key } = one;
  const having: Record<string, string> = {};
  for (const { paths, manifest } of inputs) {
    for (const file of filesIn(manifest, "raw")) {
      for await (const item of itemsIn(paths.file(file.path), nameOf(file))) {
        if (item.kind === kind && item.key === key) having[paths.folder] = file.path;
      }
    }
  }
  throw new InputError(`Cannot merge ${Object.keys(having).join(" with ")}: answers differ`, {
    facts: { "answer for": `${kind} ${kind === "competition" ? Number(key) : key}`, ...having },
    remedy: "Resume the exports so that all have the last answer, or leave one of them out",
  });
}

/** What a block is asked for by, in whichever shards, and has no answer yet. */
function blocksOf(state: ExportState, key: string): Item[] {
  const [block = ""] = key.split(" ");
  return state.rows<Item>(
    `SELECT kind, key, shard, state, firstAskedMs FROM items
     WHERE kind = 'block' AND key >= ? AND key < ? AND state IS NULL ORDER BY key`,
    `${block} `,
    `${block}!`,
  );
}

/** What has no answer ended as the datasets say. */
function endState({ inputs, state }: Merging): void {
  const end = (kind: string, name: string | number, ended: ItemState, note?: string) => {
    const key = kind === "competition" || kind === "block" ? padded(Number(name)) : `${name}`;
    if (kind === "competition") state.add(kind, key, shardOf(Number(name)));
    // A block stands in several shards, which its keys name behind it.
    state.run(
      `UPDATE items SET state = ?, note = ? WHERE kind = ? AND key >= ? AND key < ? AND state IS NULL`,
      ...[ended, note ?? null, kind, key, `${key}!`],
    );
  };
  state.inOneStep(() => {
    // Where a dataset was refused reports, none is missing.
    if (inputs.some(({ manifest }) => manifest.reportsRefused !== null)) {
      state.run("DELETE FROM items WHERE kind = 'report' AND state IS NULL");
    }
    for (const { kind, key, reason } of inputs.flatMap(({ manifest }) => manifest.failures)) {
      end(kind, key, "failed", reason);
    }
    const ids = mergeStates(inputs.map(({ manifest }) => manifest.ids));
    for (const ended of ["absent", "beforeHistory", "failed", "hidden"] as const) {
      for (const [from, to] of ids[ended]) {
        for (let id = from; id <= to; id++) end("competition", id, ended);
      }
    }
  });
}

/** Whether no dataset lacks something of which no item tells: ids nobody asked for, or other orders. */
function isToldWhole(
  { inputs, assignment: { range } }: Merging,
  { ids, walk }: { readonly ids: DatasetManifest["ids"]; readonly walk: unknown },
): boolean {
  if (range === null || walk !== undefined) return inputs.every((one) => one.manifest.isComplete);
  return without([[range.from, range.to]], unionOf(Object.values(ids).flat())).length === 0;
}

/** Statuses in which an order stays. */
const ENDED = ["fulfilled", "cancelled", "expired"];

/** What of a settlement all nodes tell in the same words. */
const SETTLED = ["result", "hash", "from", "to", "input", "blockNumber", "status", "gasUsed"]
  .concat(["logs", "address", "topics", "data", "logIndex"]);

/** Answers: whether each was found, and what it says. */
type Bodies = readonly (readonly [status: number, body: unknown])[];

/**
 * Whether an answer is later than another about the same thing: what it tells of has come further.
 * Answers that say the same are not.
 *
 * @returns `null` if nothing tells which is later, or both cannot be right.
 */
function isLaterAnswer(
  { kind, answers }: ItemAnswers,
  before: readonly Exchange[],
): boolean | null {
  const [one, other] = [bodiesOf(answers), bodiesOf(before)];
  const [text, otherText] = [textOf(kind, one), textOf(kind, other)];
  if (text === otherText) return false;
  const settled = (bodies: Bodies) => JSON.stringify(bodies, SETTLED).toLowerCase();
  if (kind === "receipt" && settled(one) !== settled(other)) return null;
  const [progress, otherProgress] = [progressOf(kind, one), progressOf(kind, other)];
  for (const [place, number] of progress.entries()) {
    if (number !== (otherProgress[place] ?? -1n)) return number > (otherProgress[place] ?? -1n);
  }
  if (progress.length < otherProgress.length) return false;
  // Two nodes may say as much in other words.
  return kind === "receipt" ? text > otherText : null;
}

function bodiesOf(answers: readonly Exchange[]): Bodies {
  return answers.map(({ status, responseBody }) => {
    try {
      return [status, JSON.parse(responseBody)];
    } catch {
      return [status, responseBody];
    }
  });
}

/**
 * What answers say. The service keeps no order of an auction's transactions, nor of the orders of a
 * solution, and two answers of one moment may have another.
 */
function textOf(kind: string, bodies: Bodies): string {
  if (kind !== "competition") return JSON.stringify(bodies);
  return JSON.stringify(bodies, (name, value) => {
    if (!Array.isArray(value)) return value;
    if (name === "transactionHashes") return value.toSorted();
    const isOfSolution = name === "orders" && typeof value[0] === "object";
    return isOfSolution ? value.toSorted((a, b) => a.id < b.id ? -1 : 1) : value;
  });
}

/** How far what answers tell of has come, number by number; nothing for what was not found. */
function progressOf(kind: string, bodies: Bodies): bigint[] {
  const found = bodies.filter(([status]) => status === 200).map(([, body]) => body);
  if (found.length === 0) return [];
  const rows = found.flat();
  const { order, solutions, events } = Object(rows[0]);
  if (kind === "receipt") return [BigInt(JSON.stringify(rows).split('":').length)];
  if (kind === "order") {
    const amount = (text: unknown) => /^\d+$/.test(String(text)) ? BigInt(String(text)) : 0n;
    const { executedSellAmount, executedBuyAmount, status } = Object(order);
    return [
      order === undefined ? 0n : 1n,
      amount(executedSellAmount),
      amount(executedBuyAmount),
      ENDED.includes(status) ? 1n : 0n,
    ];
  }
  // Auctions keep their solutions, of which more have settled; of fills and events, more are known.
  const all: unknown[] = [solutions ?? events ?? rows].flat();
  const hashes = all.filter((one) => typeof Object(one).txHash === "string").length;
  return [1n, solutions === undefined ? BigInt(all.length) : 0n, BigInt(hashes)];
}
