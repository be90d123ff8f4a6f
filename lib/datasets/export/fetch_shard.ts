import {
  type OrderLookup,
  requestChunk,
  UIDS_PER_REQUEST,
} from "../../endpoints/orders_by_uids.ts";
import { mapInOrder, splitIntoChunks } from "../../endpoints/calls.ts";
import { isFinalOrder } from "../../endpoints/orders.ts";
import { HttpError, MismatchError, UnansweredError } from "../../errors/mod.ts";
import { blockTimes } from "../../evm/node/block_times.ts";
import { type NodeSource, requireNode } from "../../evm/node/node_source.ts";
import { toSettlementCalls } from "../../evm/node/read_settlement_logs.ts";
import { splitByUid } from "../../recordings/recorded_lists.ts";
import { isOpenStatus, type Order } from "../../schemas/mod.ts";
import { padId, UNBID_ORDERS } from "../layout/files.ts";
import { createReader, SETTLEMENTS_PER_REQUEST } from "../shards/node_settlement.ts";
import {
  type FiledKind,
  type Item,
  ITEM_KINDS,
  type Outcome,
  type StoredResponse,
} from "../state/export_state.ts";
import { type OutcomeWriter, writeOutcomes } from "../state/write_outcomes.ts";
import {
  type CompetitionFetcher,
  fetchAccount,
  fetchAppData,
  fetchFills,
  fetchReports,
  fetchTransaction,
} from "./fetch_competitions.ts";
import { fetchInstances } from "./fetch_instances.ts";
import {
  ExchangeRecorder,
  type ExportContext,
  failedOutcome,
  fetchBlocks,
  fetchEach,
  FINAL_BLOCK_AGE_MS,
  firstRequestedBefore,
  isPermanentlyMissing,
  PERMANENTLY_ABSENT,
  presentOutcome,
  readBlock,
  type RequestOutcome,
  toFailure,
  toStoredCall,
  toStoredJson,
} from "./export_context.ts";

/** Outcomes that are written together, their characters, and the time after which they are written. */
export const BATCH_SIZE = 512;
export const BATCH_CHARS = 4_000_000;
const FLUSH_INTERVAL_MS = 500;

interface ShardFetchContext {
  readonly context: ExportContext;
  readonly writer: OutcomeWriter;
  readonly competitions: Pick<CompetitionFetcher, "fetch" | "past">;
  readonly onWritten: (kind: FiledKind) => void;
}

/** Fetches and writes all open items of a shard in this round, one kind after another. */
export async function fetchShard(shard: number, shardContext: ShardFetchContext): Promise<void> {
  const { context: { state }, writer, competitions } = shardContext;
  for (const kind of ITEM_KINDS) {
    const items = state.listPending(shard, kind, writer.round);
    if (items.length === 0) continue;
    try {
      await writeAll(fetchOutcomes(kind, items, shardContext), { kind, shard }, shardContext);
    } finally {
      const { id, sinceMs } = competitions.past;
      if (kind === "competition") state.run(FINALIZE_ABSENT, padId(id), sinceMs);
    }
  }
}

/**
 * Finalizes ids that were absent when no quote that took them was valid any more. The send time of a
 * restored response is unknown: its round is 0.
 */
const FINALIZE_ABSENT = `UPDATE items SET isFinal = 1
  WHERE kind = 'competition' AND key < ? AND state = 'absent' AND isFinal = 0
    AND round > 0 AND askedMs > ?`;

export function fetchOutcomes(
  kind: FiledKind,
  items: readonly Item[],
  { context, competitions }: Pick<ShardFetchContext, "context"> & {
    readonly competitions: Pick<CompetitionFetcher, "fetch">;
  },
): AsyncGenerator<Outcome, void, undefined> {
  return kind === "competition" ? competitions.fetch(items) : FETCHERS[kind](context, items);
}

type FetchItems = (
  context: ExportContext,
  items: readonly Item[],
) => AsyncGenerator<Outcome, void, undefined>;

const FETCHERS: Readonly<Record<Exclude<FiledKind, "competition">, FetchItems>> = {
  instance: fetchInstances,
  account: (context, items) => fetchEach(context, items, fetchAccount),
  order: fetchOrders,
  trades: fetchFills,
  transaction: (context, items) => fetchEach(context, items, fetchTransaction),
  app_data: (context, items) => fetchEach(context, items, fetchAppData),
  report: fetchReports,
  block: fetchBlocks,
  receipt: fetchSettlements,
};

