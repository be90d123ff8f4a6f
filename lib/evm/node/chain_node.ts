import { ZERO_ADDRESS } from "../hex.ts";
import {
  type BlockFinder,
  type BlockTag,
  type ChainView,
  readBlock,
  readData,
  readFlag,
  readHex,
  readLogQuery,
  readObject,
  RpcError,
  type ViewedBlock,
  type ViewedLog,
  type ViewedTransaction,
} from "./serve_json_rpc.ts";
import type { RpcAnswer, RpcCall, RpcNode } from "./rpc_batches.ts";

/** Maximum number of logs for the calls of one request. */
const MAX_LOGS = 10_000;

/** Limits shared by the calls of one request. */
interface Budget {
  /** Number of logs that may still be returned. */
  logs: number;
  /** Number of blocks that may still be searched for logs. */
  blocks: number;
}

/** Limits of a node for large requests. */
interface ChainNodeOptions {
  /** Yields to other requests between the calls of a long batch. @default {does not yield} */
  readonly pause?: () => Promise<void>;
  /**
   * Maximum number of blocks to search for logs, in all calls of one request. @default {unlimited}
   */
  readonly maxBlocks?: number;
}

type Params = readonly unknown[];
type Method = (node: ChainNode, params: Params, budget: Budget) => unknown;

/** Number of calls between yields; a call for logs always yields. */
const CALLS_AT_A_TIME = 32;

/** Creates a node that answers calls from a chain. */
export function createChainNode(view: ChainView, options: ChainNodeOptions = {}): RpcNode {
  const { pause, maxBlocks = Infinity } = options;
  const node = new ChainNode(view);
  return async (calls) => {
    const budget: Budget = { logs: MAX_LOGS, blocks: maxBlocks };
    const answers: RpcAnswer[] = [];
    for (const call of calls) {
      answers.push(await answerCall(node, call, budget));
      const isTurn = call.method === "eth_getLogs" || answers.length % CALLS_AT_A_TIME === 0;
      if (isTurn && answers.length < calls.length) await pause?.();
    }
    return answers;
  };
}

async function answerCall(
  node: ChainNode,
  { method, params }: RpcCall,
  budget: Budget,
): Promise<RpcAnswer> {
  try {
    if (!Object.hasOwn(METHODS, method)) {
      throw new RpcError("unknownMethod", `the method ${method.slice(0, 80)} does not exist here`);
    }
    return { result: await METHODS[method]!(node, params, budget) };
  } catch (error) {
    if (error instanceof RpcError) return error.answer;
    return new RpcError("internal", "internal error").answer;
  }
}

/** The chain, as the methods use it. */
class ChainNode implements BlockFinder {
  readonly view: ChainView;

  constructor(view: ChainView) {
    this.view = view;
  }

  resolveNumber(value: unknown, name: string): number {
    return this.#resolveTag(readBlock(value, name));
  }

