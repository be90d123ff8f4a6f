import type { Competition, DebugReport, Instance, Order, Trade } from "../../schemas/mod.ts";
import { formatInstant, HexMap } from "../../units/mod.ts";
import { type BlockClock, indexAuctionsOfFills, readStatedBlock } from "../orders/fills.ts";
import { compareAttempts, type StatedAttempts } from "./attempt_contradictions.ts";
import { compareFacts, type Contradiction } from "./contradiction.ts";
import { compareEventTimes } from "./event_contradictions.ts";
import { compareInstances } from "./instance_contradictions.ts";
import { compareFeePolicies, compareFillQuotes } from "./fee_contradictions.ts";
import {
  compareExecutedAmounts,
  compareFillTerms,
  compareFillTime,
  compareOrderUid,
  compareStatus,
  type SigningDeployment,
} from "./order_contradictions.ts";
import { compareFillPrices } from "./price_contradictions.ts";
import {
  compareGasCost,
  compareReport,
  compareSettledBids,
  compareWithSolutions,
  type ReceiptGas,
} from "./settlement_contradictions.ts";

/** An order with its fills and its debug report. */
export interface FilledOrder {
  /** The order. */
  readonly order: Order;
  /** All of its fills; `null` if they are unknown. */
  readonly trades: readonly Trade[] | null;
  /** Its debug report; `null` if there is none. */
  readonly debugReport: DebugReport | null;
}

/** Number of UIDs that are recomputed: a few identify chain and contract, and each takes 0.1 ms. */
const MAX_RECOMPUTED_UIDS = 100;

/** Records that are compared with one another. */
export interface ConsistencyRecords {
  /** Orders with their fills and debug reports. */
  readonly orders: Iterable<FilledOrder>;
  /** Auctions with bids on the orders, and those that settled their fills. */
  readonly competitions: Iterable<Competition>;
  /** Instances of the auctions, each with its `id`. */
  readonly instances?: Iterable<Instance>;
  /** Times of blocks; timestamps from a node are compared. */
  readonly times?: BlockClock | null;
  /** Gas of settlements, from receipts. */
  readonly settlements?: Iterable<ReceiptGas>;
  /** Chain and contract of the deployment: the first 100 UIDs are recomputed for them. */
  readonly deployment?: SigningDeployment | null;
}

/**
 * Finds facts of records that contradict each other: each fact that is in two records is compared, and
 * both sources and values are named. Finding none proves nothing about facts in one record alone.
 *
 * Orders that a solver brought (JIT) and whose auction does not have them, and fills of auctions that
 * are unavailable, are not compared with solutions.
 *
 * @param records Orders with fills and debug reports, auctions, instances, times of blocks, receipts.
 * @returns Contradictions, order by order.
 *
 * @example An order whose fill is missing
 * ```ts
 * import { connect } from "orderlens";
 * import { findContradictions } from "orderlens/metrics";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const book = connect(await replay("market_1"));
 * const competition = await book.competition(2618);
 * const order = await book.order(competition.solutions.at(-1)!.orders[0]!.id);
 * const trades = await Array.fromAsync(book.trades({ orderUid: order.uid }));
 * const competitions = [competition];
 * const whole = { orders: [{ order, trades, debugReport: null }], competitions };
 * const lacking = { orders: [{ order, trades: [], debugReport: null }], competitions };
 *
 * assertEquals([...findContradictions(whole)], []);
 * assertEquals([...findContradictions(lacking)][0]?.kind, "executed_amounts");
 * ```
 */
export function* findContradictions(records: ConsistencyRecords): Generator<Contradiction> {
  const { times = null, settlements = [], deployment = null } = records;
  const competitions = [...records.competitions];
  const byId = new Map(competitions.map((competition) => [competition.auctionId, competition]));
  const findAuction = indexAuctionsOfFills(competitions);
  const bidders = indexAuctionsByOrder(competitions);
  const gas = new HexMap(
    Array.from(settlements, (settlement) => [settlement.txHash, settlement] as const),
  );
  const stated: StatedAttempts = new Map();
  const ordersByUid = new HexMap<Order>();
  let recomputedUids = 0;
  for (const { order, trades, debugReport } of records.orders) {
    ordersByUid.set(order.uid, order);
    yield* compareStatus(order);
    if (deployment !== null && recomputedUids++ < MAX_RECOMPUTED_UIDS) {
      yield* compareOrderUid(order, deployment);
    }
    if (trades !== null) {
      yield* compareExecutedAmounts(order, trades);
      for (const competition of bidders.get(order.uid) ?? []) {
        yield* compareSettledBids(order, trades, competition);
      }
    }
    for (const trade of trades ?? []) {
      yield* compareFillTerms(order, trade);
      yield* compareFillQuotes(order, trade);
      if (times !== null) yield* compareFillTime(order, trade, times);
      const competition = findAuction(trade);
      if (competition !== undefined) yield* compareWithSolutions(trade, competition);
      yield* compareFillPrices(order, trade, { competition, debugReport });
      const receipt = trade.txHash === null ? undefined : gas.get(trade.txHash);
      if (receipt !== undefined) yield* compareGasCost(trade, receipt);
      if (debugReport !== null) yield* compareFeePolicies(debugReport, trade);
    }
    if (debugReport !== null) {
      yield* compareReport(order, debugReport, { trades, competitions: byId });
      yield* compareAttempts(debugReport, { competitions: byId, stated });
      yield* compareEventTimes(order, debugReport, times);
    }
  }
  if (times !== null) yield* compareAuctionBlocks(competitions, times);
  yield* compareInstances(records.instances ?? [], { competitions: byId, orders: ordersByUid });
}

function indexAuctionsByOrder(competitions: readonly Competition[]): HexMap<Set<Competition>> {
  const auctions = new HexMap<Set<Competition>>();
  for (const competition of competitions) {
    for (const { orders } of competition.solutions) {
      for (const { id } of orders) {
        const bidAuctions = auctions.get(id) ?? new Set();
        bidAuctions.add(competition);
        auctions.set(id, bidAuctions);
      }
    }
  }
  return auctions;
}

/** Checks that timestamps of start blocks ascend with their numbers. */
function* compareAuctionBlocks(
  competitions: readonly Competition[],
  times: BlockClock,
): Generator<Contradiction> {
  const blocks = [...new Set(competitions.map(({ auctionStartBlock }) => auctionStartBlock))]
    .sort((a, b) => a - b)
    .flatMap((block) => {
      const time = readStatedBlock(times, block);
      return time === null ? [] : [{ block, time }];
    });
  for (const [index, { block, time }] of blocks.entries()) {
    const previous = blocks[index - 1];
    if (previous === undefined || Temporal.Instant.compare(previous.time, time) <= 0) continue;
    yield* compareFacts(
      "block_time",
      `block ${block}`,
      [`timestamp of the earlier block ${previous.block}`, formatInstant(previous.time)],
      [`timestamp of block ${block}`, formatInstant(time)],
    );
  }
}
