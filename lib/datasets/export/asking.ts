import type { Need } from "../../tables/mod.ts";
import { mapInOrder, NO_EXPIRY, uidParts } from "../../endpoints/calls.ts";
import { firstExpiryMs } from "../../endpoints/competitions.ts";
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
  exchangeOf,
  jsonAnswer,
  printExchange,
  routeOf,
} from "../../recordings/request_key.ts";
import type { Competition } from "../../schemas/mod.ts";
import { DAY_MS, HOUR_MS } from "../../units/instant.ts";
import { padded, shardName } from "../layout/files.ts";
import type { ExportState, Item, KeptAnswer, Outcome } from "../state/export_state.ts";
import type { AccountFills } from "./account_fills.ts";

/** A settlement is indexed at most this long after the expiry of its auction's orders. */
const SETTLED_AFTER_MS = 2 * HOUR_MS;
/** The service is not asked on after so many failures in a row. */
const MOST_FAILURES = 8;

/** What asking needs. */
export interface Asking {
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
export type Ending = Omit<Outcome, "item" | "answers">;

/** Something present, with nothing to follow. */
export function present(isFinal: boolean): Ending {
  return { state: "present", isFinal, next: [] };
}

/** Something that does not exist, for good. */
export const ABSENT: Ending = { state: "absent", isFinal: true, next: [] };

/** Something that was not got or cannot be read: the first line says why. */
export function failed(why: string): Ending {
  const [note = ""] = why.split("\n");
  return { state: "failed", isFinal: false, note, next: [] };
}

/** Asks for one thing; the transport captures what is answered. */
export type AskOne = (asking: Asking, item: Item, signal: AbortSignal) => Promise<Ending>;

/** Asks for things, several concurrently, each with its own captured answers. */
export async function* askEach(
  asking: Asking,
  items: readonly Item[],
  ask: AskOne,
): AsyncGenerator<Outcome, void, undefined> {
  async function one(item: Item, signal: AbortSignal): Promise<Outcome> {
    const capture = new Capture(asking.transport);
    const ending = await ask({ ...asking, transport: capture }, item, signal).catch((error) =>
      failureOf(asking, error, signal)
    );
    if (ending.state !== "failed") asking.failures.inRow = 0;
    const { state } = ending;
    const exchanges = capture.take().filter(({ status }) =>
      // The 404 of a gateway is none of the service's.
      status === 404 ? state === "present" || state === "absent" : status === 200
    );
    if (state === "hidden") return { item, ...ending, answers: [] };
    return { item, ...ending, answers: exchanges.map(keptAnswer) };
  }
  const { concurrency, signal } = asking;
  yield* mapInOrder(items, one, { concurrency, signal });
}

/**
 * How a failed request ends: what the answer is to blame for counts as failed, and is asked for again
 * in the next run; everything else ends the export.
 */
export function failureOf(
  asking: Asking,
  error: unknown,
  signal: AbortSignal | undefined,
): Ending {
  if (signal?.aborted || !(error instanceof Error)) throw error;
  // A connection that was made and broke may be the fault of this one answer.
  const isBroken = error instanceof TimeoutError ||
    error instanceof UnansweredError && error.mayHaveBeenReceived;
  const isRefusal = error instanceof HttpStatusError || error instanceof ServiceError ||
    error instanceof UnavailableError || isBroken;
  const isUnreadable = error instanceof DecodeError || error instanceof MismatchError ||
    error instanceof IncompleteListError || error instanceof NotRecordedError;
  if (!isRefusal && !isUnreadable) throw error;
  if (isRefusal && ++asking.failures.inRow >= MOST_FAILURES) throw error;
  return failed(error.message);
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
  return isKnownFor(HOUR_MS, item, nowMs) ||
    nowMs - firstExpiryMs(competition) > SETTLED_AFTER_MS;
}

/** Whether an order that the service does not have can no longer appear: a day after its expiry. */
export function isGone(uid: string, item: Item, nowMs: number): boolean {
  const { validTo } = uidParts(uid);
  return validTo === NO_EXPIRY ? isKnownFor(DAY_MS, item, nowMs) : nowMs - validTo * 1000 > DAY_MS;
}

/** Whether something was asked for first longer ago than some milliseconds. */
export function isKnownFor(
  ms: number,
  { firstAskedMs }: Pick<Item, "firstAskedMs">,
  nowMs: number,
): boolean {
  return firstAskedMs !== null && nowMs - firstAskedMs > ms;
}

/** Some things after others, at most so many at a time. */
export function* inGroupsOf<One>(count: number, all: readonly One[]): Generator<One[]> {
  for (let start = 0; start < all.length; start += count) yield all.slice(start, start + count);
}

/** Passes requests on, and has the exchanges that came of them. */
export class Capture implements Transport {
  readonly baseUrl: string;
  readonly #transport: Transport;
  #taken = new Map<string, Exchange>();

