import type { RpcNode, SettlementTrade } from "../../evm/mod.ts";
import { chainNode } from "../../evm/node/chain_node.ts";
import {
  type ChainView,
  type ContractCall,
  isWanted,
  type LogQuery,
  RpcError,
  serveJsonRpc,
  type ViewedBlock,
  type ViewedLog,
  type ViewedTransaction,
} from "../../evm/node/serve_json_rpc.ts";
import { selectorOf } from "../../evm/settlement/decode_settlement_events.ts";
import {
  type EncodedEvent,
  encodeEvent,
  encodeSetPreSignature,
  encodeSettlement,
  eventTopic,
} from "../../evm/settlement/encode_settlement.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/mod.ts";
import { CHAIN_ID, settledSignature, SETTLEMENT_CONTRACT } from "../market/ledger.ts";
import type { PlannedExecution } from "../market/book.ts";
import {
  type ChainBlock,
  type ChainEvent,
  chainEvents,
  type ChainTransaction,
  interactionOf,
  type SettleCall,
  settlementSteps,
} from "../market/chain.ts";
import type { Market } from "../market/market.ts";
import { empty, json, type Reply } from "../wire/reply.ts";
import { callContract } from "./call_contract.ts";
import { yieldToRequests } from "../market/hold_auction.ts";

/** Four times the number of blocks that a sandbox keeps by default. */
const MOST_BLOCKS = 20_000;

const nodes = new WeakMap<Market, RpcNode>();

/** The node of a market's chain. */
export function marketNode(market: Market): RpcNode {
  let node = nodes.get(market);
  if (node === undefined) {
    node = chainNode(new MarketChain(market), { pause: yieldToRequests, mostBlocks: MOST_BLOCKS });
    nodes.set(market, node);
  }
  return node;
}

/** `POST rpc`: JSON-RPC, one call or a batch. */
export async function answerRpc(market: Market, body: string): Promise<Reply> {
  const answer = await serveJsonRpc(body, marketNode(market));
  return answer === null ? empty(204) : { ...json(null), body: answer };
}

/** The chain of a market, for its node. */
class MarketChain implements ChainView {
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

/** Calldata of a transaction. */
function calldataOf({ call }: ChainTransaction): string {
  return call.kind === "preSign" ? encodeSetPreSignature(call.order.uid) : settleCalldata(call);
}

/**
 * The settlement of a solution, as encoded by drivers: the tokens with their uniform prices, then
 * for every trade its two tokens again, with its prices after fees; the auction's id last.
 */
function settleCalldata({ auctionId, plan }: SettleCall): string {
  const uniform = uniformPrices(plan.executions);
  const tokens = [...uniform.keys()];
  const clearingPrices = [...uniform.values()];
  const trades = plan.executions.map((execution): SettlementTrade => {
    const { order: { signed, owner }, fill } = execution;
    const place = tokens.length;
    tokens.push(signed.sellToken, signed.buyToken);
    clearingPrices.push(fill.buyAmount, fill.sellAmount);
    return {
      ...signed,
      sellTokenIndex: place,
      buyTokenIndex: place + 1,
      executedAmount: signed.kind === "sell" ? fill.sellAmount : fill.buyAmount,
      signature: settledSignature(signed, owner),
    };
  });
  const { pre, intra, post } = settlementSteps(plan);
  const interactions = {
    pre: pre.map(interactionOf),
    intra: intra.map(interactionOf),
    post: post.map(interactionOf),
  };
  return encodeSettlement({ tokens, clearingPrices, trades, interactions, auctionId });
}

/** Prices before fees, by token in the order of addresses. Pairs of a solution share no token. */
function uniformPrices(executions: readonly PlannedExecution[]): Map<string, bigint> {
  const prices = new Map<string, bigint>();
  for (const { order: { signed }, price } of executions) {
    prices.set(signed.sellToken, price.sell);
    prices.set(signed.buyToken, price.buy);
  }
  return new Map([...prices].sort(([one], [other]) => one < other ? -1 : 1));
}

/** A filter of the logs of a transaction. */
type LogFilter = Pick<LogQuery, "addresses" | "topics">;

const ALL: LogFilter = { addresses: null, topics: [] };

/** Logs of a transaction in order, all or those that match the filter. */
function* logsOf(transaction: ChainTransaction, wanted: LogFilter = ALL): Generator<ViewedLog> {
  const { hash, block, index, firstLog, call } = transaction;
  // The other topics cost more, so they are encoded only for events that match these two.
  const kind = { addresses: wanted.addresses, topics: wanted.topics.slice(0, 1) };
  for (const [at, event] of chainEvents(call).entries()) {
    const address = addressOf(event);
    if (!isWanted({ address, topics: [eventTopic(event.event)] }, kind)) continue;
    const encoded = encode(event);
    if (!isWanted({ address, ...encoded }, wanted)) continue;
    yield {
      address,
      ...encoded,
      blockNumber: block.number,
      blockHash: block.hash,
      blockTimestamp: block.timestamp,
      transactionHash: hash,
      transactionIndex: index,
      logIndex: firstLog + at,
    };
  }
}

function addressOf(event: ChainEvent): string {
  return "token" in event ? event.token : SETTLEMENT_CONTRACT;
}

function encode(event: ChainEvent): EncodedEvent {
  switch (event.event) {
    case "Trade": {
      const { order, fill } = event.execution;
      const { owner, uid, signed } = order;
      return encodeEvent("Trade", { ...signed, ...fill, owner, orderUid: uid });
    }
    case "Interaction": {
      const interaction = interactionOf(event.step);
      const selector = selectorOf(interaction.callData);
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
