import type { OrderBook } from "../../client/order_book.ts";
import { readClock } from "../../client/track_order.ts";
import { mapInOrder } from "../../endpoints/calls.ts";
import type { Competition, Order } from "../../schemas/mod.ts";
import { assembleReport } from "../order/assemble_report.ts";
import { findLastUnbid } from "../order/gather_evidence.ts";
import type { OrderReport } from "../order/order_report.ts";
import { type CachedRecords, createEvidenceReader } from "./triage_orders.ts";

/** Cached records, times and signal of {@linkcode judgeOrders}. */
interface JudgeOptions {
  /** Records that need not be requested. */
  readonly cached: CachedRecords & {
    /** An auction by its id. */
    readonly auction?: (auctionId: number) => Competition | undefined;
  };
  /** The time of the records of an order, without a clock the latest in them; `undefined` for the book's. */
  readonly readTime: (order: Order) => Temporal.Instant | undefined;
  /** Aborts the requests. */
  readonly signal: AbortSignal | undefined;
}

/** Orders that are judged at the same time. */
const CONCURRENCY = 4;

/** Reports of orders in their order, as `inspectOrder` makes them without a node and without their signers. */
export function judgeOrders(
  book: OrderBook,
  orders: Iterable<Order>,
  { cached, readTime, signal }: JudgeOptions,
): AsyncGenerator<OrderReport, void, undefined> {
  const isTimed = readClock(book) !== null;
  const gather = createEvidenceReader(book, true, cached);
  const judge = async (order: Order, taskSignal: AbortSignal): Promise<OrderReport> => {
    const records = await gather(order, taskSignal);
    const lastUnbid = await findLastUnbid(book, records, taskSignal, cached.auction);
    const time = readTime(order);
    const times = isTimed ? { now: time } : { asOf: time };
    const parts = { records, lastUnbid, ...times, signal: taskSignal };
    return await assembleReport(book, order.uid.toLowerCase(), parts);
  };
  return mapInOrder(orders, judge, { concurrency: CONCURRENCY, signal });
}
