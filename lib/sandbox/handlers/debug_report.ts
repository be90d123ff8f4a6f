import {
  type DebugAuction,
  type DebugFeePolicy,
  type DebugReport,
  encodeDebugReport,
  type FeePolicy,
} from "../../schemas/mod.ts";
import type { StoredAuction } from "../market/state/book.ts";
import type { BookOrder } from "../market/state/book_order.ts";
import { type Market, SETTLEMENT_CONTRACT } from "../market/state/market.ts";
import { json, rejection, type Reply } from "../wire/reply.ts";

/** Maximum number of trades in a report. */
const MAX_TRADES = 100;

/** `GET debug/order/{uid}`: everything stored about one order. */
export function getDebugReport(market: Market, uid: string): Reply {
  const order = market.book.orders.get(uid);
  if (order === undefined) throw rejection(404, "NotFound", "order not found");
  const now = market.time.instant;
  const ids = market.book.auctionsByOrder.get(uid) ?? [];
  const report: DebugReport = {
    orderUid: uid,
    order: order.toRecord({ now, settlementContract: SETTLEMENT_CONTRACT }),
    events: order.events,
    auctions: ids.map((id) => market.book.auctions.get(id))
      .filter((auction) => auction !== undefined)
      .map((auction) => debugAuction(order, auction)),
    trades: order.fills.slice(0, MAX_TRADES).map((fill) => ({
      blockNumber: fill.block,
      logIndex: fill.logIndex,
      buyAmount: fill.buyAmount,
      sellAmount: fill.sellAmount,
      sellAmountBeforeFees: fill.sellAmount,
      txHash: fill.txHash,
      auctionId: fill.auctionId,
    })),
  };
  return json(encodeDebugReport(report));
}

function debugAuction(order: BookOrder, auction: StoredAuction): DebugAuction {
  const { competition, prices, deadline, attempts } = auction;
  const { auctionId, auctionStartBlock, solutions } = competition;
  const proposed = solutions.toReversed().flatMap((solution) => {
    const own = solution.orders.find(({ id }) => id === order.uid);
    if (own === undefined) return [];
    return [{
      solutionUid: solution.ranking - 1,
      ranking: solution.ranking,
      solver: solution.solverAddress,
      isWinner: solution.isWinner,
      filteredOut: solution.filteredOut,
      score: solution.score,
      executedSell: own.sellAmount,
      executedBuy: own.buyAmount,
    }];
  });
  const { sellToken, buyToken } = order.signed;
  const hasWon = proposed.some(({ isWinner }) => isWinner);
  return {
    id: auctionId,
    block: auctionStartBlock,
    deadline,
    nativePrices: Object.fromEntries(
      [sellToken, buyToken].flatMap((token) =>
        prices[token] === undefined ? [] : [[token, prices[token]]]
      ),
    ),
    proposedSolutions: proposed,
    executions: order.fills.filter((fill) => fill.auctionId === auctionId).map((fill) => ({
      executedFee: fill.executedFee,
      executedFeeToken: sellToken,
      blockNumber: fill.block,
      protocolFees: fill.protocolFees.map(({ token, amount }) => ({ token, amount })),
    })),
    settlementAttempts: attempts,
    feePolicies: hasWon ? order.origin.policies.map(toDebugPolicy) : [],
  };
}

function toDebugPolicy({ surplus, volume, priceImprovement }: FeePolicy): DebugFeePolicy {
  if (surplus !== undefined) {
    return {
      kind: "surplus",
      surplusFactor: surplus.factor,
      surplusMaxVolumeFactor: surplus.maxVolumeFactor,
    };
  }
  if (priceImprovement !== undefined) {
    return {
      kind: "priceImprovement",
      priceImprovementFactor: priceImprovement.factor,
      priceImprovementMaxVolumeFactor: priceImprovement.maxVolumeFactor,
    };
  }
  return { kind: "volume", ...(volume === undefined ? {} : { volumeFactor: volume.factor }) };
}
