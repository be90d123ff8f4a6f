import { OrderlensError } from "../../errors/mod.ts";
import { callable, checkOptions, type OptionRules } from "../../errors/option_rules.ts";
import type { Transport } from "../../http/mod.ts";
import type { Order } from "../../schemas/mod.ts";
import { HexMap } from "../../units/mod.ts";
import { askForChunk, type Chunk, type FailedOrder, type Finding } from "../lists/ask_for_chunk.ts";
import {
  CALL_OPTIONS,
  type CallOptions,
  CONCURRENCY,
  DEFAULT_CONCURRENCY,
  type Progress,
} from "../call/call_options.ts";
import { checkedHex } from "../call/checked_hex.ts";
import { mapInOrder } from "../call/map_in_order.ts";

/**
 * UIDs per request: the maximum that the service accepts; the body stays below its limit of 16 KiB.
 */
const UIDS_A_REQUEST = 128;

/** Options of {@linkcode getOrdersByUids}. */
export interface GetOrdersByUidsOptions extends CallOptions {
  /** Maximum number of concurrent requests, from 1 to 64. @default {4} */
  concurrency?: number | undefined;
  /** Called after each request with the number of UIDs answered and the total. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** Allowed values of the {@linkcode GetOrdersByUidsOptions}. */
export const BY_UIDS_OPTIONS: OptionRules<GetOrdersByUidsOptions> = {
  ...CALL_OPTIONS,
  concurrency: CONCURRENCY,
  onProgress: callable(),
};

/** Result of {@linkcode getOrdersByUids}. */
export interface OrdersByUids {
  /** The orders, in the order requested, each once. */
  readonly orders: readonly Order[];
  /** UIDs that the service does not have, in the order requested, spelled as first requested. */
  readonly missing: readonly string[];
  /** Orders that could not be returned, in the order requested; those without a UID last. */
  readonly failed: readonly FailedOrder[];
}

/**
 * Gets any number of orders.
 *
 * Calls `POST /api/v1/orders/by_uids` with 128 UIDs at a time. A UID that is passed twice, in any
 * letter case, is requested and returned once, at its first position. A request that fails affects
 * only its own orders, which are then in `failed`; if all requests fail, the call throws the first
 * error.
 *
 * If an element of an answer cannot be read, its UID included, it may belong to any UID without an
 * answer: all of these are then in `failed`, and none in `missing`.
 *
 * @param transport Transport that sends the request.
 * @param uids UIDs of the orders; may be empty.
 * @returns Orders, missing UIDs and failures: together every requested UID.
 * @throws {InputError} If one of them is not an order UID; nothing is sent.
 * @throws {HttpError} If every request fails; likewise {@linkcode NetworkError} and
 *   {@linkcode TimeoutError}.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example
 * ```ts
 * import { getOrdersByUids } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const tape = await replay("market_1");
 * const unknown = `0x${"ab".repeat(56)}`;
 * const { orders, missing, failed } = await getOrdersByUids(tape, [
 *   unknown,
 *   ...tape.recorded.orderUids,
 * ]);
 *
 * assertEquals(orders.map((order) => order.uid), [...tape.recorded.orderUids]);
 * assertEquals(missing, [unknown]);
 * assertEquals(failed, []);
 * ```
 */
export async function getOrdersByUids(
  transport: Transport,
  uids: Iterable<string>,
  options: GetOrdersByUidsOptions = {},
): Promise<OrdersByUids> {
  checkOptions(options, BY_UIDS_OPTIONS, "Cannot get orders by their UIDs");
  const { concurrency = DEFAULT_CONCURRENCY, onProgress, signal } = options;
  const asked = new HexMap<string>();
  for (const uid of uids) {
    if (!asked.has(checkedHex(uid, "an order UID"))) asked.set(uid, uid);
  }
  signal?.throwIfAborted();

  const keys = [...asked.keys()];
  let done = 0;
  let isAnswered = false;
  let refusal: OrderlensError | undefined;
  async function ask(chunk: readonly string[], chunkSignal: AbortSignal): Promise<Chunk> {
    try {
      const found = await askForChunk(transport, chunk, chunkSignal);
      isAnswered = true;
      return found;
    } catch (error) {
      if (chunkSignal.aborted || !(error instanceof OrderlensError)) throw error;
      refusal ??= error;
      return { findings: new Map(chunk.map((key) => [key, { error }])), strays: [] };
    } finally {
      done += chunk.length;
      onProgress?.({ done, total: keys.length });
    }
  }

  const findings = new Map<string, Finding>();
  const strays: FailedOrder[] = [];
  let chunksTaken = 0;
  for await (const chunk of mapInOrder(inChunks(keys), ask, { concurrency, signal })) {
    for (const [key, finding] of chunk.findings) findings.set(key, finding);
    strays.push(...chunk.strays);
    chunksTaken++;
    if (!isAnswered && refusal !== undefined && chunksTaken === concurrency) throw refusal;
  }
  if (!isAnswered && refusal !== undefined) throw refusal;
  return collected(asked, findings, strays);
}

function collected(
  asked: ReadonlyMap<string, string>,
  findings: ReadonlyMap<string, Finding>,
  strays: readonly FailedOrder[],
): OrdersByUids {
  const orders: Order[] = [];
  const missing: string[] = [];
  const failed: FailedOrder[] = [];
  for (const [key, uid] of asked) {
    const finding = findings.get(key);
    if (finding === undefined || finding === "missing") missing.push(uid);
    else if ("order" in finding) orders.push(finding.order);
    else failed.push({ uid, error: finding.error });
  }
  return { orders, missing, failed: [...failed, ...strays] };
}

function* inChunks(keys: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < keys.length; start += UIDS_A_REQUEST) {
    yield keys.slice(start, start + UIDS_A_REQUEST);
  }
}
