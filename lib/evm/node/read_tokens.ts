import { splitIntoChunks } from "../../endpoints/calls.ts";
import { InputError } from "../../errors/mod.ts";
import { checkOptions, isWhole, requireList } from "../../errors/option_rules.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import { MAX_DECIMALS } from "../../units/arithmetic.ts";
import {
  type CacheLine,
  type LineCache,
  type NodeSource,
  openCache,
  requireNode,
} from "./node_source.ts";
import { decodeAggregate, decodeValue, toAggregateCall, toRpcCall } from "./contract_calls.ts";
import { CACHED_RPC_OPTIONS, type CachedRpcOptions, type RpcNode } from "./rpc_batches.ts";

/** Facts that the contract of a token reports. */
export interface OnchainToken {
  /** Number of decimals; `null` if it reports none, or more than 77. */
  readonly decimals: number | null;
  /** Its symbol, which its deployer may choose freely; `null` if it reports none. */
  readonly symbol: string | null;
}

const NATIVE_TOKEN: OnchainToken = { decimals: 18, symbol: null };

/** Tokens per call: two to four million gas. */
const TOKENS_PER_CALL = 200;

/** Tokens, and the facts to read about them. */
interface TokenQuestion {
  /** Destination of requests. */
  readonly source: NodeSource;
  /** Token addresses, in any letter case. */
  readonly addresses: Iterable<string>;
  /** Whether to request symbols too. */
  readonly withSymbols: boolean;
}

/** Reads decimals, and symbols where wanted; see {@linkcode tokenFacts}. */
async function readTokens(
  { source, addresses, withSymbols }: TokenQuestion,
  options: CachedRpcOptions,
): Promise<Map<string, OnchainToken>> {
  const wanted = withSymbols ? "decimals and symbols of tokens" : "decimals of tokens";
  const action = `Cannot get ${wanted}`;
  checkOptions(options, CACHED_RPC_OPTIONS, action);
  requireList(addresses, { action, expected: "an array of addresses" });
  const tokens = new Set(Array.from(addresses, requireAddress));
  const factsByToken = new Map<string, OnchainToken>();
  if (tokens.delete(NATIVE_TOKEN_ADDRESS)) factsByToken.set(NATIVE_TOKEN_ADDRESS, NATIVE_TOKEN);
  const ask = requireNode(source, wanted, options);
  if (tokens.size === 0) return factsByToken;
  const cache = (await openCache({ source, ask, wanted }, options))?.("tokens") ?? null;
  for (const [token, facts] of await readCache(cache, withSymbols)) {
    if (tokens.delete(token)) factsByToken.set(token, facts);
  }
  for (const missingTokens of splitIntoChunks([...tokens], TOKENS_PER_CALL)) {
    const fetched = await fetchTokens(ask, missingTokens, withSymbols);
    for (const [token, facts] of fetched) factsByToken.set(token, facts);
    await cache?.append([...fetched].flatMap(toCacheLines));
  }
  return factsByToken;
}

/** Requests facts about tokens; a token that reports nothing is absent. */
async function fetchTokens(
  ask: RpcNode,
  tokens: readonly `0x${string}`[],
  withSymbols: boolean,
): Promise<Map<string, OnchainToken>> {
  const names = withSymbols ? ["decimals", "symbol"] : ["decimals"];
  const calls = names.flatMap((name) => tokens.map((to) => ({ to, name })));
  const [together] = await ask([toAggregateCall(calls, "latest")]);
  const returned = decodeAggregate(calls, together!) ??
    (await ask(calls.map((call) => toRpcCall(call, "latest")))).map((answer) =>
      "result" in answer && typeof answer.result === "string" ? answer.result : undefined
    );
  const tokenFacts = new Map<string, OnchainToken>();
  for (const [index, token] of tokens.entries()) {
    const value = decodeValue({ name: "decimals" }, returned[index]);
    const decimals = isWhole(value, 0, MAX_DECIMALS) ? value : null;
    const symbol = withSymbols ? readSymbol(returned[tokens.length + index]) : null;
    if (decimals !== null || symbol !== null) tokenFacts.set(token, { decimals, symbol });
  }
  return tokenFacts;
}

