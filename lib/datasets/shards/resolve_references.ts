import { limitToStatus } from "../../metrics/orders/calculate_status.ts";
import type { OrderRecords, ReadRecords } from "../../tables/mod.ts";
import { collectReferences, type FactIndex } from "./fact_index.ts";
import type { ShardContents } from "./shard_contents.ts";
import type { TableContext } from "./table_context.ts";
import { groupOrders, toTableRecords } from "./table_records.ts";

/** A shard with the records that it references in others. */
export type ResolvedShard = ReturnType<typeof resolveReferences>;

/** Looks up the records that a shard references in others. */
export function resolveReferences(contents: ShardContents, index: FactIndex) {
  const ownRecords = groupOrders(contents);
  const { lackedOrders, lackedHashes } = collectReferences(contents);
  const ids = new Set(contents.competitions.map(({ auctionId }) => auctionId));
  const missing = index.findAuctions(lackedHashes).filter(({ auctionId }) => !ids.has(auctionId));
  return {
    contents,
    own: ownRecords,
    /** Its orders, and those of other shards that its solutions contain. */
    orders: [...ownRecords, ...index.findOrders(lackedOrders)],
    /** Its auctions, and those of other shards that settled its fills. */
    auctions: [...contents.competitions, ...missing],
  };
}

/** Collects the inputs of a shard's derived tables: its records, and those that they reference. */
export function toDerivedRecords(
  { contents, own, orders, auctions }: ResolvedShard,
  context: TableContext,
  index: FactIndex,
): ReadRecords {
  const { answeredFills, competitions } = contents;
  const latest = competitions.length > 0 ? contents.latest : index.latest;
  return {
    ...toTableRecords(contents, context),
    around: {
      competitions: auctions,
      orders: orders.map(({ order }) => order),
      trades: orders.flatMap((records) => [...records.trades]),
      debugReports: orders.flatMap(({ debugReport }) => debugReport ?? []),
    },
    evidence: own.map((records) => (
      { ...records, trades: readTrades(records, answeredFills), competitions: [] }
    )),
    countAuctions: (uid) => index.findCounts(uid),
    now: (order) => limitToStatus(order, latest),
    latestBlock: index.latestBlock,
    hasFills: (uid) => answeredFills.has(uid.toLowerCase()),
  };
}

/** Fills of an order; `null` if it has some, and they were not requested. */
function readTrades({ order, trades }: OrderRecords, answeredFills: ReadonlySet<string>) {
  const isExecuted = order.executedSellAmount > 0n || order.executedBuyAmount > 0n;
  return isExecuted && !answeredFills.has(order.uid.toLowerCase()) ? null : [...trades];
}
