import type { NodeSource } from "./node_source.ts";
import { type OnchainToken, readTokens } from "./read_tokens.ts";
import type { CachedRpcOptions } from "./rpc_options.ts";

/**
 * Gets decimals and symbols of tokens from a node: many per call if the network has the Multicall3
 * contract, otherwise in batches of calls.
 *
 * Anyone can deploy a token with any symbol: it is a label, never proof of which token it is. Control
 * characters are replaced and long symbols cut; escape it like any other text.
 *
 * @param source A node of the tokens' network, or an equivalent: its URL, a sandbox, a recording.
 * Keys in a URL are never shown.
 * @param addresses Token addresses, in any letter case; duplicates are requested once.
 * @param options Options of requests, and `cacheFolder`, in which tokens that report both are kept.
 * @returns Facts by lower-case address. A contract that reports neither is absent; the native token
 * has 18 decimals and no symbol.
 * @throws {InputError} If a token address is invalid, `source` is not a node, or an option is
 * invalid.
 * @throws {NetworkError} If the node cannot be reached.
 * @throws {TimeoutError} If it times out.
 * @throws {HttpError} If it returns an invalid answer, or an error.
 * @see {@link https://eips.ethereum.org/EIPS/eip-20 | decimals and symbol of ERC-20}
 *
 * @example A token whose symbol is 32 bytes
 * ```ts
 * import { tokenFacts } from "orderlens/evm";
 * import { assertEquals } from "@std/assert";
 *
 * const mkr = "0x9f8F72aA9304c8B593d555F12eF6589cC3A579A2";
 * const node = {
 *   rpc: (calls: readonly { params: readonly unknown[] }[]) =>
 *     Promise.resolve(calls.map(({ params: [call] }) => {
 *       const { to, data } = call as { to: string; data: string };
 *       if (to !== mkr.toLowerCase()) return { result: "0x" };
 *       return { result: `0x${data === "0x313ce567" ? "12".padStart(64, "0") : "4d4b52".padEnd(64, "0")}` };
 *     })),
 * };
 *
 * const facts = await tokenFacts(node, [mkr]);
 *
 * assertEquals(facts.get(mkr.toLowerCase()), { decimals: 18, symbol: "MKR" });
 * ```
 */
export function tokenFacts(
  source: NodeSource,
  addresses: Iterable<string>,
  options: CachedRpcOptions = {},
): Promise<Map<string, OnchainToken>> {
  return readTokens({ source, addresses, withSymbols: true }, options);
}
