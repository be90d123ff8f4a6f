import { connect } from "../../client/connect.ts";
import type { DatasetPaths } from "../layout/dataset_paths.ts";
import type { DatasetManifest } from "../layout/manifest.ts";
import { isPartitioned } from "../layout/partitions.ts";
import { shardRecords } from "../shards/shard_records.ts";
import { Dataset } from "./dataset.ts";
import { FileRecords } from "./file_records.ts";
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
