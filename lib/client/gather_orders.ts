import { BY_UIDS_OPTIONS } from "../endpoints/orders/get_orders_by_uids.ts";
import {
  DecodeError,
  MismatchError,
  NotFoundError,
  NotRecordedError,
  type OrderlensError,
  UnauthorizedError,
  UnavailableError,
} from "../errors/mod.ts";
import type { FailedOrder, GetOrdersByUidsOptions } from "../endpoints/mod.ts";
import { DEFAULT_CONCURRENCY } from "../endpoints/call/call_options.ts";
import { mapInOrder } from "../endpoints/call/map_in_order.ts";
import { checkOptions } from "../errors/option_rules.ts";
import type { DebugReport, Order, Trade } from "../schemas/mod.ts";
import type { OrderBook } from "./order_book.ts";
import { tradesOf } from "./trades_of.ts";

/** One order with its fills and debug report, as tables of fills take it. */
export interface GatheredOrder {
  /** The order. */
  readonly order: Order;
  /** Its fills, oldest first. */
  readonly trades: readonly Trade[];
  /** Its debug report; `null` if the deployment, or the recording, does not provide it. */
  readonly debugReport: DebugReport | null;
}

/** Result of {@linkcode gatherOrders}. */
export interface GatheredOrders {
  /** The orders, in the order requested, each once. */
  readonly records: readonly GatheredOrder[];
  /** UIDs that the service does not have. */
  readonly missing: readonly string[];
  /** Orders whose body, trade or report could not be read, or was of another order. */
  readonly failed: readonly FailedOrder[];
  /**
   * Why there are no debug reports; its remedy says how to get them. `null` if the deployment
   * provides them.
   */
  readonly reportsRefused: OrderlensError | null;
}

/**
 * Gathers orders with their fills and debug reports, several concurrently: the input of most tables
 * and metrics of fills.
 *
 * Orders come from {@linkcode OrderBook.orders}, 128 per request. Trades are requested once per
 * order that executed anything. Debug reports are requested once per order until the deployment
 * rejects one, as all public ones do, or a recording turns out to have none: then no more are
 * requested, missing reports are `null`, and `reportsRefused` says why.
 *
 * @param book The deployment.
 * @param uids UIDs of the orders; may be empty, and duplicates count once.
 * @param options Same as for `orders`; `onProgress` counts gathered orders.
 * @returns Orders, missing UIDs and failures: together every requested UID.
 * @throws {InputError} If one of them is not an order UID; nothing is sent.
 * @throws {OrderlensError} As soon as a request fails for any reason other than the content of its
 *   answer.
 * @example Two orders of a recording, which has reports
 * ```ts
 * import { connect, gatherOrders } from "orderlens";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const tape = await replay("market_1");
 * const { records, missing, reportsRefused } = await gatherOrders(
 *   connect(tape),
 *   tape.recorded.orderUids.slice(0, 2),
 * );
 *
 * assertEquals(records.map(({ order }) => order.status), ["expired", "fulfilled"]);
 * assertEquals(records.map(({ trades }) => trades.length), [0, 1]);
 * assertEquals(records[1]?.debugReport?.events[0]?.label, "created");
 * assertEquals([missing, reportsRefused], [[], null]);
 * ```
 */
export async function gatherOrders(
  book: OrderBook,
  uids: Iterable<string>,
  options: GetOrdersByUidsOptions = {},
): Promise<GatheredOrders> {
  checkOptions(options, BY_UIDS_OPTIONS, "Cannot gather orders");
  const { concurrency = DEFAULT_CONCURRENCY, onProgress, signal } = options;
  const { orders, missing, failed } = await book.orders(uids, { concurrency, signal });
  let reportsRefused: OrderlensError | null = null;
  async function reportOf(uid: string, ended: AbortSignal): Promise<DebugReport | null> {
    if (reportsRefused !== null) return null;
    try {
      return await book.debugReport(uid, { signal: ended });
    } catch (error) {
      if (isMissing(error)) return null;
      if (!areReportsUnavailable(error)) throw error;
      reportsRefused ??= error;
      return null;
    }
  }
  async function gather(order: Order, ended: AbortSignal): Promise<GatheredOrder | FailedOrder> {
    try {
      const trades = isExecuted(order) ? await tradesOf(book, order.uid, { signal: ended }) : [];
      return { order, trades, debugReport: await reportOf(order.uid, ended) };
    } catch (error) {
      if (!(error instanceof DecodeError || error instanceof MismatchError)) throw error;
      return { uid: order.uid, error };
    }
  }

  const records: GatheredOrder[] = [];
  const unreadable: FailedOrder[] = [];
  let done = 0;
  for await (const gathered of mapInOrder(orders, gather, { concurrency, signal })) {
    if ("error" in gathered) unreadable.push(gathered);
    else records.push(gathered);
    onProgress?.({ done: ++done, total: orders.length });
  }
  return { records, missing, failed: [...failed, ...unreadable], reportsRefused };
}

function isExecuted({ executedSellAmount, executedBuyAmount }: Order): boolean {
  return executedSellAmount > 0n || executedBuyAmount > 0n;
}

/** The service lacks the report of one order, or a recording that has others does. */
function isMissing(error: unknown): boolean {
  return error instanceof NotFoundError ||
    error instanceof NotRecordedError && error.isRouteRecorded;
}

/** Whether the deployment or the recording provides no reports to this caller, for any order. */
function areReportsUnavailable(error: unknown): error is OrderlensError {
  return error instanceof UnauthorizedError || error instanceof UnavailableError ||
    error instanceof NotRecordedError;
}
