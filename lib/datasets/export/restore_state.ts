import { isTransient } from "../../client/connect_options.ts";
import { getCompetition } from "../../endpoints/competitions.ts";
import { getVersion } from "../../endpoints/facts.ts";
import { NotFoundError } from "../../errors/mod.ts";
import type { RpcAnswer, RpcNode } from "../../evm/node/rpc_batches.ts";
import { localFiles, statPath } from "../../http/local_files.ts";
import type { HttpRequest, HttpResponse, Transport } from "../../http/mod.ts";
import { type Exchange, toResponse } from "../../recordings/request_key.ts";
import {
  formatShard,
  hashFile,
  padId,
  parseShard,
  SELECTED_ORDERS,
  toRawPath,
  toShard,
  toShardName,
  UNBID_ORDERS,
} from "../layout/files.ts";
import { removePath } from "../layout/folders.ts";
import { type DatasetFile, type DatasetManifest, readManifest } from "../layout/manifest.ts";
import type { ExportState, FiledKind, Item, Outcome } from "../state/export_state.ts";
import { type OutcomeWriter, writeOutcomes } from "../state/write_outcomes.ts";
import { groupByItem, type ItemResponses, readItems, readSealed } from "../state/segment_lines.ts";
import type { ExportSpec } from "../state/write_manifest.ts";
import { competitionOutcome, missingOutcome } from "./fetch_competitions.ts";
import { BATCH_CHARS, BATCH_SIZE, fetchOutcomes } from "./fetch_shard.ts";
import { type ExportContext, fetchEach, type RequestOutcome } from "./export_context.ts";

export interface RestoreContext {
  /** Parameters of requests, which are served by stored responses. */
  readonly context: Omit<ExportContext, "transport" | "node" | "failures" | "fills">;
  readonly writer: OutcomeWriter;
  readonly spec: ExportSpec;
}

interface FolderContext extends RestoreContext {
  /** Parameters of requests, of which one learns the time. */
  readonly context: ExportContext;
  /** Orders that were requested by UID. */
  readonly uids: readonly string[];
}

/**
 * Begins the state of an export with the responses that its folder has, in `raw/` and in segments: each
 * is read as if the service sent it now, and what follows from it is to be requested. So a state that was
 * lost or damaged loses no response, an export of a folder that was downloaded continues, and one whose
 * request grew has only what is new to request. What may still change is requested again, and tables are
 * built again.
 *
 * A run that is interrupted here begins again, with the same responses.
 *
 * @returns The spec; one that follows has all auctions with a response.
 */
export async function restoreState(folder: FolderContext): Promise<ExportSpec> {
  const { context, writer: { paths, state }, spec } = folder;
  const isDescribed = await statPath(paths.file("manifest.json")) !== null;
  const manifest = isDescribed ? await readManifest(paths) : null;
  resetState(folder, manifest);
  await removePath(paths.temporary);
  const folders = await setSegmentsAside(folder);
  const names = await Promise.all([paths.file("raw"), ...folders].map(listNames));
  const shards = sortShards(names.flat().map((path) => ({ path })));
  if (shards.length > 0 && /^https?:/.test(context.transport.baseUrl)) await requestTime(context);
  const files = new Map(manifest?.files.map((file) => [file.path, file]));
  // Whether all that could change was over when it was requested: by now, it surely is.
  const isOver = manifest?.isComplete === true && manifest.openOrders === undefined &&
    manifest.openIds === undefined;
  for (const shard of shards) await restoreShard(folder, shard, { folders, files, isOver });
  const range = spec.range === null || !spec.request.follow
    ? spec.range
    : { ...spec.range, to: Math.max(spec.range.to, findGreatestId(state)) };
  const restored = { ...spec, range };
  state.runInTransaction(() => {
    state.setMeta("assignment", JSON.stringify(restored));
    state.setMeta("restored", "yes");
  });
  await removePath(paths.oldSegments);
  return restored;
}

