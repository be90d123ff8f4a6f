import { InputError } from "../errors/mod.ts";
import { isWhole } from "../errors/option_rules.ts";
import { toHex } from "../evm/hex.ts";
import type { EventLog } from "../evm/mod.ts";
import { readCall } from "../evm/node/contract_calls.ts";
import {
  type ChainView,
  type ContractCall,
  type LogQuery,
  matchesQuery,
  RpcError,
  type ViewedBlock,
  type ViewedLog,
  type ViewedTransaction,
} from "../evm/node/serve_json_rpc.ts";
import { readBytes } from "../http/read_body.ts";
import { sameHex } from "../units/mod.ts";
import { type Deployment, isObject } from "./deployment.ts";
import { streamText } from "./recording.ts";

/** Facts about a chain in addition to its records. */
export interface RecordedChainFacts {
  /** Name of the recording in errors. */
  readonly recording: string;
  /** The deployment, if known. */
  readonly deployment: Deployment | null;
  /** The chain's records, if any. */
  readonly chain: ChainRecord | null;
}

/** The chain of a recording: its records, and an error for everything else. */
export class RecordedChain implements ChainView {
  readonly client = "orderlens-replay";
  readonly #facts: RecordedChainFacts;
  /** The first and the last of the recorded blocks; `null` without any. */
  readonly #range: readonly [first: number, last: number] | null;
  /** Numbers of the blocks whose timestamps are recorded. */
  #timed: readonly string[] | undefined;
  #sorted: readonly NumberedLog[] | undefined;
  #grouped: ReadonlyMap<string, readonly EventLog[]> | undefined;

  /** Creates a chain from its records. */
  constructor(facts: RecordedChainFacts) {
    this.#facts = facts;
    this.#range = facts.chain === null ? null : findRange(facts.chain);
  }

  get chainId(): number {
    const { deployment } = this.#facts;
    if (deployment === null) throw this.#toError("the chain id");
    return deployment.chainId;
  }

  get firstBlock(): number {
    return this.#blocks[0];
  }

  get latestBlock(): number {
    return this.#blocks[1];
  }

  get gasPrice(): bigint {
    throw this.#toError("the gas price");
  }

