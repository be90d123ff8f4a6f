import { isWhole } from "../errors/is_whole.ts";
import { InputError } from "../errors/mod.ts";
import type { EventLog } from "../evm/mod.ts";
import { readBytes } from "../http/reading/read_bytes.ts";
import { textOf } from "./read_recording.ts";

/** A settlement transaction as it was recorded. */
export interface ChainSettlement {
  /** Account that sent it. */
  readonly from: string;
  /** Contract that it calls. */
  readonly to: string;
  /** Calldata. */
  readonly input: string;
  /** Its block. */
  readonly blockNumber: number;
  /** Gas used, in gas units. */
  readonly gasUsed: string;
  /** Price per unit of gas, in wei. */
  readonly effectiveGasPrice: string;
  /** `0x1` if it succeeded. */
  readonly status: string;
}

/** The chain's records of a recorded run. */
export interface ChainRecord {
  /** Settlement transactions by hash. */
  readonly settlements: Readonly<Record<string, ChainSettlement>>;
  /** Logs of the settlement contract, in order. */
  readonly logs: readonly EventLog[];
  /** Timestamps of blocks by number, in unix seconds, if recorded. */
  readonly blocks?: Readonly<Record<string, number>>;
}

const COUNT = /^\d+$/;
const HEX = /^0x[0-9a-fA-F]*$/;
const QUANTITY = /^0x[0-9a-fA-F]{1,13}$/;

/**
 * Reads a file of the chain's records (`<name>.chain.json`, plain or gzipped).
 *
 * @throws {InputError} If it is not JSON, or a record is missing or of the wrong kind.
 */
export async function readChain(file: string | URL): Promise<ChainRecord> {
  let value: unknown;
  try {
    const chunks = await Array.fromAsync(textOf(await readBytes(file)));
    value = JSON.parse(chunks.join(""));
  } catch (cause) {
    if (cause instanceof InputError) throw cause;
    throw badChain(file, "the file must be JSON", cause);
  }
  const fault = faultOf(value);
  if (fault !== null) throw badChain(file, fault);
  return value as ChainRecord;
}

function faultOf(value: unknown): string | null {
  if (!isObject(value)) return "the file must be an object";
  const { settlements, logs, blocks = {} } = value;
  if (!isObject(settlements)) return "`settlements` must be an object by transaction hash";
  if (!Array.isArray(logs)) return "`logs` must be a list";
  if (!isObject(blocks)) return "`blocks` must be an object by block number";
  const settlement = Object.entries(settlements).find(([, each]) => !isSettlement(each));
  if (settlement !== undefined) return `the settlement ${settlement[0]} is malformed`;
  const log = logs.findIndex((each) => !isLog(each));
  if (log !== -1) return `log ${log} is malformed`;
  const block = Object.entries(blocks).find(([number, seconds]) =>
    !COUNT.test(number) || !isWhole(Number(number), 0) || !isWhole(seconds, 0)
  );
  return block === undefined ? null : `the timestamp of block ${block[0]} is malformed`;
}

function isSettlement(value: unknown): value is ChainSettlement {
  return isObject(value) && [value.from, value.to, value.input].every(isHex) &&
    isQuantity(value.status) && isWhole(value.blockNumber, 0) &&
    [value.gasUsed, value.effectiveGasPrice].every((one) => COUNT.test(String(one)));
}

function isLog(value: unknown): value is EventLog {
  return isObject(value) && Array.isArray(value.topics) && value.topics.every(isHex) &&
    [value.address, value.data, value.transactionHash].every(isHex) &&
    [value.blockNumber, value.logIndex].every((one) => isQuantity(one) || isWhole(one, 0));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isHex(value: unknown): value is string {
  return typeof value === "string" && HEX.test(value);
}

function isQuantity(value: unknown): value is string {
  return typeof value === "string" && QUANTITY.test(value);
}

function badChain(file: string | URL, fault: string, cause?: unknown): InputError {
  return new InputError(`Cannot read the chain in ${file}: ${fault}`, {
    remedy: "Correct the file, or delete it to replay without a chain",
    cause,
  });
}
