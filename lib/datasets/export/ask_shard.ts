import { askForChunk, type Finding, UIDS_PER_REQUEST } from "../../endpoints/orders_by_uids.ts";
import { mapInOrder } from "../../endpoints/calls.ts";
import { isFinalOrder } from "../../endpoints/orders.ts";
import { HttpError, MismatchError, UnansweredError } from "../../errors/mod.ts";
import { blockTimes } from "../../evm/node/block_times.ts";
import { nodeOf, type NodeSource } from "../../evm/node/node_source.ts";
import { settlementCalls } from "../../evm/node/read_settlement_logs.ts";
import { elementsByUid } from "../../recordings/recorded_lists.ts";
import type { Order } from "../../schemas/mod.ts";
import { padded, UNBID_ORDERS } from "../layout/files.ts";
import { settlementReader } from "../shards/node_settlement.ts";
import {
  type FiledKind,
  type Item,
  ITEM_KINDS,
  type KeptAnswer,
  type Outcome,
} from "../state/export_state.ts";
import { type Keeping, keepOutcomes } from "../state/keep_outcomes.ts";
import {
  askAccount,
  askAppData,
  askFills,
  askReports,
  askTransaction,
  type CompetitionAsker,
} from "./ask_competitions.ts";
import {
  ABSENT,
  askBlocks,
  askEach,
  type Asking,
  blockOf,
  Capture,
  type Ending,
  failed,
  failureOf,
  FINAL_AFTER_MS,
  inGroupsOf,
  isGone,
  isKnownFor,
  keptCall,
  keptJson,
  present,
} from "./asking.ts";

/** Outcomes that are kept together, their characters, and the time after which they are kept. */
export const KEPT_TOGETHER = 512;
export const KEPT_CHARS = 4_000_000;
const KEPT_AFTER_MS = 500;

/** What asking for everything of a shard needs. */
interface ShardAsking {
  /** How to ask. */
  readonly asking: Asking;
  /** Where what comes of it is kept. */
  readonly keeping: Keeping;
  /** Asks for auctions; one for all shards of a walk. */
  readonly competitions: Pick<CompetitionAsker, "ask" | "past">;
  /** Called after outcomes were kept. */
  readonly onKept: (kind: FiledKind) => void;
}

/** Asks for everything of a shard that is open in this round, and keeps it: one kind after another. */
export async function askShard(shard: number, asked: ShardAsking): Promise<void> {
  const { asking: { state }, keeping, competitions } = asked;
  for (const kind of ITEM_KINDS) {
    const items = state.pending(shard, kind, keeping.round);
    if (items.length === 0) continue;
    try {
      await keepAll(outcomesOf(kind, items, asked), { kind, shard }, asked);
    } finally {
      const { id, sinceMs } = competitions.past;
      if (kind === "competition") state.run(GAPS, padded(id), sinceMs);
    }
  }
}

/**
 * Ids that were absent when no quote that took them was valid any more, and stay so. When a restored
 * response was sent is not known: its round is none.
 */
const GAPS = `UPDATE items SET isFinal = 1
  WHERE kind = 'competition' AND key < ? AND state = 'absent' AND isFinal = 0
    AND round > 0 AND askedMs > ?`;

/** Asks for things of one kind. */
export function outcomesOf(
  kind: FiledKind,
  items: readonly Item[],
  { asking, competitions }: Pick<ShardAsking, "asking"> & {
    readonly competitions: Pick<CompetitionAsker, "ask">;
  },
): AsyncGenerator<Outcome, void, undefined> {
  return kind === "competition" ? competitions.ask(items) : ASKING[kind](asking, items);
}

/** Asks for several things of one kind. */
type AskAll = (
  asking: Asking,
  items: readonly Item[],
) => AsyncGenerator<Outcome, void, undefined>;

const ASKING: Readonly<Record<Exclude<FiledKind, "competition">, AskAll>> = {
  account: (asking, items) => askEach(asking, items, askAccount),
  order: askOrders,
  trades: askFills,
  transaction: (asking, items) => askEach(asking, items, askTransaction),
  app_data: (asking, items) => askEach(asking, items, askAppData),
  report: askReports,
  block: askBlocks,
  receipt: askSettlements,
};

/** Keeps outcomes several at a time. */
async function keepAll(
  outcomes: AsyncGenerator<Outcome, void, undefined>,
  { kind, shard }: { readonly kind: FiledKind; readonly shard: number },
  { keeping, onKept }: ShardAsking,
): Promise<void> {
  const keep = (some: Outcome[]) => {
    const kept = keepOutcomes(keeping, shard, some);
    onKept(kind);
    return kept;
  };
  await inGroups(outcomes, KEPT_TOGETHER, ({ answers }) => answers, keep);
  onKept(kind);
}

/**
 * Keeps what is answered several at a time: meanwhile, the next ones are asked for.
 *
 * @param most Number of them that are kept together.
 */
