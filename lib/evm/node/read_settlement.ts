import { InputError, MismatchError } from "../../errors/mod.ts";
import { checkOptions } from "../../errors/option_rules.ts";
import { sameHex } from "../../units/mod.ts";
import { keccak256, parseHex } from "../hex.ts";
import {
  type DecodedSettlement,
  decodeSettlement,
  SETTLE_SELECTOR,
} from "../settlement/decode_settlement.ts";
import {
  type DecodedEvent,
  decodeSettlementEvents,
  readTokenTransfers,
  requireEvents,
  type SettlementEvent,
} from "../settlement/decode_settlement_events.ts";
import type { EventLog } from "../abis.ts";
import { toAnswerError, toMismatch, unwrap } from "./json_rpc.ts";
import { type NodeSource, requireNode } from "./node_source.ts";
import {
  GET_RECEIPT,
  GET_TRANSACTION,
  type OnchainSettlement,
  toSettlementCalls,
} from "./read_settlement_logs.ts";
import { isQuantity, RPC_OPTIONS, type RpcAnswer, type RpcOptions } from "./rpc_batches.ts";
import { computeTransactionHash } from "./transaction_hash.ts";

/**
 * Reads and decodes the responses about a settlement.
 *
 * With the settlement contract, a transaction of another contract that calls it is read too: its
 * events, and its calldata where it contains the one call that emits them.
 *
 * @throws {InputError} If the node does not have the transaction, or it does not settle.
 * @throws {MismatchError} If the responses are about something other than requested, or contradict each
 * other.
 * @throws {HttpError} If a response is invalid, or an error.
 */
export function readSettlement(
  hash: string,
  answers: readonly (RpcAnswer | undefined)[],
  subject: string,
  settlementContract?: string,
): OnchainSettlement {
  const { input, to, logs, logsBloom, ...transaction } = readMined(hash, answers, subject);
  const bloom = matchesBloom(logs, logsBloom);
  return {
    ...findSettleCall(logs, { input, to, ...transaction, settlementContract }),
    txHash: hash,
    ...transaction,
    transfers: readTokenTransfers(logs),
    hasAllLogs: areConsecutive(logs) && bloom !== false,
    isBloomVerified: bloom === true,
  };
}

/** A transaction in a block, with its receipt; hex in lower case. */
export interface MinedTransaction extends
  Pick<
    OnchainSettlement,
    "from" | "blockNumber" | "succeeded" | "gasUsed" | "effectiveGasPrice" | "isHashVerified"
  > {
  /** The contract that it called. */
  readonly to: string;
  /** Its calldata. */
  readonly input: string;
  /** Logs of its receipt. */
  readonly logs: readonly EventLog[];
  /** Their filter. */
  readonly logsBloom: unknown;
}

/** Reads the responses about any transaction, and compares them with each other, as `readSettlement` does. */
export function readMined(
  hash: string,
  [transaction, receipt]: readonly (RpcAnswer | undefined)[],
  subject: string,
): MinedTransaction {
  const fields = readFields(transaction, subject, "no such transaction");
  const receiptFields = readFields(
    receipt,
    subject,
    "no receipt for it, so it is not in a block yet",
  );
  const input = readHexField(fields, "input", subject);
  const to = readHexField(fields, "to", subject).toLowerCase();
  const from = readHexField(fields, "from", subject).toLowerCase();
  const isHashVerified = requireTransaction(fields, hash);
  requireSame(GET_RECEIPT, "transactionHash", hash, receiptFields.transactionHash);
  requireSame(GET_RECEIPT, "from", from, receiptFields.from);
  requireSame(GET_RECEIPT, "to", to, receiptFields.to);
  requireSame(GET_TRANSACTION, "blockHash", receiptFields.blockHash, fields.blockHash);
  const blockNumber = readQuantity(receiptFields, "blockNumber", subject);
  requireNumber(GET_TRANSACTION, "blockNumber", blockNumber, fields.blockNumber);
  const succeeded = readQuantity(receiptFields, "status", subject) === 1n;
  const gasUsed = readQuantity(receiptFields, "gasUsed", subject);
  const effectiveGasPrice = receiptFields.effectiveGasPrice == null
    ? null
    : readQuantity(receiptFields, "effectiveGasPrice", subject);
  requireAtMost("gasUsed", gasUsed, fields.gas);
  requireAtMost("effectiveGasPrice", effectiveGasPrice, fields.maxFeePerGas ?? fields.gasPrice);
  const logs = readLogs(receiptFields, subject);
  for (const log of logs) {
    requireLog(log, { hash, blockNumber, blockHash: receiptFields.blockHash });
  }
  if (!succeeded && logs.length > 0) {
    throw toMismatch(GET_RECEIPT, "logs", "none of a failed transaction", `${logs.length} logs`);
  }
  return {
    ...{ input, to, from, succeeded, gasUsed, effectiveGasPrice, logs, isHashVerified },
    blockNumber: Number(blockNumber),
    logsBloom: receiptFields.logsBloom,
  };
}

