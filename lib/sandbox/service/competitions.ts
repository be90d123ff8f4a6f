import { storedQuoteFee } from "../../metrics/mod.ts";
import { type Auction, encodeAuction, encodeCompetition } from "../../schemas/mod.ts";
import type { StoredAuction } from "../market/book.ts";
import type { BookOrder } from "../market/book_order.ts";
import type { Market } from "../market/market.ts";
import { json, refuse, type Reply } from "./reply.ts";

/** An auction's competition; 404 where there is none. */
export function getCompetition(auction: StoredAuction | undefined): Reply {
  if (auction === undefined) throw refuse(404, "NotFound", "solver competition not found");
  return json(encodeCompetition(auction.competition));
}

/** `GET auction`: the auction that is on. */
export function getAuction(market: Market): Reply {
  const { auction } = market;
  if (auction === null) throw refuse(404, "NotFound", "There is no active auction");
  const record: Auction = {
    id: auction.id,
    block: auction.block,
    orders: auction.orders.map(auctionOrder),
    prices: market.nativePrices(),
    surplusCapturingJitOrderOwners: [],
  };
  return json(encodeAuction(record));
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
    executed: signed.kind === "sell" ? order.executedSellAmount : order.executedBuyAmount,
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