async function writeAll(
  outcomes: AsyncGenerator<Outcome, void, undefined>,
  { kind, shard }: { readonly kind: FiledKind; readonly shard: number },
  { writer, onWritten }: ShardFetchContext,
): Promise<void> {
  const write = (batch: Outcome[]) => {
    const writing = writeOutcomes(writer, shard, batch);
    onWritten(kind);
    return writing;
  };
  await flushInBatches(outcomes, BATCH_SIZE, ({ responses }) => responses, write);
  onWritten(kind);
}

/**
 * Writes outcomes in batches while the next requests are in flight.
 *
 * @param size Maximum number of items in a batch.
 */
export async function flushInBatches<One>(
  items: AsyncIterable<One>,
  size: number,
  listResponses: (item: One) => readonly StoredResponse[],
  write: (some: One[]) => Promise<void>,
): Promise<void> {
  let flushed = Promise.resolve();
  let pending: One[] = [];
  let [chars, flushedAt] = [0, performance.now()];
  const flush = async () => {
    await flushed;
    flushed = write(pending);
    // It fails when it is awaited.
    flushed.catch(() => {});
    [pending, chars, flushedAt] = [[], 0, performance.now()];
  };
  try {
    for await (const item of items) {
      pending.push(item);
      for (const { line } of listResponses(item)) chars += line.length;
      const isTime = performance.now() - flushedAt > FLUSH_INTERVAL_MS;
      if (pending.length >= size || chars >= BATCH_CHARS || isTime) await flush();
    }
  } finally {
    await flush();
    await flushed;
  }
}

const BY_UIDS = "/api/v1/orders/by_uids";

/**
 * Fetches orders, 128 at a time. Each order is stored as if it had been requested alone, character for
 * character, so that files do not depend on which orders shared a request.
 */
async function* fetchOrders(
  context: ExportContext,
  items: readonly Item[],
): AsyncGenerator<Outcome, void, undefined> {
  const chunks = splitIntoChunks(items, UIDS_PER_REQUEST);
  const { concurrency, signal } = context;
  const fetch = (chunk: readonly Item[], signal: AbortSignal) => fetchChunk(context, chunk, signal);
  for await (const outcomes of mapInOrder(chunks, fetch, { concurrency, signal })) yield* outcomes;
}

async function fetchChunk(
  context: ExportContext,
  chunk: readonly Item[],
  signal: AbortSignal,
): Promise<Outcome[]> {
  const recorder = new ExchangeRecorder(context.transport);
  let lookups: ReadonlyMap<string, OrderLookup>;
  try {
    lookups = (await requestChunk(recorder, chunk.map(({ key }) => key), signal)).lookups;
    context.failures.inRow = 0;
  } catch (error) {
    const outcome = toFailure(context, error, signal);
    return chunk.map((item) => ({ item, ...outcome, responses: [] }));
  }
  const exchange = recorder.takeAll().at(-1);
  const elements = exchange === undefined ? new Map() : splitByUid(exchange);
  return chunk.map((item) => {
    const outcome = orderOutcome(context, item, lookups.get(item.key) ?? "missing");
    const element = elements.get(item.key);
    const isStored = outcome.state === "absent" || element !== undefined;
    const responses = isStored ? [toStoredJson(BY_UIDS, [item.key], `[${element ?? ""}]`)] : [];
    return { item, ...outcome, responses };
  });
}

function orderOutcome(context: ExportContext, item: Item, finding: OrderLookup): RequestOutcome {
  const nowMs = context.now();
  if (finding === "missing") {
    return { ...PERMANENTLY_ABSENT, isFinal: isPermanentlyMissing(item.key, item, nowMs) };
  }
  if ("error" in finding) return failedOutcome(finding.error.message);
  const { order } = finding;
  const next = item.shard === UNBID_ORDERS ? [] : followUpRequests(context, order);
  const isFinal = isFinalOrder(order, nowMs);
  return { ...presentOutcome(isFinal), next, ...!isFinal && { note: String(order.status) } };
}

