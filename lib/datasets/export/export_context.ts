import type { Need } from "../../tables/mod.ts";
import { mapInOrder, NO_EXPIRY, splitUid } from "../../endpoints/calls.ts";
import { findFirstExpiryMs } from "../../endpoints/competitions.ts";
import {
  DecodeError,
  HttpStatusError,
  IncompleteListError,
  MismatchError,
  NotRecordedError,
  ServiceError,
  TimeoutError,
  UnansweredError,
  UnavailableError,
} from "../../errors/mod.ts";
import { blockTimes } from "../../evm/node/block_times.ts";
import type { NodeSource } from "../../evm/node/node_source.ts";
import { CALLS_PER_REQUEST, type RpcAnswer, type RpcCall } from "../../evm/node/rpc_batches.ts";
import type { HttpRequest, HttpResponse, Transport } from "../../http/mod.ts";
import {
  type Exchange,
  printExchange,
  toExchange,
  toJson,
  toRoute,
} from "../../recordings/request_key.ts";
import type { Competition } from "../../schemas/mod.ts";
import { DAY_MS, HOUR_MS } from "../../units/instant.ts";
import { formatShard, padId } from "../layout/files.ts";
import type { ExportState, Item, Outcome, StoredResponse } from "../state/export_state.ts";
import type { AccountFills } from "./account_fills.ts";

/** A settlement is indexed at most this long after the expiry of its auction's orders. */
const MAX_SETTLEMENT_DELAY_MS = 2 * HOUR_MS;
/** The service is not asked on after so many failures in a row. */
const MAX_CONSECUTIVE_FAILURES = 8;

/** What asking needs. */
export interface ExportContext {
  /** The deployment. */
  readonly transport: Transport;
  /** What is known. */
  readonly state: ExportState;
  /** What the tables need besides auctions. */
  readonly needs: ReadonlySet<Need>;
  /** The settlement contract, in lower case. */
  readonly settlementContract: string;
  /** Where timestamps of blocks and settlements are from; `null` without a node. */
  readonly node: NodeSource | null;
  /** Fills by account; `null` asks for those of each order alone. */
  readonly fills: AccountFills | null;
  /** Executed amounts of orders whose fills are pending, by UID in lower case. */
  readonly executed: Map<string, ExecutedAmounts>;
  /** Concurrent requests. */
  readonly concurrency: number;
  /** Ends it. */
  readonly signal: AbortSignal | undefined;
  /** The time in unix milliseconds. */
  readonly now: () => number;
  /** Failures since the last success. */
  readonly failures: { inRow: number };
}

/** Amounts that an order executed, in atoms, and whether it may have executed more since. */
export interface ExecutedAmounts {
  /** Sold, with the legacy signed fee. */
  readonly sell: bigint;
  /** Bought. */
  readonly buy: bigint;
  /** Whether it can still be filled. */
  readonly isOpen: boolean;
}

/** What one request came to, without its answers. */
export type RequestOutcome = Omit<Outcome, "item" | "responses">;

/** Something present, with nothing to follow. */
export function presentOutcome(isFinal: boolean): RequestOutcome {
  return { state: "present", isFinal, next: [] };
}

/** Something that does not exist, for good. */
export const PERMANENTLY_ABSENT: RequestOutcome = { state: "absent", isFinal: true, next: [] };

/** Something that was not got or cannot be read: the first line says why. */
export function failedOutcome(why: string): RequestOutcome {
  const [note = ""] = why.split("\n");
  return { state: "failed", isFinal: false, note, next: [] };
}

/** Asks for one thing; the transport captures what is answered. */
export type FetchItem = (
  asking: ExportContext,
  item: Item,
  signal: AbortSignal,
) => Promise<RequestOutcome>;