  #resolveTag(block: number | BlockTag): number {
    if (typeof block === "number") return block;
    return block === "earliest" ? this.view.firstBlock : this.view.latestBlock;
  }

  resolveHash(value: unknown): number {
    const number = this.view.findBlockNumber(readHex(value, { name: "blockHash", bytes: 32 }));
    if (number === null) throw new RpcError("serverError", "unknown block");
    return number;
  }

  /**
   * Finds the block whose state a call reads: a number, a tag or an object of EIP-1898; absent for
   * the latest. Not used for contracts whose results never change.
   */
  resolveState(value: unknown = "latest"): () => number {
    if (typeof value !== "object" || value === null) return this.#requireExisting(value);
    const { blockHash, blockNumber } = readObject(value, "the block");
    if (blockHash === undefined) return this.#requireExisting(blockNumber);
    return () => this.resolveHash(blockHash);
  }

  #requireExisting(value: unknown): () => number {
    const block = readBlock(value, "the block");
    return () => {
      const number = this.#resolveTag(block);
      if (number > this.view.latestBlock) throw new RpcError("serverError", "unknown block");
      return number;
    };
  }

  findBlock(number: number, isWhole: boolean): unknown {
    const { view } = this;
    const block = view.getBlock(number);
    if (block === null) return null;
    const hashes = block.transactionHashes;
    if (!isWhole) return toBlock(block, hashes);
    if (hashes === undefined) {
      throw new RpcError("notRecorded", `the transactions of block ${number} are not recorded`);
    }
    const transactions = hashes.map((hash) => view.getTransaction(hash)!);
    return toBlock(
      block,
      transactions.map((transaction) => toTransaction(transaction, view.chainId)),
    );
  }

  readLogs(filter: unknown, budget: Budget): unknown[] {
    const query = readLogQuery(filter, this);
    const last = Math.min(query.toBlock, this.view.latestBlock);
    budget.blocks -= Math.max(0, last - query.fromBlock + 1);
    if (budget.blocks < 0) throw new RpcError("tooMuch", TOO_MANY_BLOCKS);
    const records: unknown[] = [];
    for (const log of this.view.findLogs(query)) {
      if (budget.logs-- <= 0) {
        throw new RpcError(
          "tooMuch",
          `more than ${MAX_LOGS} logs in one request: ask for fewer blocks`,
        );
      }
      records.push(toLog(log));
    }
    return records;
  }
}

const TOO_MANY_BLOCKS = "logs of too many blocks in one request: ask for fewer blocks at a time";

const HASH = { name: "the hash", bytes: 32 };

const METHODS: Readonly<Record<string, Method>> = {
  web3_clientVersion: ({ view }) => view.client,
  net_version: ({ view }) => String(view.chainId),
  eth_chainId: ({ view }) => toQuantity(view.chainId),
  eth_blockNumber: ({ view }) => toQuantity(view.latestBlock),
  eth_gasPrice: ({ view }) => toQuantity(view.gasPrice),
  eth_getBlockByNumber: (node, [block, isWhole]) =>
    node.findBlock(node.resolveNumber(block, "the block"), readFlag(isWhole, "the second")),
  eth_getBlockByHash(node, [hash, isWhole]) {
    const number = node.view.findBlockNumber(readHex(hash, HASH));
    const flag = readFlag(isWhole, "the second");
    return number === null ? null : node.findBlock(number, flag);
  },
  eth_getTransactionByHash({ view }, [hash]) {
    const transaction = view.getTransaction(readHex(hash, HASH));
    return transaction && toTransaction(transaction, view.chainId);
  },
  eth_getTransactionReceipt({ view }, [hash]) {
    const transaction = view.getTransaction(readHex(hash, HASH));
    return transaction && toReceipt(transaction);
  },
  eth_getLogs: (node, [filter], budget) => node.readLogs(filter, budget),
  eth_call(node, [call, block]) {
    const { to, data, input } = readObject(call, "the call");
    return node.view.call({
      to: readHex(to, { name: "to", bytes: 20 }),
      data: readData(input ?? data ?? "0x", "data"),
      block: node.resolveState(block),
    });
  },
  eth_getBalance(node, [account, block]) {
    const owner = readHex(account, { name: "the account", bytes: 20 });
    return toQuantity(node.view.getBalance(owner, node.resolveState(block)()));
  },
};

/** A record of JSON-RPC; unknown fields are absent. */
type RpcRecord = Readonly<Record<string, unknown>>;

const NO_HASH = `0x${"0".repeat(64)}`;
/** A Bloom filter of logs that excludes nothing: every log may be included. */
const FULL_BLOOM = `0x${"f".repeat(512)}`;
const GAS_LIMIT = 30_000_000n;
/** Hash of an empty list, used for a block's uncles. */
const NO_UNCLES = "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347";

