import { InputError } from "../../errors/mod.ts";
import { checkOptions } from "../../errors/option_rules.ts";
import { requireList } from "../../errors/require_list.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/mod.ts";
import type { CacheLine, LineCache } from "./line_cache.ts";
import { openCache } from "./node_cache.ts";
import { nodeOf, type NodeSource } from "./node_source.ts";
import { readSymbol } from "./read_symbol.ts";
import { CACHED_RPC_OPTIONS, type CachedRpcOptions } from "./rpc_options.ts";
import { callContracts } from "./token_calls.ts";

/** What the contract of a token reports about it. */
export interface OnchainToken {
  /** How many decimals one whole token has; `null` if it reports none, or more than 77. */
  readonly decimals: number | null;
  /** Its symbol, which anyone may choose; `null` if it reports none. */
  readonly symbol: string | null;
}

/** Selector of `decimals()`. */
const DECIMALS_CALL = "0x313ce567";
/** Selector of `symbol()`. */
const SYMBOL_CALL = "0x95d89b41";
/** A 32-byte word that holds a small number. */
const SMALL_NUMBER = /^0x0{62}([0-9a-f]{2})(?:[0-9a-f]{2})*$/;
/** The largest number of decimals whose power of ten fits into 256 bits. */
const MOST_DECIMALS = 77;
const NATIVE_TOKEN: OnchainToken = { decimals: 18, symbol: null };
/** Tokens per call: about four million gas. */
const TOKENS_PER_CALL = 200;
const WANTED = "decimals and symbols of tokens";

/**
 * Gets decimals and symbols of tokens from a node: many per call if the network has the Multicall3
 * contract, otherwise in batches of calls.
 *
 * Anyone can deploy a token with any symbol: it is a label, never proof of which token it is. Control
 * characters are replaced and long symbols cut; escape it like any other text.
 *
 * @param source A node of the tokens' network, or what answers like one: its URL, a sandbox, a
 * recording. Keys in a URL are never shown.
 * @param addresses Token addresses, in any letter case; duplicates are requested once.
 * @param options Options of requests, and `cacheFolder`, in which tokens with decimals are kept.
 * @returns Facts by lower-case address. A contract that reports neither is absent; the native token
 * has 18 decimals and no symbol.
 * @throws {InputError} If a token address is invalid, `source` is no node, or an option is invalid.
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
export async function tokenFacts(
  source: NodeSource,
  addresses: Iterable<string>,
  options: CachedRpcOptions = {},
): Promise<Map<string, OnchainToken>> {
  checkOptions(options, CACHED_RPC_OPTIONS, "Cannot get decimals and symbols of tokens");
  requireList(addresses, {
    action: "Cannot get decimals and symbols of tokens",
    expected: "an array of addresses",
  });
  const tokens = new Set(Array.from(addresses, checkedAddress));
  const known = new Map<string, OnchainToken>();
  if (tokens.delete(NATIVE_TOKEN_ADDRESS)) known.set(NATIVE_TOKEN_ADDRESS, NATIVE_TOKEN);
  const ask = nodeOf(source, WANTED, options);
  if (tokens.size === 0) return known;
  const cache = (await openCache(ask, WANTED, options))?.("tokens") ?? null;
  for (const [token, facts] of await readCache(cache)) {
    if (tokens.delete(token)) known.set(token, facts);
  }
  const missing = [...tokens];
  for (let start = 0; start < missing.length; start += TOKENS_PER_CALL) {
    const some = missing.slice(start, start + TOKENS_PER_CALL);
    const answers = await callContracts(ask, [
      ...some.map((to) => ({ to, data: DECIMALS_CALL } as const)),
      ...some.map((to) => ({ to, data: SYMBOL_CALL } as const)),
    ]);
    const lines: CacheLine[] = [];
    for (const [index, token] of some.entries()) {
      const decimals = readDecimals(answers[index]);
      const symbol = readSymbol(answers[some.length + index]);
      if (decimals !== null || symbol !== null) known.set(token, { decimals, symbol });
      if (decimals !== null) lines.push([token, decimals, symbol]);
    }
    await cache?.append(lines);
  }
  return known;
}

async function readCache(cache: LineCache | null): Promise<Map<`0x${string}`, OnchainToken>> {
  const known = new Map<`0x${string}`, OnchainToken>();
  for (const [token, decimals, symbol] of await cache?.read() ?? []) {
    const isFact = isAddress(token) && isDecimals(decimals) &&
      (symbol === null || typeof symbol === "string");
    if (isFact) known.set(token, { decimals, symbol });
  }
  return known;
}

function isAddress(value: unknown): value is `0x${string}` {
  return typeof value === "string" && /^0x[0-9a-f]{40}$/.test(value);
}

function isDecimals(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MOST_DECIMALS;
}

function checkedAddress(address: string): `0x${string}` {
  const lower = String(address).toLowerCase();
  if (isAddress(lower)) return lower;
  throw new InputError(`Cannot get the decimals of ${lower.slice(0, 80)}: not an address`, {
    remedy: "Pass addresses as 0x and 40 hex digits",
  });
}

function readDecimals(word: string | undefined): number | null {
  const digits = word?.toLowerCase().match(SMALL_NUMBER)?.[1];
  if (digits === undefined) return null;
  const decimals = Number.parseInt(digits, 16);
  return decimals <= MOST_DECIMALS ? decimals : null;
}
