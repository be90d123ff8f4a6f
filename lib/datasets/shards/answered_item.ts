import { isRpc, recordedBlock, recordedSettlement } from "../../recordings/read_recording.ts";
import { type Exchange, partsOf } from "../../recordings/request_key.ts";
import { padded } from "../layout/files.ts";

/** What an answer of a dataset is the answer for. */
export interface AnsweredItem {
  /** Its kind; `other` for what this version does not know. */
  readonly kind: string;
  /** Its key, as exports have it. */
  readonly key: string;
}

/** Routes of answers, and what of the path is the key. */
const ROUTES: readonly (readonly [kind: string, route: RegExp])[] = [
  ["competition", /^\/api\/v2\/solver_competition\/(\d+)$/],
  ["transaction", /^\/api\/v2\/solver_competition\/by_tx_hash\/(0x[0-9a-f]{64})$/i],
  ["account", /^\/api\/v1\/account\/(0x[0-9a-f]{40})\/orders$/i],
  ["app_data", /^\/api\/v1\/app_data\/(0x[0-9a-f]{64})$/i],
  ["report", /\/debug\/order\/(0x[0-9a-f]{112})$/i],
];

/** Whether an answer says that there is no such thing: a list of the order asked for is empty then. */
export function isAbsence(
  kind: string,
  { status, responseBody }: Pick<Exchange, "status" | "responseBody">,
): boolean {
  return status !== 200 || kind === "order" && /^\s*\[\s*\]/.test(responseBody);
}

/**
 * Tells what an answer is the answer for.
 *
 * @param shard Name of its file: every file asks for its blocks by itself.
 */
export function answeredItem(exchange: Exchange, shard: string): AnsweredItem {
  const { method, path, requestBody } = exchange;
  const block = isRpc(exchange) ? recordedBlock(exchange) : null;
  if (block !== null) return { kind: "block", key: `${padded(block.number)} ${shard}` };
  const settlement = recordedSettlement(exchange);
  if (settlement !== null) return { kind: "receipt", key: settlement.txHash };
  const { route, fields } = partsOf(path);
  if (method === "POST" && route === "/api/v1/orders/by_uids") {
    const uids: unknown = JSON.parse(requestBody ?? "[]");
    if (Array.isArray(uids) && uids.length === 1) {
      return { kind: "order", key: String(uids[0]).toLowerCase() };
    }
  }
  if (method === "GET" && route === "/api/v2/trades") {
    const [, uid] = fields.find(([name]) => name === "orderUid") ?? [];
    if (uid !== undefined) return { kind: "trades", key: uid.toLowerCase() };
  }
  for (const [kind, pattern] of method === "GET" ? ROUTES : []) {
    const [, key] = pattern.exec(route) ?? [];
    if (key === undefined) continue;
    return { kind, key: kind === "competition" ? padded(Number(key)) : key.toLowerCase() };
  }
  return { kind: "other", key: `${method} ${path} ${requestBody ?? ""}` };
}