/** Drops fields that are `undefined`. */
function dropUnknown(fields: Readonly<Record<string, unknown>>): RpcRecord {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Formats a number as a JSON-RPC quantity. */
function toQuantity(value: number | bigint | string): string {
  return `0x${BigInt(value).toString(16)}`;
}

function toOptionalQuantity(value: number | bigint | undefined): string | undefined {
  return value === undefined ? undefined : toQuantity(value);
}

/** Converts a block; `transactions` are its hashes or its whole transactions. */
function toBlock(block: ViewedBlock, transactions?: readonly unknown[]): RpcRecord {
  const { number, timestamp, hash, parentHash, baseFeePerGas, gasUsed } = block;
  const header = {
    number: toQuantity(number),
    timestamp: toQuantity(timestamp),
    hash: hash ?? null,
  };
  if (parentHash === undefined) return header;
  return dropUnknown({
    ...header,
    parentHash,
    nonce: "0x0000000000000000",
    sha3Uncles: NO_UNCLES,
    logsBloom: FULL_BLOOM,
    transactionsRoot: NO_HASH,
    stateRoot: NO_HASH,
    receiptsRoot: NO_HASH,
    mixHash: NO_HASH,
    miner: ZERO_ADDRESS,
    difficulty: "0x0",
    totalDifficulty: "0x0",
    extraData: "0x",
    size: "0x0",
    gasLimit: toQuantity(GAS_LIMIT),
    gasUsed: toOptionalQuantity(gasUsed),
    baseFeePerGas: toOptionalQuantity(baseFeePerGas),
    uncles: [],
    transactions,
  });
}

/** Converts a transaction, with a dummy signature. */
function toTransaction(transaction: ViewedTransaction, chainId: number): RpcRecord {
  const { hash, from, to, input, value, nonce, gasUsed, effectiveGasPrice } = transaction;
  return dropUnknown({
    ...formatPosition(transaction),
    hash,
    from,
    to,
    input,
    ...(nonce === undefined ? {} : {
      type: "0x0",
      chainId: toQuantity(chainId),
      nonce: toQuantity(nonce),
      gas: toQuantity(gasUsed),
      gasPrice: toQuantity(effectiveGasPrice),
      v: "0x0",
      r: "0x0",
      s: "0x0",
    }),
    value: toOptionalQuantity(value),
  });
}

/** Converts a transaction to its receipt. */
function toReceipt(transaction: ViewedTransaction): RpcRecord {
  const { hash, from, to, gasUsed, effectiveGasPrice, succeeded, logs, nonce } = transaction;
  return dropUnknown({
    ...formatPosition(transaction),
    transactionHash: hash,
    from,
    to,
    contractAddress: null,
    cumulativeGasUsed: toOptionalQuantity(transaction.cumulativeGasUsed),
    gasUsed: toQuantity(gasUsed),
    effectiveGasPrice: toQuantity(effectiveGasPrice),
    status: succeeded ? "0x1" : "0x0",
    ...(nonce === undefined ? {} : { type: "0x0", logsBloom: FULL_BLOOM }),
    logs: logs.map(toLog),
  });
}

/** Converts a log. */
function toLog(log: ViewedLog): RpcRecord {
  const { address, topics, data, blockNumber, transactionHash, logIndex, transactionIndex } = log;
  return dropUnknown({
    address,
    topics,
    data,
    blockNumber: toQuantity(blockNumber),
    blockHash: log.blockHash,
    blockTimestamp: toOptionalQuantity(log.blockTimestamp),
    transactionHash,
    transactionIndex: toOptionalQuantity(transactionIndex),
    logIndex: toQuantity(logIndex),
    removed: false,
  });
}

function formatPosition(
  { blockNumber, blockHash, transactionIndex }: ViewedTransaction,
): RpcRecord {
  return {
    blockNumber: toQuantity(blockNumber),
    blockHash,
    transactionIndex: toOptionalQuantity(transactionIndex),
  };
}
