import type { RpcNode, SettlementTrade } from "../../evm/mod.ts";
import { createChainNode } from "../../evm/node/chain_node.ts";
import {
  type ChainView,
  type ContractCall,
  type LogQuery,
  matchesQuery,
  RpcError,
  serveJsonRpc,
  type ViewedBlock,
  type ViewedLog,
  type ViewedTransaction,
} from "../../evm/node/serve_json_rpc.ts";
import { readSelector } from "../../evm/settlement/decode_settlement_events.ts";
import {
  type EncodedEvent,
  encodeEvent,
  encodeSetPreSignature,
  encodeSettlement,
  getEventTopic,
} from "../../evm/settlement/encode_settlement.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/mod.ts";
import { CHAIN_ID, SETTLEMENT_CONTRACT, toSettlementSignature } from "../market/ledger.ts";
import type { PlannedExecution } from "../market/book.ts";
import {
  type ChainBlock,
  type ChainEvent,
  type ChainTransaction,
  listChainEvents,
  listSettlementSteps,
  type SettleCall,
  toInteraction,
} from "../market/chain.ts";
import type { Market } from "../market/market.ts";
import { empty, json, type Reply } from "../wire/reply.ts";
import { callContract } from "./call_contract.ts";
import { yieldToRequests } from "../market/hold_auction.ts";

/** Four times the number of blocks that a sandbox keeps by default. */
const MAX_BLOCKS = 20_000;

const nodes = new WeakMap<Market, RpcNode>();

/** Opens the node of a market's chain, once. */
export function openMarketNode(market: Market): RpcNode {
  let node = nodes.get(market);
  if (node === undefined) {
    node = createChainNode(new MarketChain(market), {
      pause: yieldToRequests,
      maxBlocks: MAX_BLOCKS,
    });
    nodes.set(market, node);
  }
  return node;
}

/** `POST rpc`: JSON-RPC, one call or a batch. */
export async function handleRpc(market: Market, body: string): Promise<Reply> {
  const response = await serveJsonRpc(body, openMarketNode(market));
  return response === null ? empty(204) : { ...json(null), body: response };
}

/** The chain of a market, for its node. */
class MarketChain implements ChainView {
  readonly client = "orderlens-sandbox";
  readonly chainId: number = CHAIN_ID;
  readonly #market: Market;

  /** Creates a view of the chain of a market. */
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

  getBlock(number: number): ViewedBlock | null {
    const block = this.#blocks.get(number);
    if (block === undefined) {
      if (number < this.firstBlock) throw this.#prunedError(number);
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
      transactionHashes: transactions.map((transaction) => transaction.hash),
    };
  }

  findBlockNumber(hash: string): number | null {
    this.#market.openChain();
    return this.#market.chain.numbers.get(hash) ?? null;
  }

  getTransaction(hash: string): ViewedTransaction | null {
    const transaction = this.#market.chain.transactions.get(hash);
    if (transaction === undefined) return null;
    const { block, call } = transaction;
    return {
      ...toPosition(transaction),
      hash,
      from: transaction.from,
      to: SETTLEMENT_CONTRACT,
      get input() {
        return encodeCalldata(transaction);
      },
      nonce: transaction.nonce,
      value: 0n,
      gasUsed: BigInt(transaction.gasUsed),
      cumulativeGasUsed: BigInt(transaction.cumulativeGasUsed),
      effectiveGasPrice: BigInt(block.gasPrice),
      succeeded: call.kind === "preSign" || call.poolTrades !== null,
      get logs() {
        return [...listLogs(transaction)];
      },
    };
  }

  *findLogs(query: LogQuery): Generator<ViewedLog> {
    if (query.fromBlock < this.firstBlock) throw this.#prunedError(query.fromBlock);
    const last = Math.min(query.toBlock, this.latestBlock);
    for (let number = query.fromBlock; number <= last; number++) {
      for (const transaction of this.#blocks.get(number)?.transactions ?? []) {
        yield* listLogs(transaction, query);
      }
    }
  }

  call(call: ContractCall): string | Promise<string> {
    const requireLatest = () => {
      const block = call.block();
      if (block !== this.latestBlock) throw missingStateError(block);
    };
    return callContract(this.#market, { ...call, requireLatest });
  }

  getBalance(account: string, block: number): bigint {
    if (block !== this.latestBlock) throw missingStateError(block);
    return this.#market.ledger.balanceOf(account, NATIVE_TOKEN_ADDRESS);
  }

  #prunedError(number: number): RpcError {
    return new RpcError(
      "prunedHistory",
      `block ${number} is not kept: the first one kept is ${this.firstBlock}`,
    );
  }
}

