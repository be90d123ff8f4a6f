import { NATIVE_TOKEN_ADDRESS } from "../../../networks/networks.ts";
import { OUTSIDE } from "../state/ledger.ts";
import { type Market, SETTLEMENT_CONTRACT } from "../state/market.ts";
import type { PendingSettlement } from "../state/pending_settlement.ts";
import type { PoolTrade } from "../state/chain.ts";
import { gasOf } from "../state/gas.ts";
import { chainEvents } from "./chain_events.ts";
import { tradeWithPools, undoTrades } from "./pool_trades.ts";
import { recordFill } from "./record_fill.ts";
import type { PlannedExecution } from "../state/solution.ts";
import { tradedAs } from "../state/tokens.ts";

/**
 * Executes a settlement, whole or not at all; says whether it did. Its transaction enters the block
 * either way: one that reverts emits nothing.
 */
export function landSettlement(market: Market, pending: PendingSettlement): boolean {
  const { executions } = pending.plan;
  const trades = tryTrades(market, pending);
  if (trades !== null) {
    for (const execution of executions) pullSellToken(market, execution);
    for (const trade of trades) tradeWithPool(market, trade);
    for (const execution of executions) payBuyToken(market, execution);
    setTransactionHash(market, pending);
  }
  includeTransaction(market, pending, trades);
  return trades !== null;
}

/** The trades with pools of a settlement that is still possible, else `null`. */
function tryTrades(market: Market, { plan }: PendingSettlement): PoolTrade[] | null {
  const { executions, swaps } = plan;
  if (!executions.every((each) => isStillExecutable(market, each))) return null;
  const trades = tradeWithPools(swaps);
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
  const events = chainEvents(call);
  const firstLog = market.chain.nextLog;
  const pools = plan.swaps.reduce((sum, { route }) => sum + route.pools.length, 0);
  const cost = { gasUsed: gasOf(pools), logs: events.length };
  market.chain.include({ hash: txHash, from: plan.solver, call, ...cost });
  for (const [at, each] of events.entries()) {
    if (each.event !== "Trade") continue;
    recordFill(market, { ...pending, logIndex: firstLog + at }, each.execution);
  }
}

function isStillExecutable(market: Market, { order, fill }: PlannedExecution): boolean {
  const { signed } = order;
  const executed = signed.kind === "sell" ? fill.sellAmount : fill.buyAmount;
  return executed <= order.remaining && signed.validTo >= market.time.seconds &&
    order.executedSellAmount + fill.sellAmount <= signed.sellAmount &&
    !order.isPresignaturePending &&
    market.ledger.balanceOf(order.owner, signed.sellToken) >= fill.sellAmount;
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
    add(order.signed.sellToken, fill.sellAmount);
    add(tradedAs(order.signed.buyToken), -fill.buyAmount);
  }
  for (const { pool, token, paid, out } of trades) {
    add(token, -paid);
    add(pool.otherToken(token), out);
  }
  return balances.values().every((atoms) => atoms >= 0n);
}

function pullSellToken({ ledger }: Market, { order, fill }: PlannedExecution): void {
  ledger.move(order.signed.sellToken, fill.sellAmount, {
    from: order.owner,
    to: SETTLEMENT_CONTRACT,
  });
}

function tradeWithPool({ ledger }: Market, { pool, token, paid, out }: PoolTrade): void {
  ledger.move(token, paid, { from: SETTLEMENT_CONTRACT, to: pool.address });
  ledger.move(pool.otherToken(token), out, { from: pool.address, to: SETTLEMENT_CONTRACT });
}

function payBuyToken({ ledger }: Market, { order, fill }: PlannedExecution): void {
  const token = order.signed.buyToken;
  const to = order.recipient;
  if (token !== NATIVE_TOKEN_ADDRESS) {
    ledger.move(token, fill.buyAmount, { from: SETTLEMENT_CONTRACT, to });
    return;
  }
  ledger.move(tradedAs(token), fill.buyAmount, { from: SETTLEMENT_CONTRACT, to: OUTSIDE });
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
