import { MismatchError } from "../../errors/mod.ts";
import { sameHex } from "../../units/mod.ts";
import { malformedAnswer } from "./json_rpc.ts";
import { GET_LOGS } from "./log_calls.ts";
import type { BlockSpan } from "./log_refusal.ts";

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
