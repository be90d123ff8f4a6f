import type { NodeSource } from "./node_source.ts";
import { readTokens } from "./read_tokens.ts";
import type { CachedRpcOptions } from "./rpc_options.ts";

/**
 * Gets the decimals of tokens from a node: many per call if the network has the Multicall3
 * contract, otherwise in batches of calls. `tokenFacts` gives their symbols too.
 *
 * @param source A node of the tokens' network, or an equivalent: its URL, a sandbox, a recording.
 * Keys in a URL are never shown.
 * @param addresses Token addresses, in any letter case; duplicates are requested once.
 * @param options Options of requests, and `cacheFolder`, which it shares with `tokenFacts`.
 * @returns Decimals by lower-case address, suitable for the option `decimals` of tables. A contract
 * that does not report its decimals, or reports more than 77, is absent; the native token has 18.
 * @throws {InputError} If a token address is invalid, `source` is not a node, or an option is
 * invalid.
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
  source: NodeSource,
  addresses: Iterable<string>,
  options: CachedRpcOptions = {},
): Promise<Map<string, number>> {
  const known = new Map<string, number>();
  const found = await readTokens({ source, addresses, withSymbols: false }, options);
  for (const [token, { decimals }] of found) {
    if (decimals !== null) known.set(token, decimals);
  }
  return known;
}
