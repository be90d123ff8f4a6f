import type { KnownEventLabel, KnownEventReason } from "../../../schemas/mod.ts";
import { nativeValue } from "../../../units/mod.ts";
import type { BookOrder } from "../state/book_order.ts";
import type { Market } from "../state/market.ts";
import { UNSUPPORTED_TOKEN } from "../state/tokens.ts";

/** Worth below which what is left of an order is dust, in native atoms. */
const DUST = 10n ** 11n;

/** Lets expired orders go, and says which of the others are in the next auction. */
export function screenOrders(market: Market): BookOrder[] {
  const ready: BookOrder[] = [];
  const now = market.time.seconds;
  const prices = new Map<string, bigint | null>();
  for (const order of market.book.open) {
    // What was filled or cancelled is no longer open: this is all that its time can have changed.
    if (order.signed.validTo < now) {
      market.book.end(order, market.block);
      if (order.fills.length === 0) tellOfExpiry(market, order);
      continue;
    }
    const fault = faultOf(market, order, prices);
    const [label, reason] = fault ?? READY;
    const isNews = order.isNews(label, reason);
    if (isNews) order.note(label, market.time.stamp(), reason);
    else market.time.pass();
    if (fault === null) ready.push(order);
    else if (isNews && reason === "insufficient_balance") tellOfBalance(market, order);
  }
  return ready;
}

const READY = ["ready", undefined] as const;

/** Why an order is left out; prices are requested once per token. */
function faultOf(
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
  if (order.isPresignaturePending || order.isDisowned) return ["invalid", "invalid_signature"];
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
    const left = order.left < held ? order.left : held;
    if (nativeValue(left, price) < DUST) return ["filtered", "dust_order"];
  }
  return null;
}

function tellOfExpiry(market: Market, order: BookOrder): void {
  market.notify(order.owner, "order_expired", {
    message: "Your order expired without being filled",
    metadata: { orderUid: order.uid, validTo: order.signed.validTo },
  });
}

function tellOfBalance(market: Market, order: BookOrder): void {
  const { sellToken, sellAmount } = order.signed;
  market.notify(order.owner, "insufficient_balance", {
    message: "Your order waits for a balance that covers it",
    metadata: { orderUid: order.uid, token: sellToken, sellAmount: String(sellAmount) },
  });
}
