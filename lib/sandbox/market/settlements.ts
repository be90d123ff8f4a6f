import { hashUtf8 } from "../../evm/hex.ts";
import {
  isNotComputable,
  priceImprovementAtoms,
  surplusNativeAtoms,
  surplusToken,
} from "../../metrics/mod.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import type { SettlementAttempt } from "../../schemas/mod.ts";
import type { PendingSettlement, PlannedExecution, PlannedOutcome, PlannedSwap } from "./book.ts";
import type { BookOrder } from "./book_order.ts";
import { listChainEvents, type PoolTrade } from "./chain.ts";
import { calculatePenaltyCap } from "./fee_policies.ts";
import { OUTSIDE, SETTLEMENT_CONTRACT, wrapNativeToken } from "./ledger.ts";
import { type RecordedFill, routeInput } from "./liquidity.ts";
import type { Market } from "./market.ts";
import { estimateGas } from "./market_quote.ts";

const REVERT = "driver failed: settlement reverted: execution reverted: GPv2: failed trade";
const NOT_SUBMITTED =
  "driver failed: bad status 500 Internal Server Error: settlement not submitted";
const BLOCKS_LATE = 2;
/** Gas of a signature on the chain. */
const PRE_SIGNATURE_GAS = 52_181;

/** A winning solution to submit. */
type Winner = Pick<PendingSettlement, "auction" | "solutionUid" | "plan" | "txHash">;

/** Submits a winning solution; orders that take the fast path get no event. */
export function beginSettlement(market: Market, winner: Winner, isFast: boolean = false): void {
  const { auction, solutionUid, plan } = winner;
  const { block } = market;
  const { deadline } = auction;
  const attempt: SettlementAttempt = {
    solver: plan.solver,
    solutionUid,
    startTimestamp: market.time.stamp(),
    startBlock: block,
    deadlineBlock: deadline,
  };
  const blocks: Record<PlannedOutcome, readonly [endsAt: number, landsAt: number | null]> = {
    settles: [block + 1, block + 1],
    slow: [block + 2, block + 2],
    reverts: [block + 1, null],
    "times out": [deadline, null],
    late: [deadline, deadline + BLOCKS_LATE],
  };
  const [endsAt, landsAt] = blocks[plan.plannedOutcome];
  auction.attempts.push(attempt);
  for (const { order } of plan.executions) {
    order.attempts++;
    if (!isFast) order.addEvent("executing", market.time.stamp());
  }
  market.pending.add({ ...winner, attempt, endsAt, landsAt });
}

/** Executes or fails the settlements that are due in this block. */
export function settlePending(market: Market): void {
  const { chain, block, time, gasPrice } = market;
  chain.begin({ number: block, timestamp: time.seconds, gasPrice });
  includePreSignatures(market);
  for (const pending of [...market.pending]) {
    const hasLanded = pending.landsAt === market.block && executeSettlement(market, pending);
    if (pending.endsAt === market.block) endAttempt(market, pending, hasLanded);
    const last = Math.max(pending.endsAt, pending.landsAt ?? 0);
    if (last <= market.block) market.pending.delete(pending);
  }
  chain.seal();
}

/** Adds the signatures that owners have sent since the last block to the chain. */
function includePreSignatures({ chain, block }: Market): void {
  for (const order of chain.preSigned.splice(0)) {
    const hash = hashUtf8(`setPreSignature ${order.uid} ${block}`);
    const cost = { gasUsed: PRE_SIGNATURE_GAS, logs: 1 };
    chain.include({ hash, from: order.owner, call: { kind: "preSign", order }, ...cost });
  }
}

function endAttempt(market: Market, pending: PendingSettlement, hasLanded: boolean): void {
  const { attempt, plan } = pending;
  attempt.endTimestamp = market.time.stamp();
  attempt.endBlock = market.block;
  attempt.outcome = hasLanded ? "success" : formatFailure(pending);
  for (const { order } of plan.executions) order.attempts--;
}

function formatFailure({ plan, landsAt }: PendingSettlement): string {
  if (plan.plannedOutcome === "times out" || plan.plannedOutcome === "late") return "timeout";
  return landsAt === null ? NOT_SUBMITTED : REVERT;
}

/**
 * Executes a settlement, as a whole or not at all; returns whether it did. Its transaction enters the
 * block either way: one that reverts emits nothing.
 */
