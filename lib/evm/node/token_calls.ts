import { decodeFunctionResult, encodeFunctionData } from "viem/utils";
import type { RpcAnswer, RpcNode } from "./json_rpc.ts";

/** The contract that batches calls; it has this address on every public network. */
export const MULTICALL3 = "0xca11bde05977b3631167028862be2a173976ca11";

/** The function that batches calls. */
export const MULTICALL3_ABI = [{
  type: "function",
  name: "aggregate3",
  stateMutability: "payable",
  inputs: [{
    name: "calls",
    type: "tuple[]",
    components: [
      { name: "target", type: "address" },
      { name: "allowFailure", type: "bool" },
      { name: "callData", type: "bytes" },
    ],
  }],
  outputs: [{
    name: "returnData",
    type: "tuple[]",
    components: [{ name: "success", type: "bool" }, { name: "returnData", type: "bytes" }],
  }],
}] as const;

/** A call of a contract. */
export interface ContractCall {
  /** Address of the contract. */
  readonly to: `0x${string}`;
  /** Calldata. */
  readonly data: `0x${string}`;
}

/**
 * Calls contracts, in one call if the network has the Multicall3 contract, otherwise in batches.
 *
 * @returns What each call returned; `undefined` where the contract does not exist or reverts.
 */
export async function callContracts(
  ask: RpcNode,
  calls: readonly ContractCall[],
): Promise<readonly (string | undefined)[]> {
  const [together] = await ask([ethCall(MULTICALL3, aggregateCall(calls))]);
  return aggregatedResults(together!, calls.length) ??
    (await ask(calls.map(({ to, data }) => ethCall(to, data)))).map(hexOf);
}

function ethCall(to: string, data: string) {
  return { method: "eth_call", params: [{ to, data }, "latest"] };
}

/** Calldata that calls several contracts, of which any may fail. */
export function aggregateCall(calls: readonly ContractCall[]): string {
  return encodeFunctionData({
    abi: MULTICALL3_ABI,
    args: [calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))],
  });
}

/**
 * What each of the aggregated calls returned, `undefined` for one that failed; `undefined` as a whole
 * if the contract does not exist, or is a different one.
 */
export function aggregatedResults(
  answer: RpcAnswer,
  count: number,
): readonly (string | undefined)[] | undefined {
  const data = hexOf(answer);
  if (data === undefined || data === "0x") return undefined;
  try {
    const results = decodeFunctionResult({ abi: MULTICALL3_ABI, data: `0x${data.slice(2)}` });
    if (results.length !== count) return undefined;
    return results.map(({ success, returnData }) => success ? returnData : undefined);
  } catch {
    return undefined;
  }
}

function hexOf(answer: RpcAnswer): string | undefined {
  return "result" in answer && typeof answer.result === "string" ? answer.result : undefined;
}