type SettleCall =
  & DecodedSettlement
  & Pick<
    OnchainSettlement,
    "to" | "through" | "isDecoded" | "solver" | "events"
  >;

/** Finds the call of `settle`: the transaction's own, or one made by the contract it calls. */
function findSettleCall(
  logs: readonly EventLog[],
  { input, from, to, settlementContract, succeeded }: {
    readonly input: string;
    readonly from: string;
    readonly to: string;
    readonly settlementContract: string | undefined;
    readonly succeeded: boolean;
  },
): SettleCall {
  const decodeEvents = (contract: string) =>
    decodeSettlementEvents(logs.filter(({ address }) => sameHex(address, contract)));
  const contract = settlementContract?.toLowerCase() ?? to;
  const inner = contract === to ? [] : decodeEvents(contract);
  const ends = inner.filter((event): event is SettlementEvent => event.event === "Settlement");
  if (ends.length === 0) {
    const settlement = decodeSettlement(input);
    const events = decodeEvents(to);
    if (succeeded) requireEvents(settlement, { events, solver: from });
    return { ...settlement, to, through: null, isDecoded: true, solver: from, events };
  }
  const solver = ends.length === 1 ? ends[0]!.solver : from;
  const settlement = ends.length === 1 ? findInnerCall(input, { events: inner, solver }) : null;
  const isDecoded = settlement !== null;
  return {
    ...settlement ?? UNDECODED,
    to: contract,
    through: to,
    isDecoded,
    solver,
    events: inner,
  };
}

const SETTLE_DIGITS = SETTLE_SELECTOR.slice(2);
const NO_INTERACTIONS = { pre: [], intra: [], post: [] };
const UNDECODED: DecodedSettlement = {
  tokens: [],
  clearingPrices: [],
  trades: [],
  interactions: NO_INTERACTIONS,
  auctionId: null,
  suffix: "0x",
};

/** Finds the call of `settle` among the arguments of another call; `null` if none emits the events. */
function findInnerCall(
  input: string,
  emitted: { readonly events: readonly DecodedEvent[]; readonly solver: string },
): DecodedSettlement | null {
  for (const settlement of listInnerCalls(input)) {
    try {
      requireEvents(settlement, emitted);
      return settlement;
    } catch (error) {
      if (!(error instanceof InputError || error instanceof MismatchError)) throw error;
    }
  }
  return null;
}

/** Lists what may be calls of `settle` among the arguments of another call, where it can be decoded. */
export function* listInnerCalls(input: string): Generator<DecodedSettlement> {
  const text = input.toLowerCase();
  const findNext = (start: number) => text.indexOf(SETTLE_DIGITS, start);
  for (let index = findNext(2); index >= 0; index = findNext(index + 1)) {
    if (index % 2 !== 0) continue;
    // Bytes among arguments follow their number.
    const length = /^0{56}[0-9a-f]{8}$/.test(text.slice(Math.max(0, index - 64), index))
      ? 2 * Number.parseInt(text.slice(index - 8, index), 16)
      : Infinity;
    try {
      yield decodeSettlement(`0x${text.slice(index, index + length)}`);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
    }
  }
}