function executeSettlement(market: Market, pending: PendingSettlement): boolean {
  const { executions } = pending.plan;
  const trades = tryTrades(market, pending);
  if (trades !== null) {
    for (const execution of executions) pullSellToken(market, execution);
    for (const trade of trades) swapWithPool(market, trade);
    for (const execution of executions) payBuyToken(market, execution);
    setTransactionHash(market, pending);
  }
  includeTransaction(market, pending, trades);
  return trades !== null;
}

/** Makes the trades with pools of a settlement; `null` if it is no longer possible. */
function tryTrades(market: Market, { plan }: PendingSettlement): PoolTrade[] | null {
  const { executions, swaps } = plan;
  if (!executions.every((execution) => isStillExecutable(market, execution))) return null;
  const trades = swapWithPools(swaps);
  if (trades === null || canPay(market, executions, trades)) return trades;
  undoTrades(trades);
  return null;
}

/** Adds the transaction to the block, and stores its fills at their events. */
function includeTransaction(
  market: Market,
  pending: PendingSettlement,
  poolTrades: readonly PoolTrade[] | null,
): void {
  const { plan, txHash, auction: { competition: { auctionId } } } = pending;
  const call = { kind: "settle" as const, auctionId, plan, poolTrades };
  const events = listChainEvents(call);
  const firstLog = market.chain.nextLog;
  const pools = plan.swaps.reduce((sum, { route }) => sum + route.pools.length, 0);
  const cost = { gasUsed: estimateGas(pools), logs: events.length };
  market.chain.include({ hash: txHash, from: plan.solver, call, ...cost });
  for (const [index, event] of events.entries()) {
    if (event.event !== "Trade") continue;
    recordFill(market, { ...pending, logIndex: firstLog + index }, event.execution);
  }
}

function isStillExecutable(market: Market, { order, fill }: PlannedExecution): boolean {
  const { data } = order;
  const executedAmount = data.kind === "sell" ? fill.sellAmount : fill.buyAmount;
  return executedAmount <= order.remaining && data.validTo >= market.time.seconds &&
    order.executedSellAmount + fill.sellAmount <= data.sellAmount &&
    !order.isPresignaturePending &&
    market.ledger.balanceOf(order.owner, data.sellToken) >= fill.sellAmount;
}

/** Whether buffers and incoming tokens cover everything that the settlement contract pays. */
function canPay(
  { ledger }: Market,
  executions: readonly PlannedExecution[],
  trades: readonly PoolTrade[],
): boolean {
  const balances = new Map<string, bigint>();
  const add = (token: string, atoms: bigint): void => {
    balances.set(
      token,
      (balances.get(token) ?? ledger.balanceOf(SETTLEMENT_CONTRACT, token)) + atoms,
    );
  };
  for (const { order, fill } of executions) {
    add(order.data.sellToken, fill.sellAmount);
    add(wrapNativeToken(order.data.buyToken), -fill.buyAmount);
  }
  for (const { pool, token, paid, out } of trades) {
    add(token, -paid);
    add(pool.getOtherToken(token), out);
  }
  return balances.values().every((atoms) => atoms >= 0n);
}

function pullSellToken({ ledger }: Market, { order, fill }: PlannedExecution): void {
  ledger.move(order.data.sellToken, fill.sellAmount, {
    from: order.owner,
    to: SETTLEMENT_CONTRACT,
  });
}

function swapWithPool({ ledger }: Market, { pool, token, paid, out }: PoolTrade): void {
  ledger.move(token, paid, { from: SETTLEMENT_CONTRACT, to: pool.address });
  ledger.move(pool.getOtherToken(token), out, { from: pool.address, to: SETTLEMENT_CONTRACT });
}

function payBuyToken({ ledger }: Market, { order, fill }: PlannedExecution): void {
  const token = order.data.buyToken;
  const to = order.recipient;
  if (token !== NATIVE_TOKEN_ADDRESS) {
    ledger.move(token, fill.buyAmount, { from: SETTLEMENT_CONTRACT, to });
    return;
  }
  ledger.move(wrapNativeToken(token), fill.buyAmount, { from: SETTLEMENT_CONTRACT, to: OUTSIDE });
  ledger.move(token, fill.buyAmount, { from: OUTSIDE, to });
}

