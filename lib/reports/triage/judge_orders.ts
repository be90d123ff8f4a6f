import type { OrderBook } from "../../client/order_book.ts";
import { mapInOrder } from "../../endpoints/calls.ts";
import type { Competition, Order } from "../../schemas/mod.ts";
import { assembleReport } from "../order/assemble_report.ts";
import { lastUnbidOf } from "../order/gather_evidence.ts";
import type { OrderReport } from "../order/order_report.ts";
import { type KnownRecords, triageEvidence } from "./triage_orders.ts";

/** What is known of orders before they are judged. */
interface JudgeOptions {
  /** Records that need not be requested. */
  readonly known: KnownRecords & {
    /** An auction by its id. */
    readonly auction?: (auctionId: number) => Competition | undefined;
  };
  /** The time of the records of an order; `undefined` for the book's. */
  readonly timeOf: (order: Order) => Temporal.Instant | undefined;
  /** Ends it. */
  readonly signal: AbortSignal | undefined;
}

/** Orders that are judged at the same time. */
const CONCURRENCY = 4;

/** Reports of orders in their order, as `inspectOrder` makes them without a node and without their signers. */
export function judgeOrders(
  book: OrderBook,
  orders: Iterable<Order>,
  { known, timeOf, signal }: JudgeOptions,
): AsyncGenerator<OrderReport, void, undefined> {
  const gather = triageEvidence(book, true, known);
  const judge = async (order: Order, ended: AbortSignal): Promise<OrderReport> => {
    const answers = await gather(order, ended);
    const lastUnbid = await lastUnbidOf(book, answers, ended, known.auction);
    const parts = { answers, lastUnbid, now: timeOf(order), signal: ended };
    return await assembleReport(book, order.uid.toLowerCase(), parts);
  };
  return mapInOrder(orders, judge, { concurrency: CONCURRENCY, signal });
}
