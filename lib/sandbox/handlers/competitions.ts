import { storedQuoteFee } from "../../metrics/mod.ts";
import { type Auction, encodeAuction, encodeCompetition } from "../../schemas/mod.ts";
import type { StoredAuction } from "../market/state/book.ts";
import type { BookOrder } from "../market/state/book_order.ts";
import type { Market } from "../market/state/market.ts";
import { json, rejection, type Reply } from "../wire/reply.ts";

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

function yieldToRequests(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
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
