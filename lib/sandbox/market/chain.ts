import { hashUtf8 } from "../../evm/hex.ts";
import type { SettlementInteraction } from "../../evm/mod.ts";
import { encodeRouterSwap, encodeWithdraw } from "../../evm/settlement/encode_settlement.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/mod.ts";
import type { PlannedExecution, PlannedSolution, PlannedSwap } from "./book.ts";
import type { BookOrder } from "./book_order.ts";
import { ROUTER, SETTLEMENT_CONTRACT, WRAPPED_NATIVE } from "./ledger.ts";
import type { Pool } from "./liquidity.ts";

/** A trade with one pool. */
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
  /** Discriminant of the call. */
  readonly kind: "settle";
  /** Id of the settled auction. */
  readonly auctionId: number;
  /** The settled solution. */
  readonly plan: PlannedSolution;
  /** Executed trades of the plan's swaps; `null` if the settlement reverted. */
  readonly poolTrades: readonly PoolTrade[] | null;
}

/** The on-chain signature of an order by its owner. */
interface PreSignCall {
  /** Discriminant of the call. */
  readonly kind: "preSign";
  /** The order. */
  readonly order: BookOrder;
}

/** A transaction that calls the settlement contract. */
export interface ChainTransaction {
  /** Its hash. */
  readonly hash: string;
  /** Its sender. */
  readonly from: string;
  /** Number of earlier transactions of its sender. */
  readonly nonce: number;
  /** Its call of the settlement contract. */
  readonly call: SettleCall | PreSignCall;
  /** Its block. */
  readonly block: ChainBlock;
  /** Its index in the block, from 0. */
  readonly index: number;
  /** Index in the block of its first log. */
  readonly firstLog: number;
  /** Gas used, in gas units. */
  readonly gasUsed: number;
  /** Gas used in the block up to and including it, in gas units. */
  readonly cumulativeGasUsed: number;
}

/** A block. */
export interface ChainBlock {
  /** Its number. */
  readonly number: number;
  /** Its time, in unix seconds. */
  readonly timestamp: number;
  /** Gas price, in wei per gas unit. */
  readonly gasPrice: number;
  /** Hash of the previous block. */
  readonly parentHash: string;
  /** Its hash; empty until it is complete. */
  hash: string;
  /** Its transactions, in order. */
  readonly transactions: ChainTransaction[];
}

/** A transaction that is about to enter a block. */
interface NewTransaction extends Pick<ChainTransaction, "hash" | "from" | "call" | "gasUsed"> {
  /** Number of logs that it emits. */
  readonly logs: number;
}

const NO_HASH = `0x${"0".repeat(64)}`;

/** The blocks of the market, with their transactions that call the settlement contract. */
export class Chain {
  /** Complete blocks by number, oldest first. */
  readonly blocks: Map<number, ChainBlock> = new Map();
  /** Numbers of complete blocks by hash. */
  readonly numbers: Map<string, number> = new Map();
  /** Transactions of complete blocks by hash. */
  readonly transactions: Map<string, ChainTransaction> = new Map();
  /** Orders whose owners have sent on-chain signatures, for the next block. */
  readonly preSigned: BookOrder[] = [];
  /** Whether blocks were dropped. */
  hasForgotten = false;
  /** The latest complete block; `null` before there is one. */
  latest: ChainBlock | null = null;
  /** Index of the next log of the block that is being built. */
  nextLog = 0;
  readonly #nonces = new Map<string, number>();
  #open: ChainBlock | null = null;

  /** Begins a block. */
  begin(header: Pick<ChainBlock, "number" | "timestamp" | "gasPrice">): void {
    const parentHash = this.latest?.hash ?? NO_HASH;
    this.#open = { ...header, parentHash, hash: "", transactions: [] };
    this.nextLog = 0;
  }

  /** Adds a transaction to the block that was begun. */
  include({ hash, from, call, gasUsed, logs }: NewTransaction): void {
    const block = this.#open;
    if (block === null) throw new RangeError("No block has begun");
    const nonce = this.#nonces.get(from) ?? 0;
    this.#nonces.set(from, nonce + 1);
    const { transactions } = block;
    const position = { block, index: transactions.length, firstLog: this.nextLog };
    const cumulativeGasUsed = gasUsed + (transactions.at(-1)?.cumulativeGasUsed ?? 0);
    transactions.push({ hash, from, nonce, call, ...position, gasUsed, cumulativeGasUsed });
    this.nextLog += logs;
  }

  /** Completes the block that was begun: from now on it can be read. */
  seal(): void {
    const block = this.#open;
    if (block === null) return;
    this.#open = null;
    const { number, timestamp, parentHash, transactions } = block;
    const hashes = transactions.map(({ hash }) => hash);
    block.hash = hashUtf8([parentHash, number, timestamp, ...hashes].join(" "));
    this.latest = block;
    this.blocks.set(number, block);
    this.numbers.set(block.hash, number);
    for (const transaction of transactions) this.transactions.set(transaction.hash, transaction);
  }

  /** Drops the blocks before one. */
  forget(first: number): void {
    for (const block of this.blocks.values()) {
      if (block.number >= first || block === this.latest) return;
      this.hasForgotten = true;
      this.blocks.delete(block.number);
      this.numbers.delete(block.hash);
      for (const { hash } of block.transactions) this.transactions.delete(hash);
    }
  }
}

