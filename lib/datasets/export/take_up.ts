import { isTransient } from "../../client/connect_options.ts";
import { getCompetition } from "../../endpoints/competitions.ts";
import { getVersion } from "../../endpoints/facts.ts";
import { NotFoundError } from "../../errors/mod.ts";
import { localFiles } from "../../http/local_files.ts";
import type { RpcAnswer, RpcNode } from "../../evm/node/rpc_batches.ts";
import type { HttpRequest, HttpResponse, Transport } from "../../http/mod.ts";
import { type Exchange, responseOf } from "../../recordings/request_key.ts";
import {
  factsOf,
  padded,
  rawPath,
  SELECTED_ORDERS,
  shardIn,
  shardName,
  shardNamed,
  shardOf,
  UNBID_ORDERS,
} from "../layout/files.ts";
import { removeIfThere, statOf } from "../layout/folders.ts";
import { type DatasetFile, type DatasetManifest, readManifest } from "../layout/manifest.ts";
import type { ExportState, FiledKind, Item, Outcome } from "../state/export_state.ts";
import { type Keeping, keepOutcomes } from "../state/keep_outcomes.ts";
import { type ItemAnswers, itemsIn, itemsOf, sealedExchanges } from "../state/segment_lines.ts";
import type { Assignment } from "../state/write_manifest.ts";
import { absentEnding, visibleEnding } from "./ask_competitions.ts";
import { KEPT_CHARS, KEPT_TOGETHER, outcomesOf } from "./ask_shard.ts";
import { askEach, type Asking, type Ending } from "./asking.ts";

/** What taking up answers needs. */
export interface Taking {
  /** How to ask where only what was kept answers. */
  readonly asking: Omit<Asking, "transport" | "node" | "failures" | "fills">;
  /** Where what comes of it is kept. */
  readonly keeping: Keeping;
  /** What the folder is an export of. */
  readonly assignment: Assignment;
}

/** What taking up the answers of a folder needs. */
interface TakingUp extends Taking {
  /** How to ask for the time. */
  readonly asking: Asking;
  /** Orders that were asked for by UID. */
  readonly uids: readonly string[];
}

/** Files of a manifest by path. */
type Listed = ReadonlyMap<string, Pick<DatasetFile, "sha256" | "rows">>;

/**
 * Begins the state of an export with the answers that its folder has, in `raw/` and in segments: each is
 * read as if the service gave it now, and what follows from it is to be asked for. So a state that was
 * lost or damaged loses no answer, a folder that was downloaded goes on, and one whose request grew has
 * what is new alone to ask for. What may still change is asked for again, and tables are made anew.
 *
 * A run that is interrupted here begins again, with the same answers.
 *
 * @returns The assignment; one that follows has all auctions that were answered.
 */
export async function takeUp(taking: TakingUp): Promise<Assignment> {
  const { asking, keeping, assignment } = taking;
  const { paths, state } = keeping;
  const isDescribed = await statOf(paths.file("manifest.json")) !== null;
  const manifest = isDescribed ? await readManifest(paths) : null;
  beginAnew(taking, manifest);
  await removeIfThere(paths.temporary);
  if (await statOf(paths.segments) !== null) {
    await localFiles().mkdir(paths.kept, { recursive: true });
    const before = await namesIn(paths.kept);
    await localFiles().rename(paths.segments, `${paths.kept}/${padded(before.length)}`);
  }
  const shards = await shardsKept(taking);
  if (shards.length > 0 && /^https?:/.test(asking.transport.baseUrl)) await askForTime(asking);
  const listed = new Map(manifest?.files.map((file) => [file.path, file]));
  // Whether all that could change was over when it was asked for: by now, it surely is.
  const isOver = manifest?.isComplete === true && manifest.openOrders === undefined &&
    manifest.openIds === undefined;
  for (const shard of shards) await takeShard(taking, shard, { listed, isOver });
  const range = assignment.range === null || !assignment.request.follow
    ? assignment.range
    : { ...assignment.range, to: Math.max(assignment.range.to, greatestIn(state)) };
  const taken = { ...assignment, range };
  state.inOneStep(() => {
    state.setMeta("assignment", JSON.stringify(taken));
    state.setMeta("takenUp", "yes");
  });
  await removeIfThere(paths.kept);
  return taken;
}

