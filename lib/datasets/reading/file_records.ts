import type { OrderBook } from "../../client/order_book.ts";
import { gatherOrders } from "../../client/recent_auctions.ts";
import { NotRecordedError } from "../../errors/mod.ts";
import type { Competition, DebugReport, Order, Trade } from "../../schemas/mod.ts";
import { HexMap } from "../../units/mod.ts";

/** The records of one file, and those of others that its auctions need. */
export class FileRecords {
  /** Orders by UID. */
  readonly orders: HexMap<Order> = new HexMap();
  /** Fills. */
  readonly trades: Trade[] = [];
  /** Debug reports by UID. */
  readonly reports: HexMap<DebugReport> = new HexMap();
  /** UIDs of orders whose fills were answered, in lower case. */
  readonly answeredFills: Set<string> = new Set();
  readonly #bids = new Set<string>();

  /** Notes which orders an auction needs. */
  note({ solutions }: Competition): void {
    for (const { orders } of solutions) for (const { id } of orders) this.#bids.add(id);
  }

  /** Adds the orders that stand in the file of an earlier auction. */
  async addFrom(book: OrderBook, signal: AbortSignal | undefined): Promise<void> {
    const missing = [...this.#bids].filter((uid) => !this.orders.has(uid));
    try {
      await this.#add(book, missing, signal);
    } catch (error) {
      if (!(error instanceof NotRecordedError)) throw error;
      // One of them was not got; the others may have been.
      for (const uid of missing) {
        await this.#add(book, [uid], signal).catch((error) => {
          if (!(error instanceof NotRecordedError)) throw error;
        });
      }
    }
  }

  async #add(
    book: OrderBook,
    uids: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { records } = await gatherOrders(book, uids, { signal });
    for (const { order, trades, debugReport } of records) {
      this.orders.set(order.uid, order);
      this.trades.push(...trades);
      this.answeredFills.add(order.uid.toLowerCase());
      if (debugReport !== null) this.reports.set(order.uid, debugReport);
    }
  }
}
