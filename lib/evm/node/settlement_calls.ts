import type { RpcCall } from "./json_rpc.ts";

/** Method for a transaction. */
export const TRANSACTION = "eth_getTransactionByHash";
/** Method for its receipt. */
export const RECEIPT = "eth_getTransactionReceipt";

/** The calls for a settlement; their answers are for {@linkcode readSettlement}. */
export function settlementCalls(hash: string): [RpcCall, RpcCall] {
  return [{ method: TRANSACTION, params: [hash] }, { method: RECEIPT, params: [hash] }];
}