/** Forgets all but the assignment, and what earlier runs tell of time. */
function beginAnew(
  { keeping: { state }, assignment, uids }: TakingUp,
  manifest: DatasetManifest | null,
): void {
  const { request: { owner, debugReports }, range } = assignment;
  state.inOneStep(() => {
    for (const table of ["items", "answers", "shards", "segments", "files"]) {
      state.run(`DELETE FROM ${table}`);
    }
    state.run(
      "DELETE FROM meta WHERE name NOT IN ('origin', 'openShard', 'runStarted', 'latestMs')",
    );
    state.setMeta("assignment", JSON.stringify(assignment));
    state.setMeta("takenUp", "no");
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

/** What is over is over by the host's clock too: any answer tells it. */
async function askForTime({ transport, signal }: Asking): Promise<void> {
  try {
    await getVersion(transport, { signal });
  } catch (error) {
    if (isTransient(error)) throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  if (await statOf(folder) === null) return [];
  return (await localFiles().readdir(folder)).sort();
}

async function shardsKept({ keeping: { paths } }: TakingUp): Promise<number[]> {
  const folders = [paths.file("raw")];
  for (const name of await namesIn(paths.kept)) folders.push(`${paths.kept}/${name}`);
  return shardsOf((await Promise.all(folders.map(namesIn))).flat().map((path) => ({ path })));
}

/** The shards of files of answers, in the order in which they are taken up. */
export function shardsOf(files: readonly Pick<DatasetFile, "path">[]): number[] {
  const shards = files.flatMap(({ path }) => shardNamed(shardIn(path)) ?? []);
  // Which orders have no bid is known once all auctions are.
  const place = (shard: number) => shard === UNBID_ORDERS ? Infinity : shard;
  return [...new Set(shards)].sort((a, b) => place(a) - place(b));
}

/** Takes up the answers of one shard: those of a segment count over those of before. */
async function takeShard(
  taking: TakingUp,
  shard: number,
  { listed, isOver }: { readonly listed: Listed; readonly isOver: boolean },
): Promise<void> {
  const { asking, keeping } = taking;
  const { paths, state } = keeping;
  const raw = paths.file(rawPath(shard));
  const name = shardName(shard);
  // One that was packed after the last manifest has its answers in a segment too.
  const known = listed.get(rawPath(shard));
  const facts = await factsOf(raw);
  const lines = facts !== null && known?.sha256 === facts.sha256 ? known.rows : 0;
  const found = (answered: ItemAnswers) => itemsFor(taking, answered);
  if (lines > 0) await takeAll(isOver ? taking : asIfNew(taking), itemsIn(raw, name), found);
  let isRawAlone = lines > 0;
  for (const folder of await namesIn(paths.kept)) {
    const segment = `${paths.kept}/${folder}/${name}.ndjson`;
    if (await statOf(segment) === null) continue;
    isRawAlone = false;
    await takeAll(asIfNew(taking), itemsOf(sealedExchanges(segment), name), found);
  }
  asking.signal?.throwIfAborted();
  if (facts === null || !isRawAlone || state.countAnswers(shard) !== lines) return;
  // The file has its answers as they are: a segment of the same would take forty times as much.
  state.inOneStep(() => {
    const file = { path: rawPath(shard), rows: lines, leastKey: null, greatestKey: null };
    state.noteFiles([{ ...file, ...facts, shard }]);
    state.run("DELETE FROM segments WHERE shard = ?", shard);
  });
  await removeIfThere(paths.segment(shard));
}

/** When something was answered is not known: what time alone would end may have changed since. */
function asIfNew(taking: TakingUp): TakingUp {
  return { ...taking, asking: { ...taking.asking, now: () => 0 } };
}

/** Keeps answers as if they were given now, each for what `found` says that it is for. */
export async function takeAll(
  { keeping, asking }: Pick<Taking, "asking" | "keeping">,
  items: AsyncIterable<ItemAnswers>,
  found: (answered: ItemAnswers) => Promise<readonly Item[]> | readonly Item[],
): Promise<void> {
  let waiting: Outcome[] = [];
  let chars = 0;
  const keep = async () => {
    const [first] = waiting;
    if (first !== undefined) await keepOutcomes(keeping, first.item.shard, waiting);
    [waiting, chars] = [[], 0];
  };
  for await (const answered of items) {
    asking.signal?.throwIfAborted();
    const last = waiting.at(-1)?.item;
    // What follows from one kind is known once it is kept.
    if (last !== undefined && last.kind !== answered.kind) await keep();
    for (const item of await found(answered)) {
      if (waiting.length > 0 && waiting[0]!.item.shard !== item.shard) await keep();
      const outcome = await keptOutcome(asking, item, answered);
      if (outcome === undefined) continue;
      waiting.push(outcome);
      for (const { line } of outcome.answers) chars += line.length;
      if (waiting.length >= KEPT_TOGETHER || chars >= KEPT_CHARS) await keep();
    }
  }
  await keep();
}

/** What an answer is for, if it is asked for: auctions of the range, and what follows from others. */
export function itemsFor(
  { assignment: { range, walk, request }, keeping: { state } }: Taking,
  { kind, key }: ItemAnswers,
): Item[] {
  const id = Number(key);
  const isInRange = walk != null ||
    range !== null && id >= range.from && (request.follow || id <= range.to);
  if (kind === "competition" && isInRange) state.add(kind, key, shardOf(id));
  const sql = "SELECT kind, key, shard, state, firstAskedMs FROM items WHERE kind = ? AND key = ?";
  return state.rows<Item>(sql, kind, key);
}

function greatestIn(state: ExportState): number {
  const sql = "SELECT max(key) AS key FROM items WHERE kind = 'competition'";
  return Number(state.row<{ key: string | null }>(sql)?.key ?? -1);
}

/** How asking ends where only what was kept answers; `undefined` if that is not enough. */
async function keptOutcome(
  asking: Taking["asking"],
  item: Item,
  { answers }: ItemAnswers,
): Promise<Outcome | undefined> {
  const kept = keptBook(answers);
  const own: Asking = {
    ...asking,
    transport: kept,
    node: kept,
    failures: { inRow: 0 },
    fills: null,
  };
  const competitions = { ask: (items: readonly Item[]) => askEach(own, items, askCompetition) };
  try {
    const kind = item.kind as FiledKind;
    for await (const outcome of outcomesOf(kind, [item], { asking: own, competitions })) {
      if (outcome.answers.length > 0) return outcome;
    }
  } catch (error) {
    if (!(error instanceof NotKept)) throw error;
  }
  return undefined;

  async function askCompetition({ transport }: Asking, { key }: Item): Promise<Ending> {
    try {
      return visibleEnding(await getCompetition(transport, Number(key)), item, own);
    } catch (error) {
      // Where all is over, no id is open; elsewhere, when it was answered is not known.
      const pastId = own.now() === 0 ? -1 : Infinity;
      if (error instanceof NotFoundError) return absentEnding(item, own, pastId);
      throw error;
    }
  }
}

/** The answers for one thing, in place of the service and of a node. */
function keptBook(answers: readonly Exchange[]): Transport & { readonly rpc: RpcNode } {
  const kept = new Map(
    answers.map((one) => [`${one.method} ${one.path} ${one.requestBody ?? ""}`, one]),
  );
  return {
    baseUrl: "kept://answers",
    send({ method, path, body }: HttpRequest): Promise<HttpResponse> {
      const found = kept.get(`${method} ${path} ${body ?? ""}`);
      if (found === undefined) return Promise.reject(new NotKept());
      return Promise.resolve(responseOf(found));
    },
    rpc: (calls) =>
      Promise.resolve(calls.map((call): RpcAnswer => {
        const found = kept.get(`POST /rpc ${JSON.stringify({ jsonrpc: "2.0", id: 1, ...call })}`);
        return found === undefined
          ? { error: { code: -32_000, message: "not kept" } }
          : JSON.parse(found.responseBody);
      })),
  };
}

/** An answer that follows from no kept one. */
class NotKept extends Error {}
