import { decodeFunctionResult, encodeFunctionData } from "viem/utils";
import { InputError } from "../../errors/mod.ts";
import { checkOptions, isWhole, requireList } from "../../errors/option_rules.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import {
  type CacheLine,
  type LineCache,
  nodeOf,
  type NodeSource,
  openCache,
} from "./node_source.ts";
import {
  CACHED_RPC_OPTIONS,
  type CachedRpcOptions,
  type RpcAnswer,
  type RpcNode,
} from "./rpc_batches.ts";

/** Facts that the contract of a token reports. */
export interface OnchainToken {
  /** Number of decimals; `null` if it reports none, or more than 77. */
  readonly decimals: number | null;
  /** Its symbol, which its deployer may choose freely; `null` if it reports none. */
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

/** Tokens per call: two to four million gas. */
const TOKENS_PER_CALL = 200;

/** What to read about tokens. */
interface TokenQuestion {
  /** Where requests go. */
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
  const tokens = new Set(Array.from(addresses, checkedAddress));
  const known = new Map<string, OnchainToken>();
  if (tokens.delete(NATIVE_TOKEN_ADDRESS)) known.set(NATIVE_TOKEN_ADDRESS, NATIVE_TOKEN);
  const ask = nodeOf(source, wanted, options);
  if (tokens.size === 0) return known;
  const cache = (await openCache({ source, ask, wanted }, options))?.("tokens") ?? null;
  for (const [token, facts] of await readCache(cache, withSymbols)) {
    if (tokens.delete(token)) known.set(token, facts);
  }
  const missing = [...tokens];
  for (let start = 0; start < missing.length; start += TOKENS_PER_CALL) {
    const some = missing.slice(start, start + TOKENS_PER_CALL);
    const found = await fetchTokens(ask, some, withSymbols);
    for (const [token, facts] of found) known.set(token, facts);
    await cache?.append([...found].flatMap(cacheLines));
  }
  return known;
}

/** Requests facts about tokens; a token that reports nothing is absent. */
async function fetchTokens(
  ask: RpcNode,
  tokens: readonly `0x${string}`[],
  withSymbols: boolean,
): Promise<Map<string, OnchainToken>> {
  const selectors = withSymbols ? [DECIMALS_CALL, SYMBOL_CALL] as const : [DECIMALS_CALL] as const;
  const calls = selectors.flatMap((data) => tokens.map((to) => ({ to, data })));
  const answers = await callContracts(ask, calls);
  const found = new Map<string, OnchainToken>();
  for (const [index, token] of tokens.entries()) {
    const decimals = readDecimals(answers[index]);
    const symbol = withSymbols ? readSymbol(answers[tokens.length + index]) : null;
    if (decimals !== null || symbol !== null) found.set(token, { decimals, symbol });
  }
  return found;
}

/** What to cache about a token: never that something is missing, since a call may have failed. */
function cacheLines([token, { decimals, symbol }]: [string, OnchainToken]): CacheLine[] {
  if (decimals === null) return [];
  return [symbol === null ? [token, decimals] : [token, decimals, symbol]];
}

/**
 * Cached tokens: without symbols if they are not requested, otherwise only tokens with a symbol.
 */
async function readCache(
  cache: LineCache | null,
  withSymbols: boolean,
): Promise<Map<`0x${string}`, OnchainToken>> {
  const known = new Map<`0x${string}`, OnchainToken>();
  for (const [token, decimals, symbol] of await cache?.read() ?? []) {
    if (!isAddress(token) || !isWhole(decimals, 0, MOST_DECIMALS)) continue;
    if (typeof symbol === "string") known.set(token, { decimals, symbol });
    else if (!withSymbols) known.set(token, { decimals, symbol: null });
  }
  return known;
}

function isAddress(value: unknown): value is `0x${string}` {
  return typeof value === "string" && /^0x[0-9a-f]{40}$/.test(value);
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

/** Maximum length of a symbol, in characters; known ones have at most about 30. */
const MOST_CHARS = 32;

/**
 * Characters that nobody sees, or that change the text around them: controls, line ends, marks of
 * writing direction, spaces without width, fillers.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const WORD_DIGITS = 64;

const DIGITS = /^0x(?:[0-9a-fA-F]{2})*$/;

/**
 * Reads the return data of a token's `symbol()`: a string, or 32 bytes padded with zeros as in old
 * tokens.
 *
 * Anyone can deploy a token, so the text may be anything: characters that nobody sees and marks of
 * writing direction are replaced by `\ufffd`, and it is cut after 32 characters.
 *
 * @param data Hex data; `undefined` where the call failed.
 * @returns `null` if it is not text, or empty.
 */
export function readSymbol(data: string | undefined): string | null {
  if (data === undefined || !DIGITS.test(data)) return null;
  const hex = data.slice(2);
  const text = hex.length === WORD_DIGITS ? wordText(hex) : stringOf(hex);
  if (text === null) return null;
  const clean = text.replace(UNSEEN, "\ufffd").trim();
  if (clean === "") return null;
  const chars = Array.from(clean.slice(0, 4 * MOST_CHARS));
  return chars.length > MOST_CHARS ? `${chars.slice(0, MOST_CHARS - 1).join("")}…` : clean;
}

/** The text of 32 bytes; `null` if they start with zeros, as a number does. */
function wordText(hex: string): string | null {
  return hex.startsWith("00") ? null : textOf(hex.replace(/(?:00)+$/, ""));
}

/** The text of an ABI-encoded string: its offset, its length, its bytes. */
function stringOf(hex: string): string | null {
  const offset = wordAt(hex, 0);
  const length = offset === null ? null : wordAt(hex, 2 * offset);
  if (offset === null || length === null) return null;
  const start = 2 * offset + WORD_DIGITS;
  return start + 2 * length > hex.length ? null : textOf(hex.slice(start, start + 2 * length));
}

/** A word as an offset in the data; `null` if it cannot be one. */
function wordAt(hex: string, start: number): number | null {
  const word = hex.slice(start, start + WORD_DIGITS);
  if (word.length < WORD_DIGITS) return null;
  const value = BigInt(`0x${word}`);
  return value <= BigInt(hex.length) ? Number(value) : null;
}

function textOf(hex: string): string | null {
  // Only the start is shown: a character has at most four bytes.
  const pairs = hex.slice(0, 16 * MOST_CHARS).match(/../g) ?? [];
  const bytes = Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
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
async function callContracts(
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
