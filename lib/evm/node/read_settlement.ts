import { InputError, MismatchError } from "../../errors/mod.ts";
import { checkOptions } from "../../errors/option_rules.ts";
import { sameHex } from "../../units/mod.ts";
import { hexBytes, keccak256 } from "../hex.ts";
import { type DecodedSettlement, decodeSettlement } from "../settlement/decode_settlement.ts";
import {
  type DecodedEvent,
  decodeSettlementEvents,
  requireEvents,
  type SettlementEvent,
  tokenTransfers,
} from "../settlement/decode_settlement_events.ts";
import type { EventLog } from "../abis.ts";
import { malformedAnswer, mismatch, resultOf } from "./json_rpc.ts";
import { nodeOf, type NodeSource } from "./node_source.ts";
import {
  type OnchainSettlement,
  RECEIPT,
  settlementCalls,
  TRANSACTION,
} from "./read_settlement_logs.ts";
import { RPC_OPTIONS, type RpcAnswer, type RpcOptions } from "./rpc_batches.ts";
import { transactionHash } from "./transaction_hash.ts";

/**
 * Reads and decodes the answers about a settlement.
 *
 * With the settlement contract, a transaction of another contract that calls it is read too: its
 * events, and its calldata where it contains the one call that emits them.
 *
 * @throws {InputError} If the node does not have the transaction, or it does not settle.
 * @throws {MismatchError} If the answers are about something else than asked, or contradict each
 * other.
 * @throws {HttpError} If an answer is invalid, or an error.
 */
export function readSettlement(
  hash: string,
  [transaction, receipt]: readonly (RpcAnswer | undefined)[],
  wanted: string,
  settlementContract?: string,
): OnchainSettlement {
  const sent = fieldsOf(transaction, wanted, "no such transaction");
  const made = fieldsOf(receipt, wanted, "no receipt for it, so it is not in a block yet");
  const input = hexOf(sent, "input", wanted);
  const to = hexOf(sent, "to", wanted).toLowerCase();
  const from = hexOf(sent, "from", wanted).toLowerCase();
  const isHashVerified = requireTransaction(sent, hash);
  requireSame(RECEIPT, "transactionHash", hash, made.transactionHash);
  requireSame(RECEIPT, "from", from, made.from);
  requireSame(RECEIPT, "to", to, made.to);
  requireSame(TRANSACTION, "blockHash", made.blockHash, sent.blockHash);
  const blockNumber = quantityOf(made, "blockNumber", wanted);
  requireNumber(TRANSACTION, "blockNumber", blockNumber, sent.blockNumber);
  const succeeded = quantityOf(made, "status", wanted) === 1n;
  const gasUsed = quantityOf(made, "gasUsed", wanted);
  const effectiveGasPrice = made.effectiveGasPrice == null
    ? null
    : quantityOf(made, "effectiveGasPrice", wanted);
  requireAtMost("gasUsed", gasUsed, sent.gas);
  requireAtMost("effectiveGasPrice", effectiveGasPrice, sent.maxFeePerGas ?? sent.gasPrice);
  const logs = logsOf(made, wanted);
  for (const log of logs) requireLog(log, { hash, blockNumber, blockHash: made.blockHash });
  if (!succeeded && logs.length > 0) {
    throw mismatch(RECEIPT, "logs", "none of a failed transaction", `${logs.length} logs`);
  }
  const call = settleCall(logs, { input, from, to, settlementContract, succeeded });
  const bloom = matchesBloom(logs, made.logsBloom);
  return {
    ...call,
    txHash: hash,
    from,
    blockNumber: Number(blockNumber),
    succeeded,
    gasUsed,
    effectiveGasPrice,
    transfers: tokenTransfers(logs),
    hasAllLogs: countThrough(logs) && bloom !== false,
    isBloomVerified: bloom === true,
    isHashVerified,
  };
}

type SettleCall =
  & DecodedSettlement
  & Pick<
    OnchainSettlement,
    "to" | "through" | "isDecoded" | "solver" | "events"
  >;

/** The call of `settle`: the transaction's own, or one that the contract it calls makes. */
function settleCall(
  logs: readonly EventLog[],
  { input, from, to, settlementContract, succeeded }: {
    readonly input: string;
    readonly from: string;
    readonly to: string;
    readonly settlementContract: string | undefined;
    readonly succeeded: boolean;
  },
): SettleCall {
  const eventsOf = (contract: string) =>
    decodeSettlementEvents(logs.filter(({ address }) => sameHex(address, contract)));
  const contract = settlementContract?.toLowerCase() ?? to;
  const inner = contract === to ? [] : eventsOf(contract);
  const ends = inner.filter((one): one is SettlementEvent => one.event === "Settlement");
  if (ends.length === 0) {
    const decoded = decodeSettlement(input);
    const events = eventsOf(to);
    if (succeeded) requireEvents(decoded, { events, solver: from });
    return { ...decoded, to, through: null, isDecoded: true, solver: from, events };
  }
  const solver = ends.length === 1 ? ends[0]!.solver : from;
  const decoded = ends.length === 1 ? innerCall(input, { events: inner, solver }) : null;
  const found = { to: contract, through: to, isDecoded: decoded !== null, solver, events: inner };
  return { ...decoded ?? UNDECODED, ...found };
}

