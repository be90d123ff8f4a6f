import type { Need } from "../../tables/mod.ts";
import { mapInOrder, NO_EXPIRY, splitIntoChunks, splitUid } from "../../endpoints/calls.ts";
import { isFinalCompetition } from "../../endpoints/competitions.ts";
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
import {
  CALLS_PER_REQUEST,
  readSafeQuantity,
  type RpcAnswer,
  type RpcCall,
} from "../../evm/node/rpc_batches.ts";
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

/** Failures in a row after which an export ends. */
const MAX_CONSECUTIVE_FAILURES = 8;

/** Dependencies of an export's requests. */
export interface ExportContext {
  readonly transport: Transport;
  readonly state: ExportState;
  /** Records that the tables need in addition to auctions. */
  readonly needs: ReadonlySet<Need>;
  /** The settlement contract, in lower case. */
  readonly settlementContract: string;
  /** Node for timestamps of blocks and settlements; `null` without one. */
  readonly node: NodeSource | null;
  /** Fills by account; `null` requests those of each order alone. */
  readonly fills: AccountFills | null;
  /** Executed amounts of orders whose fills are pending, by UID in lower case. */
  readonly executed: Map<string, ExecutedAmounts>;
  readonly concurrency: number;
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
  readonly buy: bigint;
  /** Whether it can still be filled. */
  readonly isOpen: boolean;
}

/** Outcome of one request, without its responses. */
export type RequestOutcome = Omit<Outcome, "item" | "responses">;

/** Returns the outcome of a record that leads to no further request. */
export function presentOutcome(isFinal: boolean): RequestOutcome {
  return { state: "present", isFinal, next: [] };
}

/** Outcome of an item that permanently does not exist. */
export const PERMANENTLY_ABSENT: RequestOutcome = { state: "absent", isFinal: true, next: [] };

/**
 * Returns the outcome of an item that could not be fetched or read, with the first line of the reason.
 */
export function failedOutcome(reason: string): RequestOutcome {
  const [note = ""] = reason.split("\n");
  return { state: "failed", isFinal: false, note, next: [] };
}

/** Fetches one item; the transport records the exchanges. */
export type FetchItem = (
  context: ExportContext,
  item: Item,
  signal: AbortSignal,
) => Promise<RequestOutcome>;

/** Fetches items, several concurrently, each with its own recorded exchanges. */
export async function* fetchEach(
  context: ExportContext,
  items: readonly Item[],
  ask: FetchItem,
): AsyncGenerator<Outcome, void, undefined> {
  async function fetchItem(item: Item, signal: AbortSignal): Promise<Outcome> {
    const recorder = new ExchangeRecorder(context.transport);
    const outcome = await ask({ ...context, transport: recorder }, item, signal).catch((error) =>
      toFailure(context, error, signal)
    );
    if (outcome.state !== "failed") context.failures.inRow = 0;
    const { state } = outcome;
    const exchanges = recorder.takeAll().filter(({ status }) =>
      // The 404 of a gateway is none of the service's.
      status === 404 ? state === "present" || state === "absent" : status === 200
    );
    if (state === "hidden") return { item, ...outcome, responses: [] };
    return { item, ...outcome, responses: exchanges.map(toStored) };
  }
  const { concurrency, signal } = context;
  yield* mapInOrder(items, fetchItem, { concurrency, signal });
}

/**
 * Turns an error into an outcome: an item whose response is the cause has failed, and is requested
 * again in the next run; every other error ends the export.
 */
export function toFailure(
  context: ExportContext,
  error: unknown,
  signal: AbortSignal | undefined,
): RequestOutcome {
  if (signal?.aborted || !(error instanceof Error)) throw error;
  // A connection that broke may be due to this one response.
  const isBroken = error instanceof TimeoutError ||
    error instanceof UnansweredError && error.mayHaveBeenReceived;
  const isRefusal = error instanceof HttpStatusError || error instanceof ServiceError ||
    error instanceof UnavailableError || isBroken;
  const isUnreadable = error instanceof DecodeError || error instanceof MismatchError ||
    error instanceof IncompleteListError || error instanceof NotRecordedError;
  if (!isRefusal && !isUnreadable) throw error;
  if (isRefusal && ++context.failures.inRow >= MAX_CONSECUTIVE_FAILURES) throw error;
  return failedOutcome(error.message);
}

/** Whether a competition can no longer change, or was first requested an hour ago. */
export function isFinalItem(
  competition: Competition,
  item: Pick<Item, "firstAskedMs">,
  nowMs: number,
): boolean {
  return isFinalCompetition(competition, nowMs) || firstRequestedBefore(HOUR_MS, item, nowMs);
}

/** Whether an order that the service does not have can no longer appear: a day after its expiry. */
export function isPermanentlyMissing(uid: string, item: Item, nowMs: number): boolean {
  const { validTo } = splitUid(uid);
  return validTo === NO_EXPIRY
    ? firstRequestedBefore(DAY_MS, item, nowMs)
    : nowMs - validTo * 1000 > DAY_MS;
}

