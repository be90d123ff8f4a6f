import { connect } from "../../client/connect.ts";
import { gatherOrders } from "../../client/gather_orders.ts";
import type { OrderBook } from "../../client/order_book.ts";
import { NotRecordedError } from "../../errors/mod.ts";
import type { Competition, DebugReport, Order, Trade } from "../../schemas/mod.ts";
import { HexMap } from "../../units/mod.ts";
import type { DatasetPaths } from "../layout/dataset_paths.ts";
import type { DatasetManifest } from "../layout/manifest.ts";
import { isPartitioned } from "../layout/partitions.ts";
import { shardRecords } from "../shards/shard_records.ts";
import { Dataset } from "./dataset.ts";
import { recomputeAuction } from "./recompute_auction.ts";
import { recomputeFeesOf, recomputeStatus } from "./recompute_order.ts";
import { type Recomputed, Tally } from "./recomputed.ts";

/**
 * Recomputes what follows from the answers of a dataset, one file after another: of every auction
 * its filter, winners, scores and reference scores, of every fill its fees, of every order its
 * status.
 */
export async function recompute(
  paths: DatasetPaths,
  manifest: DatasetManifest,
  signal: AbortSignal | undefined,
): Promise<Recomputed> {
  const { chainId, settlementContract } = manifest.source;
  const dataset = new Dataset(paths, manifest, { chainId, settlementContract });
  const tally = new Tally();
  for (const { path } of manifest.files) {
    if (!path.startsWith("raw/")) continue;
    const file = paths.file(path);
    const records = new FileRecords();
    for await (const record of shardRecords(file)) {
      signal?.throwIfAborted();
      if (record.kind === "order") records.orders.set(record.order.uid, record.order);
      else if (record.kind === "trade") records.trades.push(record.trade);
      else if (record.kind === "report") {
        records.reports.set(record.report.orderUid, record.report);
      } else if (record.kind === "competition") records.note(record.competition);
    }
    for (const order of records.orders.values()) recomputeStatus(order, tally);
    for (const trade of records.trades) {
      recomputeFeesOf(trade, records.orders.get(trade.orderUid), tally);
    }
    if (!isPartitioned(manifest)) await records.addFrom(connect(dataset), signal);
    for await (const record of shardRecords(file)) {
      signal?.throwIfAborted();
      if (record.kind !== "competition") continue;
      recomputeAuction(record.competition, records, tally);
    }
  }
  return tally.result();
}

/** The records of one file, and those of others that its auctions need. */
class FileRecords {
  readonly orders = new HexMap<Order>();
  readonly trades: Trade[] = [];
  readonly reports = new HexMap<DebugReport>();
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
      if (debugReport !== null) this.reports.set(order.uid, debugReport);
    }
  }
}
