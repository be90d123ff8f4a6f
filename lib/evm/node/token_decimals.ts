import { decodeFunctionResult, encodeFunctionData } from "viem/utils";
import { InputError } from "../../errors/mod.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import { type RpcAnswer, rpcNode, type RpcOptions } from "./json_rpc.ts";

/** The contract that batches calls; it has this address on every public network. */
const MULTICALL3 = "0xca11bde05977b3631167028862be2a173976ca11";

const MULTICALL3_ABI = [{
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

/** Selector of `decimals()`. */
const DECIMALS_CALL = "0x313ce567";
/** A 32-byte word that holds a small number. */
const SMALL_NUMBER = /^0x0{62}([0-9a-f]{2})(?:[0-9a-f]{2})*$/;
/** The largest number of decimals whose power of ten fits into 256 bits. */
const MOST_DECIMALS = 77;
const NATIVE_DECIMALS = 18;
/** Tokens per call: about two million gas. */
const TOKENS_PER_CALL = 200;
const WANTED = "decimals of tokens";

/**
 * Gets the decimals of tokens from a node: many per call if the network has the Multicall3
 * contract, otherwise in batches of calls.
 *
 * @param rpcUrl URL of a node of the tokens' network. Keys in it are never shown.
 * @param addresses Token addresses, in any letter case; duplicates are requested once.
 * @returns Decimals by lower-case address, suitable for the option `decimals` of tables. A contract
 * that does not report its decimals, or reports more than 77, is absent; the native token has 18.
 * @throws {InputError} If a token address is invalid, or `rpcUrl` is not an http URL.
 * @throws {NetworkError} If the node cannot be reached.
 * @throws {TimeoutError} If it times out.
 * @throws {HttpError} If it returns an invalid answer, or an error.
 * @see {@link https://eips.ethereum.org/EIPS/eip-20 | decimals of ERC-20}
 *
 * @example A node with one token
 * ```ts
 * import { tokenDecimals } from "orderlens/evm";
 * import { assertEquals } from "@std/assert";
 *
 * const usdc = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
 * const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
 *   const { id, params: [{ to }] } = await request.json();
 *   const isToken = to === usdc.toLowerCase();
 *   return Response.json({
 *     jsonrpc: "2.0",
 *     id,
 *     result: isToken ? `0x${"6".padStart(64, "0")}` : "0x",
 *   });
 * });
 *
 * const decimals = await tokenDecimals(`http://127.0.0.1:${server.addr.port}`, [usdc]);
 * await server.shutdown();
 *
 * assertEquals(decimals, new Map([[usdc.toLowerCase(), 6]]));
 * ```
 */
export async function tokenDecimals(
  rpcUrl: string,
  addresses: Iterable<string>,
  options: RpcOptions = {},
): Promise<Map<string, number>> {
  const tokens = new Set(Array.from(addresses, checkedAddress));
  const known = new Map<string, number>();
  if (tokens.delete(NATIVE_TOKEN_ADDRESS)) known.set(NATIVE_TOKEN_ADDRESS, NATIVE_DECIMALS);
  const ask = rpcNode(rpcUrl, WANTED, options);
  const all = [...tokens];
  for (let start = 0; start < all.length; start += TOKENS_PER_CALL) {
    const some = all.slice(start, start + TOKENS_PER_CALL);
    const [together] = await ask([ethCall(MULTICALL3, aggregateCall(some))]);
    const results = resultsOf(together!) ??
      (await ask(some.map((token) => ethCall(token, DECIMALS_CALL)))).map(hexOf);
    for (const [index, token] of some.entries()) {
      const decimals = readDecimals(results[index]);
      if (decimals !== null) known.set(token, decimals);
    }
  }
  return known;
}

function checkedAddress(address: string): `0x${string}` {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) {
    throw new InputError(`Cannot get the decimals of ${address}: not an address`, {
      remedy: "Pass addresses as 0x and 40 hex digits",
    });
  }
  return `0x${address.slice(2).toLowerCase()}`;
}

function ethCall(to: string, data: string) {
  return { method: "eth_call", params: [{ to, data }, "latest"] };
}

function aggregateCall(tokens: readonly `0x${string}`[]): string {
  const call = { allowFailure: true, callData: DECIMALS_CALL } as const;
  return encodeFunctionData({
    abi: MULTICALL3_ABI,
    args: [tokens.map((target) => ({ target, ...call }))],
  });
}

/** The answer of each token; `undefined` if the contract does not exist or does not answer. */
function resultsOf(answer: RpcAnswer): readonly (string | undefined)[] | undefined {
  const data = hexOf(answer);
  if (data === undefined || data === "0x") return undefined;
  try {
    const results = decodeFunctionResult({ abi: MULTICALL3_ABI, data: `0x${data.slice(2)}` });
    return results.map(({ success, returnData }) => success ? returnData : undefined);
  } catch {
    return undefined;
  }
}

function hexOf(answer: RpcAnswer): string | undefined {
  return "result" in answer && typeof answer.result === "string" ? answer.result : undefined;
}

function readDecimals(word: string | undefined): number | null {
  const digits = word?.toLowerCase().match(SMALL_NUMBER)?.[1];
  if (digits === undefined) return null;
  const decimals = Number.parseInt(digits, 16);
  return decimals <= MOST_DECIMALS ? decimals : null;
}
