import type { Trade } from "../../schemas/mod.ts";
import type { OrderRecords, ReadRecords } from "../../tables/mod.ts";
import { groupByHex } from "../../units/mod.ts";
import type { ShardContents } from "./shard_contents.ts";
import { resolveFilterFacts, type TableContext } from "./table_context.ts";

/** Collects the inputs of a shard's tables: its own records, and the facts of the context. */
export function toTableRecords(contents: ShardContents, context: TableContext): ReadRecords {
  const { competitions, orders, trades, documents, blocks, audits, listings } = contents;
  const { tokens, wrappedNativeToken, rewardsOf } = context;
  return {
    ...tokens,
    ...wrappedNativeToken !== undefined && { wrappedNativeToken },
    ...rewardsOf !== undefined && { rewardsOf },
    ...resolveFilterFacts(contents, context),
    competitions,
    orders,
    trades,
    debugReports: contents.reports,
    records: groupOrders(contents),
    documents,
    blocks,
    audits,
    listings,
    nativePrices: contents.nativePrices,
    orderCounts: contents.orderCounts,
    instances: contents.instances,
    instanceOrderCounts: contents.instanceOrderCounts,
    times: contents.times,
  };
}

/** Groups the orders of a shard with their fills and debug reports. */
export function groupOrders(
  { orders, trades, reports }: Pick<ShardContents, "orders" | "trades" | "reports">,
): OrderRecords[] {
  const tradesByUid = groupByHex(trades, ({ orderUid }: Trade) => orderUid);
  const reportsByUid = groupByHex(reports, ({ orderUid }) => orderUid);
  return orders.map((order) => ({
    order,
    trades: tradesByUid.get(order.uid) ?? [],
    debugReport: reportsByUid.get(order.uid)?.[0] ?? null,
  }));
}