/** Creates the error for data that only the state of an earlier block has. */
function missingStateError(block: number): RpcError {
  return new RpcError(
    "serverError",
    `the state of block ${block} is not kept: only the latest block's is`,
  );
}

function toPosition({ block, index }: ChainTransaction) {
  return { blockNumber: block.number, blockHash: block.hash, transactionIndex: index };
}

function encodeCalldata({ call }: ChainTransaction): string {
  return call.kind === "preSign" ? encodeSetPreSignature(call.order.uid) : encodeSettleCall(call);
}

/**
 * Encodes the settlement of a solution as drivers do: the tokens with their uniform prices, then for
 * every trade its two tokens again, with its prices after fees; the auction's id last.
 */
function encodeSettleCall({ auctionId, plan }: SettleCall): string {
  const uniform = listUniformPrices(plan.executions);
  const tokens = [...uniform.keys()];
  const clearingPrices = [...uniform.values()];
  const trades = plan.executions.map((execution): SettlementTrade => {
    const { order: { data, owner }, fill } = execution;
    const index = tokens.length;
    tokens.push(data.sellToken, data.buyToken);
    clearingPrices.push(fill.buyAmount, fill.sellAmount);
    return {
      ...data,
      sellTokenIndex: index,
      buyTokenIndex: index + 1,
      executedAmount: data.kind === "sell" ? fill.sellAmount : fill.buyAmount,
      signature: toSettlementSignature(data, owner),
    };
  });
  const { pre, intra, post } = listSettlementSteps(plan);
  const interactions = {
    pre: pre.map(toInteraction),
    intra: intra.map(toInteraction),
    post: post.map(toInteraction),
  };
  return encodeSettlement({ tokens, clearingPrices, trades, interactions, auctionId });
}

/** Lists prices before fees by token, sorted by address. Pairs of a solution share no token. */
function listUniformPrices(executions: readonly PlannedExecution[]): Map<string, bigint> {
  const prices = new Map<string, bigint>();
  for (const { order: { data }, price } of executions) {
    prices.set(data.sellToken, price.sell);
    prices.set(data.buyToken, price.buy);
  }
  return new Map([...prices].sort(([a], [b]) => a < b ? -1 : 1));
}

/** A filter of the logs of a transaction. */
type LogFilter = Pick<LogQuery, "addresses" | "topics">;

const ALL: LogFilter = { addresses: null, topics: [] };

/** Lists the logs of a transaction in order, all or those that match the filter. */
function* listLogs(transaction: ChainTransaction, filter: LogFilter = ALL): Generator<ViewedLog> {
  const { hash, block, index, firstLog, call } = transaction;
  // The other topics cost more, so they are encoded only for events that match these two.
  const kind = { addresses: filter.addresses, topics: filter.topics.slice(0, 1) };
  for (const [offset, event] of listChainEvents(call).entries()) {
    const address = "token" in event ? event.token : SETTLEMENT_CONTRACT;
    if (!matchesQuery({ address, topics: [getEventTopic(event.event)] }, kind)) continue;
    const encoded = encode(event);
    if (!matchesQuery({ address, ...encoded }, filter)) continue;
    yield {
      address,
      ...encoded,
      blockNumber: block.number,
      blockHash: block.hash,
      blockTimestamp: block.timestamp,
      transactionHash: hash,
      transactionIndex: index,
      logIndex: firstLog + offset,
    };
  }
}

function encode(event: ChainEvent): EncodedEvent {
  switch (event.event) {
    case "Trade": {
      const { order, fill } = event.execution;
      const { owner, uid, data } = order;
      return encodeEvent("Trade", { ...data, ...fill, owner, orderUid: uid });
    }
    case "Interaction": {
      const interaction = toInteraction(event.step);
      const selector = readSelector(interaction.callData);
      return encodeEvent("Interaction", { ...interaction, selector });
    }
    case "Settlement":
      return encodeEvent("Settlement", event);
    case "PreSignature":
      return encodeEvent("PreSignature", { ...event, orderUid: event.uid, signed: true });
    case "Transfer":
      return encodeEvent("Transfer", { ...event, value: event.atoms });
    case "Withdrawal":
      return encodeEvent("Withdrawal", { src: SETTLEMENT_CONTRACT, wad: event.atoms });
  }
}