function followUpRequests(
  { needs, state, fills, executed }: ExportContext,
  order: Order,
): RequestOutcome["next"] {
  const uid = order.uid.toLowerCase();
  const isExecuted = order.executedSellAmount > 0n || order.executedBuyAmount > 0n;
  const isWithoutDocument = (order.fullAppData ?? null) === null && order.class !== "liquidity";
  if (isExecuted && needs.has("trades")) {
    fills?.noteExecuted(order);
    executed.set(uid, {
      sell: order.executedSellAmount,
      buy: order.executedBuyAmount,
      isOpen: isOpenStatus(order.status),
    });
  }
  const areReportsGiven = needs.has("reports") && state.readMeta("reportsRefused") === null;
  return [
    ...(isExecuted && needs.has("trades") ? [{ kind: "trades", key: uid } as const] : []),
    ...(needs.has("app_data") && isWithoutDocument && /^0x[0-9a-f]{64}$/i.test(order.appData)
      ? [{ kind: "app_data", key: order.appData.toLowerCase() } as const]
      : []),
    ...(areReportsGiven ? [{ kind: "report", key: uid } as const] : []),
  ];
}

/**
 * Fetches transaction and receipt of settlements from a node, 50 settlements at a time. Both are stored
 * as calls with the node's responses, so that a rebuild needs no node.
 *
 * A settlement that the node does not have, or whose responses contradict each other, has failed, and
 * is requested again in the next run. A transaction that does not call the settlement contract itself
 * is stored, and its row says so. One that is younger than an hour is requested again.
 *
 * @throws {NetworkError} If the node cannot be reached; likewise {@linkcode TimeoutError}.
 * @throws {HttpError} If it refuses a whole request.
 */
async function* fetchSettlements(
  context: ExportContext,
  items: readonly Item[],
): AsyncGenerator<Outcome, void, undefined> {
  const { node, signal, settlementContract } = context;
  if (node === null) return;
  const readSettlement = await createReader(settlementContract);
  const ask = requireNode(node, "settlements", { signal });
  for (const batch of splitIntoChunks(items, SETTLEMENTS_PER_REQUEST)) {
    signal?.throwIfAborted();
    const responses = await ask(batch.flatMap(({ key }) => toSettlementCalls(key)));
    const usable: (Outcome & { readonly block: number | null })[] = [];
    for (const [index, item] of batch.entries()) {
      const [transaction, receipt] = [responses[2 * index]!, responses[2 * index + 1]!];
      const parsed = readSettlement(item.key, [transaction, receipt]);
      const [call, receiptCall] = toSettlementCalls(item.key);
      if (parsed.is === "missing" || parsed.is === "unusable") {
        yield { item, ...failedOutcome(parsed.why), responses: [] };
        continue;
      }
      usable.push({
        item,
        ...presentOutcome(false),
        ...parsed.is === "other" && { note: parsed.why },
        block: parsed.is === "settlement" ? parsed.settlement.blockNumber : readBlock(receipt),
        responses: [
          toStoredCall("/rpc", call, transaction),
          toStoredCall("/rpc", receiptCall, receipt),
        ],
      });
    }
    const final = await findFinalBlocks(context, node, usable.flatMap(({ block }) => block ?? []));
    for (const { block, ...outcome } of usable) {
      const isFinal = block === null || final === null
        ? firstRequestedBefore(FINAL_BLOCK_AGE_MS, outcome.item, context.now())
        : final.has(block);
      yield { ...outcome, isFinal };
    }
  }
}

/**
 * Finds the blocks that are too old for a reorganization: those with a final outcome, and all of them
 * if the latest one is; `null` if the node does not return their times.
 */
async function findFinalBlocks(
  { state, signal, now }: ExportContext,
  node: NodeSource,
  blocks: readonly number[],
): Promise<ReadonlySet<number> | null> {
  const sql = "SELECT 1 FROM items WHERE kind = 'block' AND key >= ? AND key < ? AND isFinal = 1";
  const finalBlocks = new Set(
    blocks.filter((block) =>
      state.queryRow(sql, `${padId(block)} `, `${padId(block)}!`) !== undefined
    ),
  );
  const openBlocks = new Set(blocks).difference(finalBlocks);
  if (openBlocks.size === 0) return finalBlocks;
  const latest = openBlocks.values().reduce((latest, block) => Math.max(latest, block), 0);
  const filterOld = async (some: Iterable<number>) => {
    const times = await blockTimes(node, some, { signal });
    return [...times].flatMap(([block, time]) =>
      now() - time.epochMilliseconds > FINAL_BLOCK_AGE_MS ? [block] : []
    );
  };
  try {
    const oldBlocks = (await filterOld([latest])).length > 0
      ? [...openBlocks]
      : await filterOld(openBlocks);
    return new Set([...finalBlocks, ...oldBlocks]);
  } catch (error) {
    const isRefusal = error instanceof HttpError || error instanceof MismatchError;
    // Without its time, a settlement is requested again until an hour after its first request.
    if (isRefusal && !(error instanceof UnansweredError)) return null;
    throw error;
  }
}
