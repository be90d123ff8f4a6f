import { storedQuoteFee } from "../../metrics/mod.ts";
import {
  type Auction,
  type DebugAuction,
  type DebugFeePolicy,
  type DebugReport,
  encodeAuction,
  encodeCompetition,
  encodeDebugReport,
  type FeePolicy,
} from "../../schemas/mod.ts";
import type { StoredAuction } from "../market/book.ts";
import type { BookOrder } from "../market/book_order.ts";
import { calculatePenaltyCap } from "../market/fee_policies.ts";
import { SETTLEMENT_CONTRACT } from "../market/ledger.ts";
import type { Market } from "../market/market.ts";
import { json, rejection, type Reply } from "../wire/reply.ts";

/** Returns the competition of an auction; 404 if there is none. */
export function getCompetition(auction: StoredAuction | undefined): Reply {
  if (auction === undefined) throw rejection(404, "NotFound", "solver competition not found");
  return json(encodeCompetition(auction.competition));
}

type RunningAuction = NonNullable<Market["auction"]>;

/** Replies by auction, of which there is one per block: fills and prices only change with a block. */
const replies = new WeakMap<RunningAuction, Reply>();

/** `GET auction`: the current auction. */
export function getAuction(market: Market): Reply {
  const { auction } = market;
  if (auction === null) throw rejection(404, "NotFound", "There is no active auction");
  const reply = replies.get(auction) ?? encodeReply(market, auction);
  replies.set(auction, reply);
  return reply;
}

/** Encoded orders of auctions: only the executed amount and the penalty cap can change. */
const encodedOrders = new WeakMap<BookOrder, { readonly state: string; readonly text: string }>();

function encodeReply(market: Market, auction: RunningAuction): Reply {
  const record: Auction = {
    id: auction.id,
    block: auction.block,
    orders: [],
    prices: market.nativePrices(),
    surplusCapturingJitOrderOwners: [],
  };
  const [prefix, suffix] = splitAtOrders(record);
  const orders = auction.orders.map((order) => {
    const cap = calculatePenaltyCap(market.penaltyCaps, order.data, record.prices);
    const state = `${order.executed} ${cap}`;
    const entry = encodedOrders.get(order);
    if (entry?.state === state) return entry.text;
    const auctionOrder = { ...toAuctionOrder(order), ...cap !== null && { penaltyCapNative: cap } };
    const body = splitAtOrders({ ...record, orders: [auctionOrder] }).join("");
    const text = body.slice(prefix.length, -suffix.length);
    encodedOrders.set(order, { state, text });
    return text;
  });
  return { ...json(null), body: `${prefix}${orders.join(",")}${suffix}` };
}

/** Splits the body of an auction before and after its orders. */
function splitAtOrders(record: Auction): [before: string, after: string] {
  const [start = "", ...tail] = JSON.stringify(encodeAuction(record)).split(LIST);
  return [start + LIST, tail.join(LIST)];
}

const LIST = '"orders":[';

const NANOSECONDS_IN_SECOND = 1_000_000_000n;

function toAuctionOrder(order: BookOrder): Auction["orders"][number] {
  const { data: { feeAmount: _, ...terms }, origin: { quote, ...origin } } = order;
  const fee = quote && storedQuoteFee(quote);
  return {
    ...terms,
    uid: order.uid,
    owner: order.owner,
    class: "limit",
    created: Number(origin.created.epochNanoseconds / NANOSECONDS_IN_SECOND),
    protocolFees: origin.policies,
    executed: order.executed,
    preInteractions: origin.interactions.pre,
    postInteractions: origin.interactions.post,
    ...quote !== null && fee !== null && {
      quote: {
        sellAmount: quote.sellAmount,
        buyAmount: quote.buyAmount,
        fee,
        solver: quote.solver,
      },
    },
  };
}

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
      .map((auction) => toDebugAuction(order, auction)),
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

function toDebugAuction(order: BookOrder, auction: StoredAuction): DebugAuction {
  const { competition, prices, deadline, attempts } = auction;
  const { auctionId, auctionStartBlock, solutions } = competition;
  const proposed = solutions.toReversed().flatMap((solution) => {
    const execution = solution.orders.find(({ id }) => id === order.uid);
    if (execution === undefined) return [];
    return [{
      solutionUid: solution.ranking - 1,
      ranking: solution.ranking,
      solver: solution.solverAddress,
      isWinner: solution.isWinner,
      filteredOut: solution.filteredOut,
      score: solution.score,
      executedSell: execution.sellAmount,
      executedBuy: execution.buyAmount,
    }];
  });
  const { sellToken, buyToken } = order.data;
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