/** Resets the state to the spec, and the times that earlier runs learned. */
function resetState(
  { writer: { state }, spec, uids }: FolderContext,
  manifest: DatasetManifest | null,
): void {
  const { request: { owner, debugReports }, range } = spec;
  state.runInTransaction(() => {
    for (const table of ["items", "answers", "shards", "segments", "files"]) {
      state.run(`DELETE FROM ${table}`);
    }
    state.run(
      "DELETE FROM meta WHERE name NOT IN ('origin', 'openShard', 'runStarted', 'latestMs')",
    );
    state.setMeta("assignment", JSON.stringify(spec));
    state.setMeta("restored", "no");
    if (owner !== null) state.add("account", owner, SELECTED_ORDERS);
    for (const uid of uids) state.add("order", uid, SELECTED_ORDERS);
    const floor = manifest?.ids.beforeHistory.at(-1)?.[1] ?? null;
    if (floor !== null && range !== null) state.setMeta("floor", String(floor + 1));
    else if (manifest?.range?.from === range?.from && (manifest?.ids.present.length ?? 0) > 0) {
      state.setMeta("floor", String(range?.from ?? 0));
    }
    const refused = manifest?.reportsRefused ?? null;
    if (refused !== null && debugReports) state.setMeta("reportsRefused", refused);
  });
}

/** Moves segments aside; returns the folders of all segments that were set aside. */
async function setSegmentsAside({ writer: { paths } }: RestoreContext): Promise<string[]> {
  if (await statPath(paths.segments) !== null) {
    await localFiles().mkdir(paths.oldSegments, { recursive: true });
    const earlier = await listNames(paths.oldSegments);
    await localFiles().rename(paths.segments, `${paths.oldSegments}/${padId(earlier.length)}`);
  }
  return (await listNames(paths.oldSegments)).map((name) => `${paths.oldSegments}/${name}`);
}

async function listNames(folder: string): Promise<string[]> {
  if (await statPath(folder) === null) return [];
  return (await localFiles().readdir(folder)).sort();
}

/** Sorts the shards of files of responses into the order in which they are restored. */
export function sortShards(files: readonly Pick<DatasetFile, "path">[]): number[] {
  const shards = files.flatMap(({ path }) => parseShard(toShardName(path)) ?? []);
  // Orders without a bid are known once all auctions are.
  const rank = (shard: number) => shard === UNBID_ORDERS ? Infinity : shard;
  return [...new Set(shards)].sort((a, b) => rank(a) - rank(b));
}

/** Sends one request to learn the host's clock from its `Date` header. */
async function requestTime({ transport, signal }: ExportContext): Promise<void> {
  try {
    await getVersion(transport, { signal });
  } catch (error) {
    if (isTransient(error)) throw error;
  }
}

/** Restores the responses of one shard: those of a segment count over those of its file. */
async function restoreShard(
  folder: FolderContext,
  shard: number,
  { folders, files, isOver }: {
    readonly folders: readonly string[];
    /** Files of the manifest by path. */
    readonly files: ReadonlyMap<string, Pick<DatasetFile, "sha256" | "rows">>;
    readonly isOver: boolean;
  },
): Promise<void> {
  const { context, writer: { paths, state } } = folder;
  const raw = paths.file(toRawPath(shard));
  const name = formatShard(shard);
  // The time of a response is unknown: items that time alone makes final may have changed since.
  const unaged = { ...folder, context: { ...context, now: () => 0 } };
  const find = (item: ItemResponses) => findItems(folder, item);
  // One that was packed after the last manifest has its responses in a segment too.
  const file = files.get(toRawPath(shard));
  const facts = await hashFile(raw);
  const lines = facts !== null && file?.sha256 === facts.sha256 ? file.rows : 0;
  if (lines > 0) await restoreResponses(isOver ? folder : unaged, readItems(raw, name), find);
  let isRawAlone = lines > 0;
  for (const folder of folders) {
    const segment = `${folder}/${name}.ndjson`;
    if (await statPath(segment) === null) continue;
    isRawAlone = false;
    await restoreResponses(unaged, groupByItem(readSealed(segment), name), find);
  }
  context.signal?.throwIfAborted();
  if (facts === null || !isRawAlone || state.countResponses(shard) !== lines) return;
  // The file has its responses as they are: a segment of them would take forty times as much.
  state.runInTransaction(() => {
    const entry = { path: toRawPath(shard), rows: lines, leastKey: null, greatestKey: null };
    state.recordFiles([{ ...entry, ...facts, shard }]);
    state.run("DELETE FROM segments WHERE shard = ?", shard);
  });
  await removePath(paths.segment(shard));
}

