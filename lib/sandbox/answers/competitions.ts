import { storedQuoteFee } from "../../metrics/mod.ts";
import { type Auction, encodeAuction, encodeCompetition } from "../../schemas/mod.ts";
import type { StoredAuction } from "../market/state/book.ts";
import type { BookOrder } from "../market/state/book_order.ts";
import type { Market } from "../market/state/market.ts";
import { json, rejection, type Reply } from "../wire/reply.ts";

/** An auction's competition; 404 where there is none. */
export function getCompetition(auction: StoredAuction | undefined): Reply {
  if (auction === undefined) throw rejection(404, "NotFound", "solver competition not found");
  return json(encodeCompetition(auction.competition));
}

/** Orders that are put into words before others are answered. */
const ORDERS_AT_A_TIME = 250;

type RunningAuction = NonNullable<Market["auction"]>;

/** `GET auction`: the auction that is on, written once however many ask. */
export async function getAuction(market: Market): Promise<Reply> {
  const { auction, block } = market;
  if (auction === null) throw rejection(404, "NotFound", "There is no active auction");
  let known = answers.get(auction);
  if (known?.block !== block) {
    known = { block, reply: writeAuction(market, auction) };
    answers.set(auction, known);
  }
  return await known.reply;
}

/** What is answered of an auction: orders are filled and prices move with a new block alone. */
const answers = new WeakMap<
  RunningAuction,
  { readonly block: number; readonly reply: Promise<Reply> }
>();

async function writeAuction(market: Market, auction: RunningAuction): Promise<Reply> {
  const record: Auction = {
    id: auction.id,
    block: auction.block,
    orders: [],
    prices: market.nativePrices(),
    surplusCapturingJitOrderOwners: [],
  };
  const [before, after] = aroundOrders(JSON.stringify(encodeAuction(record)));
  const orders: string[] = [];
  let isNew = 0;
  for (const order of auction.orders) {
    const executed = executedOf(order);
    const written = texts.get(order);
    if (written?.executed === executed) {
      orders.push(written.text);
      continue;
    }
    const text = JSON.stringify(encodeAuction({ ...record, orders: [auctionOrder(order)] }))
      .slice(before.length, -after.length);
    texts.set(order, { executed, text });
    orders.push(text);
    if (++isNew % ORDERS_AT_A_TIME === 0) await othersAnswered();
  }
  return { ...json(null), body: `${before}${orders.join(",")}${after}` };
}

/** Orders in the words of an auction: of what they say there only the executed amount ever changes. */
const texts = new WeakMap<BookOrder, { readonly executed: bigint; readonly text: string }>();

/** What stands before the orders of an auction without any, and what after them. */
function aroundOrders(body: string): readonly [before: string, after: string] {
  const list = '"orders":[';
  const at = body.indexOf(list) + list.length;
  return [body.slice(0, at), body.slice(at)];
}

function othersAnswered(): Promise<void> {
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