/** Asks for things, several concurrently, each with its own captured answers. */
export async function* fetchEach(
  asking: ExportContext,
  items: readonly Item[],
  ask: FetchItem,
): AsyncGenerator<Outcome, void, undefined> {
  async function one(item: Item, signal: AbortSignal): Promise<Outcome> {
    const capture = new ExchangeRecorder(asking.transport);
    const ending = await ask({ ...asking, transport: capture }, item, signal).catch((error) =>
      toFailure(asking, error, signal)
    );
    if (ending.state !== "failed") asking.failures.inRow = 0;
    const { state } = ending;
    const exchanges = capture.takeAll().filter(({ status }) =>
      // The 404 of a gateway is none of the service's.
      status === 404 ? state === "present" || state === "absent" : status === 200
    );
    if (state === "hidden") return { item, ...ending, responses: [] };
    return { item, ...ending, responses: exchanges.map(toStoredResponse) };
  }
  const { concurrency, signal } = asking;
  yield* mapInOrder(items, one, { concurrency, signal });
}

/**
 * How a failed request ends: what the answer is to blame for counts as failed, and is asked for again
 * in the next run; everything else ends the export.
 */
export function toFailure(
  asking: ExportContext,
  error: unknown,
  signal: AbortSignal | undefined,
): RequestOutcome {
  if (signal?.aborted || !(error instanceof Error)) throw error;
  // A connection that was made and broke may be the fault of this one answer.
  const isBroken = error instanceof TimeoutError ||
    error instanceof UnansweredError && error.mayHaveBeenReceived;
  const isRefusal = error instanceof HttpStatusError || error instanceof ServiceError ||
    error instanceof UnavailableError || isBroken;
  const isUnreadable = error instanceof DecodeError || error instanceof MismatchError ||
    error instanceof IncompleteListError || error instanceof NotRecordedError;
  if (!isRefusal && !isUnreadable) throw error;
  if (isRefusal && ++asking.failures.inRow >= MAX_CONSECUTIVE_FAILURES) throw error;
  return failedOutcome(error.message);
}

/**
 * Whether a competition can no longer change: every winner has its settlement, or none can get one
 * any more. An auction begins before the first of its orders expires, and hashes come up to half an
 * hour late.
 */
export function isFinalCompetition(
  competition: Competition,
  item: Pick<Item, "firstAskedMs">,
  nowMs: number,
): boolean {
  const winners = competition.solutions.filter(({ isWinner }) => isWinner);
  if (winners.length > 0 && winners.every(({ txHash }) => txHash != null)) return true;
  return firstRequestedBefore(HOUR_MS, item, nowMs) ||
    nowMs - findFirstExpiryMs(competition) > MAX_SETTLEMENT_DELAY_MS;
}

/** Whether an order that the service does not have can no longer appear: a day after its expiry. */
export function isPermanentlyMissing(uid: string, item: Item, nowMs: number): boolean {
  const { validTo } = splitUid(uid);
  return validTo === NO_EXPIRY
    ? firstRequestedBefore(DAY_MS, item, nowMs)
    : nowMs - validTo * 1000 > DAY_MS;
}

/** Whether something was asked for first longer ago than some milliseconds. */
export function firstRequestedBefore(
  ms: number,
  { firstAskedMs }: Pick<Item, "firstAskedMs">,
  nowMs: number,
): boolean {
  return firstAskedMs !== null && nowMs - firstAskedMs > ms;
}

/** Some things after others, at most so many at a time. */
export function* chunk<One>(count: number, all: readonly One[]): Generator<One[]> {
  for (let start = 0; start < all.length; start += count) yield all.slice(start, start + count);
}

/** Passes requests on, and has the exchanges that came of them. */
export class ExchangeRecorder implements Transport {
  readonly baseUrl: string;
  readonly #transport: Transport;
  #exchanges = new Map<string, Exchange>();

  /** Wraps a transport. */
  constructor(transport: Transport) {
    this.baseUrl = transport.baseUrl;
    this.#transport = transport;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    const response = await this.#transport.send(request);
    const { method, path, body = "" } = request;
    const key = `${method} ${path} ${body}`;
    this.#exchanges.delete(key);
    this.#exchanges.set(key, toExchange(request, { ...response, responseBody: response.body }));
    return response;
  }

