import { sameHex } from "../../units/mod.ts";
import type { DecodedSettlement } from "../settlement/decode_settlement.ts";
import type { DecodedEvent, TokenTransfer } from "../settlement/decode_settlement_events.ts";
import { malformedAnswer, mismatch, numberIn, resultOf } from "./json_rpc.ts";
import { nodeOf, type NodeSource } from "./node_source.ts";
import { GET_LOGS, type RpcCall, type RpcOptions } from "./rpc_batches.ts";

/** Topic of the event `Settlement(address)`, the last one of each settlement. */
export const SETTLEMENT_TOPIC =
  "0x40338ce1a7c49204f0099533b1e9a7ee0a3d261f84974ab7af36105b8c4e9db4";
const WANTED = "settlement logs";
const A_LOG = { what: "a log", wanted: WANTED };
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

/** What was asked for. */
export interface AskedLogs extends BlockSpan {
  /** The settlement contract. */
  readonly settlementContract: string;
}

/**
 * Reads the answer to a query for settlement logs.
 *
 * @throws {MismatchError} If a log is not one of those asked for, was removed, or contradicts another.
 * @throws {HttpStatusError} If it is not a list of logs.
 */
export function readSettlementLogs(result: unknown, asked: AskedLogs): SettlementLog[] {
  if (!Array.isArray(result)) throw malformedAnswer(result, WANTED, "it is not a list of logs");
  const logs = result.map((log: unknown) => readLog(log, asked));
  const blockHashes = new Map<number, string>();
  const blocks = new Map<string, number>();
  for (const [place, { blockNumber, blockHash, logIndex, txHash }] of logs.entries()) {
    const before = logs[place - 1] ?? { blockNumber, logIndex: -1 };
    const steps = blockNumber - before.blockNumber || logIndex - before.logIndex;
    if (steps <= 0) {
      throw mismatch(
        GET_LOGS,
        steps === 0 ? "log, which is there twice" : "order of logs",
        `a log after ${before.logIndex} of block ${before.blockNumber}`,
        `log ${logIndex} of block ${blockNumber}`,
      );
    }
    const known = blockHashes.get(blockNumber);
    if (blockHash !== null && known !== undefined && known !== blockHash) {
      throw mismatch(GET_LOGS, `hash of block ${blockNumber}`, known, blockHash);
    }
    if (blockHash !== null) blockHashes.set(blockNumber, blockHash);
    const block = blocks.get(txHash) ?? blockNumber;
    if (block !== blockNumber) {
      throw mismatch(GET_LOGS, `block of transaction ${txHash}`, block, blockNumber);
    }
    blocks.set(txHash, blockNumber);
  }
  return logs;
}

function readLog(value: unknown, { from, to, settlementContract }: AskedLogs): SettlementLog {
  const log: object = Object(value);
  const { address, topics, removed, ...place } = log as Record<string, unknown>;
  if (typeof address !== "string" || !Array.isArray(topics)) {
    throw malformedAnswer(value, WANTED, "a log has no address or no topics");
  }
  if (!sameHex(address, settlementContract)) {
    throw mismatch(GET_LOGS, "address of a log", settlementContract, address);
  }
  const [topic, solver] = topics.map((one) => String(one).toLowerCase());
  if (topic !== SETTLEMENT_TOPIC) {
    throw mismatch(GET_LOGS, "topic of a log", SETTLEMENT_TOPIC, `${topic}`);
  }
  if (solver === undefined || topics.length !== 2 || !ADDRESS_WORD.test(solver)) {
    throw malformedAnswer(value, WANTED, "a log has no solver");
  }
  if (removed === true) {
    throw mismatch(GET_LOGS, "logs", "logs of the chain", "a log that a reorganization removed");
  }
  const blockNumber = numberIn(log, "blockNumber", A_LOG);
  if (blockNumber < from || blockNumber > to) {
    throw mismatch(GET_LOGS, "block of a log", `${from} to ${to}`, `${blockNumber}`);
  }
  return {
    txHash: hashOf(place.transactionHash, "transactionHash", value),
    blockNumber,
    blockHash: place.blockHash == null ? null : hashOf(place.blockHash, "blockHash", value),
    logIndex: numberIn(log, "logIndex", A_LOG),
    solver: `0x${solver.slice(-40)}`,
  };
}

function hashOf(value: unknown, name: string, log: unknown): string {
  const hash = String(value).toLowerCase();
  if (HASH.test(hash)) return hash;
  throw malformedAnswer(log, WANTED, `the \`${name}\` of a log is not a hash`);
}

/** A range of blocks, both ends inclusive. */
export interface BlockSpan {
  /** First block. */
  readonly from: number;
  /** Last block. */
  readonly to: number;
}

/** What nodes say of blocks that they have no longer, or never had. */
const MISSING =
  /prune|missing trie|history (?:is )?(?:un|not )available|archive|data before|method .*(?:not|n't)|not supported by|(?:header|block) (?:\d+ )?not found|block not found|unknown block|not recorded/i;
/** Code of EIP-4444, and of methods that do not exist. */
const MISSING_CODES: readonly number[] = [4444, -32601, -32004, -32001];
/** What nodes say of too many logs, bytes or seconds, which some blocks have and others not. */
const SIZE = /results|\blogs\b|events|size|bytes|too (?:big|many)|timed? ?out|deadline|time limit/i;

/**
 * Why a node does not answer `eth_getLogs`: it lacks the blocks, or it limits the `size` of an answer
 * or the `range`. Providers word their limits in many ways: what is not known to be final is one.
 */
export function logRefusal(
  { code, message }: { readonly code: number; readonly message: string },
): "missing" | "size" | "range" {
  const isMissing = MISSING_CODES.includes(code) ||
    MISSING.test(message) && !/exceed/i.test(message);
  if (isMissing) return "missing";
  return /range|blocks/i.test(message) && !SIZE.test(message) ? "range" : "size";
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
   * them, as a recording. Otherwise the calldata is as the node says.
   */
  readonly isHashVerified: boolean;
}

/** Method for a transaction. */
export const TRANSACTION = "eth_getTransactionByHash";
/** Method for its receipt. */
export const RECEIPT = "eth_getTransactionReceipt";

/** The calls for a settlement; their answers are for {@linkcode readSettlement}. */
export function settlementCalls(hash: string): [RpcCall, RpcCall] {
  return [{ method: TRANSACTION, params: [hash] }, { method: RECEIPT, params: [hash] }];
}

/**
 * Counts the settlements of a transaction by their events: it may hold several.
 *
 * @returns `null` if the node does not have the transaction.
 * @throws {HttpError} If the node returns an invalid answer, or an error.
 */
export async function countSettlements(
  source: NodeSource,
  { txHash, settlementContract }: { readonly txHash: string; readonly settlementContract: string },
  options: RpcOptions = {},
): Promise<number | null> {
  const ask = nodeOf(source, WANTED, options);
  const [answer] = await ask([{ method: RECEIPT, params: [txHash] }]);
  const receipt = resultOf(answer!, WANTED);
  if (receipt === null) return null;
  const { logs } = Object(receipt);
  if (!Array.isArray(logs)) throw malformedAnswer(receipt, WANTED, "it has no logs");
  return logs.filter((log: unknown) => {
    const { address, topics } = Object(log);
    return sameHex(String(address), settlementContract) &&
      sameHex(String(Object(topics)[0]), SETTLEMENT_TOPIC);
  }).length;
}
