import type { DebugReport, Order, Trade } from "orderlens";
import type {
  DebugAuction,
  OrderEvent,
  ProposedSolution,
  SettlementAttempt,
} from "orderlens/schemas";

/** An order that sells 100 for 200, made up for a test. */
export function orderOf(more: Partial<Order> = {}): Order {
  return {
    creationDate: Temporal.Instant.from("2026-08-21T10:00:00Z"),
    owner: "0x0d",
    uid: "0x0f",
    executedBuyAmount: 0n,
    executedSellAmount: 0n,
    executedSellAmountBeforeFees: 0n,
    executedFeeAmount: 0n,
    invalidated: false,
    status: "open",
    sellToken: "0x01",
    buyToken: "0x02",
    receiver: null,
    sellAmount: 100n,
    buyAmount: 200n,
    validTo: 1_787_310_000,
    appData: "0x00",
    feeAmount: 0n,
    kind: "sell",
    partiallyFillable: true,
    sellTokenBalance: "erc20",
    buyTokenBalance: "erc20",
    signingScheme: "eip712",
    signature: "0x",
    ...more,
  };
}

/** A fill of that order for 210, made up for a test. */
export function tradeOf(more: Partial<Trade> = {}): Trade {
  return {
    blockNumber: 102,
    logIndex: 3,
    orderUid: "0x0f",
    owner: "0x0d",
    txHash: "0xab",
    sellToken: "0x01",
    sellAmount: 100n,
    sellAmountBeforeFees: 100n,
    buyToken: "0x02",
    buyAmount: 210n,
    ...more,
  };
}

/** An auction of a debug report, made up for a test. */
export function debugAuctionOf(id: number, more: Partial<DebugAuction> = {}): DebugAuction {
  return {
    id,
    block: 100,
    deadline: 103,
    nativePrices: {},
    proposedSolutions: [],
    executions: [],
    settlementAttempts: [],
    feePolicies: [],
    ...more,
  };
}

/** A debug report, made up for a test. */
export function reportOf(facts: Partial<Omit<DebugReport, "orderUid">>): DebugReport {
  const { order = orderOf(), ...more } = facts;
  return { orderUid: order.uid, order, events: [], auctions: [], trades: [], ...more };
}

/** A bid on an order in a debug report. */
export function proposedOf(more: Partial<ProposedSolution> = {}): ProposedSolution {
  return {
    solutionUid: 0,
    ranking: 1,
    solver: "0xa0",
    score: 1n,
    isWinner: true,
    filteredOut: false,
    executedSell: 1n,
    executedBuy: 1n,
    ...more,
  };
}

/** An attempt to settle the winner of an auction. */
export function attemptOf(more: Partial<SettlementAttempt> = {}): SettlementAttempt {
  return {
    solver: "0xA0",
    solutionUid: 0,
    startBlock: 100,
    deadlineBlock: 103,
    startTimestamp: Temporal.Instant.from("2026-08-21T10:00:00Z"),
    ...more,
  };
}

/** A second after the creation of made-up orders. */
export function at(second: number): Temporal.Instant {
  return Temporal.Instant.from("2026-08-21T10:00:00Z").add({ seconds: second });
}

/** An event of an order so many seconds after its creation. */
export function event(label: string, second: number, reason?: string): OrderEvent {
  return { label, timestamp: at(second), ...(reason === undefined ? {} : { reason }) };
}
