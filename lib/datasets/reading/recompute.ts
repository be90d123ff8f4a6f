import { policiesByAuction, replayCompetition } from "../../metrics/mod.ts";
import type { Competition, DebugReport, Order, Trade } from "../../schemas/mod.ts";
import { HexMap } from "../../units/mod.ts";
import type { DatasetPaths } from "../layout/dataset_paths.ts";
import type { DatasetManifest } from "../layout/manifest.ts";
import { type ShardRecord, shardRecords } from "../shards/shard_records.ts";

/** How many auctions agree with what was recomputed of them. */
export interface Recomputed {
  /** Auctions whose winners, places and reference scores follow from the answer. */
  readonly agreeing: number;
  /** Ids of the others. */
  readonly differing: readonly number[];
}

/** Replays every auction of a dataset, with the orders and fills of its file. */
export async function recompute(
  paths: DatasetPaths,
  { files }: DatasetManifest,
  signal: AbortSignal | undefined,
): Promise<Recomputed> {
  let agreeing = 0;
  const differing: number[] = [];
  for (const { path } of files) {
    if (!path.startsWith("raw/")) continue;
    const file = paths.file(path);
    const facts = new Facts();
    for await (const record of shardRecords(file)) facts.add(record);
    for await (const record of shardRecords(file)) {
      signal?.throwIfAborted();
      if (record.kind !== "competition") continue;
      if (replayCompetition(record.competition, facts.of(record.competition)).agrees) agreeing++;
      else differing.push(record.competition.auctionId);
    }
  }
  return { agreeing, differing };
}

/** What of a file explains its auctions. */
class Facts {
  readonly #orders = new HexMap<Order>();
  readonly #trades: Trade[] = [];
  readonly #reports: DebugReport[] = [];

  add(record: ShardRecord): void {
    if (record.kind === "order") this.#orders.set(record.order.uid, record.order);
    else if (record.kind === "trade") this.#trades.push(record.trade);
    else if (record.kind === "report") this.#reports.push(record.report);
  }

  of(competition: Competition) {
    const bids = competition.solutions.flatMap(({ orders }) => orders.map(({ id }) => id));
    const own = new HexMap(bids.map((uid) => [uid, true]));
    const policies = policiesByAuction({
      trades: this.#trades.filter(({ orderUid }) => own.has(orderUid)),
      debugReports: this.#reports.filter(({ orderUid }) => own.has(orderUid)),
      competitions: [competition],
    }).get(competition.auctionId);
    return { orders: this.#orders, ...policies === undefined ? {} : { policies } };
  }
}
