import { type Answer, jsonAnswer } from "./exchange.ts";
import { splitJsonArray } from "./split_json_array.ts";
import type { Tape } from "./tape.ts";

const orderPath = /^\/api\/v1\/orders\/(0x[0-9a-f]{112})$/;
const onlyUid = /^0x[0-9a-f]{112}$/i;
const quotedUid = /"(0x[0-9a-fA-F]{112})"/g;

const maxUids = 128;
const absent = '{"errorType":"NotFound","description":"Order was not found"}';

/** The order bodies of a recording. */
export interface RecordedOrders {
  /** Elements of by_uids responses by UID; `null` if the service reported that there is no order. */
  readonly elements: ReadonlyMap<string, string | null>;
  /** UIDs that occur in any response: their orders exist. */
  mentioned(): ReadonlySet<string>;
}

/** Collects order bodies from the responses of orders/{uid} and by_uids. */
export function recordedOrders(tape: Tape): RecordedOrders {
  const elements = new Map<string, string | null>();
  for (const { key, exchange } of tape.keyed) {
    if (exchange.method === "GET") {
      const uid = orderPath.exec(key)?.[1];
      if (uid === undefined) continue;
      if (exchange.status === 200) elements.set(uid, `{"order":${exchange.responseBody}}`);
      else if (exchange.status === 404) elements.set(uid, null);
    } else if (isByUids(exchange.method, key) && exchange.status === 200) {
      for (const uid of uidsOf(exchange.requestBody) ?? []) {
        if (!elements.has(uid)) elements.set(uid, null);
      }
      for (const element of splitJsonArray(exchange.responseBody) ?? []) {
        const uid = uidOfElement(element);
        if (uid !== undefined) elements.set(uid, element);
      }
    }
  }
  let mentioned: Set<string> | undefined;
  return { elements, mentioned: () => mentioned ??= mentionedUids(tape) };
}

/** Whether a request is a by_uids request. */
export function isByUids(method: string, path: string): boolean {
  return method === "POST" && path === "/api/v1/orders/by_uids";
}

/** Derives an orders/{uid} response from a recorded by_uids response. */
export function composeOrder(orders: RecordedOrders, path: string): Answer | undefined {
  const uid = orderPath.exec(path)?.[1];
  const element = uid === undefined ? undefined : orders.elements.get(uid);
  if (element === null) return jsonAnswer(404, absent);
  const order = /^\{\s*"order"\s*:\s*(\{[\s\S]*\})\s*\}$/.exec(element ?? "")?.[1];
  return order === undefined ? undefined : jsonAnswer(200, order);
}

/**
 * Derives a by_uids response: the orders in the requested order, without duplicates and missing ones.
 *
 * @returns `undefined` if the body is not a list of UIDs, or the body of an existing order was not
 * recorded.
 */
export function composeByUids(
  { elements, mentioned }: RecordedOrders,
  body: string | undefined,
): Answer | undefined {
  const uids = uidsOf(body);
  if (uids === undefined) return undefined;
  if (uids.length > maxUids) {
    return {
      status: 400,
      contentType: "text/plain; charset=utf-8",
      responseBody: `Request exceeds maximum number of order UIDs of ${maxUids}`,
    };
  }
  if (elements.size === 0) return undefined;
  const found: string[] = [];
  for (const uid of new Set(uids)) {
    const element = elements.get(uid);
    if (element === undefined && mentioned().has(uid)) return undefined;
    if (typeof element === "string") found.push(element);
  }
  return jsonAnswer(200, `[${found.join(",")}]`);
}

/** UIDs of a by_uids body, in lower case; `undefined` if it is anything else. */
export function uidsOf(body: string | undefined): string[] | undefined {
  try {
    const uids: unknown = JSON.parse(body ?? "");
    const areUids = Array.isArray(uids) &&
      uids.every((uid) => typeof uid === "string" && onlyUid.test(uid));
    return areUids ? uids.map((uid: string) => uid.toLowerCase()) : undefined;
  } catch {
    return undefined;
  }
}

function uidOfElement(element: string): string | undefined {
  const { order, error } = JSON.parse(element) as {
    order?: { uid?: unknown };
    error?: { uid?: unknown };
  };
  const uid = order?.uid ?? error?.uid;
  return typeof uid === "string" ? uid.toLowerCase() : undefined;
}

function mentionedUids(tape: Tape): Set<string> {
  const uids = new Set<string>();
  for (const { exchange: { status, responseBody } } of tape.keyed) {
    if (status >= 300) continue;
    for (const [, uid] of responseBody.matchAll(quotedUid)) {
      if (uid !== undefined) uids.add(uid.toLowerCase());
    }
  }
  return uids;
}
