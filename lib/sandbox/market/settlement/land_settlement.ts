import { NATIVE_TOKEN_ADDRESS } from "../../../networks/mod.ts";
import { OUTSIDE } from "../state/ledger.ts";
import { type Market, SETTLEMENT_CONTRACT } from "../state/market.ts";
import type { PendingSettlement } from "../state/pending_settlement.ts";
import { type PoolTrade, tradeWithPools, undoTrades } from "./pool_trades.ts";
import { recordFill } from "./record_fill.ts";
import type { PlannedExecution } from "../state/solution.ts";
import { tradedAs } from "../state/tokens.ts";

/** Executes a settlement atomically; returns whether it succeeded. */
export function landSettlement(market: Market, pending: PendingSettlement): boolean {
  const { executions, swaps } = pending.plan;
  if (!executions.every((each) => isStillExecutable(market, each))) return false;
  const trades = tradeWithPools(swaps);
  if (trades === null) return false;
  if (!canPay(market, executions, trades)) {
    undoTrades(trades);
    return false;
  }
  for (const execution of executions) pullSellToken(market, execution);
  for (const trade of trades) tradeWithPool(market, trade);
  for (const execution of executions) payBuyToken(market, execution);
  setTransactionHash(market, pending);
  for (const execution of executions) recordFill(market, pending, execution);
  market.logsInBlock++;
  return true;
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
  ledger.move(token, paid, { from: SETTLEMENT_CONTRACT, to: pool.name });
  ledger.move(pool.otherToken(token), out, { from: pool.name, to: SETTLEMENT_CONTRACT });
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
