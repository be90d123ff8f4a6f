import { sameHex } from "../../units/mod.ts";
import type { DecodedSettlement } from "../settlement/decode_settlement.ts";
import type { DecodedEvent, TokenTransfer } from "../settlement/decode_settlement_events.ts";
import { readNumber, toAnswerError, toMismatch, unwrap } from "./json_rpc.ts";
import { type NodeSource, requireNode } from "./node_source.ts";
import { GET_LOGS, type RpcCall, type RpcOptions } from "./rpc_batches.ts";

/** Topic of the event `Settlement(address)`, the last one of each settlement. */
export const SETTLEMENT_TOPIC =
  "0x40338ce1a7c49204f0099533b1e9a7ee0a3d261f84974ab7af36105b8c4e9db4";
const WANTED = "settlement logs";
const A_LOG = { subject: "a log", wanted: WANTED };
const HASH = /^0x[0-9a-f]{64}$/;
const ADDRESS_WORD = /^0x0{24}[0-9a-f]{40}$/;

/** The event that ends a settlement. */
export interface SettlementLog {
  /** Hash of its transaction, in lower case. */
  readonly txHash: string;
  /** Its block. */
  readonly blockNumber: number;
  /** Hash of its block, in lower case; `null` if the node does not report it, as a recording. */
  readonly blockHash: string | null;
  /** Index of the log in its block. */
  readonly logIndex: number;
  /** Account that submitted it, in lower case. */
  readonly solver: string;
}

/** A query for settlement logs. */
export interface LogsQuery extends BlockSpan {
  /** The settlement contract. */
  readonly settlementContract: string;
}

/**
 * Reads the response to a query for settlement logs.
 *
 * @throws {MismatchError} If a log was not requested, was removed, or contradicts another.
 * @throws {HttpStatusError} If it is not a list of logs.
 */
export function readSettlementLogs(result: unknown, query: LogsQuery): SettlementLog[] {
  if (!Array.isArray(result)) throw toAnswerError(result, WANTED, "it is not a list of logs");
  const logs = result.map((log: unknown) => readLog(log, query));
  const blockHashes = new Map<number, string>();
  const blocks = new Map<string, number>();
  for (const [index, { blockNumber, blockHash, logIndex, txHash }] of logs.entries()) {
    const previous = logs[index - 1] ?? { blockNumber, logIndex: -1 };
    const steps = blockNumber - previous.blockNumber || logIndex - previous.logIndex;
    if (steps <= 0) {
      throw toMismatch(
        GET_LOGS,
        steps === 0 ? "log, which is there twice" : "order of logs",
        `a log after ${previous.logIndex} of block ${previous.blockNumber}`,
        `log ${logIndex} of block ${blockNumber}`,
      );
    }
    const blockHashBefore = blockHashes.get(blockNumber);
    if (blockHash !== null && blockHashBefore !== undefined && blockHashBefore !== blockHash) {
      throw toMismatch(GET_LOGS, `hash of block ${blockNumber}`, blockHashBefore, blockHash);
    }
    if (blockHash !== null) blockHashes.set(blockNumber, blockHash);
    const block = blocks.get(txHash) ?? blockNumber;
    if (block !== blockNumber) {
      throw toMismatch(GET_LOGS, `block of transaction ${txHash}`, block, blockNumber);
    }
    blocks.set(txHash, blockNumber);
  }
  return logs;
}

function readLog(value: unknown, { from, to, settlementContract }: LogsQuery): SettlementLog {
  const log: object = Object(value);
  const { address, topics, removed, ...position } = log as Record<string, unknown>;
  if (typeof address !== "string" || !Array.isArray(topics)) {
    throw toAnswerError(value, WANTED, "a log has no address or no topics");
  }
  if (!sameHex(address, settlementContract)) {
    throw toMismatch(GET_LOGS, "address of a log", settlementContract, address);
  }
  const [topic, solver] = topics.map((word) => String(word).toLowerCase());
  if (topic !== SETTLEMENT_TOPIC) {
    throw toMismatch(GET_LOGS, "topic of a log", SETTLEMENT_TOPIC, `${topic}`);
  }
  if (solver === undefined || topics.length !== 2 || !ADDRESS_WORD.test(solver)) {
    throw toAnswerError(value, WANTED, "a log has no solver");
  }
  if (removed === true) {
    throw toMismatch(GET_LOGS, "logs", "logs of the chain", "a log that a reorganization removed");
  }
  const blockNumber = readNumber(log, "blockNumber", A_LOG);
  if (blockNumber < from || blockNumber > to) {
    throw toMismatch(GET_LOGS, "block of a log", `${from} to ${to}`, `${blockNumber}`);
  }
  return {
    txHash: requireHash(position.transactionHash, "transactionHash", value),
    blockNumber,
    blockHash: position.blockHash == null
      ? null
      : requireHash(position.blockHash, "blockHash", value),
    logIndex: readNumber(log, "logIndex", A_LOG),
    solver: `0x${solver.slice(-40)}`,
  };
}

