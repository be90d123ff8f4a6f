import { keccakText } from "../../evm/keccak256.ts";
import type { PlannedSolution } from "./book.ts";
import type { BookOrder } from "./book_order.ts";
import type { Pool } from "./liquidity.ts";

/** What was exchanged with one pool. */
export interface PoolTrade {
  /** The pool. */
  readonly pool: Pool;
  /** The token that was paid in. */
  readonly token: string;
  /** Atoms paid in. */
  readonly paid: bigint;
  /** Atoms of the pool's other token, paid out. */
  readonly out: bigint;
}

/** The settlement of a solution. */
export interface SettleCall {
  /** What is called. */
  readonly kind: "settle";
  /** Auction that is settled. */
  readonly auctionId: number;
  /** What it does. */
  readonly plan: PlannedSolution;
  /** Trades with pools that were made, by the plan's swaps; `null` if the settlement reverted. */
  readonly poolTrades: readonly PoolTrade[] | null;
}

/** An owner signs an order on the chain. */
export interface PreSignCall {
  /** What is called. */
  readonly kind: "preSign";
  /** The order. */
  readonly order: BookOrder;
}

/** A transaction that calls the settlement contract. */
export interface ChainTransaction {
  /** Its hash. */
  readonly hash: string;
  /** Who sent it. */
  readonly from: string;
  /** How many its sender had sent before. */
  readonly nonce: number;
  /** What it calls. */
  readonly call: SettleCall | PreSignCall;
  /** Its block. */
  readonly block: ChainBlock;
  /** Its place in the block, from 0. */
  readonly index: number;
  /** Index in the block of its first log. */
  readonly firstLog: number;
  /** Gas used, in gas units. */
  readonly gasUsed: number;
  /** Gas used in the block up to it and with it, in gas units. */
  readonly cumulativeGasUsed: number;
}

/** A block. */
export interface ChainBlock {
  /** Its number. */
  readonly number: number;
  /** When it was made, in unix seconds. */
  readonly timestamp: number;
  /** Gas price, in wei per gas unit. */
  readonly gasPrice: number;
  /** Hash of the block before. */
  readonly parentHash: string;
  /** Its hash; empty until it is complete. */
  readonly hash: string;
  /** Its transactions, in order. */
  readonly transactions: readonly ChainTransaction[];
}

/** A transaction that is about to enter a block. */
interface NewTransaction extends Pick<ChainTransaction, "hash" | "from" | "call"> {
  /** Gas used, in gas units. */
  readonly gasUsed: number;
  /** How many logs it emits. */
  readonly logs: number;
}

/** What is known of a block before it has transactions. */
type BlockBeginning = Pick<ChainBlock, "number" | "timestamp" | "gasPrice">;

interface OpenBlock extends BlockBeginning {
  readonly parentHash: string;
  hash: string;
  readonly transactions: ChainTransaction[];
  logs: number;
  gasUsed: number;
}

const NO_HASH = `0x${"0".repeat(64)}`;

/** The blocks of the market and what called the settlement contract in them. */
export class Chain {
  /** Complete blocks by number, oldest first. */
  readonly blocks: Map<number, ChainBlock> = new Map();
  /** Numbers of complete blocks by hash. */
  readonly numbers: Map<string, number> = new Map();
  /** Transactions of complete blocks by hash. */
  readonly transactions: Map<string, ChainTransaction> = new Map();
  /** Orders whose owners have sent their signatures, for the next block. */
  readonly preSigned: BookOrder[] = [];
  /** Whether there were blocks that are no longer kept. */
  hasForgotten = false;
  readonly #nonces = new Map<string, number>();
  #open: OpenBlock | null = null;
  #latest: ChainBlock | null = null;

  /** The latest complete block; `null` before there is one. */
  get latest(): ChainBlock | null {
    return this.#latest;
  }

  /** Index of the next log of the block that is being built. */
  get nextLog(): number {
    return this.#open?.logs ?? 0;
  }

  /** Begins a block. */
  begin(beginning: BlockBeginning): void {
    const parentHash = this.#latest?.hash ?? NO_HASH;
    this.#open = { ...beginning, parentHash, hash: "", transactions: [], logs: 0, gasUsed: 0 };
  }

  /** Adds a transaction to the block that was begun. */
  include({ hash, from, call, gasUsed, logs }: NewTransaction): void {
    const block = this.#open;
    if (block === null) throw new RangeError("No block has begun");
    const nonce = this.#nonces.get(from) ?? 0;
    this.#nonces.set(from, nonce + 1);
    const firstLog = block.logs;
    block.logs += logs;
    block.gasUsed += gasUsed;
    const place = { block, index: block.transactions.length, firstLog };
    const cumulativeGasUsed = block.gasUsed;
    block.transactions.push({ hash, from, nonce, call, ...place, gasUsed, cumulativeGasUsed });
  }

  /** Completes the block that was begun: from now on it is read. */
  seal(): void {
    const block = this.#open;
    if (block === null) return;
    this.#open = null;
    const { number, timestamp, parentHash, transactions } = block;
    const hashes = transactions.map(({ hash }) => hash);
    block.hash = keccakText([parentHash, number, timestamp, ...hashes].join(" "));
    this.#latest = block;
    this.blocks.set(number, block);
    this.numbers.set(block.hash, number);
    for (const transaction of transactions) this.transactions.set(transaction.hash, transaction);
  }

  /** Forgets the blocks before one. */
  forget(first: number): void {
    for (const block of this.blocks.values()) {
      if (block.number >= first || block === this.#latest) return;
      this.hasForgotten = true;
      this.blocks.delete(block.number);
      this.numbers.delete(block.hash);
      for (const { hash } of block.transactions) this.transactions.delete(hash);
    }
  }
}
