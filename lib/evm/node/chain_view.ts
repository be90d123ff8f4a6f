import type { EventLog } from "../settlement/decode_settlement_events.ts";

/** A log with its position in the chain. Unknown fields are absent. */
export interface ViewedLog extends EventLog {
  /** Hash of its block. */
  readonly blockHash?: string;
  /** Timestamp of its block, in unix seconds. */
  readonly blockTimestamp?: number;
  /** Index of its transaction in the block, from 0. */
  readonly transactionIndex?: number;
}

/** A transaction of a chain, with its result. Unknown fields are absent. */
export interface ViewedTransaction {
  /** Its hash. */
  readonly hash: string;
  /** Account that sent it. */
  readonly from: string;
  /** Contract that it calls. */
  readonly to: string;
  /** Calldata. */
  readonly input: string;
  /** Its block. */
  readonly blockNumber: number;
  /** Hash of its block. */
  readonly blockHash?: string;
  /** Its index in the block, from 0. */
  readonly transactionIndex?: number;
  /** Number of earlier transactions of its sender. */
  readonly nonce?: number;
  /** Native atoms sent with it. */
  readonly value?: bigint;
  /** Gas used, in gas units. */
  readonly gasUsed: bigint;
  /** Gas used in the block up to and including it, in gas units. */
  readonly cumulativeGasUsed?: bigint;
  /** Price per unit of gas, in wei. */
  readonly effectiveGasPrice: bigint;
  /** Whether it succeeded. */
  readonly succeeded: boolean;
  /** Its logs, in order. */
  readonly logs: readonly ViewedLog[];
}

/** A block of a chain. Unknown fields are absent. */
export interface ViewedBlock {
  /** Its number. */
  readonly number: number;
  /** Timestamp, in unix seconds. */
  readonly timestamp: number;
  /** Its hash. */
  readonly hash?: string;
  /** Hash of the previous block. */
  readonly parentHash?: string;
  /** Price per unit of gas, in wei. */
  readonly baseFeePerGas?: bigint;
  /** Gas used, in gas units. */
  readonly gasUsed?: bigint;
  /** Hashes of its transactions, in order. */
  readonly transactionHashes?: readonly string[];
}

/** A filter of logs; hex in lower case. */
export interface LogQuery {
  /** First block. */
  readonly fromBlock: number;
  /** Last block. */
  readonly toBlock: number;
  /** Contracts; `null` for all. */
  readonly addresses: ReadonlySet<string> | null;
  /** Values of each topic; `null` for any. */
  readonly topics: readonly (ReadonlySet<string> | null)[];
}

/** A call of a contract. */
export interface ContractCall {
  /** The contract, in lower case. */
  readonly to: string;
  /** Calldata, in lower case. */
  readonly data: string;
  /** Finds the block whose state a call reads. */
  readonly block: () => number;
}

/**
 * A read-only view of a chain, for a node.
 *
 * Every member throws an `RpcError` for data that exists but is not available.
 */
export interface ChainView {
  /** Name of the software, for `web3_clientVersion`. */
  readonly client: string;
  /** Chain id. */
  readonly chainId: number;
  /** Number of the first available block. */
  readonly firstBlock: number;
  /** Number of the latest block. */
  readonly latestBlock: number;
  /** Price per unit of gas now, in wei. */
  readonly gasPrice: bigint;
  /** A block by number; `null` above the latest. */
  block(number: number): ViewedBlock | null;
  /** Number of a block by hash, in lower case; `null` if there is none. */
  blockNumberOf(hash: string): number | null;
  /** A transaction by hash, in lower case; `null` if there is none. */
  transaction(hash: string): ViewedTransaction | null;
  /** Logs, in order. */
  logs(query: LogQuery): Iterable<ViewedLog>;
  /** The return data of a call of a contract. */
  call(call: ContractCall): string | Promise<string>;
  /** Native balance of an account, in atoms; the address is in lower case. */
  balance(account: string, block: number): bigint;
}
