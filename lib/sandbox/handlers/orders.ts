import { encodeOrder, encodeOrderStatus } from "../../schemas/mod.ts";
import { readUid } from "../wire/loose_values.ts";
import type { StoredAuction } from "../market/state/book.ts";
import type { BookOrder } from "../market/state/book_order.ts";
import { type Market, SETTLEMENT_CONTRACT } from "../market/state/market.ts";
import { readList } from "../wire/fields.ts";
import { queryPage } from "../wire/url_values.ts";
import { json, Rejection, rejection, type Reply, text } from "../wire/reply.ts";

/** Maximum number of UIDs per request. */
const MAX_UIDS = 128;

/** The JSON of an order. */
function orderBody(market: Market, order: BookOrder): unknown {
  return encodeOrder(
    order.toRecord({ now: market.time.instant, settlementContract: SETTLEMENT_CONTRACT }),
  );
}

/** `GET orders/{uid}`. */
export function getOrder(market: Market, uid: string): Reply {
  const order = market.book.orders.get(uid);
  if (order === undefined) throw rejection(404, "NotFound", "Order was not found");
  return json(orderBody(market, order));
}

/** `POST orders/by_uids`. */
export function getOrdersByUids(market: Market, body: string): Reply {
  const uids = readList(body, readUid);
  if (uids.length > MAX_UIDS) {
    throw new Rejection(
      text(`Request exceeds maximum number of order UIDs of ${MAX_UIDS}`, 400),
    );
  }
  const found = [...new Set(uids)].map((uid) => market.book.orders.get(uid))
    .filter((order) => order !== undefined);
  return json(found.map((order) => ({ order: orderBody(market, order) })));
}

/** `GET account/{owner}/orders`: newest first. */
export function getAccountOrders(
  market: Market,
  { owner, query }: { owner: string; query: URLSearchParams },
): Reply {
  const { offset, limit } = queryPage(query, {
    errorType: "LIMIT_OUT_OF_BOUNDS",
    description: "The pagination limit is [1,1000].",
  });
  const orders = market.book.ordersByOwner.get(owner) ?? [];
  const page = orders.toReversed().slice(offset, offset + limit);
  return json(page.map((order) => orderBody(market, order)));
}

/** `GET transactions/{hash}/orders`. */
export function getTransactionOrders(market: Market, hash: string): Reply {
  const fills = market.book.fillsByTransaction.get(hash) ?? [];
  return json(fills.map(({ uid }) => orderBody(market, market.book.orders.get(uid)!)));
}

/** `GET orders/{uid}/status`. */
export function getOrderStatus(market: Market, uid: string): Reply {
  const order = market.book.orders.get(uid);
  if (order === undefined) throw rejection(404, "NotFound", "order status not found");
  const type = order.stage;
  const auction = auctionOf(market, order, type);
  const value = auction?.competition.solutions.map(({ solverAddress, orders }) => {
    const own = orders.find(({ id }) => id === uid);
    const executedAmounts = own === undefined ? null : { sell: own.sellAmount, buy: own.buyAmount };
    return { solver: solverAddress, executedAmounts };
  });
  return json(encodeOrderStatus(value === undefined ? { type } : { type, value }));
}

/** The auction of a stage: that of the first fill, or the latest one with the order. */
function auctionOf(market: Market, order: BookOrder, type: string): StoredAuction | undefined {
  const { auctions, auctionsByOrder } = market.book;
  if (type === "traded") return auctions.get(order.fills[0]!.auctionId);
  if (type !== "solved" && type !== "executing") return undefined;
  const latest = auctionsByOrder.get(order.uid)?.at(-1);
  return latest === undefined ? undefined : auctions.get(latest);
}