/** Sets the transaction hash wherever its auction is reported. */
function setTransactionHash(
  { book }: Market,
  { auction, solutionUid, txHash }: PendingSettlement,
): void {
  const { competition } = auction;
  competition.transactionHashes = [...competition.transactionHashes, txHash];
  for (const solution of competition.solutions) {
    if (solution.ranking === solutionUid + 1) solution.txHash = txHash;
  }
  book.auctionsByTransaction.set(txHash, auction);
}

/**
 * Executes swaps with pools, one after the other; `null` if a price has moved beyond a swap's bound.
 * Then nothing is traded.
 */
export function swapWithPools(swaps: readonly PlannedSwap[]): PoolTrade[] | null {
  const trades: PoolTrade[] = [];
  for (const swap of swaps) {
    const steps = listSteps(swap);
    if (steps === null) {
      undoTrades(trades);
      return null;
    }
    for (const step of steps) step.pool.exchange(step.token, step);
    trades.push(...steps);
  }
  return trades;
}

/** Reverts trades with pools. */
function undoTrades(trades: readonly PoolTrade[]): void {
  for (const { pool, token, paid, out } of trades) {
    pool.exchange(token, { paid: -paid, out: -out });
  }
}

function listSteps(swap: PlannedSwap): PoolTrade[] | null {
  const { route, bound } = swap;
  const paid = "paid" in swap ? swap.paid : routeInput(route, swap.wanted);
  if (paid === null) return null;
  const steps: PoolTrade[] = [];
  let [token, amount] = [route.from, paid];
  for (const pool of route.pools) {
    const out = pool.calculateOutput(token, amount);
    steps.push({ pool, token, paid: amount, out });
    [token, amount] = [pool.getOtherToken(token), out];
  }
  if ("paid" in swap) return amount < bound ? null : steps;
  // Rounding up along the route can yield more from the last pool than needed.
  const last = steps.at(-1)!;
  return paid > bound ? null : [...steps.slice(0, -1), { ...last, out: swap.wanted }];
}

/** Location of a fill on the chain. */
export interface FillLocation extends Pick<PendingSettlement, "auction" | "txHash"> {
  /** Index of its event in the block. */
  readonly logIndex: number;
}

/** Stores a fill of an order that has reached the chain, and notifies its owner. */
export function recordFill(
  market: Market,
  { auction, txHash, logIndex }: FillLocation,
  execution: PlannedExecution,
): void {
  const { order, fill, fees } = execution;
  const recorded: RecordedFill = {
    uid: order.uid,
    auctionId: auction.competition.auctionId,
    block: market.block,
    logIndex,
    txHash,
    sellAmount: fill.sellAmount,
    buyAmount: fill.buyAmount,
    ...fees,
    penaltyCapNative: calculatePenaltyCap(market.penaltyCaps, order.data, auction.prices),
  };
  order.executedSellAmount += fill.sellAmount;
  order.executedBuyAmount += fill.buyAmount;
  order.executedFee += fees.executedFee;
  order.addEvent("traded", market.time.stamp());
  const nativePrice = auction.prices[surplusToken(order.data)];
  const surplus = nativePrice === undefined
    ? 0n
    : surplusNativeAtoms(recorded, order.data, { nativePrice });
  market.book.addFill(order, recorded, isNotComputable(surplus) ? 0n : surplus);
  if (order.remaining === 0n) market.book.end(order, market.block);
  notifyOfFill(market, order, recorded);
}

function notifyOfFill(market: Market, order: BookOrder, fill: RecordedFill): void {
  const { uid, owner, origin, data } = order;
  const metadata = { orderUid: uid, txHash: fill.txHash, blockNumber: fill.block };
  const isWhole = order.remaining === 0n;
  market.notify(owner, isWhole ? "order_filled" : "order_partially_filled", {
    message: isWhole ? "Your order was filled" : "A part of your order was filled",
    metadata,
  });
  if (origin.quote === null) return;
  const better = priceImprovementAtoms(fill, data, origin.quote);
  if (isNotComputable(better) || better <= 0n) return;
  market.notify(owner, "price_improvement", {
    message: "Your order was filled at a better price than quoted",
    metadata: { ...metadata, improvement: String(better), token: surplusToken(data) },
  });
}
