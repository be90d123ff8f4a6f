import type { KnownEventLabel, KnownEventReason } from "../../../schemas/mod.ts";
import { nativeValue } from "../../../units/mod.ts";
import type { BookOrder } from "../state/book_order.ts";
import type { Market } from "../state/market.ts";
import { UNSUPPORTED_TOKEN } from "../state/tokens.ts";

/** Native value below which the remaining amount is dust, in native atoms. */
const DUST = 10n ** 11n;

/** Ends expired orders; returns those of the next auction. */
export function screenOrders(market: Market): BookOrder[] {
  const ready: BookOrder[] = [];
  const now = market.time.seconds;
  const prices = new Map<string, bigint | null>();
  for (const order of market.book.open) {
    // Filled and cancelled orders are no longer open; only expiry remains to be checked.
    if (order.signed.validTo < now) {
      market.book.end(order, market.block);
      if (order.fills.length === 0) notifyOfExpiry(market, order);
      continue;
    }
    const exclusion = exclusionOf(market, order, prices);
    const [label, reason] = exclusion ?? READY;
    const isNewEvent = order.isNewEvent(label, reason);
    if (isNewEvent) order.addEvent(label, market.time.stamp(), reason);
    else market.time.skipStamp();
    if (exclusion === null) ready.push(order);
    else if (isNewEvent && reason === "insufficient_balance") notifyOfBalance(market, order);
  }
  return ready;
}

const READY = ["ready", undefined] as const;

/** Why an order is excluded; `null` if it is not. `prices` caches prices by token. */
function exclusionOf(
  market: Market,
  order: BookOrder,
  prices: Map<string, bigint | null>,
): readonly [KnownEventLabel, KnownEventReason] | null {
  const { signed } = order;
  const priceOf = (token: string): bigint | null => {
    let price = prices.get(token);
    if (price === undefined) prices.set(token, price = market.nativePrice(token));
    return price;
  };
  if (order.attempts > 0) return ["filtered", "in_flight"];
  if (order.isPresignaturePending || order.isSignatureRevoked) {
    return ["invalid", "invalid_signature"];
  }
  if (
    signed.sellToken === UNSUPPORTED_TOKEN.address || signed.buyToken === UNSUPPORTED_TOKEN.address
  ) {
    return ["invalid", "unsupported_token"];
  }
  const held = market.ledger.balanceOf(order.owner, signed.sellToken);
  const needed = signed.partiallyFillable ? 1n : signed.sellAmount;
  if (held < needed) return ["invalid", "insufficient_balance"];
  const price = priceOf(signed.sellToken);
  if (price === null || priceOf(signed.buyToken) === null) {
    return ["filtered", "missing_native_price"];
  }
  if (signed.partiallyFillable && signed.kind === "sell") {
    const sellable = order.remaining < held ? order.remaining : held;
    if (nativeValue(sellable, price) < DUST) return ["filtered", "dust_order"];
  }
  return null;
}

function notifyOfExpiry(market: Market, order: BookOrder): void {
  market.notify(order.owner, "order_expired", {
    message: "Your order expired without being filled",
    metadata: { orderUid: order.uid, validTo: order.signed.validTo },
  });
}

function notifyOfBalance(market: Market, order: BookOrder): void {
  const { sellToken, sellAmount } = order.signed;
  market.notify(order.owner, "insufficient_balance", {
    message: "Your order waits for a balance that covers it",
    metadata: { orderUid: order.uid, token: sellToken, sellAmount: String(sellAmount) },
  });
}
