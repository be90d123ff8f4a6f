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
import { type Market, SETTLEMENT_CONTRACT } from "../market/market.ts";
import { json, rejection, type Reply } from "../wire/reply.ts";
import { yieldToRequests } from "../market/hold_auction.ts";

/** The competition of an auction; 404 if there is none. */
export function getCompetition(auction: StoredAuction | undefined): Reply {
  if (auction === undefined) throw rejection(404, "NotFound", "solver competition not found");
  return json(encodeCompetition(auction.competition));
}

/** Number of orders to encode before other requests get a turn. */
const ORDERS_PER_TURN = 250;

type RunningAuction = NonNullable<Market["auction"]>;

/** `GET auction`: the current auction, encoded once per block. */
export async function getAuction(market: Market): Promise<Reply> {
  const { auction, block } = market;
  if (auction === null) throw rejection(404, "NotFound", "There is no active auction");
  let cached = cachedReplies.get(auction);
  if (cached?.block !== block) {
    cached = { block, reply: encodeReply(market, auction) };
    cachedReplies.set(auction, cached);
  }
  return await cached.reply;
}

/** Replies by auction: fills and prices only change with a new block. */
const cachedReplies = new WeakMap<
  RunningAuction,
  { readonly block: number; readonly reply: Promise<Reply> }
>();

async function encodeReply(market: Market, auction: RunningAuction): Promise<Reply> {
  const record: Auction = {
    id: auction.id,
    block: auction.block,
    orders: [],
    prices: market.nativePrices(),
    surplusCapturingJitOrderOwners: [],
  };
  const [before, after] = splitAroundOrders(JSON.stringify(encodeAuction(record)));
  const orders: string[] = [];
  let encodedCount = 0;
  for (const order of auction.orders) {
    const executed = executedOf(order);
    const cached = cachedTexts.get(order);
    if (cached?.executed === executed) {
      orders.push(cached.text);
      continue;
    }
    const text = JSON.stringify(encodeAuction({ ...record, orders: [auctionOrder(order)] }))
      .slice(before.length, -after.length);
    cachedTexts.set(order, { executed, text });
    orders.push(text);
    if (++encodedCount % ORDERS_PER_TURN === 0) await yieldToRequests();
  }
  return { ...json(null), body: `${before}${orders.join(",")}${after}` };
}

/** Encoded orders of auctions: only the executed amount can change. */
const cachedTexts = new WeakMap<BookOrder, { readonly executed: bigint; readonly text: string }>();

/** Splits the body of an auction without orders at its empty list. */
function splitAroundOrders(body: string): readonly [before: string, after: string] {
  const list = '"orders":[';
  const at = body.indexOf(list) + list.length;
  return [body.slice(0, at), body.slice(at)];
}

function executedOf({ signed, executedSellAmount, executedBuyAmount }: BookOrder): bigint {
  return signed.kind === "sell" ? executedSellAmount : executedBuyAmount;
}

const NANOSECONDS_IN_SECOND = 1_000_000_000n;

function auctionOrder(order: BookOrder): Auction["orders"][number] {
  const { signed, origin } = order;
  const fee = origin.quote === null ? null : storedQuoteFee(origin.quote);
  return {
    uid: order.uid,
    sellToken: signed.sellToken,
    buyToken: signed.buyToken,
    sellAmount: signed.sellAmount,
    buyAmount: signed.buyAmount,
    protocolFees: origin.policies,
    created: Number(origin.created.epochNanoseconds / NANOSECONDS_IN_SECOND),
    validTo: signed.validTo,
    kind: signed.kind,
    receiver: signed.receiver,
    owner: order.owner,
    partiallyFillable: signed.partiallyFillable,
    executed: executedOf(order),
    preInteractions: origin.interactions.pre,
    postInteractions: origin.interactions.post,
    sellTokenBalance: signed.sellTokenBalance,
    buyTokenBalance: signed.buyTokenBalance,
    class: "limit",
    appData: signed.appData,
    signingScheme: signed.signingScheme,
    signature: signed.signature,
    ...(origin.quote === null || fee === null ? {} : {
      quote: {
        sellAmount: origin.quote.sellAmount,
        buyAmount: origin.quote.buyAmount,
        fee,
        solver: origin.quote.solver,
      },
    }),
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
