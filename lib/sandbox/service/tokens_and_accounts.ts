import { encodeNotification } from "../../schemas/mod.ts";
import type { Market } from "../market/market.ts";
import { json, refuse, type Reply } from "./reply.ts";

/** `GET token/{token}/native_price`. */
export function getNativePrice(market: Market, token: string): Reply {
  const price = market.nativePrice(token);
  if (price === null) throw refuse(404, "NoLiquidity", "no route found");
  const value = Number(price) / ATOMS_OF_A_PRICE;
  const digits = Number.isInteger(value) ? value.toFixed(1) : String(value);
  return { status: 200, contentType: "application/json", body: `{"price":${digits}}` };
}

const ATOMS_OF_A_PRICE = 1e18;

/** `GET token/{token}/metadata`. */
export function getTokenMetadata(market: Market, token: string): Reply {
  const price = market.nativePrice(token);
  return json({
    firstTradeBlock: market.book.firstTrades.get(token) ?? null,
    nativePrice: price === null ? null : String(price),
  });
}

/** `GET accounts/{account}/notifications`: newest first. */
export function getNotifications(market: Market, account: string): Reply {
  const notifications = market.book.notifications.get(account) ?? [];
  return {
    ...json(notifications.toReversed().map((one) => encodeNotification(one))),
    headers: { "cache-control": "public, max-age=300" },
  };
}
