import {
  type NetworkFee,
  networkFee,
  priceImprovementAtoms,
  recomputeFees,
  surplusToken,
} from "../metrics/mod.ts";
import type { ExecutedProtocolFee, SettlementAttempt } from "../schemas/mod.ts";
import type { StoredAuction } from "./book.ts";
import type { BookOrder } from "./book_order.ts";
import { OUTSIDE } from "./ledger.ts";
import { intoRoute, outOfRoute } from "./liquidity.ts";
import { type Market, SETTLEMENT_CONTRACT } from "./market.ts";
import type { RecordedFill } from "./recorded_fill.ts";
import type { PlannedExecution, PlannedSolution, PlannedSwap } from "./solution.ts";
import { tradedAs } from "./tokens.ts";
import { NATIVE_TOKEN_ADDRESS } from "../networks/mod.ts";

/** A winner on its way to the chain. */
export interface PendingSettlement {
  /** Its auction. */
  readonly auction: StoredAuction;
  /** Its place in the ranking, from 0. */
  readonly place: number;
  /** The solution. */
  readonly solution: PlannedSolution;
  /** What is told of the try. */
  readonly attempt: SettlementAttempt;
  /** Its transaction, should it come to one. */
  readonly txHash: string;
  /** Block in which the try ends. */
  readonly endsAt: number;
  /** Block in which it reaches the chain; `null` if it never does. */
  readonly landsAt: number | null;
}

const REVERT = "driver failed: settlement reverted: execution reverted: GPv2: failed trade";
const REFUSED = "driver failed: bad status 500 Internal Server Error: settlement not submitted";
const LATE_BY = 2;

/** Sends a winner on its way. */
export function beginSettlement(
  market: Market,
  auction: StoredAuction,
  { place, txHash }: { place: number; txHash: string },
): void {
  const solution = auction.solutions[place]!;
  const { block } = market;
  const { deadline } = auction;
  const attempt: SettlementAttempt = {
    solver: solution.solver,
    solutionUid: place,
    startTimestamp: market.time.stamp(),
    startBlock: block,
    deadlineBlock: deadline,
  };
  const [endsAt, landsAt] = {
    settles: [block + 1, block + 1],
    slow: [block + 2, block + 2],
    reverts: [block + 1, null],
    "times out": [deadline, null],
    late: [deadline, deadline + LATE_BY],
  }[solution.fate] as [number, number | null];
  auction.attempts.push(attempt);
  for (const { order } of solution.executions) {
    order.attempts++;
    order.note("executing", market.time.stamp());
  }
  market.pending.add({ auction, place, solution, attempt, txHash, endsAt, landsAt });
}

/** Lets everything reach the chain, or fail, that does so in this block. */
export function settlePending(market: Market): void {
  market.logsInBlock = 0;
  for (const pending of [...market.pending]) {
    const hasLanded = pending.landsAt === market.block && land(market, pending);
    if (pending.endsAt === market.block) endAttempt(market, pending, hasLanded);
    const last = Math.max(pending.endsAt, pending.landsAt ?? 0);
    if (last <= market.block) market.pending.delete(pending);
  }
}

function endAttempt(market: Market, pending: PendingSettlement, hasLanded: boolean): void {
  const { attempt, solution, landsAt } = pending;
  attempt.endTimestamp = market.time.stamp();
  attempt.endBlock = market.block;
  attempt.outcome = hasLanded
    ? "success"
    : solution.fate === "times out" || solution.fate === "late"
    ? "timeout"
    : landsAt === null
    ? REFUSED
    : REVERT;
  for (const { order } of solution.executions) order.attempts--;
}