const SETTLE = "13d79a0b";
const NOTHING = { pre: [], intra: [], post: [] };
const UNDECODED: DecodedSettlement = {
  tokens: [],
  clearingPrices: [],
  trades: [],
  interactions: NOTHING,
  auctionId: null,
  suffix: "0x",
};

/** The call of `settle` among the arguments of another call; `null` if none emits the events. */
function innerCall(
  input: string,
  emitted: { readonly events: readonly DecodedEvent[]; readonly solver: string },
): DecodedSettlement | null {
  const text = input.toLowerCase();
  for (let at = text.indexOf(SETTLE, 2); at >= 0; at = text.indexOf(SETTLE, at + 1)) {
    if (at % 2 !== 0) continue;
    // Bytes among arguments follow their number.
    const length = /^0{56}[0-9a-f]{8}$/.test(text.slice(Math.max(0, at - 64), at))
      ? 2 * Number.parseInt(text.slice(at - 8, at), 16)
      : Infinity;
    try {
      const decoded = decodeSettlement(`0x${text.slice(at, at + length)}`);
      requireEvents(decoded, emitted);
      return decoded;
    } catch (error) {
      if (!(error instanceof InputError || error instanceof MismatchError)) throw error;
    }
  }
  return null;
}

/** Requires the transaction that was asked for; returns whether its bytes prove it. */
function requireTransaction(sent: Fields, hash: string): boolean {
  requireSame(TRANSACTION, "hash", hash, sent.hash);
  const computed = transactionHash(sent);
  if (computed !== null) requireSame(TRANSACTION, "hash of the fields", hash, computed);
  return computed !== null;
}

function requireLog(
  log: EventLog,
  { hash, blockNumber, blockHash }: { hash: string; blockNumber: bigint; blockHash: unknown },
): void {
  requireSame(RECEIPT, "transactionHash of a log", hash, log.transactionHash);
  requireNumber(RECEIPT, "blockNumber of a log", blockNumber, log.blockNumber);
  requireSame(RECEIPT, "blockHash of a log", blockHash, Reflect.get(log, "blockHash"));
  if (Reflect.get(log, "removed") !== true) return;
  throw mismatch(RECEIPT, "logs", "logs of the chain", "a log that a reorganization removed");
}

/** Requires an equal value where the node reports one. */
function requireSame(request: string, field: string, asked: unknown, answered: unknown): void {
  if (asked == null || answered == null) return;
  if (sameHex(String(asked), String(answered))) return;
  throw mismatch(request, field, asked, answered);
}

function requireNumber(request: string, field: string, asked: bigint, answered: unknown): void {
  if (answered == null) return;
  const isNumber = typeof answered === "string"
    ? /^0x[0-9a-fA-F]{1,64}$/.test(answered)
    : typeof answered === "number" || typeof answered === "bigint";
  if (isNumber && BigInt(answered as string) === asked) return;
  throw mismatch(request, field, asked, answered);
}

/** Requires that a receipt stays within what the transaction allows. */
function requireAtMost(field: string, used: bigint | null, allowed: unknown): void {
  if (used === null || typeof allowed !== "string" || !/^0x[0-9a-f]{1,64}$/i.test(allowed)) return;
  if (used > BigInt(allowed)) {
    throw mismatch(RECEIPT, field, `at most ${BigInt(allowed)}, as signed`, used);
  }
}

