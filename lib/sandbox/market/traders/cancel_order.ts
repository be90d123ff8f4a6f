import type { BookOrder } from "../state/book_order.ts";
import type { Market } from "../state/market.ts";

/** Cancels an order. Auctions exclude it from now on; a pending settlement may still fill it. */
export function cancelOrder(market: Market, order: BookOrder): void {
  if (order.isCancelled) return;
  order.isCancelled = true;
  order.addEvent("cancelled", market.time.stamp());
  market.book.end(order, market.block);
  market.notify(order.owner, "order_cancelled", {
    message: "Your order was cancelled",
    metadata: { orderUid: order.uid },
  });
}