/** Requires the requested transaction; returns whether its bytes prove it. */
function requireTransaction(fields: Fields, hash: string): boolean {
  requireSame(GET_TRANSACTION, "hash", hash, fields.hash);
  const computedHash = computeTransactionHash(fields);
  if (computedHash !== null) requireSame(GET_TRANSACTION, "hash of the fields", hash, computedHash);
  return computedHash !== null;
}

function requireLog(
  log: EventLog,
  { hash, blockNumber, blockHash }: { hash: string; blockNumber: bigint; blockHash: unknown },
): void {
  requireSame(GET_RECEIPT, "transactionHash of a log", hash, log.transactionHash);
  requireNumber(GET_RECEIPT, "blockNumber of a log", blockNumber, log.blockNumber);
  requireSame(GET_RECEIPT, "blockHash of a log", blockHash, Reflect.get(log, "blockHash"));
  if (Reflect.get(log, "removed") !== true) return;
  throw toMismatch(GET_RECEIPT, "logs", "logs of the chain", "a log that a reorganization removed");
}

/** Requires an equal value where the node reports one. */
function requireSame(request: string, field: string, requested: unknown, returned: unknown): void {
  if (requested == null || returned == null) return;
  if (sameHex(String(requested), String(returned))) return;
  throw toMismatch(request, field, requested, returned);
}

function requireNumber(request: string, field: string, requested: bigint, returned: unknown): void {
  if (returned == null) return;
  const isNumber = typeof returned === "string"
    ? /^0x[0-9a-fA-F]{1,64}$/.test(returned)
    : typeof returned === "number" || typeof returned === "bigint";
  if (isNumber && BigInt(returned as string) === requested) return;
  throw toMismatch(request, field, requested, returned);
}

/** Requires that a receipt stays within what the transaction allows. */
function requireAtMost(field: string, amount: bigint | null, allowed: unknown): void {
  if (amount === null || !isQuantity(allowed)) return;
  if (amount > BigInt(allowed)) {
    throw toMismatch(GET_RECEIPT, field, `at most ${BigInt(allowed)}, as signed`, amount);
  }
}

/** Whether the indices of the logs are consecutive. */
function areConsecutive(logs: readonly EventLog[]): boolean {
  const [first] = logs;
  return first !== undefined &&
    logs.every(({ logIndex }, index) => Number(logIndex) === Number(first.logIndex) + index);
}

type Fields = Readonly<Record<string, unknown>>;

function readFields(answer: RpcAnswer | undefined, wanted: string, absence: string): Fields {
  const result = answer === undefined ? null : unwrap(answer, wanted);
  if (typeof result !== "object" || result === null) {
    throw new InputError(`Cannot get ${wanted}: the node has ${absence}`, {
      remedy: "Check the hash, and that the node belongs to the right network and is up to date",
    });
  }
  return result as Fields;
}

function readHexField(fields: Fields, name: string, wanted: string): `0x${string}` {
  const field = fields[name];
  if (typeof field === "string" && /^0x[0-9a-fA-F]*$/.test(field)) return `0x${field.slice(2)}`;
  throw toAnswerError(fields, wanted, `its \`${name}\` is not hex`);
}

function readQuantity(fields: Fields, name: string, wanted: string): bigint {
  const hex = readHexField(fields, name, wanted);
  if (hex !== "0x") return BigInt(hex);
  throw toAnswerError(fields, wanted, `its \`${name}\` has no digits`);
}

function readLogs(fields: Fields, wanted: string): readonly EventLog[] {
  const { logs } = fields;
  if (!Array.isArray(logs)) throw toAnswerError(fields, wanted, "it has no logs");
  if (logs.every(isLog)) return logs;
  throw toAnswerError(fields, wanted, "a log has no address, no topics or no data");
}

function isLog(value: unknown): boolean {
  const { address, topics, data } = Object(value);
  return [address, data].every((field) => typeof field === "string") && Array.isArray(topics) &&
    topics.every((field) => typeof field === "string");
}

const BLOOM_BYTES = 256;
const BLOOM = new RegExp(`^0x[0-9a-f]{${2 * BLOOM_BYTES}}$`, "i");
/** Filters without information: some chains and servers send them instead of the real one. */
const EMPTY_BLOOM = /^0x(?:0+|f+)$/i;

