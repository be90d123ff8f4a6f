import { encodeTrade, type Trade } from "../../schemas/mod.ts";
import type { Market } from "../market/state/market.ts";
import type { RecordedFill } from "../market/state/recorded_fill.ts";
import { queryAddress, queryPage, queryUid } from "../wire/url_values.ts";
import { json, rejection, type Reply } from "../wire/reply.ts";

/** `GET v2/trades`: a page, newest first. */
export function getTrades(market: Market, query: URLSearchParams): Reply {
  const fills = fillsFor(market, query);
  const { offset, limit } = queryPage(query, {
    errorType: "InvalidLimit",
    description: "limit must be between 1 and 1000",
  });
  const page = fills.toReversed().slice(offset, offset + limit);
  return json(page.map((fill) => encodeTrade(tradeOf(market, fill))));
}

/** `GET v1/trades`: all trades, newest first. */
export function getTradesV1(market: Market, query: URLSearchParams): Reply {
  const fills = fillsFor(market, query).toReversed();
  return json(fills.map((fill) => encodeTrade(tradeOf(market, fill))));
}

function fillsFor(market: Market, query: URLSearchParams): readonly RecordedFill[] {
  const uid = queryUid(query, "orderUid");
  const owner = queryAddress(query, "owner");
  if (uid !== undefined && owner === undefined) return market.book.orders.get(uid)?.fills ?? [];
  if (owner !== undefined && uid === undefined) return market.book.fillsByOwner.get(owner) ?? [];
  throw rejection(400, "InvalidTradeFilter", "Must specify exactly one of owner or orderUid.");
}

function tradeOf(market: Market, fill: RecordedFill): Trade {
  const { signed, owner } = market.book.orders.get(fill.uid)!;
  return {
    blockNumber: fill.block,
    logIndex: fill.logIndex,
    orderUid: fill.uid,
    buyAmount: fill.buyAmount,
    sellAmount: fill.sellAmount,
    sellAmountBeforeFees: fill.sellAmount,
    owner,
    buyToken: signed.buyToken,
    sellToken: signed.sellToken,
    txHash: fill.txHash,
    executedProtocolFees: fill.protocolFees,
  };
}

/** `GET users/{user}/total_surplus`: total surplus over limit prices, in native atoms. */
export function getTotalSurplus(market: Market, user: string): Reply {
  return json({ totalSurplus: String(market.book.surplusByOwner.get(user) ?? 0n) });
}
