import { connect } from "../../client/connect.ts";
import { inferMaxWinners, isNotComputable } from "../../metrics/mod.ts";
import type { Competition } from "../../schemas/mod.ts";
import type { DatasetPaths } from "../layout/dataset_paths.ts";
import type { DatasetManifest } from "../layout/manifest.ts";
import { isPartitioned } from "../layout/partitions.ts";
import { shardRecords } from "../shards/shard_records.ts";
import { Dataset } from "./dataset.ts";
import { FileRecords } from "./file_records.ts";
import { recomputeAuction } from "./recompute_auction.ts";
import { recomputeFeesOf, recomputeIdentity, recomputeStatus } from "./recompute_order.ts";
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
    for (const order of records.orders.values()) {
      signal?.throwIfAborted();
      recomputeStatus(order, tally);
      await recomputeIdentity(order, manifest.source, tally);
    }
    for (const trade of records.trades) {
      recomputeFeesOf(trade, records.orders.get(trade.orderUid), tally);
    }
    if (!isPartitioned(manifest)) await records.addFrom(connect(dataset), signal);
    tally.add(await recomputeAuctions(file, records, signal));
  }
  return tally.result();
}

/**
 * Recomputes the auctions of a file with the usual maximum number of winners, which no answer has;
 * where winners differ, with the one that most of its auctions agree with.
 */
async function recomputeAuctions(
  file: string,
  records: FileRecords,
  signal: AbortSignal | undefined,
): Promise<Tally> {
  const tallyWith = async (maxWinners?: number) => {
    const tally = new Tally();
    for await (const competition of competitionsOf(file, signal)) {
      recomputeAuction(competition, records, tally, maxWinners);
    }
    return tally;
  };
  const usual = await tallyWith();
  if (usual.differing("winners") === 0) return usual;
  const inferred = inferMaxWinners(await Array.fromAsync(competitionsOf(file, signal)), {
    orders: records.orders,
  });
  if (isNotComputable(inferred)) return usual;
  const other = await tallyWith(inferred.maxWinners);
  return other.differing("winners") < usual.differing("winners") ? other : usual;
}

async function* competitionsOf(
  file: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Competition, void, undefined> {
  for await (const record of shardRecords(file)) {
    signal?.throwIfAborted();
    if (record.kind === "competition") yield record.competition;
  }
}
