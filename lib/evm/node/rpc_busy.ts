import type { RpcAnswer, RpcCall } from "./json_rpc.ts";
import { GET_LOGS } from "./log_calls.ts";

/** Code of EIP-1474 for too much at once, and codes of providers: HTTP's own, QuickNode's, MetaMask's. */
const TOO_MUCH = -32005;
const TOO_OFTEN: readonly number[] = [429, -32007, -32012, -32029];
/** What nodes say that have to answer too often. */
const WORDS =
  /rate.?limit|too many (?:concurrent )?requests|concurrent requests|request (?:rate|limit)|requests? (?:per|a) (?:second|minute)|compute units|credits limited|throughput|throttl|capacity exceeded|per second capacity|daily request/i;

/**
 * Whether a node did not answer a call because it is asked too much, so that it may answer later. A
 * query for logs that has too many results never will be.
 */
export function isBusy(answer: RpcAnswer, { method }: Pick<RpcCall, "method">): boolean {
  if (!("error" in answer)) return false;
  const { code, message } = answer.error;
  return TOO_OFTEN.includes(code) || WORDS.test(message) ||
    code === TOO_MUCH && method !== GET_LOGS;
}