/** Whether the indices of the logs are consecutive. */
function countThrough(logs: readonly EventLog[]): boolean {
  const [first] = logs;
  return first !== undefined &&
    logs.every(({ logIndex }, place) => Number(logIndex) === Number(first.logIndex) + place);
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(answer: RpcAnswer | undefined, wanted: string, missing: string): Fields {
  const result = answer === undefined ? null : resultOf(answer, wanted);
  if (typeof result !== "object" || result === null) {
    throw new InputError(`Cannot get ${wanted}: the node has ${missing}`, {
      remedy: "Check the hash, and that the node belongs to the right network and is up to date",
    });
  }
  return result as Fields;
}

function hexOf(fields: Fields, name: string, wanted: string): `0x${string}` {
  const field = fields[name];
  if (typeof field === "string" && /^0x[0-9a-fA-F]*$/.test(field)) return `0x${field.slice(2)}`;
  throw malformedAnswer(fields, wanted, `its \`${name}\` is not hex`);
}

function quantityOf(fields: Fields, name: string, wanted: string): bigint {
  const hex = hexOf(fields, name, wanted);
  if (hex !== "0x") return BigInt(hex);
  throw malformedAnswer(fields, wanted, `its \`${name}\` has no digits`);
}

function logsOf(fields: Fields, wanted: string): readonly EventLog[] {
  const { logs } = fields;
  if (!Array.isArray(logs)) throw malformedAnswer(fields, wanted, "it has no logs");
  if (logs.every(isLog)) return logs;
  throw malformedAnswer(fields, wanted, "a log has no address, no topics or no data");
}

function isLog(value: unknown): boolean {
  const { address, topics, data } = Object(value);
  return [address, data].every((one) => typeof one === "string") && Array.isArray(topics) &&
    topics.every((one) => typeof one === "string");
}

const BLOOM_BYTES = 256;
const BLOOM = new RegExp(`^0x[0-9a-f]{${2 * BLOOM_BYTES}}$`, "i");
/** Filters that say nothing: some chains and servers send them instead of the real one. */
const SAYS_NOTHING = /^0x(?:0+|f+)$/i;

/** Contracts and topics recur from settlement to settlement. */
const bitsByValue = new Map<string, readonly number[]>();
const MOST_KNOWN = 5_000;

/**
 * Whether logs are all those of a receipt, by its Bloom filter: the filter of the logs is the
 * receipt's own.
 *
 * @returns `null` if the receipt has no filter that says anything. A missing log whose contract and
 * topics other logs have too goes unnoticed.
 */
export function matchesBloom(logs: readonly EventLog[], logsBloom: unknown): boolean | null {
  if (typeof logsBloom !== "string" || !BLOOM.test(logsBloom)) return null;
  if (SAYS_NOTHING.test(logsBloom)) return null;
  const reported = hexBytes(logsBloom, {
    what: "the Bloom filter of a receipt",
    bytes: BLOOM_BYTES,
  });
  const bloom = new Uint8Array(BLOOM_BYTES);
  for (const { address, topics } of logs) {
    addTo(bloom, address);
    for (const topic of topics) addTo(bloom, topic);
  }
  return bloom.every((byte, place) => byte === reported[place]);
}

/** Sets the three bits of a value: of its hash, the lowest 11 of each of the first three pairs. */
function addTo(bloom: Uint8Array, value: string): void {
  for (const bit of bitsOf(value.toLowerCase())) {
    const place = BLOOM_BYTES - 1 - (bit >> 3);
    bloom[place] = bloom[place]! | 1 << (bit & 7);
  }
}

function bitsOf(value: string): readonly number[] {
  const known = bitsByValue.get(value);
  if (known !== undefined) return known;
  const bytes = (value.length - 2) / 2;
  const hash = keccak256(hexBytes(value, { what: "an address or a topic of a log", bytes }));
  const bits = [0, 2, 4].map((place) => (hash[place]! << 8 | hash[place + 1]!) & 2047);
  if (bitsByValue.size >= MOST_KNOWN) bitsByValue.clear();
  bitsByValue.set(value, bits);
  return bits;
}

/**
 * Fetches a settlement from a node and decodes its calldata and its events.
 *
 * It makes fees exact: pass it to `networkFee` and `decomposeSlippage`, or keyed by hash as the
 * option `settlements` to tables.
 *
 * @param source A node of the settlement's network, or what answers like one: its URL, a sandbox, a
 * recording. Keys in a URL are never shown.
 * @param txHash Hash of the transaction.
 * @returns The transaction's call to the settlement contract, and its result.
 * @throws {InputError} If the hash or `source` is invalid; if the node does not have the transaction, or it is
 * not in a block yet; or if the transaction does not call `settle` of a settlement contract
 * directly.
 * @throws {MismatchError} If the answers are about another transaction, or contradict each other:
 * other bytes than the hash is of, another block, logs that the calldata does not emit.
 * @throws {NetworkError} If the node cannot be reached.
 * @throws {TimeoutError} If it times out.
 * @throws {HttpError} If it returns an invalid answer, or an error.
 * @see {@link https://github.com/cowprotocol/contracts/blob/v1.0.0/src/contracts/GPv2Settlement.sol | the contract}
 *
 * @example A hash unknown to the node
 * ```ts
 * import { InputError } from "orderlens";
 * import { settlement } from "orderlens/evm";
 * import { assertRejects } from "@std/assert";
 *
 * const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
 *   const calls: { id: number }[] = await request.json();
 *   return Response.json(calls.map(({ id }) => ({ jsonrpc: "2.0", id, result: null })));
 * });
 *
 * const asked = settlement(`http://127.0.0.1:${server.addr.port}`, `0x${"01".repeat(32)}`);
 * await assertRejects(() => asked, InputError, "no such transaction");
 * await server.shutdown();
 * ```
 */
export async function settlement(
  source: NodeSource,
  txHash: string,
  options: RpcOptions = {},
): Promise<OnchainSettlement> {
  const wanted = `settlement ${String(txHash).slice(0, 80)}`;
  checkOptions(options, RPC_OPTIONS, "Cannot ask for a settlement");
  if (!/^0x[0-9a-fA-F]{64}$/.test(txHash)) {
    throw new InputError(`Cannot get ${wanted}: not a transaction hash`, {
      remedy: "Pass 0x and 64 hex digits",
    });
  }
  const hash = txHash.toLowerCase();
  const ask = nodeOf(source, wanted, options);
  return readSettlement(hash, await ask(settlementCalls(hash)), wanted);
}