/** Contracts and topics recur from settlement to settlement. */
const bitsByValue = new Map<string, readonly number[]>();
const MAX_CACHED_VALUES = 5_000;

/**
 * Whether logs are all those of a receipt, by its Bloom filter: the filter of the logs is the
 * receipt's own.
 *
 * @returns `null` if the receipt has no filter with information. A missing log whose contract and
 * topics other logs have too goes unnoticed.
 */
export function matchesBloom(logs: readonly EventLog[], logsBloom: unknown): boolean | null {
  if (typeof logsBloom !== "string" || !BLOOM.test(logsBloom)) return null;
  if (EMPTY_BLOOM.test(logsBloom)) return null;
  const receiptBloom = parseHex(logsBloom, {
    what: "the Bloom filter of a receipt",
    bytes: BLOOM_BYTES,
  });
  const bloom = new Uint8Array(BLOOM_BYTES);
  for (const { address, topics } of logs) {
    addToBloom(bloom, address);
    for (const topic of topics) addToBloom(bloom, topic);
  }
  return bloom.every((byte, index) => byte === receiptBloom[index]);
}

/** Sets the three bits of a value: of its hash, the lowest 11 of each of the first three pairs. */
function addToBloom(bloom: Uint8Array, value: string): void {
  for (const bit of computeBits(value.toLowerCase())) {
    const index = BLOOM_BYTES - 1 - (bit >> 3);
    bloom[index] = bloom[index]! | 1 << (bit & 7);
  }
}

function computeBits(value: string): readonly number[] {
  const cachedBits = bitsByValue.get(value);
  if (cachedBits !== undefined) return cachedBits;
  const bytes = (value.length - 2) / 2;
  const hash = keccak256(parseHex(value, { what: "an address or a topic of a log", bytes }));
  const bits = [0, 2, 4].map((index) => (hash[index]! << 8 | hash[index + 1]!) & 2047);
  if (bitsByValue.size >= MAX_CACHED_VALUES) bitsByValue.clear();
  bitsByValue.set(value, bits);
  return bits;
}

/**
 * Fetches a settlement from a node and decodes its calldata and its events.
 *
 * It makes fees exact: pass it to `networkFee` and `decomposeSlippage`, or keyed by hash as the
 * option `settlements` to tables.
 *
 * @param source A node of the settlement's network, or an equivalent: its URL, a sandbox, a
 * recording. Keys in a URL are never shown.
 * @param txHash Hash of the transaction.
 * @returns The transaction's call to the settlement contract, and its result.
 * @throws {InputError} If the hash or `source` is invalid; if the node does not have the transaction, or it is
 * not in a block yet; or if the transaction does not call `settle` of a settlement contract
 * directly.
 * @throws {MismatchError} If the responses are about another transaction, or contradict each other:
 * other bytes than the hash is of, another block, logs that the calldata does not emit.
 * @throws {NetworkError} If the node cannot be reached.
 * @throws {TimeoutError} If it times out.
 * @throws {HttpError} If it returns an invalid response, or an error.
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
 * const promise = settlement(`http://127.0.0.1:${server.addr.port}`, `0x${"01".repeat(32)}`);
 * await assertRejects(() => promise, InputError, "no such transaction");
 * await server.shutdown();
 * ```
 */
export async function settlement(
  source: NodeSource,
  txHash: string,
  options: RpcOptions = {},
): Promise<OnchainSettlement> {
  const wanted = `settlement ${String(txHash).slice(0, 80)}`;
  checkOptions(options, RPC_OPTIONS, "Cannot get a settlement");
  if (!/^0x[0-9a-fA-F]{64}$/.test(txHash)) {
    throw new InputError(`Cannot get ${wanted}: not a transaction hash`, {
      remedy: "Pass 0x and 64 hex digits",
    });
  }
  const hash = txHash.toLowerCase();
  const ask = requireNode(source, wanted, options);
  return readSettlement(hash, await ask(toSettlementCalls(hash)), wanted);
}
