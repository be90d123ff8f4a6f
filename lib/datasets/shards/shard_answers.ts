import { limitToStatus } from "../../metrics/orders/calculate_status.ts";
import { NETWORKS } from "../../networks/networks.ts";
import { buildFrame } from "../../tables/columns/frame.ts";
import { knownFills } from "../../tables/columns/order_records.ts";
import { feesOf } from "../../tables/fees/fees.ts";
import { fillFacts } from "../../tables/fills/fills.ts";
import {
  attemptsTable,
  bidsTable,
  fairGainTable,
  FEES,
  FILLS,
  type Frame,
  LIFECYCLE,
  type OrderRecords,
  outcomesTable,
} from "../../tables/mod.ts";
import { lifecycleFacts } from "../../tables/orders/lifecycle.ts";
import { type FactIndex, namesOf } from "./fact_index.ts";
import { namesIn, orderRecordsOf } from "./record_tables.ts";
import { filterFacts, type TableContext } from "./table_context.ts";
import type { ShardContents } from "./shard_contents.ts";

/** A shard with what it names in others. */
export type WholeShard = ReturnType<typeof wholeShard>;

/** Looks up what a shard names in others. */
export function wholeShard(contents: ShardContents, index: FactIndex) {
  const own = orderRecordsOf(contents);
  const { lackedOrders, lackedHashes } = namesOf(contents);
  const ids = new Set(contents.competitions.map(({ auctionId }) => auctionId));
  const others = index.auctions(lackedHashes).filter(({ auctionId }) => !ids.has(auctionId));
  return {
    contents,
    /** Its own orders alone. */
    own,
    /** Its orders, and those of other shards that its solutions contain. */
    orders: [...own, ...index.orders(lackedOrders)],
    /** Its auctions, and those of other shards that settled its fills. */
    auctions: [...contents.competitions, ...others],
  };
}

/** Answers by the name of their table; fills and fees share what is known of each fill. */
export function shardAnswers(
  shard: WholeShard,
  context: TableContext,
  index: FactIndex,
): Readonly<Record<string, () => Frame>> {
  const { contents, own, orders, auctions } = shard;
  const { competitions, times } = contents;
  const { tokens, wrappedNativeToken, rewardsOf } = context;
  const filter = filterFacts(contents, context);
  const known = { ...tokens, competitions: auctions, times };
  let fills: ReturnType<typeof knownFills> | undefined;
  const ownFills = () => fills ??= knownFills(own, known);
  const everyOrder = orders.map(({ order }) => order);
  const trades = orders.flatMap((one) => [...one.trades]);
  const debugReports = orders.flatMap(({ debugReport }) => debugReport ?? []);
  const settled = {
    trades,
    debugReports,
    latestBlock: index.latestBlock,
    hasFills: (uid: string) => contents.answeredFills.has(uid.toLowerCase()),
  };
  return {
    fills: () => buildFrame(FILLS, ownFills().map((fill) => fillFacts(fill, filter)), tokens),
    fees: () => buildFrame(FEES, ownFills().flatMap(feesOf), tokens),
    bids: () =>
      bidsTable(competitions, { ...tokens, ...filter, orders: everyOrder, trades, times }),
    outcomes: () =>
      outcomesTable(competitions, { ...namesIn(context), ...filter, ...settled, times }),
    attempts: () =>
      attemptsTable(competitions, {
        ...tokens,
        ...rewardsOf !== undefined && { rules: NETWORKS[rewardsOf].rewards },
        ...settled,
        orders: everyOrder,
        times,
      }),
    fair_gain: () =>
      fairGainTable(competitions, {
        ...tokens,
        ...filter,
        ...wrappedNativeToken === undefined ? {} : { wrappedNativeToken },
        orders: everyOrder,
        times,
      }),
    lifecycle: () => lifecycleFrame(shard, context, index),
  };
}

function lifecycleFrame({ contents, own }: WholeShard, context: TableContext, index: FactIndex) {
  const { times, competitions, answeredFills } = contents;
  const latest = competitions.length > 0 ? contents.latest : index.latest;
  const rows = own.map((one) => ({
    ...lifecycleFacts({ ...one, trades: tradesOf(one, answeredFills), competitions: [] }, {
      now: limitToStatus(one.order, latest),
      times,
    }),
    counts: index.countsOf(one.order.uid),
  }));
  return buildFrame(LIFECYCLE, rows, context.tokens);
}

/** Fills of an order; `null` if it has some, and they were not asked for. */
function tradesOf({ order, trades }: OrderRecords, answeredFills: ReadonlySet<string>) {
  const isExecuted = order.executedSellAmount > 0n || order.executedBuyAmount > 0n;
  return isExecuted && !answeredFills.has(order.uid.toLowerCase()) ? null : [...trades];
}