/** An event of a transaction, before it is encoded as a log. */
export type ChainEvent =
  | { readonly event: "Trade"; readonly execution: PlannedExecution }
  | { readonly event: "Interaction"; readonly step: SettlementStep }
  | { readonly event: "Settlement"; readonly solver: string }
  | { readonly event: "PreSignature"; readonly owner: string; readonly uid: string }
  | ({ readonly event: "Transfer" } & TokenMove)
  | { readonly event: "Withdrawal"; readonly token: string; readonly atoms: bigint };

interface TokenMove {
  readonly token: string;
  readonly from: string;
  readonly to: string;
  readonly atoms: bigint;
}

/**
 * Lists the events of a transaction in the order of the contract: pre-hooks, trades, transfers in, swaps,
 * transfers out, post-hooks, and the settlement last. None if it reverted.
 */
export function listChainEvents(call: SettleCall | PreSignCall): ChainEvent[] {
  if (call.kind === "preSign") {
    return [{ event: "PreSignature", owner: call.order.owner, uid: call.order.uid }];
  }
  const { plan, poolTrades } = call;
  if (poolTrades === null) return [];
  const { executions, solver } = plan;
  const { pre, intra, post } = listSettlementSteps(plan);
  const trades = poolTrades.values();
  return [
    ...pre.map(toInteractionEvent),
    ...executions.map((execution) => ({ event: "Trade" as const, execution })),
    ...executions.map(toSellTransfer),
    ...intra.flatMap((step) => [...listMoves(step, trades), toInteractionEvent(step)]),
    ...executions.flatMap(toBuyTransfers),
    ...post.map(toInteractionEvent),
    { event: "Settlement", solver },
  ];
}

function toInteractionEvent(step: SettlementStep): ChainEvent {
  return { event: "Interaction", step };
}

function toSellTransfer({ order, fill }: PlannedExecution): ChainEvent {
  const { owner, data: { sellToken } } = order;
  const atoms = fill.sellAmount;
  return { event: "Transfer", token: sellToken, from: owner, to: SETTLEMENT_CONTRACT, atoms };
}

/** Lists the transfer to the recipient; the native token emits no events. */
function toBuyTransfers({ order, fill }: PlannedExecution): ChainEvent[] {
  const { recipient, data: { buyToken } } = order;
  if (buyToken === NATIVE_TOKEN_ADDRESS) return [];
  const path = { from: SETTLEMENT_CONTRACT, to: recipient };
  return [{ event: "Transfer", token: buyToken, ...path, atoms: fill.buyAmount }];
}

/** Lists the token moves of a step; a swap consumes its trades from the iterator. */
function listMoves(step: SettlementStep, trades: Iterator<PoolTrade>): ChainEvent[] {
  if (step.kind === "hooks") return [];
  if (step.kind === "unwrap") {
    return [{ event: "Withdrawal", token: WRAPPED_NATIVE, atoms: step.atoms }];
  }
  const moves: ChainEvent[] = [];
  let from = SETTLEMENT_CONTRACT as string;
  let [token, atoms] = [step.swap.route.from, 0n];
  for (const pool of step.swap.route.pools) {
    const trade: PoolTrade = trades.next().value!;
    moves.push({ event: "Transfer", token, from, to: pool.address, atoms: trade.paid });
    [token, atoms, from] = [pool.getOtherToken(token), trade.out, pool.address];
  }
  return [...moves, { event: "Transfer", token, from, to: SETTLEMENT_CONTRACT, atoms }];
}

/** A contract call of a settlement, before it is encoded. */
type SettlementStep =
  | { readonly kind: "hooks"; readonly interaction: SettlementInteraction }
  | { readonly kind: "swap"; readonly swap: PlannedSwap }
  | { readonly kind: "unwrap"; readonly atoms: bigint };

/**
 * Lists the contract calls of a solution: before tokens are collected, until they are paid out, and
 * after. They are the hooks of its orders, its trades with pools, and the unwrapping of native token to
 * pay out.
 */
export function listSettlementSteps(
  { executions, swaps }: PlannedSolution,
): Readonly<Record<"pre" | "intra" | "post", readonly SettlementStep[]>> {
  const collectHooks = (phase: "pre" | "post") =>
    executions.flatMap(({ order }) => order.origin.interactions[phase])
      .map((interaction) => ({ kind: "hooks" as const, interaction }));
  const unwraps = executions
    .filter(({ order }) => order.data.buyToken === NATIVE_TOKEN_ADDRESS)
    .map(({ fill }) => ({ kind: "unwrap" as const, atoms: fill.buyAmount }));
  const trades = swaps.map((swap) => ({ kind: "swap" as const, swap }));
  return { pre: collectHooks("pre"), intra: [...trades, ...unwraps], post: collectHooks("post") };
}

/** Converts a step to the call that the settlement contract makes. */
export function toInteraction(step: SettlementStep): SettlementInteraction {
  if (step.kind === "hooks") return step.interaction;
  if (step.kind === "unwrap") {
    return { target: WRAPPED_NATIVE, value: 0n, callData: encodeWithdraw(step.atoms) };
  }
  return { target: ROUTER, value: 0n, callData: encodeSwap(step.swap) };
}

function encodeSwap(swap: PlannedSwap): string {
  const { route, bound } = swap;
  const path = [route.from];
  for (const pool of route.pools) path.push(pool.getOtherToken(path.at(-1)!));
  const amount = "paid" in swap ? swap.paid : swap.wanted;
  const fixed = "paid" in swap ? "paid" : "bought";
  return encodeRouterSwap({ fixed, amount, bound, path, to: SETTLEMENT_CONTRACT });
}
