import type { RpcAnswer, RpcCall, RpcNode } from "./json_rpc.ts";
import { RpcError } from "./rpc_error.ts";

/** Maximum number of calls per request, the default of nodes. */
const MOST_CALLS = 1_000;

type Id = string | number | null;

/**
 * A call of a request, or why it is invalid; without `id` it is a notification, which gets no
 * answer.
 */
type Item =
  & { readonly id?: Id }
  & ({ readonly call: RpcCall } | { readonly error: RpcError });

/**
 * Answers the body of a JSON-RPC request, one call or a batch, as JSON-RPC 2.0 says.
 *
 * @param body The body as text.
 * @param node The node that answers the calls.
 * @returns The body of the answer; `null` if the request consists of notifications, which get none.
 */
export async function serveJsonRpc(body: string, node: RpcNode): Promise<string | null> {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return written(null, new RpcError("parse", "parse error: the body is not JSON").answer);
  }
  if (!Array.isArray(value)) return (await answersTo([value], node))[0] ?? null;
  if (value.length === 0) return written(null, invalid("the batch is empty").answer);
  if (value.length > MOST_CALLS) {
    const fault = `the batch has ${value.length} calls, the most are ${MOST_CALLS}`;
    return written(null, invalid(fault).answer);
  }
  const answers = await answersTo(value, node);
  return answers.length === 0 ? null : `[${answers.join(",")}]`;
}

/** The answers to calls with an `id`, as text. */
async function answersTo(values: readonly unknown[], node: RpcNode): Promise<string[]> {
  const items = values.map(readItem);
  const calls = items.flatMap((item) => "call" in item ? [item.call] : []);
  const answers = (await node(calls)).values();
  return items.flatMap((item) => {
    const answer = "call" in item ? answers.next().value! : item.error.answer;
    return item.id === undefined ? [] : [written(item.id, answer)];
  });
}

function readItem(value: unknown): Item {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { id: null, error: invalid("it is not an object") };
  }
  const { jsonrpc, id, method, params = [] } = value as Record<string, unknown>;
  const isNotification = !Object.hasOwn(value, "id");
  if (!isNotification && !isId(id)) {
    return { id: null, error: invalid("`id` must be text, a number or null") };
  }
  const known: Id = isId(id) ? id : null;
  if (jsonrpc !== "2.0") return { id: known, error: invalid('`jsonrpc` must be "2.0"') };
  if (typeof method !== "string") return { id: known, error: invalid("`method` must be text") };
  if (typeof params !== "object" || params === null) {
    return { id: known, error: invalid("`params` must be a list") };
  }
  const asked = isNotification ? {} : { id: known };
  return Array.isArray(params)
    ? { ...asked, call: { method, params } }
    : { ...asked, error: new RpcError("invalidParams", "invalid params: pass them as a list") };
}

function isId(id: unknown): id is Id {
  return id === null || typeof id === "string" || typeof id === "number";
}

function invalid(fault: string): RpcError {
  return new RpcError("invalidRequest", `invalid request: ${fault}`);
}

function written(id: Id, answer: RpcAnswer): string {
  return JSON.stringify({ jsonrpc: "2.0", id, ...answer });
}
