import { mapInOrder } from "../../endpoints/call/map_in_order.ts";
import { askForChunk, type Finding } from "../../endpoints/lists/ask_for_chunk.ts";
import { isFinalOrder } from "../../endpoints/orders/is_final_order.ts";
import type { Exchange } from "../../recordings/exchange.ts";
import { splitJsonArray } from "../../recordings/split_json_array.ts";
import type { Order } from "../../schemas/mod.ts";
import { UNBID_ORDERS } from "../layout/shard_name.ts";
import type { Item, ItemKind, Outcome } from "../state/items.ts";
import { type Asking, type Ending, failureOf, isGone } from "./asking.ts";
import { Capture, keptAnswer } from "./capture.ts";

const UIDS_A_REQUEST = 128;
const BY_UIDS = "/api/v1/orders/by_uids";

/**
 * Asks for orders, 128 at a time. Each order is kept as if it had been asked for alone, character
 * for character, so that what is kept does not depend on which orders shared a request.
 */
export async function* askOrders(
  asking: Asking,
  items: readonly Item[],
): AsyncGenerator<Outcome, void, undefined> {
  const chunks: Item[][] = [];
  for (let start = 0; start < items.length; start += UIDS_A_REQUEST) {
    chunks.push(items.slice(start, start + UIDS_A_REQUEST));
  }
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
  const elements = elementsByUid(capture.take().at(-1));
  return chunk.map((item) => {
    const ending = endingOf(asking, item, findings.get(item.key) ?? "missing");
    const element = elements.get(item.key);
    const isKept = ending.state === "absent" || element !== undefined;
    return { item, ...ending, answers: isKept ? [answerOf(item.key, element)] : [] };
  });
}

function endingOf(asking: Asking, item: Item, finding: Finding): Ending {
  const nowMs = asking.now();
  if (finding === "missing") {
    return { state: "absent", isFinal: isGone(item.key, item, nowMs), next: [] };
  }
  if ("error" in finding) {
    const [note = ""] = finding.error.message.split("\n");
    return { state: "failed", isFinal: false, note, next: [] };
  }
  const { order } = finding;
  const next = item.shard === UNBID_ORDERS ? [] : following(asking, order);
  return { state: "present", isFinal: isFinalOrder(order, nowMs), next };
}

function following(
  { needs, state }: Asking,
  order: Order,
): { readonly kind: ItemKind; readonly key: string }[] {
  const uid = order.uid.toLowerCase();
  const isExecuted = order.executedSellAmount > 0n || order.executedBuyAmount > 0n;
  const isWithoutDocument = (order.fullAppData ?? null) === null && order.class !== "liquidity";
  const areReportsGiven = needs.has("reports") && state.meta("reportsRefused") === null;
  return [
    ...(isExecuted && needs.has("trades") ? [{ kind: "trades", key: uid } as const] : []),
    ...(needs.has("app_data") && isWithoutDocument && /^0x[0-9a-f]{64}$/i.test(order.appData)
      ? [{ kind: "app_data", key: order.appData.toLowerCase() } as const]
      : []),
    ...(areReportsGiven ? [{ kind: "report", key: uid } as const] : []),
  ];
}

/** The texts of an answer's elements by the UID of their order. */
function elementsByUid(exchange: Exchange | undefined): Map<string, string> {
  const elements = new Map<string, string>();
  for (const element of splitJsonArray(exchange?.responseBody ?? "[]") ?? []) {
    const { order, error } = Object(JSON.parse(element));
    const uid: unknown = order?.uid ?? error?.uid;
    if (typeof uid === "string") elements.set(uid.toLowerCase(), element);
  }
  return elements;
}

function answerOf(uid: string, element: string | undefined) {
  return keptAnswer({
    method: "POST",
    path: BY_UIDS,
    requestBody: JSON.stringify([uid]),
    status: 200,
    contentType: "application/json",
    responseBody: `[${element ?? ""}]`,
  });
}
