import { InputError } from "../../errors/mod.ts";
import { type Exchange, printExchange } from "../../recordings/request_key.ts";
import { itemsFor, takeAll } from "../export/take_up.ts";
import {
  DatasetPaths,
  factsOfMade,
  folderOf,
  padded,
  SELECTED_ORDERS,
  shardName,
  shardNamed,
  shardOf,
  UNBID_ORDERS,
} from "../layout/files.ts";
import { packLines } from "../layout/folders.ts";
import { mergeStates, unionOf, without } from "../layout/id_ranges.ts";
import type { DatasetFile, DatasetManifest } from "../layout/manifest.ts";
import { requireWhole } from "../layout/require_whole.ts";
import { needsOf } from "../shards/table_needs.ts";
import { ExportState, type Item } from "../state/export_state.ts";
import {
  inOrder,
  type ItemAnswers,
  itemsIn,
  keptAnswers,
  segmentLines,
} from "../state/segment_lines.ts";
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
  const { walk, ...asked } = mergedRequest(inputs);
  const assignment: Assignment = { source, ...asked, deployment: { ...deployment } };
  const paths = new DatasetPaths(`${output.temporary}/${partition}`);
  await Deno.mkdir(paths.own, { recursive: true });
  const state = new ExportState(paths);
  const merging = { inputs, assignment, paths, state, signal };
  try {
    beginState(merging);
    const shards = [...new Set(inputs.flatMap(({ manifest }) => shardsIn(manifest)))]
      .sort((a, b) => a === UNBID_ORDERS ? 1 : b === UNBID_ORDERS ? -1 : a - b);
    for (const [done, shard] of shards.entries()) {
      report({ phase: "answers", shard: shardName(shard), done, total: shards.length });
      await takeShard(merging, shard);
    }
    endState(merging);
    const files: DatasetFile[] = [];
    for (const shard of shards) {
      // Every order without a bid in one dataset may have one in another.
      if (shard === UNBID_ORDERS && !state.hasAnswers(shard)) continue;
      signal?.throwIfAborted();
      const path = `raw/${partition}${shardName(shard)}.ndjson.zst`;
      await Deno.mkdir(folderOf(output.file(path)), { recursive: true });
      await packLines(output.file(path), segmentLines(paths, state, shard));
      const [counted] = state.rows<{ rows: number }>(
        "SELECT count(*) AS rows FROM answers WHERE shard = ?",
        shard,
      );
      const facts = await factsOfMade(output.file(path));
      files.push({ path, ...facts, rows: counted!.rows, leastKey: null, greatestKey: null });
    }
    const manifest = manifestOf(state, assignment);
    const isComplete = manifest.isComplete && isToldWhole(merging, { ids: manifest.ids, walk });
    return { ...manifest, ...walk === undefined ? {} : { walk }, isComplete, files };
  } finally {
    state.close();
  }
}

interface Merging {
  readonly inputs: readonly MergeInput[];
  readonly assignment: Assignment;
  /** Where the state and its segments are. */
  readonly paths: DatasetPaths;
  readonly state: ExportState;
  readonly signal: AbortSignal | undefined;
}

function shardsIn({ files }: DatasetManifest): number[] {
  return files.flatMap(({ path }) =>
    shardNamed(/^raw\/(.+)\.ndjson\.zst$/.exec(path)?.[1] ?? "") ?? []
  );
}

function beginState({ inputs, assignment: { request }, state }: Merging): void {
  const refusals = inputs.map(({ manifest }) => manifest.reportsRefused);
  const [refused] = refusals;
  if (refused != null && !refusals.includes(null)) state.setMeta("reportsRefused", refused);
  // Which ids no dataset was asked for, their manifests tell.
  state.setMeta("floor", "0");
  if (request.owner !== null) state.add("account", request.owner, SELECTED_ORDERS);
}

async function takeShard(merging: Merging, shard: number): Promise<void> {
  const { inputs, assignment, paths, state, signal } = merging;
  const { request, source: { settlementContract } } = assignment;
  const name = shardName(shard);
  const having = inputs.filter(({ manifest }) => shardsIn(manifest).includes(shard));
  const files: AsyncGenerator<ItemAnswers, void, undefined>[] = [];
  for (const { paths, manifest } of having) {
    const path = `raw/${name}.ndjson.zst`;
    await requireWhole(paths, manifest.files.find((file) => file.path === path)!);
    files.push(itemsIn(paths.file(path), name));
  }
  const keeping = { paths, state, round: 1, now: () => 0, step: () => {} };
  const asking = {
    transport: NOBODY,
    state,
    request,
    needs: needsOf(request),
    node: null,
    settlementContract: settlementContract.toLowerCase(),
    concurrency: 1,
    signal,
    now: () => 0,
    failures: { inRow: 0 },
  };
  await takeAll({ asking, keeping }, laterOnes(merging, inOrder(files)), async (answered) => {
    const { kind, key } = answered;
    if (kind === "block") return blocksOf(state, key);
    if (shard === SELECTED_ORDERS && (kind === "order" || kind === "account")) {
      state.add(kind, key, shard);
    }
    const [item] = itemsFor({ assignment, keeping }, answered);
    if (item === undefined) return [];
    const kept = item.state === null ? [] : await keptAnswers(paths, state, item);
    return kept.length === 0 || await isLater(merging, answered, kept) ? [item] : [];
  });
}

/** Nobody is asked. */
const NOBODY = {
  baseUrl: "kept://answers",
  send: () => Promise.reject(new TypeError("unreached")),
};

