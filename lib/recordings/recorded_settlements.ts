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

/** What an exchange says about a settlement; `null` for other exchanges. */
export function recordedSettlement(exchange: Exchange): RecordedSettlementAnswer | null {
  if (!isRpc(exchange) || exchange.status !== 200) return null;
  const request = exchange.requestBody ?? "";
  if (!request.includes(TRANSACTION) && !request.includes(RECEIPT)) return null;
  const { method, params } = parsed(request);
  const [hash] = Array.isArray(params) ? params : [];
  const { result } = parsed(exchange.responseBody);
  if (typeof hash !== "string" || !HASH.test(hash) || result === undefined) return null;
  return {
    txHash: hash.toLowerCase(),
    of: method === TRANSACTION ? "transaction" : "receipt",
    result,
  };
}

function parsed(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
