import {
  type OrderLookup,
  requestChunk,
  UIDS_PER_REQUEST,
} from "../../endpoints/orders_by_uids.ts";
import { mapInOrder } from "../../endpoints/calls.ts";
import { isFinalOrder } from "../../endpoints/orders.ts";
import { HttpError, MismatchError, UnansweredError } from "../../errors/mod.ts";
import { blockTimes } from "../../evm/node/block_times.ts";
import { type NodeSource, requireNode } from "../../evm/node/node_source.ts";
import { toSettlementCalls } from "../../evm/node/read_settlement_logs.ts";
import { splitByUid } from "../../recordings/recorded_lists.ts";
import type { Order } from "../../schemas/mod.ts";
import { padId, UNBID_ORDERS } from "../layout/files.ts";
import { createSettlementReader } from "../shards/node_settlement.ts";
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
import {
  chunk,
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

/** Outcomes that are kept together, their characters, and the time after which they are kept. */
export const BATCH_SIZE = 512;
export const BATCH_CHARS = 4_000_000;
const FLUSH_INTERVAL_MS = 500;

/** What asking for everything of a shard needs. */
interface ShardFetchContext {
  /** How to ask. */
  readonly context: ExportContext;
  /** Where what comes of it is kept. */
  readonly writer: OutcomeWriter;
  /** Asks for auctions; one for all shards of a walk. */
  readonly competitions: Pick<CompetitionFetcher, "fetch" | "past">;
  /** Called after outcomes were kept. */
  readonly onWritten: (kind: FiledKind) => void;
}

/** Asks for everything of a shard that is open in this round, and keeps it: one kind after another. */
export async function fetchShard(shard: number, asked: ShardFetchContext): Promise<void> {
  const { context: { state }, writer: keeping, competitions } = asked;
  for (const kind of ITEM_KINDS) {
    const items = state.listPending(shard, kind, keeping.round);
    if (items.length === 0) continue;
    try {
      await writeAll(fetchOutcomes(kind, items, asked), { kind, shard }, asked);
    } finally {
      const { id, sinceMs } = competitions.past;
      if (kind === "competition") state.run(FINALIZE_ABSENT, padId(id), sinceMs);
    }
  }
}

/**
 * Ids that were absent when no quote that took them was valid any more, and stay so. When a restored
 * response was sent is not known: its round is none.
 */
const FINALIZE_ABSENT = `UPDATE items SET isFinal = 1
  WHERE kind = 'competition' AND key < ? AND state = 'absent' AND isFinal = 0
    AND round > 0 AND askedMs > ?`;

/** Asks for things of one kind. */
export function fetchOutcomes(
  kind: FiledKind,
  items: readonly Item[],
  { context: asking, competitions }: Pick<ShardFetchContext, "context"> & {
    readonly competitions: Pick<CompetitionFetcher, "fetch">;
  },
): AsyncGenerator<Outcome, void, undefined> {
  return kind === "competition" ? competitions.fetch(items) : FETCHERS[kind](asking, items);
}

/** Asks for several things of one kind. */
type FetchItems = (
  asking: ExportContext,
  items: readonly Item[],
) => AsyncGenerator<Outcome, void, undefined>;

const FETCHERS: Readonly<Record<Exclude<FiledKind, "competition">, FetchItems>> = {
  account: (asking, items) => fetchEach(asking, items, fetchAccount),
  order: fetchOrders,
  trades: fetchFills,
  transaction: (asking, items) => fetchEach(asking, items, fetchTransaction),
  app_data: (asking, items) => fetchEach(asking, items, fetchAppData),
  report: fetchReports,
  block: fetchBlocks,
  receipt: fetchSettlements,
};

/** Keeps outcomes several at a time. */
async function writeAll(
  outcomes: AsyncGenerator<Outcome, void, undefined>,
  { kind, shard }: { readonly kind: FiledKind; readonly shard: number },
  { writer: keeping, onWritten: onKept }: ShardFetchContext,
): Promise<void> {
  const keep = (some: Outcome[]) => {
    const kept = writeOutcomes(keeping, shard, some);
    onKept(kind);
    return kept;
  };
  await flushInBatches(outcomes, BATCH_SIZE, ({ responses: answers }) => answers, keep);
  onKept(kind);
}

/**
 * Keeps what is answered several at a time: meanwhile, the next ones are asked for.
 *
 * @param most Number of them that are kept together.
 */
export async function flushInBatches<One>(
  all: AsyncIterable<One>,
  most: number,
  answersOf: (one: One) => readonly StoredResponse[],
  keep: (some: One[]) => Promise<void>,
): Promise<void> {
  let kept = Promise.resolve();
  let waiting: One[] = [];
  let [chars, keptAt] = [0, performance.now()];
  const keepWaiting = async () => {
    await kept;
    kept = keep(waiting);
    // It fails when it is awaited.
    kept.catch(() => {});
    [waiting, chars, keptAt] = [[], 0, performance.now()];
  };
  try {
    for await (const one of all) {
      waiting.push(one);
      for (const { line } of answersOf(one)) chars += line.length;
      const isTime = performance.now() - keptAt > FLUSH_INTERVAL_MS;
      if (waiting.length >= most || chars >= BATCH_CHARS || isTime) await keepWaiting();
    }
  } finally {
    await keepWaiting();
    await kept;
  }
}

const BY_UIDS = "/api/v1/orders/by_uids";

/**
 * Asks for orders, 128 at a time. Each order is kept as if it had been asked for alone, character
 * for character, so that what is kept does not depend on which orders shared a request.
 */
async function* fetchOrders(
  asking: ExportContext,
  items: readonly Item[],
): AsyncGenerator<Outcome, void, undefined> {
  const chunks = chunk(UIDS_PER_REQUEST, items);
  const { concurrency, signal } = asking;
  const ask = (chunk: readonly Item[], ended: AbortSignal) => fetchChunk(asking, chunk, ended);
  for await (const outcomes of mapInOrder(chunks, ask, { concurrency, signal })) yield* outcomes;
}

async function fetchChunk(
  asking: ExportContext,
  chunk: readonly Item[],
  signal: AbortSignal,
): Promise<Outcome[]> {
  const capture = new ExchangeRecorder(asking.transport);
  let findings: ReadonlyMap<string, OrderLookup>;
  try {
    findings = (await requestChunk(capture, chunk.map(({ key }) => key), signal)).lookups;
    asking.failures.inRow = 0;
  } catch (error) {
    const ending = toFailure(asking, error, signal);
    return chunk.map((item) => ({ item, ...ending, responses: [] }));
  }
  const exchange = capture.takeAll().at(-1);
  const elements = exchange === undefined ? new Map() : splitByUid(exchange);
  return chunk.map((item) => {
    const ending = orderOutcome(asking, item, findings.get(item.key) ?? "missing");
    const element = elements.get(item.key);
    const isKept = ending.state === "absent" || element !== undefined;
    const responses = isKept ? [toStoredJson(BY_UIDS, [item.key], `[${element ?? ""}]`)] : [];
    return { item, ...ending, responses };
  });
}

function orderOutcome(asking: ExportContext, item: Item, finding: OrderLookup): RequestOutcome {
  const nowMs = asking.now();
  if (finding === "missing") {
    return { ...PERMANENTLY_ABSENT, isFinal: isPermanentlyMissing(item.key, item, nowMs) };
  }
  if ("error" in finding) return failedOutcome(finding.error.message);
  const { order } = finding;
  const next = item.shard === UNBID_ORDERS ? [] : followUpRequests(asking, order);
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
      isOpen: order.status === "open" || order.status === "presignaturePending",
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

/** Settlements per request, which has two calls for each. */
const SETTLEMENTS_PER_REQUEST = 50;

/**
 * Asks a node for transaction and receipt of settlements, 50 settlements at a time. Both are kept as
 * calls with the answers of the node, so that a rebuild needs no node.
 *
 * A settlement that the node does not have, or whose answers contradict each other, has failed, and
 * is asked for again in the next run. A transaction that does not call the settlement contract itself
 * is kept, and its row says so. One that is younger than an hour is asked for again.
 *
 * @throws {NetworkError} If the node cannot be reached; likewise {@linkcode TimeoutError}.
 * @throws {HttpError} If it refuses a whole request.
 */
async function* fetchSettlements(
  asking: ExportContext,
  items: readonly Item[],
): AsyncGenerator<Outcome, void, undefined> {
  const { node, signal, settlementContract } = asking;
  if (node === null) return;
  const read = await createSettlementReader(settlementContract);
  const ask = requireNode(node, "settlements", { signal });
  for (const some of chunk(SETTLEMENTS_PER_REQUEST, items)) {
    signal?.throwIfAborted();
    const answers = await ask(some.flatMap(({ key }) => toSettlementCalls(key)));
    const usable: (Outcome & { readonly block: number | null })[] = [];
    for (const [place, item] of some.entries()) {
      const [transaction, receipt] = [answers[2 * place]!, answers[2 * place + 1]!];
      const found = read(item.key, [transaction, receipt]);
      const [call, receiptCall] = toSettlementCalls(item.key);
      if (found.is === "missing" || found.is === "unusable") {
        yield { item, ...failedOutcome(found.why), responses: [] };
        continue;
      }
      usable.push({
        item,
        ...presentOutcome(false),
        ...found.is === "other" && { note: found.why },
        block: found.is === "settlement" ? found.settlement.blockNumber : readBlock(receipt),
        responses: [
          toStoredCall("/rpc", call, transaction),
          toStoredCall("/rpc", receiptCall, receipt),
        ],
      });
    }
    const final = await findFinalBlocks(asking, node, usable.flatMap(({ block }) => block ?? []));
    for (const { block, ...outcome } of usable) {
      const isFinal = block === null || final === null
        ? firstRequestedBefore(FINAL_BLOCK_AGE_MS, outcome.item, asking.now())
        : final.has(block);
      yield { ...outcome, isFinal };
    }
  }
}

/**
 * Which blocks are so old that no reorganization replaces them: those that were asked for by
 * themselves, and all of them if the latest one is; `null` if the node does not give their times.
 */
async function findFinalBlocks(
  { state, signal, now }: ExportContext,
  node: NodeSource,
  blocks: readonly number[],
): Promise<ReadonlySet<number> | null> {
  const sql = "SELECT 1 FROM items WHERE kind = 'block' AND key >= ? AND key < ? AND isFinal = 1";
  const known = new Set(
    blocks.filter((block) =>
      state.queryRow(sql, `${padId(block)} `, `${padId(block)}!`) !== undefined
    ),
  );
  const others = new Set(blocks).difference(known);
  if (others.size === 0) return known;
  const latest = others.values().reduce((latest, block) => Math.max(latest, block), 0);
  const old = async (some: Iterable<number>) => {
    const times = await blockTimes(node, some, { signal });
    return [...times].flatMap(([block, at]) =>
      now() - at.epochMilliseconds > FINAL_BLOCK_AGE_MS ? [block] : []
    );
  };
  try {
    const found = (await old([latest])).length > 0 ? [...others] : await old(others);
    return new Set([...known, ...found]);
  } catch (error) {
    const isRefusal = error instanceof HttpError || error instanceof MismatchError;
    // Without its time, a settlement is asked for again until it is known for an hour.
    if (isRefusal && !(error instanceof UnansweredError)) return null;
    throw error;
  }
}
