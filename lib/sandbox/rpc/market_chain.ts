import type {
  ChainView,
  ContractCall,
  LogQuery,
  ViewedBlock,
  ViewedLog,
  ViewedTransaction,
} from "../../evm/node/chain_view.ts";
import { RpcError } from "../../evm/node/rpc_error.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/mod.ts";
import type { ChainBlock, ChainTransaction } from "../market/state/chain.ts";
import { CHAIN_ID, type Market, SETTLEMENT_CONTRACT } from "../market/state/market.ts";
import { calldataOf } from "./calldata.ts";
import { callContract } from "./call_contract.ts";
import { logsOf } from "./logs.ts";

/** The chain of a market, for its node. */
export class MarketChain implements ChainView {
  readonly client = "orderlens-sandbox";
  readonly chainId: number = CHAIN_ID;
  readonly #market: Market;

  /** Reads the chain of a market. */
  constructor(market: Market) {
    this.#market = market;
  }

  get #blocks(): ReadonlyMap<number, ChainBlock> {
    this.#market.openChain();
    return this.#market.chain.blocks;
  }

  get firstBlock(): number {
    const [first] = this.#blocks.keys();
    return first!;
  }

  get latestBlock(): number {
    this.#market.openChain();
    return this.#market.chain.latest!.number;
  }

  get gasPrice(): bigint {
    return BigInt(this.#market.gasPrice);
  }

  block(number: number): ViewedBlock | null {
    const block = this.#blocks.get(number);
    if (block === undefined) {
      if (number < this.firstBlock) throw this.#forgotten(number);
      return null;
    }
    const { timestamp, hash, parentHash, gasPrice, transactions } = block;
    return {
      number,
      timestamp,
      hash,
      parentHash,
      baseFeePerGas: BigInt(gasPrice),
      gasUsed: BigInt(transactions.at(-1)?.cumulativeGasUsed ?? 0),
      transactionHashes: transactions.map((one) => one.hash),
    };
  }

  blockNumberOf(hash: string): number | null {
    this.#market.openChain();
    return this.#market.chain.numbers.get(hash) ?? null;
  }

  transaction(hash: string): ViewedTransaction | null {
    const transaction = this.#market.chain.transactions.get(hash);
    if (transaction === undefined) return null;
    const { block, call } = transaction;
    return {
      ...placeOf(transaction),
      hash,
      from: transaction.from,
      to: SETTLEMENT_CONTRACT,
      get input() {
        return calldataOf(transaction);
      },
      nonce: transaction.nonce,
      value: 0n,
      gasUsed: BigInt(transaction.gasUsed),
      cumulativeGasUsed: BigInt(transaction.cumulativeGasUsed),
      effectiveGasPrice: BigInt(block.gasPrice),
      succeeded: call.kind === "preSign" || call.poolTrades !== null,
      get logs() {
        return [...logsOf(transaction)];
      },
    };
  }

  *logs(query: LogQuery): Generator<ViewedLog> {
    if (query.fromBlock < this.firstBlock) throw this.#forgotten(query.fromBlock);
    const last = Math.min(query.toBlock, this.latestBlock);
    for (let number = query.fromBlock; number <= last; number++) {
      for (const transaction of this.#blocks.get(number)?.transactions ?? []) {
        yield* logsOf(transaction, query);
      }
    }
  }

  call(call: ContractCall): string | Promise<string> {
    const requireLatest = () => {
      const block = call.block();
      if (block !== this.latestBlock) throw stateNotKept(block);
    };
    return callContract(this.#market, { ...call, requireLatest });
  }

  balance(account: string, block: number): bigint {
    if (block !== this.latestBlock) throw stateNotKept(block);
    return this.#market.ledger.balanceOf(account, NATIVE_TOKEN_ADDRESS);
  }

  #forgotten(number: number): RpcError {
    return new RpcError(
      "prunedHistory",
      `block ${number} is not kept: the first one kept is ${this.firstBlock}`,
    );
  }
}

/** The error for data that only the state of an earlier block has. */
function stateNotKept(block: number): RpcError {
  return new RpcError(
    "serverError",
    `the state of block ${block} is not kept: only the latest block's is`,
  );
}

function placeOf({ block, index }: ChainTransaction) {
  return { blockNumber: block.number, blockHash: block.hash, transactionIndex: index };
}