/** Of answers about one thing that follow each other, the latest. */
async function* laterOnes(merging: Merging, all: AsyncIterable<ItemAnswers>) {
  let last: ItemAnswers | undefined;
  for await (const one of all) {
    if (last?.kind !== one.kind || last.key !== one.key) {
      if (last !== undefined) yield last;
      last = one;
    } else if (await isLater(merging, one, last.answers)) last = one;
  }
  if (last !== undefined) yield last;
}

/** @throws {InputError} If nothing tells, with the files that have an answer. */
async function isLater(
  { inputs }: Merging,
  one: ItemAnswers,
  before: ItemAnswers["answers"],
): Promise<boolean> {
  const isLater = isLaterAnswer(one, before);
  if (isLater !== null) return isLater;
  const { kind, key } = one;
  const having: Record<string, string> = {};
  for (const { paths, manifest } of inputs) {
    for (const shard of shardsIn(manifest)) {
      const path = `raw/${shardName(shard)}.ndjson.zst`;
      for await (const item of itemsIn(paths.file(path), shardName(shard))) {
        if (item.kind === kind && item.key === key) having[paths.folder] = path;
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
  const end = (kind: string, key: string, ended: string, note: string | null) =>
    state.run(
      `UPDATE items SET state = ?, note = ? WHERE kind = ? AND key >= ? AND key < ? AND state IS NULL`,
      ...[ended, note, kind, key, kind === "block" ? `${key}!` : `${key} `],
    );
  state.inOneStep(() => {
    // Where a dataset was refused reports, none is missing.
    if (inputs.some(({ manifest }) => manifest.reportsRefused !== null)) {
      state.run("DELETE FROM items WHERE kind = 'report' AND state IS NULL");
    }
    for (const { kind, key, reason } of inputs.flatMap(({ manifest }) => manifest.failures)) {
      const isNumber = kind === "competition" || kind === "block";
      if (kind === "competition") state.add(kind, padded(Number(key)), shardOf(Number(key)));
      end(kind, isNumber ? padded(Number(key)) : key, "failed", reason);
    }
    const ids = mergeStates(inputs.map(({ manifest }) => manifest.ids));
    for (const ended of ["absent", "beforeHistory", "failed", "hidden"] as const) {
      for (const [from, to] of ids[ended]) {
        for (let id = from; id <= to; id++) {
          state.add("competition", padded(id), shardOf(id));
          end("competition", padded(id), ended, null);
        }
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
  const [text, otherText] = [textOf(kind, answers), textOf(kind, before)];
  if (text === otherText) return false;
  const [one, other] = [bodiesOf(answers), bodiesOf(before)];
  if (kind === "receipt" && settlementOf(one) !== settlementOf(other)) return null;
  const [progress, otherProgress] = [progressOf(kind, one), progressOf(kind, other)];
  for (const [place, number] of progress.entries()) {
    if (number !== (otherProgress[place] ?? -1n)) return number > (otherProgress[place] ?? -1n);
  }
  if (progress.length < otherProgress.length) return false;
  // Two nodes may say as much in other words.
  return kind === "receipt" ? text > otherText : null;
}

/**
 * What answers say. The service keeps no order of an auction's transactions, nor of the orders of a
 * solution, and two answers of one moment may have another.
 */
function textOf(kind: string, answers: readonly Exchange[]): string {
  if (kind !== "competition") return answers.map(printExchange).join("");
  return JSON.stringify(bodiesOf(answers), (name, value) => {
    if (!Array.isArray(value)) return value;
    if (name === "transactionHashes") return value.toSorted();
    const isOfSolution = name === "orders" && typeof value[0] === "object";
    return isOfSolution ? value.toSorted((a, b) => a.id < b.id ? -1 : 1) : value;
  });
}

function bodiesOf(answers: readonly Exchange[]): (readonly [status: number, body: unknown])[] {
  return answers.map(({ status, responseBody }) => {
    try {
      return [status, JSON.parse(responseBody)];
    } catch {
      return [status, responseBody];
    }
  });
}

/** How far what answers tell of has come, number by number; nothing for what was not found. */
function progressOf(kind: string, bodies: ReturnType<typeof bodiesOf>): bigint[] {
  const found = bodies.filter(([status]) => status === 200);
  if (found.length === 0) return [];
  const rows: unknown[] = found.flatMap(([, body]) => body);
  const first = fieldsOf(rows[0]);
  const count = (all: unknown) => BigInt(Array.isArray(all) ? all.length : 0);
  const withHash = (all: unknown) =>
    count(Array.isArray(all) && all.filter((row) => typeof fieldsOf(row).txHash === "string"));
  const order = fieldsOf(first.order);
  const amount = (text: unknown) => /^\d+$/.test(String(text)) ? BigInt(String(text)) : 0n;
  switch (kind) {
    case "competition":
    case "transaction":
      return [1n, withHash(first.solutions)];
    case "order":
      return [
        first.order === undefined ? 0n : 1n,
        amount(order.executedSellAmount),
        amount(order.executedBuyAmount),
        ENDED.includes(String(order.status)) ? 1n : 0n,
      ];
    case "report":
      return [1n, count(first.events)];
    case "receipt":
      return [BigInt(JSON.stringify(rows).split('":').length)];
    default:
      return [1n, count(rows), withHash(rows)];
  }
}

/** What a settlement did, whichever node tells. */
function settlementOf(bodies: ReturnType<typeof bodiesOf>): string {
  const facts = bodies.map(([, body]) => fieldsOf(fieldsOf(body).result)).map((one) => [
    ...["hash", "from", "to", "input", "blockNumber", "status", "gasUsed"].map((name) => one[name]),
    Array.isArray(one.logs) && one.logs.map(fieldsOf)
      .map(({ address, topics, data, logIndex }) => [address, topics, data, logIndex]),
  ]);
  return JSON.stringify(facts).toLowerCase();
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? value as Record<string, unknown> : {};
}