/** Executes a settlement, whole or not at all. */
function land(market: Market, pending: PendingSettlement): boolean {
  const { solution } = pending;
  if (!solution.executions.every((each) => isStillPossible(market, each))) return false;
  const trades = solution.swaps.map((swap) => tradeFor(swap));
  if (trades.some((each) => each === null)) return false;
  if (!covers(market, solution, trades.filter((each) => each !== null))) return false;
  for (const { order, fill } of solution.executions) {
    market.ledger.move(order.signed.sellToken, fill.sellAmount, {
      from: order.owner,
      to: SETTLEMENT_CONTRACT,
    });
  }
  for (const [at, trade] of trades.entries()) swapWith(market, solution.swaps[at]!, trade!);
  for (const execution of solution.executions) payOut(market, execution);
  const { auction, txHash } = pending;
  auction.competition.transactionHashes = [...auction.competition.transactionHashes, txHash];
  for (const each of auction.competition.solutions) {
    if (each.ranking === pending.place + 1) each.txHash = txHash;
  }
  market.book.auctionsByTransaction.set(txHash, auction);
  for (const execution of solution.executions) recordFill(market, pending, execution);
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

interface Exchange {
  readonly paid: bigint;
  readonly out: bigint;
}

/** What a trade with pools comes to now; `null` where they have moved too far. */
function tradeFor({ route, paid, wanted, bound }: PlannedSwap): Exchange | null {
  if (paid !== undefined) {
    const out = outOfRoute(route, paid);
    return out < bound ? null : { paid, out };
  }
  if (wanted === undefined) return null;
  const cost = intoRoute(route, wanted);
  return cost === null || cost > bound ? null : { paid: cost, out: wanted };
}

/** Whether the contract has what it has to pay, its buffers and what it takes in included. */
function covers(
  market: Market,
  { executions, swaps }: PlannedSolution,
  trades: readonly Exchange[],
): boolean {
  const flows = new Map<string, bigint>();
  const add = (token: string, atoms: bigint): void => {
    flows.set(
      token,
      (flows.get(token) ?? market.ledger.balanceOf(SETTLEMENT_CONTRACT, token)) + atoms,
    );
  };
  for (const { order, fill } of executions) {
    add(tradedAs(order.signed.sellToken), fill.sellAmount);
    add(tradedAs(order.signed.buyToken), -fill.buyAmount);
  }
  for (const [at, { paid, out }] of trades.entries()) {
    const { route } = swaps[at]!;
    add(route.from, -paid);
    add(endOf(swaps[at]!), out);
  }
  return [...flows.values()].every((atoms) => atoms >= 0n);
}

function endOf({ route }: PlannedSwap): string {
  return route.pools.reduce((token, pool) => pool.otherThan(token), route.from);
}

function swapWith(market: Market, { route }: PlannedSwap, { paid, out }: Exchange): void {
  let token = route.from;
  let holder = SETTLEMENT_CONTRACT;
  let amount = paid;
  for (const [at, pool] of route.pools.entries()) {
    const next = pool.otherThan(token);
    const isLast = at === route.pools.length - 1;
    // Rounding up on the way back leaves an atom more in the pool than the last step pays out.
    const given = isLast ? out : pool.outFor(token, amount);
    market.ledger.move(token, amount, { from: holder, to: pool.name });
    pool.exchange(token, { paid: amount, out: given });
    [token, holder, amount] = [next, pool.name, given];
  }
  market.ledger.move(token, amount, { from: holder, to: SETTLEMENT_CONTRACT });
}

function payOut(market: Market, { order, fill }: PlannedExecution): void {
  const token = order.signed.buyToken;
  const to = order.recipient;
  if (token !== NATIVE_TOKEN_ADDRESS) {
    market.ledger.move(token, fill.buyAmount, { from: SETTLEMENT_CONTRACT, to });
    return;
  }
  market.ledger.move(tradedAs(token), fill.buyAmount, { from: SETTLEMENT_CONTRACT, to: OUTSIDE });
  market.ledger.move(token, fill.buyAmount, { from: OUTSIDE, to });
}

/** Fees of a planned execution: those of its policies, and all of them in sell-token atoms. */
export function feesOf(
  { order, fill, price }: PlannedExecution,
): { protocolFees: ExecutedProtocolFee[]; executedFee: bigint } | null {
  const { signed, origin } = order;
  const token = surplusToken(signed);
  const fees = recomputeFees(fill, signed, { policies: origin.policies, quote: origin.quote });
  const protocolFees: ExecutedProtocolFee[] = [];
  for (const [at, fee] of fees.entries()) {
    if ("reason" in fee) return null;
    protocolFees.push({ policy: origin.policies[at]!, amount: fee.atoms, token });
  }
  const all = networkFee(fill, signed, {
    protocolFees,
    settlement: {
      tokens: [signed.sellToken, signed.buyToken],
      clearingPrices: [price.sell, price.buy],
    },
  });
  return isCharged(all) ? { protocolFees, executedFee: all.executedFee } : null;
}

function isCharged(all: ReturnType<typeof networkFee>): all is NetworkFee {
  return !("reason" in all) && all.networkAtoms.low >= 0n;
}

function recordFill(
  market: Market,
  { auction, txHash }: PendingSettlement,
  execution: PlannedExecution,
): void {
  const { order, fill } = execution;
  const { protocolFees, executedFee } = feesOf(execution)!;
  const recorded: RecordedFill = {
    uid: order.uid,
    auctionId: auction.competition.auctionId,
    block: market.block,
    logIndex: market.logsInBlock++,
    txHash,
    sellAmount: fill.sellAmount,
    buyAmount: fill.buyAmount,
    executedFee,
    protocolFees,
  };
  order.executedSellAmount += fill.sellAmount;
  order.executedBuyAmount += fill.buyAmount;
  order.executedFee += executedFee;
  order.note("traded", market.time.stamp());
  market.book.addFill(order, recorded);
  if (order.left === 0n) market.book.open.delete(order);
  tellOfFill(market, order, recorded);
}

function tellOfFill(market: Market, order: BookOrder, fill: RecordedFill): void {
  const { uid, owner, origin, signed } = order;
  const metadata = { orderUid: uid, txHash: fill.txHash, blockNumber: fill.block };
  const isWhole = order.left === 0n;
  market.notify(owner, isWhole ? "order_filled" : "order_partially_filled", {
    message: isWhole ? "Your order was filled" : "A part of your order was filled",
    metadata,
  });
  if (origin.quote === null) return;
  const better = priceImprovementAtoms(fill, signed, origin.quote);
  if (better === null || better <= 0n) return;
  market.notify(owner, "price_improvement", {
    message: "Your order was filled at a better price than quoted",
    metadata: { ...metadata, improvement: String(better), token: surplusToken(signed) },
  });
}
