import type { CallOptions } from "../endpoints/mod.ts";
import type { Trade } from "../schemas/mod.ts";
import type { OrderBook } from "./order_book.ts";

/** All trades of an order, oldest first. */
export async function tradesOf(
  book: OrderBook,
  orderUid: string,
  options: CallOptions,
): Promise<Trade[]> {
  const trades = await Array.fromAsync(book.trades({ orderUid }, options));
  return trades.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
}