function requireHash(value: unknown, name: string, log: unknown): string {
  const hash = String(value).toLowerCase();
  if (HASH.test(hash)) return hash;
  throw toAnswerError(log, WANTED, `the \`${name}\` of a log is not a hash`);
}

/** A range of blocks, both ends inclusive. */
export interface BlockSpan {
  /** First block. */
  readonly from: number;
  /** Last block. */
  readonly to: number;
}

/** Messages of nodes about blocks that they no longer have, or never had. */
const MISSING_WORDS =
  /prune|missing trie|history (?:is )?(?:un|not )available|archive|data before|method .*(?:not|n't)|not supported by|(?:header|block) (?:\d+ )?not found|block not found|unknown block|not recorded/i;
/** Code of EIP-4444, and of methods that do not exist. */
const MISSING_CODES: readonly number[] = [4444, -32601, -32004, -32001];
/** Messages of nodes about too many logs, bytes or seconds, which depend on the blocks. */
const SIZE_WORDS =
  /results|\blogs\b|events|size|bytes|too (?:big|many)|timed? ?out|deadline|time limit/i;

/**
 * Classifies why a node refuses `eth_getLogs`: it lacks the blocks, or it limits the `size` of a response
 * or the `range`. Providers word their limits in many ways: an unknown message counts as a limit.
 */
export function classifyRefusal(
  { code, message }: { readonly code: number; readonly message: string },
): "missing" | "size" | "range" {
  const isMissing = MISSING_CODES.includes(code) ||
    MISSING_WORDS.test(message) && !/exceed/i.test(message);
  if (isMissing) return "missing";
  return /range|blocks/i.test(message) && !SIZE_WORDS.test(message) ? "range" : "size";
}

/** A settlement transaction on the chain: its call and its result. */
export interface OnchainSettlement extends DecodedSettlement {
  /** Hash of the transaction. */
  readonly txHash: string;
  /** Account that submitted it. */
  readonly from: string;
  /** The settlement contract: the contract that was called, or that `through` called. */
  readonly to: string;
  /** Another contract that was called, and called the settlement contract; `null` if none. */
  readonly through: string | null;
  /**
   * Whether the calldata of `settle` was found; without it, as with two settlements in one
   * transaction of another contract, there are events alone.
   */
  readonly isDecoded: boolean;
  /** Account that called `settle`, according to the event; `from` without another contract. */
  readonly solver: string;
  /** Its block. */
  readonly blockNumber: number;
  /** Whether it succeeded; a reverted transaction has no events. */
  readonly succeeded: boolean;
  /** Gas used, in gas units. */
  readonly gasUsed: bigint;
  /** Price per unit of gas, in wei; `null` if the node does not report it. */
  readonly effectiveGasPrice: bigint | null;
  /** Events of the settlement contract, in order. */
  readonly events: readonly DecodedEvent[];
  /** Transfers of all tokens, in order. */
  readonly transfers: readonly TokenTransfer[];
  /**
   * Whether the logs count through from the first to the last and match the receipt's Bloom filter,
   * if it has one; `false` in a recording that has only those of the settlement contract.
   */
  readonly hasAllLogs: boolean;
  /** Whether the receipt has a Bloom filter, and it is that of the logs. */
  readonly isBloomVerified: boolean;
  /**
   * Whether the hash is that of the transaction's bytes; `false` if the node does not report all of
   * them, as a recording. Otherwise the calldata is not verified.
   */
  readonly isHashVerified: boolean;
}

/** Method for a transaction. */
export const GET_TRANSACTION = "eth_getTransactionByHash";
/** Method for its receipt. */
export const GET_RECEIPT = "eth_getTransactionReceipt";

/** Creates the calls for a settlement; `readSettlement` reads their responses. */
export function toSettlementCalls(hash: string): [RpcCall, RpcCall] {
  return [{ method: GET_TRANSACTION, params: [hash] }, { method: GET_RECEIPT, params: [hash] }];
}

/**
 * Counts the settlements of a transaction by their events: it may hold several.
 *
 * @returns `null` if the node does not have the transaction.
 * @throws {HttpError} If the node returns an invalid response, or an error.
 */
export async function countSettlements(
  source: NodeSource,
  { txHash, settlementContract }: { readonly txHash: string; readonly settlementContract: string },
  options: RpcOptions = {},
): Promise<number | null> {
  const ask = requireNode(source, WANTED, options);
  const [answer] = await ask([{ method: GET_RECEIPT, params: [txHash] }]);
  const receipt = unwrap(answer!, WANTED);
  if (receipt === null) return null;
  const { logs } = Object(receipt);
  if (!Array.isArray(logs)) throw toAnswerError(receipt, WANTED, "it has no logs");
  return logs.filter((log: unknown) => {
    const { address, topics } = Object(log);
    return sameHex(String(address), settlementContract) &&
      sameHex(String(Object(topics)[0]), SETTLEMENT_TOPIC);
  }).length;
}
