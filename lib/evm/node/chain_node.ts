import type { ChainView } from "./chain_view.ts";
import type { RpcAnswer, RpcCall, RpcNode } from "./json_rpc.ts";
import { type BlockFinder, readLogQuery } from "./log_query.ts";
import { RpcError } from "./rpc_error.ts";
import { type BlockTag, readBlock, readData, readFlag, readHex, readObject } from "./rpc_params.ts";
import {
  blockRecord,
  logRecord,
  quantity,
  receiptRecord,
  transactionRecord,
} from "./rpc_records.ts";

/** Maximum number of logs for the calls of one request. */
const MOST_LOGS = 10_000;

/** Limits shared by the calls of one request. */
interface Budget {
  /** Number of logs that may still be returned. */
  logs: number;
  /** Number of blocks that may still be searched for logs. */
  blocks: number;
}

/** How a node handles large requests. */
export interface ChainNodeOptions {
  /** Yields to other requests between the calls of a long batch. @default {does not yield} */
  readonly pause?: () => Promise<void>;
  /**
   * Maximum number of blocks to search for logs, in all calls of one request. @default {unlimited}
   */
  readonly mostBlocks?: number;
}

type Params = readonly unknown[];
type Method = (node: ChainNode, params: Params, budget: Budget) => unknown;

/** Number of calls between yields; a call for logs always yields. */
const CALLS_AT_A_TIME = 32;

/** Answers the calls of a node from a chain. */
export function chainNode(view: ChainView, options: ChainNodeOptions = {}): RpcNode {
  const { pause, mostBlocks = Infinity } = options;
  const node = new ChainNode(view);
  return async (calls) => {
    const budget: Budget = { logs: MOST_LOGS, blocks: mostBlocks };
    const answers: RpcAnswer[] = [];
    for (const call of calls) {
      answers.push(await answerOf(node, call, budget));
      const isTurn = call.method === "eth_getLogs" || answers.length % CALLS_AT_A_TIME === 0;
      if (isTurn && answers.length < calls.length) await pause?.();
    }
    return answers;
  };
}

async function answerOf(
  node: ChainNode,
  { method, params }: RpcCall,
  budget: Budget,
): Promise<RpcAnswer> {
  try {
    const known = METHODS.get(method);
    if (known === undefined) {
      throw new RpcError("unknownMethod", `the method ${method.slice(0, 80)} does not exist here`);
    }
    return { result: await known(node, params, budget) };
  } catch (error) {
    if (error instanceof RpcError) return error.answer;
    return new RpcError("internal", "internal error").answer;
  }
}

/** What the methods use. */
class ChainNode implements BlockFinder {
  readonly view: ChainView;

  constructor(view: ChainView) {
    this.view = view;
  }

  numberOf(value: unknown, name: string): number {
    return this.#numberAt(readBlock(value, name));
  }

  #numberAt(block: number | BlockTag): number {
    if (typeof block === "number") return block;
    return block === "earliest" ? this.view.firstBlock : this.view.latestBlock;
  }

  numberOfHash(value: unknown): number {
    const number = this.view.blockNumberOf(readHex(value, { name: "blockHash", bytes: 32 }));
    if (number === null) throw new RpcError("serverError", "unknown block");
    return number;
  }

  /**
   * Finds the block whose state a call reads: a number, a tag or an object of EIP-1898; absent for
   * the latest. Not used for contracts whose results never change.
   */
  stateBlock(value: unknown = "latest"): () => number {
    if (typeof value !== "object" || value === null) return this.#existing(value);
    const { blockHash, blockNumber } = readObject(value, "the block");
    if (blockHash === undefined) return this.#existing(blockNumber);
    return () => this.numberOfHash(blockHash);
  }

  #existing(value: unknown): () => number {
    const block = readBlock(value, "the block");
    return () => {
      const number = this.#numberAt(block);
      if (number > this.view.latestBlock) throw new RpcError("serverError", "unknown block");
      return number;
    };
  }

  block(number: number, isWhole: boolean): unknown {
    const { view } = this;
    const block = view.block(number);
    if (block === null) return null;
    const hashes = block.transactionHashes;
    if (!isWhole) return blockRecord(block, hashes);
    if (hashes === undefined) {
      throw new RpcError("notRecorded", `the transactions of block ${number} are not recorded`);
    }
    const transactions = hashes.map((hash) => view.transaction(hash)!);
    return blockRecord(block, transactions.map((one) => transactionRecord(one, view.chainId)));
  }

  logs(filter: unknown, budget: Budget): unknown[] {
    const query = readLogQuery(filter, this);
    const last = Math.min(query.toBlock, this.view.latestBlock);
    budget.blocks -= Math.max(0, last - query.fromBlock + 1);
    if (budget.blocks < 0) throw new RpcError("tooMuch", TOO_MANY_BLOCKS);
    const found: unknown[] = [];
    for (const log of this.view.logs(query)) {
      if (budget.logs-- <= 0) {
        throw new RpcError(
          "tooMuch",
          `more than ${MOST_LOGS} logs in one request: ask for fewer blocks`,
        );
      }
      found.push(logRecord(log));
    }
    return found;
  }
}

const TOO_MANY_BLOCKS = "logs of too many blocks in one request: ask for fewer blocks at a time";

const HASH = { name: "the hash", bytes: 32 };

const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ["web3_clientVersion", ({ view }) => view.client],
  ["net_version", ({ view }) => String(view.chainId)],
  ["eth_chainId", ({ view }) => quantity(view.chainId)],
  ["eth_blockNumber", ({ view }) => quantity(view.latestBlock)],
  ["eth_gasPrice", ({ view }) => quantity(view.gasPrice)],
  [
    "eth_getBlockByNumber",
    (node, [block, isWhole]) =>
      node.block(node.numberOf(block, "the block"), readFlag(isWhole, "the second")),
  ],
  ["eth_getBlockByHash", (node, [hash, isWhole]) => {
    const number = node.view.blockNumberOf(readHex(hash, HASH));
    const flag = readFlag(isWhole, "the second");
    return number === null ? null : node.block(number, flag);
  }],
  ["eth_getTransactionByHash", ({ view }, [hash]) => {
    const transaction = view.transaction(readHex(hash, HASH));
    return transaction === null ? null : transactionRecord(transaction, view.chainId);
  }],
  ["eth_getTransactionReceipt", ({ view }, [hash]) => {
    const transaction = view.transaction(readHex(hash, HASH));
    return transaction === null ? null : receiptRecord(transaction);
  }],
  ["eth_getLogs", (node, [filter], budget) => node.logs(filter, budget)],
  ["eth_call", (node, [call, block]) => {
    const { to, data, input } = readObject(call, "the call");
    return node.view.call({
      to: readHex(to, { name: "to", bytes: 20 }),
      data: readData(input ?? data ?? "0x", "data"),
      block: node.stateBlock(block),
    });
  }],
  ["eth_getBalance", (node, [account, block]) => {
    const owner = readHex(account, { name: "the account", bytes: 20 });
    return quantity(node.view.balance(owner, node.stateBlock(block)()));
  }],
]);
