import type { RpcCall, RpcNode } from "../evm/mod.ts";
import { RECEIPT, TRANSACTION } from "../evm/node/settlement_calls.ts";
import type { Exchange } from "./exchange.ts";
import { isRpc } from "./recorded_blocks.ts";

/** One of the two answers of a node about a settlement. */
export interface RecordedSettlementAnswer {
  /** Hash of the transaction that was asked for, in lower case. */
  readonly txHash: string;
  /** Which of the two. */
  readonly of: "transaction" | "receipt";
  /** What the node returned. */
  readonly result: unknown;
}

const HASH = /^0x[0-9a-f]{64}$/i;

/** Which answer about a settlement a call of a node asks for; `null` for other calls. */
export function settlementAsked(
  { method, params }: { readonly method?: unknown; readonly params?: unknown },
): Pick<RecordedSettlementAnswer, "txHash" | "of"> | null {
  if (method !== TRANSACTION && method !== RECEIPT) return null;
  const [hash] = Array.isArray(params) ? params : [];
  if (typeof hash !== "string" || !HASH.test(hash)) return null;
  return { txHash: hash.toLowerCase(), of: method === TRANSACTION ? "transaction" : "receipt" };
}

/** What an exchange says about a settlement; `null` for other exchanges. */
export function recordedSettlement(exchange: Exchange): RecordedSettlementAnswer | null {
  if (!isRpc(exchange) || exchange.status !== 200) return null;
  const request = exchange.requestBody ?? "";
  const asked = /eth_getTransaction/.test(request) ? settlementAsked(parsed(request)) : null;
  if (asked === null) return null;
  const { result } = parsed(exchange.responseBody);
  return result === undefined ? null : { ...asked, result };
}

/** The node of the settlements among exchanges: it answers their calls, and another the others. */
export function withSettlements(exchanges: Iterable<Exchange>, node: RpcNode): RpcNode {
  const kept = new Map<string, Exchange>();
  for (const exchange of exchanges) {
    if (!isRpc(exchange)) continue;
    const asked = settlementAsked(parsed(exchange.requestBody ?? ""));
    if (asked !== null) kept.set(`${asked.of} ${asked.txHash}`, exchange);
  }
  if (kept.size === 0) return node;
  const answerTo = (call: RpcCall) => {
    const asked = settlementAsked(call);
    const exchange = asked === null ? undefined : kept.get(`${asked.of} ${asked.txHash}`);
    return exchange === undefined ? null : recordedSettlement(exchange);
  };
  return answeringFirst(node, (calls) => Promise.resolve(calls.map(answerTo)));
}

/** A node that answers some calls by itself, and has another answer those that it cannot. */
export function answeringFirst(
  node: RpcNode,
  own: (calls: readonly RpcCall[]) => Promise<({ readonly result: unknown } | null)[]>,
): RpcNode {
  return async (calls) => {
    const found = await own(calls);
    const others = calls.filter((_, place) => found[place] === null);
    const answered = others.length === 0 ? [] : await node(others);
    let next = 0;
    return found.map((one) => one === null ? answered[next++]! : { result: one.result });
  };
}

function parsed(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
