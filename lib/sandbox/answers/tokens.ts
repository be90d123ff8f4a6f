import type { Market } from "../market/state/market.ts";
import { json, rejection, type Reply } from "../wire/reply.ts";

/** `GET token/{token}/native_price`: native atoms per atom. */
export function getNativePrice(market: Market, token: string): Reply {
  const price = market.atomPrice(token);
  if (price === null) throw rejection(404, "NoLiquidity", "no route found");
  const digits = Number.isInteger(price) ? price.toFixed(1) : String(price);
  return { status: 200, contentType: "application/json", body: `{"price":${digits}}` };
}

/** `GET token/{token}/metadata`. */
export function getTokenMetadata(market: Market, token: string): Reply {
  const price = market.nativePrice(token);
  return json({
    firstTradeBlock: market.book.firstTrades.get(token) ?? null,
    nativePrice: price === null ? null : String(price),
  });
}
