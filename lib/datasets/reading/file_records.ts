import type { OrderBook } from "../../client/order_book.ts";
import { gatherOrders } from "../../client/gather_orders.ts";
import { NotRecordedError } from "../../errors/mod.ts";
import type { Competition, DebugReport, Order, Trade } from "../../schemas/mod.ts";
import { HexMap } from "../../units/mod.ts";
import { readRecords, type ShardRecord } from "../shards/shard_records.ts";

/** The records of one file, and those of others that its auctions need. */
export class FileRecords {
  /** Orders by UID. */
  readonly orders: HexMap<Order> = new HexMap();
  readonly trades: Trade[] = [];
  /** Debug reports by UID. */
  readonly reports: HexMap<DebugReport> = new HexMap();
  /** UIDs of orders with a response for their fills, in lower case. */
  readonly answeredFills: Set<string> = new Set();
  readonly #bids = new Set<string>();

  /** Adds the records of a file, and passes the others to `see`. */
  async read(
    file: string,
    signal: AbortSignal | undefined,
    see: (record: ShardRecord) => void,
  ): Promise<void> {
    for await (const record of readRecords(file)) {
      signal?.throwIfAborted();
      if (record.kind === "order") this.orders.set(record.order.uid, record.order);
      else if (record.kind === "trade") this.trades.push(record.trade);
      else if (record.kind === "report") this.reports.set(record.report.orderUid, record.report);
      else if (record.kind === "fills") this.answeredFills.add(record.orderUid);
      else see(record);
    }
  }

  /** Notes which orders an auction needs. */
  noteBids({ solutions }: Competition): void {
    for (const { orders } of solutions) for (const { id } of orders) this.#bids.add(id);
  }

  /** Whether a solution names an order. */
  hasBid(uid: string): boolean {
    return this.#bids.has(uid);
  }

  /** Adds the orders that are in the file of an earlier auction. */
  async addMissing(book: OrderBook, signal: AbortSignal | undefined): Promise<void> {
    const missing = [...this.#bids].filter((uid) => !this.orders.has(uid));
    const add = async (uids: readonly string[]) => {
      try {
        const { records } = await gatherOrders(book, uids, { signal });
        for (const { order, trades, debugReport } of records) {
          this.orders.set(order.uid, order);
          for (const trade of trades) this.trades.push(trade);
          this.answeredFills.add(order.uid.toLowerCase());
          if (debugReport !== null) this.reports.set(order.uid, debugReport);
        }
        return true;
      } catch (error) {
        if (!(error instanceof NotRecordedError)) throw error;
        return false;
      }
    };
    if (await add(missing)) return;
    // One of them is missing; the others may be there.
    for (const uid of missing) await add([uid]);
  }
}