  /** The exchanges since the last call; of each request the last, in the order of the requests. */
  takeAll(): Exchange[] {
    const taken = [...this.#exchanges.values()];
    this.#exchanges = new Map();
    return taken;
  }

  /** The last exchange of one GET, which is then forgotten. */
  takeLast(path: string): Exchange | undefined {
    const key = `GET ${path} `;
    const exchange = this.#exchanges.get(key);
    this.#exchanges.delete(key);
    return exchange;
  }
}

/** An exchange as it is kept. */
export function toStoredResponse(exchange: Exchange): StoredResponse {
  const { method, path, status } = exchange;
  return { line: printExchange(exchange), route: `${method} ${toRoute(path)} ${status}` };
}

/** An answer of JSON, as it is kept. */
export function toStoredJson(path: string, request: unknown, responseBody: string): StoredResponse {
  const body = JSON.stringify(request);
  return toStoredResponse(
    toExchange({ method: "POST", path, body }, toJson(200, responseBody)),
  );
}

/** What a node answered to a call, as it is kept. */
export function toStoredCall(path: string, call: RpcCall, answer: RpcAnswer): StoredResponse {
  const about = { jsonrpc: "2.0", id: 1 };
  const result = "result" in answer ? answer.result : null;
  return toStoredJson(path, { ...about, ...call }, JSON.stringify({ ...about, result }));
}

/** The block that a receipt names; `null` without one. */
export function readBlock(receipt: RpcAnswer): number | null {
  const { blockNumber } = "result" in receipt ? Object(receipt.result) : {};
  const isNumber = typeof blockNumber === "string" && /^0x[0-9a-f]{1,13}$/i.test(blockNumber);
  return isNumber ? Number(blockNumber) : null;
}

/** Age from which no reorganization replaces a block. */
export const FINAL_BLOCK_AGE_MS = HOUR_MS;
const STANDS_IN = "stands in ";

/** What is asked for of a shard: a block that several shards name is asked for by each. */
export function toBlockKey(block: number, shard: number): string {
  return `${padId(block)} ${formatShard(shard)}`;
}

/**
 * Asks a node for timestamps of blocks, 100 at a time. Each is kept as the call for it and, of the
 * answer, number and timestamp, so that a rebuild needs no node.
 *
 * A block that the node does not have has failed, and is asked for again in the next run; times that
 * need it are intervals meanwhile.
 *
 * @throws {NetworkError} If the node cannot be reached; likewise {@linkcode TimeoutError}.
 * @throws {HttpError} If it answers with an error, or contradicts itself.
 */
export async function* fetchBlocks(
  { node, state, signal, now }: ExportContext,
  items: readonly Item[],
): AsyncGenerator<Outcome, void, undefined> {
  if (node === null) return;
  for (const some of chunk(CALLS_PER_REQUEST, items)) {
    signal?.throwIfAborted();
    const blocks = some.map(({ key }) => Number.parseInt(key));
    const times = await blockTimes(node, blocks, { signal });
    for (const [place, item] of some.entries()) {
      const block = blocks[place]!;
      yield toBlockOutcome(state, item, { block, at: times.get(block)?.epochMilliseconds }, now());
    }
  }
}

function toBlockOutcome(
  state: ExportState,
  item: Item,
  { block, at }: { readonly block: number; readonly at: number | undefined },
  nowMs: number,
): Outcome {
  if (at === undefined) {
    return { item, ...failedOutcome(`The node does not have block ${block}`), responses: [] };
  }
  const other = findPublisher(state, item.key);
  const number = `0x${block.toString(16)}`;
  const path = other === null ? "/rpc" : `/rpc?in=${other}`;
  const call = { method: "eth_getBlockByNumber", params: [number, false] };
  const result = { number, timestamp: `0x${(at / 1_000).toString(16)}` };
  return {
    item,
    ...presentOutcome(nowMs - at > FINAL_BLOCK_AGE_MS),
    ...other === null ? {} : { note: `${STANDS_IN}${other}` },
    responses: [toStoredCall(path, call, { result })],
  };
}

/** The shard whose table has the block already; `null` if that is the item's own. */
function findPublisher(state: ExportState, key: string): string | null {
  const [block = ""] = key.split(" ");
  const other = state.queryRow<{ key: string }>(
    `SELECT key FROM items WHERE kind = 'block' AND key >= ? AND key < ? AND key <> ?
     AND state = 'present' AND (note IS NULL OR note NOT LIKE '${STANDS_IN}%') LIMIT 1`,
    ...[`${block} `, `${block}!`, key],
  );
  return other?.key.slice(block.length + 1) ?? null;
}
