import type { CallOptions } from "../../endpoints/mod.ts";
import { InputError } from "../../errors/mod.ts";
import type { Exchange } from "../../recordings/request_key.ts";
import { itemsFor, shardsOf, takeAll } from "../export/take_up.ts";
import {
  type DatasetPaths,
  padded,
  rawPath,
  SELECTED_ORDERS,
  shardName,
  shardOf,
  UNBID_ORDERS,
} from "../layout/files.ts";
import { type DatasetManifest, filesIn, type ItemState } from "../layout/manifest.ts";
import { requireWhole } from "../layout/require_whole.ts";
import { tableContext } from "../shards/table_context.ts";
import { needsOf } from "../shards/table_needs.ts";
import { unknownIds } from "../state/dataset_gaps.ts";
import { ExportState, type Item } from "../state/export_state.ts";
import type { Keeping } from "../state/keep_outcomes.ts";
import { publishShard, writeAnswers } from "../state/publish_shard.ts";
import { type ItemAnswers, itemsIn, keptAnswers } from "../state/segment_lines.ts";
import { type Assignment, manifestOf } from "../state/write_manifest.ts";
import { mergedRequest, type MergeInput } from "./merged_request.ts";

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

/** Options of {@linkcode mergeDatasets}. */
export interface MergeOptions extends CallOptions {
  /** Called before each file of 1,000 auctions. */
  onProgress?: ((progress: MergeProgress) => void) | undefined;
}

/** Datasets of one environment, and the export that all of them would have been. */
interface Merging {
  readonly inputs: readonly MergeInput[];
  readonly assignment: Assignment;
  readonly keeping: Keeping;
  readonly signal: AbortSignal | undefined;
}

/**
 * Writes datasets of one environment as the export of all of them would have: each answer is taken up
 * as if the service gave it now, so that it stands with the first auctions that need it. Of two that
 * differ, the later one counts.
 *
 * @param paths Folder to write, without descriptions.
 * @returns The manifest.
 * @throws {InputError} If the datasets do not belong together, or nothing tells which answer is later.
 */
export async function mergeEnvironment(
  inputs: readonly MergeInput[],
  paths: DatasetPaths,
  { onProgress = () => {}, signal }: MergeOptions,
): Promise<DatasetManifest> {
  const [{ manifest: { source }, deployment }] = inputs as [MergeInput];
  const { walk, ...asked } = mergedRequest(inputs.map(({ manifest }) => manifest));
  const context = tableContext(source, asked.request, deployment);
  await Deno.mkdir(paths.own, { recursive: true });
  const state = new ExportState(paths);
  const keeping: Keeping = { paths, state, round: 1, now: () => 0, step: () => {} };
  const assignment: Assignment = { source, ...asked, deployment: { ...deployment } };
  const merging: Merging = { inputs, assignment, keeping, signal };
  const shards = shardsOf(inputs.flatMap(({ manifest }) => filesIn(manifest, "raw")));
  const each = async (phase: MergeProgress["phase"], take: (shard: number) => Promise<unknown>) => {
    for (const [done, shard] of shards.entries()) {
      signal?.throwIfAborted();
      onProgress({ phase, shard: shardName(shard), done, total: shards.length });
      await take(shard);
    }
  };
  try {
    // Which ids no dataset was asked for, their manifests tell.
    state.setMeta("floor", "0");
    if (asked.request.owner !== null) state.add("account", asked.request.owner, SELECTED_ORDERS);
    await each("answers", (shard) => takeShard(merging, shard));
    endState(merging);
    await each("tables", async (shard) => {
      // Every order without a bid in one dataset may have one in another.
      if (shard === UNBID_ORDERS && state.countAnswers(shard) === 0) return;
      await publishShard(keeping, shard, context);
    });
    await writeAnswers(keeping, context, { signal, atHand: new Map() });
    const manifest = manifestOf(state, assignment);
    // Of ids that nobody asked for, and of other orders, no item tells.
    const isComplete = manifest.isComplete &&
      (asked.range === null || walk !== undefined
        ? inputs.every((one) => one.manifest.isComplete)
        : unknownIds(manifest).length === 0);
    return { ...manifest, ...walk === undefined ? {} : { walk }, isComplete };
  } finally {
    state.close();
  }
}

/** Takes up the answers of one shard; of two about the same thing, the later one. */
async function takeShard(merging: Merging, shard: number): Promise<void> {
  const { inputs, assignment, keeping, signal } = merging;
  const { paths, state, now } = keeping;
  const { request, source: { settlementContract } } = assignment;
  const asking = {
    state,
    needs: needsOf(request),
    settlementContract: settlementContract.toLowerCase(),
    concurrency: 1,
    signal,
    now,
  };
  for (const input of inputs) {
    const file = input.manifest.files.find(({ path }) => path === rawPath(shard));
    if (file === undefined) continue;
    await requireWhole(input.paths, file);
    const items = itemsIn(input.paths.file(file.path), shardName(shard));
    await takeAll({ asking, keeping }, items, async (answered) => {
      const { kind, key } = answered;
      if (kind === "block") return blocksOf(state, key);
      if (shard === SELECTED_ORDERS && (kind === "order" || kind === "account")) {
        state.add(kind, key, shard);
      }
      const items = itemsFor({ assignment, keeping }, answered);
      const kept = items[0]?.state == null ? [] : await keptAnswers(paths, state, items[0]);
      const isLater = kept.length === 0 || isLaterAnswer(answered, kept);
      if (isLater === null) throw differError(answered, input, inputs);
      return isLater ? items : [];
    });
  }
}

function differError(
  { kind, key }: ItemAnswers,
  input: MergeInput,
  inputs: readonly MergeInput[],
): InputError {
  const others = inputs.filter((one) => one !== input).map(({ paths }) => paths.folder);
  return new InputError(
    `Cannot merge ${input.paths.folder} with ${others.join(", ")}: answers differ`,
    {
      facts: { "answer for": `${kind} ${kind === "competition" ? Number(key) : key}` },
      remedy: "Resume the exports so that all have the last answer, or leave one of them out",
    },
  );
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

/** What has no answer ended as the datasets say: from the state that counts most. */
function endState({ inputs, keeping: { state } }: Merging): void {
  const manifests = inputs.map(({ manifest }) => manifest);
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
    const refusals = manifests.flatMap(({ reportsRefused }) => reportsRefused ?? []);
    if (refusals.length > 0) {
      state.run("DELETE FROM items WHERE kind = 'report' AND state IS NULL");
    }
    if (refusals.length === inputs.length) state.setMeta("reportsRefused", refusals[0]!);
    for (const { kind, key, reason } of manifests.flatMap(({ failures }) => failures)) {
      end(kind, key, "failed", reason);
    }
    for (const ended of ["absent", "beforeHistory", "failed", "hidden"] as const) {
      for (const [from, to] of manifests.flatMap(({ ids }) => ids[ended])) {
        for (let id = from; id <= to; id++) end("competition", id, ended);
      }
    }
  });
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