/** Whether an item was first requested more than `ms` milliseconds ago. */
export function firstRequestedBefore(
  ms: number,
  { firstAskedMs }: Pick<Item, "firstAskedMs">,
  nowMs: number,
): boolean {
  return firstAskedMs !== null && nowMs - firstAskedMs > ms;
}

/** Forwards requests, and records their exchanges. */
export class ExchangeRecorder implements Transport {
  readonly baseUrl: string;
  readonly #transport: Transport;
  #exchanges = new Map<string, Exchange>();

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

  /**
   * Takes the exchanges since the last call; of each request the last, in the order of the requests.
   */
  takeAll(): Exchange[] {
    const exchanges = [...this.#exchanges.values()];
    this.#exchanges = new Map();
    return exchanges;
  }

  /** Takes the last exchange of one GET. */
  takeLast(path: string): Exchange | undefined {
    const key = `GET ${path} `;
    const exchange = this.#exchanges.get(key);
    this.#exchanges.delete(key);
    return exchange;
  }
}

/** Converts an exchange into a stored response. */
export function toStored(exchange: Exchange): StoredResponse {
  const { method, path, status } = exchange;
  return { line: printExchange(exchange), route: `${method} ${toRoute(path)} ${status}` };
}

/** Converts a JSON response into a stored one. */
export function toStoredJson(path: string, request: unknown, json: string): StoredResponse {
  const body = JSON.stringify(request);
  return toStored(toExchange({ method: "POST", path, body }, toJson(200, json)));
}

/** Converts a node's response to a call into a stored one. */
export function toStoredCall(path: string, call: RpcCall, response: RpcAnswer): StoredResponse {
  const envelope = { jsonrpc: "2.0", id: 1 };
  const result = "result" in response ? response.result : null;
  return toStoredJson(path, { ...envelope, ...call }, JSON.stringify({ ...envelope, result }));
}

/** Reads the block of a receipt; `null` without one. */
export function readBlock(receipt: RpcAnswer): number | null {
  const { blockNumber } = "result" in receipt ? Object(receipt.result) : {};
  return readSafeQuantity(blockNumber);
}

/** Age from which no reorganization replaces a block. */
export const FINAL_BLOCK_AGE_MS = HOUR_MS;
const STANDS_IN = "stands in ";

/** Returns the key of a block in a shard: each shard requests the blocks that it names. */
export function toBlockKey(block: number, shard: number): string {
  return `${padId(block)} ${formatShard(shard)}`;
}

/**
 * Fetches timestamps of blocks from a node, 100 at a time. Each is stored as its call with number and
 * timestamp of the response, so that a rebuild needs no node.
 *
 * A block that the node does not have has failed, and is requested again in the next run; times that
 * need it are intervals meanwhile.
 *
 * @throws {NetworkError} If the node cannot be reached; likewise {@linkcode TimeoutError}.
 * @throws {HttpError} If it returns an error.
 * @throws {MismatchError} If it contradicts itself.
 */
export async function* fetchBlocks(
  { node, state, signal, now }: ExportContext,
  items: readonly Item[],
): AsyncGenerator<Outcome, void, undefined> {
  if (node === null) return;
  for (const batch of splitIntoChunks(items, CALLS_PER_REQUEST)) {
    signal?.throwIfAborted();
    const blocks = batch.map(({ key }) => Number.parseInt(key));
    const times = await blockTimes(node, blocks, { signal });
    for (const [index, item] of batch.entries()) {
      const block = blocks[index]!;
      yield toOutcome(state, item, { block, atMs: times.get(block)?.epochMilliseconds }, now());
    }
  }
}

function toOutcome(
  state: ExportState,
  item: Item,
  { block, atMs }: { readonly block: number; readonly atMs: number | undefined },
  nowMs: number,
): Outcome {
  if (atMs === undefined) {
    return { item, ...failedOutcome(`The node does not have block ${block}`), responses: [] };
  }
  const publisher = findPublisher(state, item.key);
  const number = `0x${block.toString(16)}`;
  const path = publisher === null ? "/rpc" : `/rpc?in=${publisher}`;
  const call = { method: "eth_getBlockByNumber", params: [number, false] };
  const result = { number, timestamp: `0x${(atMs / 1_000).toString(16)}` };
  return {
    item,
    ...presentOutcome(nowMs - atMs > FINAL_BLOCK_AGE_MS),
    ...publisher === null ? {} : { note: `${STANDS_IN}${publisher}` },
    responses: [toStoredCall(path, call, { result })],
  };
}

/** Finds the shard whose table already has the block; `null` if it is the item's own. */
function findPublisher(state: ExportState, key: string): string | null {
  const [block = ""] = key.split(" ");
  const publisher = state.queryRow<{ key: string }>(
    `SELECT key FROM items WHERE kind = 'block' AND key >= ? AND key < ? AND key <> ?
     AND state = 'present' AND (note IS NULL OR note NOT LIKE '${STANDS_IN}%') LIMIT 1`,
    ...[`${block} `, `${block}!`, key],
  );
  return publisher?.key.slice(block.length + 1) ?? null;
}