/** Formats a token for the cache: never that a fact is missing, since a call may have failed. */
function toCacheLines([token, { decimals, symbol }]: [string, OnchainToken]): CacheLine[] {
  if (decimals === null) return [];
  return [symbol === null ? [token, decimals] : [token, decimals, symbol]];
}

/**
 * Reads cached tokens: without symbols if they are not requested, otherwise only tokens with a symbol.
 */
async function readCache(
  cache: LineCache | null,
  withSymbols: boolean,
): Promise<Map<`0x${string}`, OnchainToken>> {
  const cachedTokens = new Map<`0x${string}`, OnchainToken>();
  for (const [token, decimals, symbol] of await cache?.read() ?? []) {
    if (!isAddress(token) || !isWhole(decimals, 0, MAX_DECIMALS)) continue;
    if (typeof symbol === "string") cachedTokens.set(token, { decimals, symbol });
    else if (!withSymbols) cachedTokens.set(token, { decimals, symbol: null });
  }
  return cachedTokens;
}

function isAddress(value: unknown): value is `0x${string}` {
  return typeof value === "string" && /^0x[0-9a-f]{40}$/.test(value);
}

function requireAddress(address: string): `0x${string}` {
  const lower = String(address).toLowerCase();
  if (isAddress(lower)) return lower;
  throw new InputError(`Cannot get the decimals of ${lower.slice(0, 80)}: not an address`, {
    remedy: "Pass addresses as 0x and 40 hex digits",
  });
}

/** Maximum length of a symbol, in characters; known ones have at most about 30. */
const MAX_SYMBOL_CHARS = 32;

/**
 * Characters that are invisible, or that change the text around them: controls, line ends, marks of
 * writing direction, spaces without width, fillers.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Text of 32 bytes, padded with zeros; a number begins with them. */
const PADDED_TEXT = /^0x(?!00)([0-9a-f]{64})$/i;

/**
 * Reads the return data of a token's `symbol()`: a string, or 32 bytes padded with zeros as in old
 * tokens.
 *
 * Anyone can deploy a token, so the text may be anything: invisible characters and marks of
 * writing direction are replaced by `\ufffd`, and it is cut after 32 characters.
 *
 * @param data Hex data; `undefined` where the call failed.
 * @returns `null` if it is not text, or empty.
 */
export function readSymbol(data: string | undefined): string | null {
  const [, word] = PADDED_TEXT.exec(data ?? "") ?? [];
  const bytes = word?.replace(/(?:00)+$/, "") ??
    String(decodeValue({ name: "symbol" }, data) ?? "0x").slice(2);
  // Only the start is shown: a character has at most four bytes.
  const pairs = bytes.slice(0, 16 * MAX_SYMBOL_CHARS).match(/../g) ?? [];
  const start = Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
  return cleanSymbol(new TextDecoder("utf-8", { ignoreBOM: true }).decode(start));
}

/** Replaces invisible characters of a symbol, and cuts it after 32 characters; `null` if it is empty. */
export function cleanSymbol(text: string): string | null {
  const clean = text.slice(0, 4 * MAX_SYMBOL_CHARS).replace(UNSEEN, "\ufffd").trim();
  if (clean === "") return null;
  const chars = Array.from(clean.slice(0, 4 * MAX_SYMBOL_CHARS));
  return chars.length > MAX_SYMBOL_CHARS
    ? `${chars.slice(0, MAX_SYMBOL_CHARS - 1).join("")}…`
    : clean;
}

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
 * @throws {HttpError} If it returns an invalid response, or an error.
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
  const decimalsByToken = new Map<string, number>();
  const facts = await readTokens({ source, addresses, withSymbols: false }, options);
  for (const [token, { decimals }] of facts) {
    if (decimals !== null) decimalsByToken.set(token, decimals);
  }
  return decimalsByToken;
}

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
 * @param options Options of requests, and `cacheFolder`, in which tokens that report both are cached.
 * @returns Facts by lower-case address. A contract that reports neither is absent; the native token
 * has 18 decimals and no symbol.
 * @throws {InputError} If a token address is invalid, `source` is not a node, or an option is
 * invalid.
 * @throws {NetworkError} If the node cannot be reached.
 * @throws {TimeoutError} If it times out.
 * @throws {HttpError} If it returns an invalid response, or an error.
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
