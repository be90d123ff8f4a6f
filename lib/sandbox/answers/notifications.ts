import { encodeNotification } from "../../schemas/mod.ts";
import type { Market } from "../market/state/market.ts";
import { json, type Reply } from "../wire/reply.ts";

/** `GET accounts/{account}/notifications`: newest first. */
export function getNotifications(market: Market, account: string): Reply {
  const notifications = market.book.notifications.get(account) ?? [];
  return {
    ...json(notifications.toReversed().map((one) => encodeNotification(one))),
    headers: { "cache-control": "public, max-age=300" },
  };
}