/** Finds the items of a response, if they are requested: auctions of the range, and what follows. */
export function findItems(
  { spec: { range, walk, request }, writer: { state } }: RestoreContext,
  { kind, key }: Pick<ItemResponses, "kind" | "key">,
): Item[] {
  const id = Number(key);
  const isInRange = walk != null ||
    range !== null && id >= range.from && (request.follow || id <= range.to);
  if (kind === "competition" && isInRange) state.add(kind, key, toShard(id));
  const sql = "SELECT kind, key, shard, state, firstAskedMs FROM items WHERE kind = ? AND key = ?";
  return state.query<Item>(sql, kind, key);
}

/** Stores responses as if they were sent now, each for the items that `find` returns. */
export async function restoreResponses(
  { writer, context }: Pick<RestoreContext, "context" | "writer">,
  items: AsyncIterable<ItemResponses>,
  find: (item: ItemResponses) => Promise<readonly Item[]> | readonly Item[],
): Promise<void> {
  let pending: Outcome[] = [];
  let chars = 0;
  const flush = async () => {
    const [first] = pending;
    if (first !== undefined) await writeOutcomes(writer, first.item.shard, pending);
    [pending, chars] = [[], 0];
  };
  for await (const responses of items) {
    context.signal?.throwIfAborted();
    const last = pending.at(-1)?.item;
    // Follow-up items of one kind are known once it is stored.
    if (last !== undefined && last.kind !== responses.kind) await flush();
    for (const item of await find(responses)) {
      if (pending.length > 0 && pending[0]!.item.shard !== item.shard) await flush();
      const outcome = await replayItem(context, item, responses);
      if (outcome === undefined) continue;
      pending.push(outcome);
      for (const { line } of outcome.responses) chars += line.length;
      if (pending.length >= BATCH_SIZE || chars >= BATCH_CHARS) await flush();
    }
  }
  await flush();
}

/** Replays the request of an item against stored responses; `undefined` if more are needed. */
async function replayItem(
  context: RestoreContext["context"],
  item: Item,
  { responses }: ItemResponses,
): Promise<Outcome | undefined> {
  const storage = openStored(responses);
  const replay: ExportContext = {
    ...context,
    transport: storage,
    node: storage,
    failures: { inRow: 0 },
    fills: null,
  };
  const competitions = { fetch: (items: readonly Item[]) => fetchEach(replay, items, replayId) };
  try {
    const kind = item.kind as FiledKind;
    for await (const outcome of fetchOutcomes(kind, [item], { context: replay, competitions })) {
      if (outcome.responses.length > 0) return outcome;
    }
  } catch (error) {
    if (!(error instanceof NotStored)) throw error;
  }
  return undefined;

  async function replayId({ transport }: ExportContext, { key }: Item): Promise<RequestOutcome> {
    try {
      return competitionOutcome(await getCompetition(transport, Number(key)), item, replay);
    } catch (error) {
      // Where all is over, no id is open; elsewhere, the time of the response is unknown.
      const pastId = replay.now() === 0 ? -1 : Infinity;
      if (error instanceof NotFoundError) {
        return missingOutcome(item, replay, pastId);
      }
      throw error;
    }
  }
}

/** Serves the responses for one item, in place of the service and of a node. */
function openStored(responses: readonly Exchange[]): Transport & { readonly rpc: RpcNode } {
  const exchanges = new Map(
    responses.map((exchange) => [
      `${exchange.method} ${exchange.path} ${exchange.requestBody ?? ""}`,
      exchange,
    ]),
  );
  return {
    baseUrl: "stored://responses",
    send({ method, path, body }: HttpRequest): Promise<HttpResponse> {
      const exchange = exchanges.get(`${method} ${path} ${body ?? ""}`);
      if (exchange === undefined) return Promise.reject(new NotStored());
      return Promise.resolve(toResponse(exchange));
    },
    rpc: (calls) =>
      Promise.resolve(calls.map((call): RpcAnswer => {
        const body = JSON.stringify({ jsonrpc: "2.0", id: 1, ...call });
        const exchange = exchanges.get(`POST /rpc ${body}`);
        return exchange === undefined
          ? { error: { code: -32_000, message: "not stored" } }
          : JSON.parse(exchange.responseBody);
      })),
  };
}

/** Thrown for a request without a stored response. */
class NotStored extends Error {}

function findGreatestId(state: ExportState): number {
  const sql = "SELECT max(key) AS key FROM items WHERE kind = 'competition'";
  return Number(state.queryRow<{ key: string | null }>(sql)?.key ?? -1);
}
