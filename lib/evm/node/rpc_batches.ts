import type { RpcAnswer, RpcCall, RpcNode } from "./json_rpc.ts";

/** Maximum number of calls per request. */
export const CALLS_PER_REQUEST = 100;

/** Codes of errors for too much at once: "limit exceeded" of EIP-1474, and the status of HTTP. */
export const TOO_MUCH_AT_ONCE: readonly number[] = [-32005, 429];

/** Sends one batch; `null` if the node rejects it as a whole and may accept a smaller one. */
type SendBatch = (calls: readonly RpcCall[]) => Promise<readonly RpcAnswer[] | null>;

/**
 * A node that takes any number of calls: they are sent in batches of 100. When the node rejects a
 * batch, that one and all later ones are half as large, down to single calls.
 */
export function inBatches(sendBatch: SendBatch): RpcNode {
  let limit = CALLS_PER_REQUEST;
  return async (calls) => {
    const answers: RpcAnswer[] = [];
    while (answers.length < calls.length) {
      const batch = calls.slice(answers.length, answers.length + limit);
      const answered = await sendBatch(batch);
      if (answered === null) limit = Math.max(1, Math.min(limit, Math.floor(batch.length / 2)));
      else answers.push(...answered);
    }
    return answers;
  };
}
