import { MismatchError } from "../../errors/mod.ts";
import { sameHex } from "../../units/mod.ts";
import type { DecodedSettlement } from "../settlement/decode_settlement.ts";
import type { DecodedEvent, TokenTransfer } from "../settlement/decode_settlement_events.ts";
import { malformedAnswer } from "./json_rpc.ts";
import { GET_LOGS, type RpcCall } from "./rpc_batches.ts";

/** Topic of the event `Settlement(address)`, the last one of each settlement. */
export const SETTLEMENT_TOPIC =
  "0x40338ce1a7c49204f0099533b1e9a7ee0a3d261f84974ab7af36105b8c4e9db4";
const WANTED = "settlement logs";
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
    const before = logs[place - 1];
    if (before !== undefined && !isAfter(before, { blockNumber, logIndex })) {
      const isTwice = before.blockNumber === blockNumber && before.logIndex === logIndex;
      throw mismatch(
        isTwice ? "log, which is there twice" : "order of logs",
        `a log after ${before.logIndex} of block ${before.blockNumber}`,
        `log ${logIndex} of block ${blockNumber}`,
      );
    }
    const known = blockHashes.get(blockNumber);
    if (blockHash !== null && known !== undefined && known !== blockHash) {
      throw mismatch(`hash of block ${blockNumber}`, known, blockHash);
    }
    if (blockHash !== null) blockHashes.set(blockNumber, blockHash);
    const block = blocks.get(txHash) ?? blockNumber;
    if (block !== blockNumber) {
      throw mismatch(`block of transaction ${txHash}`, `${block}`, `${blockNumber}`);
    }
    blocks.set(txHash, blockNumber);
  }
  return logs;
}

function isAfter(
  before: Pick<SettlementLog, "blockNumber" | "logIndex">,
  { blockNumber, logIndex }: Pick<SettlementLog, "blockNumber" | "logIndex">,
): boolean {
  return blockNumber > before.blockNumber ||
    blockNumber === before.blockNumber && logIndex > before.logIndex;
}

function readLog(value: unknown, { from, to, settlementContract }: AskedLogs): SettlementLog {
  const { address, topics, removed, ...place } = Object(value) as Record<string, unknown>;
  if (typeof address !== "string" || !Array.isArray(topics)) {
    throw malformedAnswer(value, WANTED, "a log has no address or no topics");
  }
  if (!sameHex(address, settlementContract)) {
    throw mismatch("address of a log", settlementContract, address);
  }
  const [topic, solver] = topics.map((one) => String(one).toLowerCase());
  if (topic !== SETTLEMENT_TOPIC) throw mismatch("topic of a log", SETTLEMENT_TOPIC, `${topic}`);
  if (solver === undefined || topics.length !== 2 || !ADDRESS_WORD.test(solver)) {
    throw malformedAnswer(value, WANTED, "a log has no solver");
  }
  if (removed === true) {
    throw mismatch("logs", "logs of the chain", "a log that a reorganization removed");
  }
  const blockNumber = numberOf(place.blockNumber, "blockNumber", value);
  if (blockNumber < from || blockNumber > to) {
    throw mismatch("block of a log", `${from} to ${to}`, `${blockNumber}`);
  }
  return {
    txHash: hashOf(place.transactionHash, "transactionHash", value),
    blockNumber,
    blockHash: place.blockHash == null ? null : hashOf(place.blockHash, "blockHash", value),
    logIndex: numberOf(place.logIndex, "logIndex", value),
    solver: `0x${solver.slice(-40)}`,
  };
}

function numberOf(value: unknown, name: string, log: unknown): number {
  if (typeof value === "string" && /^0x[0-9a-fA-F]{1,13}$/.test(value)) return Number(value);
  throw malformedAnswer(log, WANTED, `the \`${name}\` of a log is not a hex number`);
}

function hashOf(value: unknown, name: string, log: unknown): string {
  const hash = String(value).toLowerCase();
  if (HASH.test(hash)) return hash;
  throw malformedAnswer(log, WANTED, `the \`${name}\` of a log is not a hash`);
}

/** The error for logs that are not those asked for. */
export function mismatch(field: string, asked: string, answered: string): MismatchError {
  return new MismatchError({
    request: GET_LOGS,
    field,
    asked: asked.slice(0, 80),
    answered: answered.slice(0, 80),
    remedy:
      "Check the address of the node and any proxy in front of it, then retry: its answers contradict the query or each other, or the chain has been reorganized",
  });
}

/** Why a node does not answer for the logs of a range of blocks. */
export interface LogRefusal {
  /**
   * `range` if it limits the number of blocks, `size` if it limits logs, bytes or time, which a
   * shorter range keeps to, and `missing` if it does not have the blocks.
   */
  readonly reason: "range" | "size" | "missing";
  /** Number of blocks that it says it accepts; `null` if it does not say. */
  readonly blocks: number | null;
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
/** What nodes say of too many logs, bytes or seconds. */
const SIZE = /results|\blogs\b|events|size|bytes|too (?:big|many)|timed? ?out|deadline|time limit/i;
const RANGE = /range|blocks/i;
/** A range that a node proposes, in hex or decimal digits. */
const PROPOSED = /(?:\[\s*(0x[0-9a-f]+)\s*,\s*(0x[0-9a-f]+)\s*\])|\b(\d+)\s?-\s?(\d+)\b/i;
/** A number of blocks: not of logs, bytes or seconds, and not a part of a hex number. */
const NUMBER =
  /(?<![\w.,-])(\d[\d,_]*)(k)?(?![\w.,]*\d)(?!\s*(?:results?|logs?|events?|bytes?|[kmg]i?b|ms|s|sec|seconds?)\b)/gi;
/** A number above this part of the range is the range itself. */
const MOST_OF_RANGE = 0.9;

/**
 * Reads an error that a node returned for `eth_getLogs`. Providers word their limits in many ways,
 * and some propose a range: what is not known to be final counts as a limit.
 */
export function readLogRefusal(
  { code, message }: { readonly code: number; readonly message: string },
  span: BlockSpan,
): LogRefusal {
  const isAboutRange = RANGE.test(message);
  const isMissing = MISSING_CODES.includes(code) ||
    MISSING.test(message) && !/exceed/i.test(message);
  if (isMissing) return { reason: "missing", blocks: null };
  const asked = span.to - span.from + 1;
  const proposed = proposedBlocks(message, span);
  if (proposed !== null) {
    return { reason: "size", blocks: proposed > 0 && proposed < asked ? proposed : null };
  }
  if (!isAboutRange) return { reason: "size", blocks: null };
  const most = largestNumber(message, MOST_OF_RANGE * asked);
  const reason = SIZE.test(message) && !/block range|max range|range limit/i.test(message)
    ? "size"
    : "range";
  return { reason, blocks: most };
}

/** Length of the range that a node proposes, which begins where the query does; `null` without one. */
function proposedBlocks(message: string, { from }: BlockSpan): number | null {
  const found = PROPOSED.exec(message);
  if (found === null) return null;
  const [first, last] = [found[1] ?? found[3], found[2] ?? found[4]].map(Number);
  return first === from ? last! - first + 1 : null;
}

/** The largest number of blocks in a text that is at most a given one. */
function largestNumber(message: string, most: number): number | null {
  let largest = 0;
  for (const [, digits = "", thousands] of message.matchAll(NUMBER)) {
    const value = Number(digits.replaceAll(/[,_]/g, "")) * (thousands === undefined ? 1 : 1_000);
    if (value <= most) largest = Math.max(largest, value);
  }
  return largest === 0 ? null : largest;
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
