import { DecodeError, OrderlensError, ServiceError } from "../errors/mod.ts";
import { checkOptions, type OptionRules } from "../errors/option_rules.ts";
import { hideSecrets } from "../errors/secrets.ts";
import type { HttpResponse, Transport } from "../http/mod.ts";
import { decodeOrdersByUids, type Order, type OrderByUid } from "../schemas/mod.ts";
import { HexMap } from "../units/mod.ts";
import {
  CALL_OPTIONS,
  type CallOptions,
  CONCURRENCY,
  DEFAULT_CONCURRENCY,
  mapInOrder,
  type Progress,
  requireAtMost,
  requireHex,
  splitIntoChunks,
} from "./calls.ts";
import { requestJson } from "./send.ts";

/** A requested order that could not be returned, though the service may have it. */
export interface FailedOrder {
  /** UID of the order, as first requested; absent if the response does not name it. */
  readonly uid?: string;
  /** The reason. */
  readonly error: OrderlensError;
}

/** Result for one UID. */
export type OrderLookup =
  | { readonly order: Order }
  | { readonly error: OrderlensError }
  | "missing";

/** Result of one request. */
interface ChunkResult {
  /** The result for each requested UID, by its lower-case text. */
  readonly lookups: ReadonlyMap<string, OrderLookup>;
  /** Elements that belong to none of the UIDs. */
  readonly strays: readonly FailedOrder[];
}

/**
 * Requests the orders of at most 128 UIDs at once.
 *
 * @param keys UIDs in lower case, each once.
 * @throws {HttpError} If the request is rejected.
 * @throws {DecodeError} If the response has more orders than were requested.
 */
export async function requestChunk(
  transport: Transport,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<ChunkResult> {
  const { json, source, response } = await requestJson(transport, {
    method: "POST",
    path: "/api/v1/orders/by_uids",
    body: keys,
    isRead: true,
    action: `get ${keys.length} orders, the first ${keys[0]}`,
  }, { signal });
  requireAtMost(json, keys.length, { rows: "orders", source });
  const page = decodeOrdersByUids(json, { source });

  const lookups = new Map<string, OrderLookup>();
  const strays: FailedOrder[] = [];
  const requestedKeys = new Set(keys);
  for (const element of page.items) {
    const uid = (element.order?.uid ?? element.error?.uid)?.toLowerCase();
    if (uid === undefined) strays.push({ error: createUnreadableError(element, source) });
    else if (requestedKeys.has(uid)) lookups.set(uid, toLookup(element, { response, source }));
    else strays.push({ uid, error: createStrayError(uid, source) });
  }
  for (const { body, error } of page.failed) {
    const uid = findUid(body)?.toLowerCase();
    if (uid !== undefined && requestedKeys.has(uid)) lookups.set(uid, { error });
    else strays.push(uid === undefined ? { error } : { uid, error });
  }
  const nameless = strays.find(({ uid }) => uid === undefined);
  const fallback = nameless === undefined ? "missing" : { error: nameless.error };
  for (const key of keys) if (!lookups.has(key)) lookups.set(key, fallback);
  return { lookups, strays };
}

function toLookup(
  { order, error }: OrderByUid,
  { response, source }: { response: HttpResponse; source: string },
): OrderLookup {
  if (order !== undefined) return { order };
  const { uid = "", description = "" } = error ?? {};
  return {
    error: new ServiceError(
      `Cannot get order ${uid}: the service cannot read its own record of the order`,
      {
        request: source,
        status: response.status,
        body: JSON.stringify({ error }),
        errorType: "error",
        description,
        remedy: "Report the UID to the operators of the service",
      },
    ),
  };
}

/** Finds the UID of an element that does not decode, if it can still be read. */
function findUid(element: unknown): string | undefined {
  if (!isObject(element)) return undefined;
  for (const part of [element.order, element.error]) {
    if (isObject(part) && typeof part.uid === "string") return part.uid;
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function createUnreadableError(element: unknown, source: string): DecodeError {
  return new DecodeError({
    what: "an element of the response",
    path: "",
    expected: "an object with an order or an error",
    found: hideSecrets(JSON.stringify(element)).slice(0, 80),
    source,
  });
}

function createStrayError(uid: string, source: string): DecodeError {
  return new DecodeError({
    what: "an element of the response",
    path: "order.uid",
    expected: "one of the requested UIDs",
    found: JSON.stringify(uid),
    source,
  });
}

/**
 * UIDs per request: the maximum that the service accepts; the body stays below its limit of 16 KiB.
 */
export const UIDS_PER_REQUEST = 128;

/** Options of {@linkcode getOrdersByUids}. */
export interface GetOrdersByUidsOptions extends CallOptions {
  /** Maximum number of concurrent requests, from 1 to 64. @default {4} */
  concurrency?: number | undefined;
  /** Called after each request with the number of finished UIDs and the total. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** Allowed values of the {@linkcode GetOrdersByUidsOptions}. */
export const BY_UIDS_OPTIONS: OptionRules<GetOrdersByUidsOptions> = {
  ...CALL_OPTIONS,
  concurrency: CONCURRENCY,
  onProgress: Function,
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
 * If an element of a response cannot be read, its UID included, it may belong to any UID without an
 * element: all of these are then in `failed`, and none in `missing`.
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
 * const recording = await replay("market_1");
 * const unknown = `0x${"ab".repeat(56)}`;
 * const { orders, missing, failed } = await getOrdersByUids(recording, [
 *   unknown,
 *   ...recording.recorded.orderUids,
 * ]);
 *
 * assertEquals(orders.map((order) => order.uid), [...recording.recorded.orderUids]);
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
  const requestedUids = new HexMap<string>();
  for (const uid of uids) {
    if (!requestedUids.has(requireHex(uid, "an order UID"))) requestedUids.set(uid, uid);
  }
  signal?.throwIfAborted();

  const keys = [...requestedUids.keys()];
  let done = 0;
  let hasResponse = false;
  let firstError: OrderlensError | undefined;
  async function request(chunk: readonly string[], chunkSignal: AbortSignal): Promise<ChunkResult> {
    try {
      const result = await requestChunk(transport, chunk, chunkSignal);
      hasResponse = true;
      return result;
    } catch (error) {
      if (chunkSignal.aborted || !(error instanceof OrderlensError)) throw error;
      firstError ??= error;
      return { lookups: new Map(chunk.map((key) => [key, { error }])), strays: [] };
    } finally {
      done += chunk.length;
      onProgress?.({ done, total: keys.length });
    }
  }

  const lookups = new Map<string, OrderLookup>();
  const strays: FailedOrder[] = [];
  let chunkCount = 0;
  const chunks = splitIntoChunks(keys, UIDS_PER_REQUEST);
  for await (const chunk of mapInOrder(chunks, request, { concurrency, signal })) {
    for (const [key, lookup] of chunk.lookups) lookups.set(key, lookup);
    for (const stray of chunk.strays) strays.push(stray);
    chunkCount++;
    if (!hasResponse && firstError !== undefined && chunkCount === concurrency) throw firstError;
  }
  if (!hasResponse && firstError !== undefined) throw firstError;

  const orders: Order[] = [];
  const missing: string[] = [];
  const failed: FailedOrder[] = [];
  for (const [key, uid] of requestedUids) {
    const lookup = lookups.get(key) ?? "missing";
    if (lookup === "missing") missing.push(uid);
    else if ("order" in lookup) orders.push(lookup.order);
    else failed.push({ uid, error: lookup.error });
  }
  return { orders, missing, failed: [...failed, ...strays] };
}