  /** Wraps a transport. */
  constructor(transport: Transport) {
    this.baseUrl = transport.baseUrl;
    this.#transport = transport;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    const response = await this.#transport.send(request);
    const { method, path, body = "" } = request;
    const key = `${method} ${path} ${body}`;
    this.#taken.delete(key);
    this.#taken.set(key, exchangeOf(request, { ...response, responseBody: response.body }));
    return response;
  }

  /** The exchanges since the last call; of each request the last, in the order of the requests. */
  take(): Exchange[] {
    const taken = [...this.#taken.values()];
    this.#taken = new Map();
    return taken;
  }

  /** The last exchange of one GET, which is then forgotten. */
  takeOf(path: string): Exchange | undefined {
    const key = `GET ${path} `;
    const exchange = this.#taken.get(key);
    this.#taken.delete(key);
    return exchange;
  }
}

/** An exchange as it is kept. */
export function keptAnswer(exchange: Exchange): KeptAnswer {
  const { method, path, status } = exchange;
  return { line: printExchange(exchange), route: `${method} ${routeOf(path)} ${status}` };
}

/** An answer of JSON, as it is kept. */
export function keptJson(path: string, request: unknown, responseBody: string): KeptAnswer {
  const body = JSON.stringify(request);
  return keptAnswer(exchangeOf({ method: "POST", path, body }, jsonAnswer(200, responseBody)));
}

/** What a node answered to a call, as it is kept. */
export function keptCall(path: string, call: RpcCall, answer: RpcAnswer): KeptAnswer {
  const about = { jsonrpc: "2.0", id: 1 };
  const result = "result" in answer ? answer.result : null;
  return keptJson(path, { ...about, ...call }, JSON.stringify({ ...about, result }));
}

/** The block that a receipt names; `null` without one. */
export function blockOf(receipt: RpcAnswer): number | null {
  const { blockNumber } = "result" in receipt ? Object(receipt.result) : {};
  const isNumber = typeof blockNumber === "string" && /^0x[0-9a-f]{1,13}$/i.test(blockNumber);
  return isNumber ? Number(blockNumber) : null;
}

/** Age from which no reorganization replaces a block. */
export const FINAL_AFTER_MS = HOUR_MS;
const STANDS_IN = "stands in ";

/** What is asked for of a shard: a block that several shards name is asked for by each. */
export function blockKey(block: number, shard: number): string {
  return `${padded(block)} ${shardName(shard)}`;
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
export async function* askBlocks(
  { node, state, signal, now }: Asking,
  items: readonly Item[],
): AsyncGenerator<Outcome, void, undefined> {
  if (node === null) return;
  for (const some of inGroupsOf(CALLS_PER_REQUEST, items)) {
    signal?.throwIfAborted();
    const blocks = some.map(({ key }) => Number.parseInt(key));
    const times = await blockTimes(node, blocks, { signal });
    for (const [place, item] of some.entries()) {
      const block = blocks[place]!;
      yield outcomeOf(state, item, { block, at: times.get(block)?.epochMilliseconds }, now());
    }
  }
}

function outcomeOf(
  state: ExportState,
  item: Item,
  { block, at }: { readonly block: number; readonly at: number | undefined },
  nowMs: number,
): Outcome {
  if (at === undefined) {
    return { item, ...failed(`The node does not have block ${block}`), answers: [] };
  }
  const other = publisherOf(state, item.key);
  const number = `0x${block.toString(16)}`;
  const path = other === null ? "/rpc" : `/rpc?in=${other}`;
  const call = { method: "eth_getBlockByNumber", params: [number, false] };
  const result = { number, timestamp: `0x${(at / 1_000).toString(16)}` };
  return {
    item,
    ...present(nowMs - at > FINAL_AFTER_MS),
    ...other === null ? {} : { note: `${STANDS_IN}${other}` },
    answers: [keptCall(path, call, { result })],
  };
}

/** The shard whose table has the block already; `null` if that is the item's own. */
function publisherOf(state: ExportState, key: string): string | null {
  const [block = ""] = key.split(" ");
  const other = state.row<{ key: string }>(
    `SELECT key FROM items WHERE kind = 'block' AND key >= ? AND key < ? AND key <> ?
     AND state = 'present' AND (note IS NULL OR note NOT LIKE '${STANDS_IN}%') LIMIT 1`,
    ...[`${block} `, `${block}!`, key],
  );
  return other?.key.slice(block.length + 1) ?? null;
}
