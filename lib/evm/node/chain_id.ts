import { InputError } from "../../errors/mod.ts";
import type { RpcAnswer, RpcCall, RpcNode } from "./json_rpc.ts";

/** The call for the id of a chain. */
export const CHAIN_ID_CALL: RpcCall = { method: "eth_chainId", params: [] };

/** The id of a chain; `undefined` if the node does not tell, as a recording of no deployment. */
export function chainIdIn(answer: RpcAnswer | undefined): number | undefined {
  const result = answer !== undefined && "result" in answer ? answer.result : null;
  const isId = typeof result === "string" && /^0x[0-9a-f]{1,13}$/i.test(result);
  return isId && Number(result) > 0 ? Number(result) : undefined;
}

/**
 * Checks that a node is of a chain. One that does not say, such as a list of blocks, is believed.
 *
 * @param action What cannot be done with another, such as `Cannot export`.
 * @throws {InputError} If it is of another chain.
 */
export async function requireChain(ask: RpcNode, chainId: number, action: string): Promise<void> {
  requireChainIn((await ask([CHAIN_ID_CALL]))[0], chainId, action);
}

/** The same, of an answer. */
export function requireChainIn(
  answer: RpcAnswer | undefined,
  chainId: number,
  action: string,
): void {
  const found = chainIdIn(answer);
  if (found === undefined || found === chainId) return;
  throw new InputError(`${action} with a node of another chain`, {
    facts: { "chain wanted": chainId, "chain of the node": found },
    remedy: `Pass a node of chain ${chainId}`,
  });
}