  get #chain(): ChainRecord {
    const { chain } = this.#facts;
    if (chain === null) throw this.#toError("the chain", "it has no chain file");
    return chain;
  }

  get #blocks(): readonly [first: number, last: number] {
    if (this.#range !== null) return this.#range;
    const isWithout = this.#facts.chain === null;
    const reason = isWithout ? "it has no chain file" : "its chain file has no blocks";
    throw this.#toError("any block", reason);
  }

  getBlock(number: number): ViewedBlock {
    const { blocks = {} } = this.#chain;
    const timestamp = blocks[number];
    if (timestamp !== undefined) return { number, timestamp };
    // Whole numbers are keys in their order.
    this.#timed ??= Object.keys(blocks);
    const { length: count, 0: first } = this.#timed;
    throw this.#toError(
      `block ${number}`,
      first === undefined
        ? "its chain file has no timestamps of blocks"
        : `it has the timestamps of ${count} blocks, from ${first} on`,
    );
  }

  findBlockNumber(): never {
    throw this.#toError("hashes of blocks");
  }

  getTransaction(hash: string): ViewedTransaction {
    const { settlements } = this.#chain;
    const settlement = Object.hasOwn(settlements, hash) ? settlements[hash] : undefined;
    if (settlement === undefined) {
      const count = Object.keys(settlements).length;
      throw this.#toError(
        `transaction ${hash}`,
        `it has ${count} settlements and no other transactions`,
      );
    }
    const { from, to, input, blockNumber, gasUsed, effectiveGasPrice, status } = settlement;
    return {
      hash,
      from,
      to,
      input,
      blockNumber,
      gasUsed: BigInt(gasUsed),
      effectiveGasPrice: BigInt(effectiveGasPrice),
      succeeded: BigInt(status) === 1n,
      logs: this.#logsByTransaction.get(hash) ?? [],
    };
  }

  *findLogs({ fromBlock, toBlock, addresses, topics }: LogQuery): Generator<ViewedLog> {
    const { blocks } = this.#chain;
    const contract = this.#settlementContract;
    if (addresses === null || addresses.values().some((address) => address !== contract)) {
      throw this.#toError(
        "the logs of other contracts",
        `pass the address of the settlement contract, ${contract}`,
      );
    }
    const [, last] = this.#blocks;
    if (toBlock > last) throw this.#toError(`block ${toBlock}`, `the last one is ${last}`);
    for (const { number, log } of this.#logs) {
      if (number < fromBlock || number > toBlock) continue;
      if (!matchesQuery(log, { addresses, topics })) continue;
      const blockTimestamp = blocks?.[number];
      yield blockTimestamp === undefined ? log : { ...log, blockTimestamp };
    }
  }

  /** The logs by block; those of one block stay in their order. */
  get #logs(): readonly NumberedLog[] {
    return this.#sorted ??= this.#chain.logs
      .map((log) => ({ number: Number(log.blockNumber), log }))
      .sort((a, b) => a.number - b.number);
  }

  get #logsByTransaction(): ReadonlyMap<string, readonly EventLog[]> {
    const { logs } = this.#chain;
    return this.#grouped ??= Map.groupBy(logs, (log) => log.transactionHash.toLowerCase());
  }

  get #settlementContract(): string {
    const { deployment } = this.#facts;
    const contract = deployment?.settlementContract ?? this.#chain.logs[0]?.address;
    if (contract === undefined) throw this.#toError("the settlement contract");
    return contract.toLowerCase();
  }

  call({ to, data }: ContractCall): string {
    const token = this.#facts.deployment?.tokens?.find(({ address }) => sameHex(address, to));
    const called = token && readCall(data);
    if (called?.name === "decimals") return called.returns(token!.decimals);
    if (called?.name === "symbol") {
      return called.returns(toHex(new TextEncoder().encode(token!.symbol)));
    }
    throw this.#toError(
      `the call ${data.slice(0, 10)} of ${to}`,
      "of contracts, only decimals and symbols of the deployment's tokens are known",
    );
  }

  getBalance(account: string): never {
    throw this.#toError(`the balance of ${account}`);
  }

  #toError(subject: string, reason?: string): RpcError {
    const { recording } = this.#facts;
    const because = reason === undefined ? "" : `; ${reason}`;
    return new RpcError("notRecorded", `not recorded in ${recording}: ${subject}${because}`);
  }
}

/** Finds the range of the recorded blocks; `null` if there are none. */
function findRange({ settlements, logs, blocks = {} }: ChainRecord): [number, number] | null {
  const numbers = [
    ...[...Object.values(settlements), ...logs].map(({ blockNumber }) => Number(blockNumber)),
    ...Object.keys(blocks).map(Number),
  ].sort((a, b) => a - b);
  return numbers.length === 0 ? null : [numbers[0]!, numbers.at(-1)!];
}

/** A log with the number of its block. */
interface NumberedLog {
  readonly number: number;
  readonly log: EventLog;
}

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
    const chunks = await Array.fromAsync(streamText(await readBytes(file)));
    value = JSON.parse(chunks.join(""));
  } catch (cause) {
    if (cause instanceof InputError) throw cause;
    throw toChainError(file, "the file must be JSON", cause);
  }
  const fault = findFault(value);
  if (fault !== null) throw toChainError(file, fault);
  return value as ChainRecord;
}

function findFault(value: unknown): string | null {
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
    [value.gasUsed, value.effectiveGasPrice].every((field) => COUNT.test(String(field)));
}

function isLog(value: unknown): value is EventLog {
  return isObject(value) && Array.isArray(value.topics) && value.topics.every(isHex) &&
    [value.address, value.data, value.transactionHash].every(isHex) &&
    [value.blockNumber, value.logIndex].every((field) => isQuantity(field) || isWhole(field, 0));
}

function isHex(value: unknown): value is string {
  return typeof value === "string" && HEX.test(value);
}

function isQuantity(value: unknown): value is string {
  return typeof value === "string" && QUANTITY.test(value);
}

function toChainError(file: string | URL, fault: string, cause?: unknown): InputError {
  return new InputError(`Cannot read the chain in ${file}: ${fault}`, {
    remedy: "Correct the file, or delete it to replay without a chain",
    cause,
  });
}
