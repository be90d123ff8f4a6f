import { NATIVE_TOKEN_ADDRESS } from "../../../networks/networks.ts";
import { OUTSIDE } from "../state/ledger.ts";
import { type Market, SETTLEMENT_CONTRACT } from "../state/market.ts";
import type { PendingSettlement } from "../state/pending_settlement.ts";
import { type PoolTrade, tradeWithPools, undoTrades } from "./pool_trades.ts";
import { recordFill } from "./record_fill.ts";
import type { PlannedExecution } from "../state/solution.ts";
import { tradedAs } from "../state/tokens.ts";

/** Executes a settlement, whole or not at all; says whether it did. */
export function landSettlement(market: Market, pending: PendingSettlement): boolean {
  const { executions, swaps } = pending.plan;
  if (!executions.every((each) => isStillPossible(market, each))) return false;
  const trades = tradeWithPools(swaps);
  if (trades === null) return false;
  if (!covers(market, executions, trades)) {
    undoTrades(trades);
    return false;
  }
  for (const execution of executions) takeIn(market, execution);
  for (const trade of trades) exchange(market, trade);
  for (const execution of executions) payOut(market, execution);
  nameTransaction(market, pending);
  for (const execution of executions) recordFill(market, pending, execution);
  market.logsInBlock++;
  return true;
}

function isStillPossible(market: Market, { order, fill }: PlannedExecution): boolean {
  const { signed } = order;
  const executed = signed.kind === "sell" ? fill.sellAmount : fill.buyAmount;
  return executed <= order.left && signed.validTo >= market.time.seconds &&
    order.executedSellAmount + fill.sellAmount <= signed.sellAmount &&
    !order.isPresignaturePending &&
    market.ledger.balanceOf(order.owner, signed.sellToken) >= fill.sellAmount;
}

/** Whether the contract has what it has to pay, its buffers and what it takes in included. */
function covers(
  { ledger }: Market,
  executions: readonly PlannedExecution[],
  trades: readonly PoolTrade[],
): boolean {
  const left = new Map<string, bigint>();
  const add = (token: string, atoms: bigint): void => {
    left.set(token, (left.get(token) ?? ledger.balanceOf(SETTLEMENT_CONTRACT, token)) + atoms);
  };
  for (const { order, fill } of executions) {
    add(order.signed.sellToken, fill.sellAmount);
    add(tradedAs(order.signed.buyToken), -fill.buyAmount);
  }
  for (const { pool, token, paid, out } of trades) {
    add(token, -paid);
    add(pool.otherThan(token), out);
  }
  return left.values().every((atoms) => atoms >= 0n);
}

function takeIn({ ledger }: Market, { order, fill }: PlannedExecution): void {
  ledger.move(order.signed.sellToken, fill.sellAmount, {
    from: order.owner,
    to: SETTLEMENT_CONTRACT,
  });
}

function exchange({ ledger }: Market, { pool, token, paid, out }: PoolTrade): void {
  ledger.move(token, paid, { from: SETTLEMENT_CONTRACT, to: pool.name });
  ledger.move(pool.otherThan(token), out, { from: pool.name, to: SETTLEMENT_CONTRACT });
}

function payOut({ ledger }: Market, { order, fill }: PlannedExecution): void {
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
function nameTransaction({ book }: Market, { auction, place, txHash }: PendingSettlement): void {
  const { competition } = auction;
  competition.transactionHashes = [...competition.transactionHashes, txHash];
  for (const solution of competition.solutions) {
    if (solution.ranking === place + 1) solution.txHash = txHash;
  }
  book.auctionsByTransaction.set(txHash, auction);
}