export async function inGroups<One>(
  all: AsyncIterable<One>,
  most: number,
  answersOf: (one: One) => readonly KeptAnswer[],
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
      const isTime = performance.now() - keptAt > KEPT_AFTER_MS;
      if (waiting.length >= most || chars >= KEPT_CHARS || isTime) await keepWaiting();
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
async function* askOrders(
  asking: Asking,
  items: readonly Item[],
): AsyncGenerator<Outcome, void, undefined> {
  const chunks = inGroupsOf(UIDS_PER_REQUEST, items);
  const { concurrency, signal } = asking;
  const ask = (chunk: readonly Item[], ended: AbortSignal) => askChunk(asking, chunk, ended);
  for await (const outcomes of mapInOrder(chunks, ask, { concurrency, signal })) yield* outcomes;
}

async function askChunk(
  asking: Asking,
  chunk: readonly Item[],
  signal: AbortSignal,
): Promise<Outcome[]> {
  const capture = new Capture(asking.transport);
  let findings: ReadonlyMap<string, Finding>;
  try {
    findings = (await askForChunk(capture, chunk.map(({ key }) => key), signal)).findings;
    asking.failures.inRow = 0;
  } catch (error) {
    const ending = failureOf(asking, error, signal);
    return chunk.map((item) => ({ item, ...ending, answers: [] }));
  }
  const exchange = capture.take().at(-1);
  const elements = exchange === undefined ? new Map() : elementsByUid(exchange);
  return chunk.map((item) => {
    const ending = endingOf(asking, item, findings.get(item.key) ?? "missing");
    const element = elements.get(item.key);
    const isKept = ending.state === "absent" || element !== undefined;
    const answers = isKept ? [keptJson(BY_UIDS, [item.key], `[${element ?? ""}]`)] : [];
    return { item, ...ending, answers };
  });
}

function endingOf(asking: Asking, item: Item, finding: Finding): Ending {
  const nowMs = asking.now();
  if (finding === "missing") return { ...ABSENT, isFinal: isGone(item.key, item, nowMs) };
  if ("error" in finding) return failed(finding.error.message);
  const { order } = finding;
  const next = item.shard === UNBID_ORDERS ? [] : following(asking, order);
  const isFinal = isFinalOrder(order, nowMs);
  return { ...present(isFinal), next, ...!isFinal && { note: String(order.status) } };
}

function following({ needs, state, fills, executed }: Asking, order: Order): Ending["next"] {
  const uid = order.uid.toLowerCase();
  const isExecuted = order.executedSellAmount > 0n || order.executedBuyAmount > 0n;
  const isWithoutDocument = (order.fullAppData ?? null) === null && order.class !== "liquidity";
  if (isExecuted && needs.has("trades")) {
    fills?.note(order);
    executed.set(uid, {
      sell: order.executedSellAmount,
      buy: order.executedBuyAmount,
      isOpen: order.status === "open" || order.status === "presignaturePending",
    });
  }
  const areReportsGiven = needs.has("reports") && state.meta("reportsRefused") === null;
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
async function* askSettlements(
  asking: Asking,
  items: readonly Item[],
): AsyncGenerator<Outcome, void, undefined> {
  const { node, signal, settlementContract } = asking;
  if (node === null) return;
  const read = await settlementReader(settlementContract);
  const ask = nodeOf(node, "settlements", { signal });
  for (const some of inGroupsOf(SETTLEMENTS_PER_REQUEST, items)) {
    signal?.throwIfAborted();
    const answers = await ask(some.flatMap(({ key }) => settlementCalls(key)));
    const usable: (Outcome & { readonly block: number | null })[] = [];
    for (const [place, item] of some.entries()) {
      const [transaction, receipt] = [answers[2 * place]!, answers[2 * place + 1]!];
      const found = read(item.key, [transaction, receipt]);
      const [call, receiptCall] = settlementCalls(item.key);
      if (found.is === "missing" || found.is === "unusable") {
        yield { item, ...failed(found.why), answers: [] };
        continue;
      }
      usable.push({
        item,
        ...present(false),
        ...found.is === "other" && { note: found.why },
        block: found.is === "settlement" ? found.settlement.blockNumber : blockOf(receipt),
        answers: [keptCall("/rpc", call, transaction), keptCall("/rpc", receiptCall, receipt)],
      });
    }
    const final = await finalBlocks(asking, node, usable.flatMap(({ block }) => block ?? []));
    for (const { block, ...outcome } of usable) {
      const isFinal = block === null || final === null
        ? isKnownFor(FINAL_AFTER_MS, outcome.item, asking.now())
        : final.has(block);
      yield { ...outcome, isFinal };
    }
  }
}

/**
 * Which blocks are so old that no reorganization replaces them: those that were asked for by
 * themselves, and all of them if the latest one is; `null` if the node does not give their times.
 */
async function finalBlocks(
  { state, signal, now }: Asking,
  node: NodeSource,
  blocks: readonly number[],
): Promise<ReadonlySet<number> | null> {
  const sql = "SELECT 1 FROM items WHERE kind = 'block' AND key >= ? AND key < ? AND isFinal = 1";
  const known = new Set(
    blocks.filter((block) =>
      state.row(sql, `${padded(block)} `, `${padded(block)}!`) !== undefined
    ),
  );
  const others = new Set(blocks).difference(known);
  if (others.size === 0) return known;
  const latest = others.values().reduce((latest, block) => Math.max(latest, block), 0);
  const old = async (some: Iterable<number>) => {
    const times = await blockTimes(node, some, { signal });
    return [...times].flatMap(([block, at]) =>
      now() - at.epochMilliseconds > FINAL_AFTER_MS ? [block] : []
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
