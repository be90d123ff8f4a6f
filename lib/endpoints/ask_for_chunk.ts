import { DecodeError, type OrderlensError, ServiceError } from "../errors/mod.ts";
import { hideSecrets } from "../errors/secrets.ts";
import type { HttpResponse, Transport } from "../http/mod.ts";
import { decodeOrdersByUids, type Order, type OrderByUid } from "../schemas/mod.ts";
import { requireAtMost } from "./calls.ts";
import { askJson } from "./send_for.ts";

/** A requested order that could not be returned, though the service may have it. */
export interface FailedOrder {
  /** UID of the order, as first requested; absent where the answer does not name it. */
  readonly uid?: string;
  /** The reason. */
  readonly error: OrderlensError;
}

/** Result for one UID. */
export type Finding = { readonly order: Order } | { readonly error: OrderlensError } | "missing";

/** Result of one request. */
export interface Chunk {
  /** A finding for each requested UID, by its lower-case text. */
  readonly findings: ReadonlyMap<string, Finding>;
  /** Elements that belong to none of the UIDs. */
  readonly strays: readonly FailedOrder[];
}

/**
 * Requests the orders of at most 128 UIDs at once.
 *
 * @param keys UIDs in lower case, each once.
 * @throws {HttpError} If the request is rejected.
 * @throws {DecodeError} If the answer has more orders than were requested.
 */
export async function askForChunk(
  transport: Transport,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<Chunk> {
  const { json, source, response } = await askJson(transport, {
    method: "POST",
    path: "/api/v1/orders/by_uids",
    body: keys,
    isRead: true,
    wanted: `get ${keys.length} orders, the first ${keys[0]}`,
  }, { signal });
  requireAtMost(json, keys.length, { rows: "orders", source });
  const page = decodeOrdersByUids(json, { source });

  const findings = new Map<string, Finding>();
  const strays: FailedOrder[] = [];
  const isAsked = new Set(keys);
  for (const element of page.items) {
    const uid = (element.order?.uid ?? element.error?.uid)?.toLowerCase();
    if (uid === undefined) strays.push({ error: unreadable(element, source) });
    else if (isAsked.has(uid)) findings.set(uid, findingOf(element, { response, source }));
    else strays.push({ uid, error: unasked(uid, source) });
  }
  for (const { body, error } of page.failed) {
    const uid = uidIn(body)?.toLowerCase();
    if (uid !== undefined && isAsked.has(uid)) findings.set(uid, { error });
    else strays.push(uid === undefined ? { error } : { uid, error });
  }
  const nameless = strays.find(({ uid }) => uid === undefined);
  const unanswered = nameless === undefined ? "missing" : { error: nameless.error };
  for (const key of keys) if (!findings.has(key)) findings.set(key, unanswered);
  return { findings, strays };
}

function findingOf(
  { order, error }: OrderByUid,
  { response, source }: { response: HttpResponse; source: string },
): Finding {
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

/** The UID of an element that does not decode, where it can still be read. */
function uidIn(element: unknown): string | undefined {
  if (!isObject(element)) return undefined;
  for (const part of [element.order, element.error]) {
    if (isObject(part) && typeof part.uid === "string") return part.uid;
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function unreadable(element: unknown, source: string): DecodeError {
  return new DecodeError({
    what: "an element of the answer",
    path: "",
    expected: "an object with an order or an error",
    found: hideSecrets(JSON.stringify(element)).slice(0, 80),
    source,
  });
}

function unasked(uid: string, source: string): DecodeError {
  return new DecodeError({
    what: "an element of the answer",
    path: "order.uid",
    expected: "one of the requested UIDs",
    found: JSON.stringify(uid),
    source,
  });
}
