import { DEFAULT_CONCURRENCY, mapInOrder } from "../endpoints/calls.ts";
import type { FailedOrder, GetOrdersByUidsOptions } from "../endpoints/mod.ts";
import { BY_UIDS_OPTIONS } from "../endpoints/orders_by_uids.ts";
import {
  DecodeError,
  MismatchError,
  NotFoundError,
  NotRecordedError,
  type OrderlensError,
  UnauthorizedError,
  UnavailableError,
} from "../errors/mod.ts";
import { checkOptions } from "../errors/option_rules.ts";
import {
  type DebugReport,
  encodeDebugReport,
  encodeOrder,
  type Order,
  type Trade,
} from "../schemas/mod.ts";
import { HexMap } from "../units/mod.ts";
import {
  type FinalOrders,
  type GatheredOrder,
  hasAllFills,
  hasExecution,
  isFinalRecord,
  mayChange,
  mayReportChange,
} from "./final_orders.ts";
import type { OrderBook } from "./order_book.ts";
import { fetchTrades } from "./trade_request.ts";

/** Result of {@linkcode gatherOrders}. */
export interface GatheredOrders {
  /** The orders, in the order requested, each once. */
  readonly records: readonly GatheredOrder[];
  /** UIDs that the service does not have. */
  readonly missing: readonly string[];
  /** Orders whose body, trade or report could not be read, or was of another order. */
  readonly failed: readonly FailedOrder[];
  /**
   * Reason why there are no debug reports, with the remedy; `null` if the deployment provides them.
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
 *   response.
 * @example Two orders of a recording, which has reports
 * ```ts
 * import { connect, gatherOrders } from "orderlens";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const recording = await replay("market_1");
 * const { records, missing, reportsRefused } = await gatherOrders(
 *   connect(recording),
 *   recording.recorded.orderUids.slice(0, 2),
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
  const { withoutFills: _, ...gathered } = await gatherRecords(book, uids, options);
  return gathered;
}

/** Records of an earlier reading of the same orders. */
export interface EarlierOrders extends Pick<GatheredOrders, "reportsRefused"> {
  /** Its records. */
  readonly records: readonly GatheredOrder[];
  /** UIDs that are not requested again: the service did not have them, and nothing happened since. */
  readonly missing: ReadonlySet<string>;
  /** Whether there were auctions since, which add events to open orders. */
  readonly hasNewAuctions: boolean;
}

/** Options of {@linkcode gatherRecords}. */
interface GatherOptions extends GetOrdersByUidsOptions {
  /** Whether a recording or a dataset without the fills of an order is an error. @default {always} */
  readonly needsFills?: (uid: string) => boolean;
  /** Records of an earlier reading: those that cannot change are not requested. @default {none} */
  readonly earlier?: EarlierOrders | null;
  /** Records on the disk that cannot change. @default {none} */
  readonly finalOrders?: FinalOrders | null;
}

/** Result of {@linkcode gatherRecords}. */
interface GatheredRecords extends GatheredOrders {
  /** UIDs of executed orders whose fills a recording or a dataset does not have. */
  readonly withoutFills: readonly string[];
}

/** Gathers orders as {@linkcode gatherOrders} does, without requests for records that cannot change. */
export async function gatherRecords(
  book: OrderBook,
  uids: Iterable<string>,
  options: GatherOptions,
): Promise<GatheredRecords> {
  const { concurrency = DEFAULT_CONCURRENCY, onProgress, signal, needsFills } = options;
  const { earlier = null, finalOrders = null } = options;
  const now = Temporal.Instant.fromEpochMilliseconds(Math.trunc(book.clock.now()));
  const knownRecords = new HexMap(
    (earlier?.records ?? []).map((record) => [record.order.uid, record]),
  );
  const records = new HexMap<GatheredOrder>();
  const uidList = [...new HexMap(Array.from(uids, (uid) => [uid, uid])).values()];
  const requested: string[] = [];
  /** Final orders whose debug reports were refused before: others may get them. */
  const unreported: Order[] = [];
  const requestedUids = uidList.filter((uid) => earlier?.missing.has(uid) !== true);
  const readKnown = async (uid: string) => ({
    uid,
    isHeld: knownRecords.has(uid),
    record: knownRecords.get(uid) ?? await finalOrders?.read(uid),
  });
  for await (
    const { uid, isHeld, record } of mapInOrder(requestedUids, readKnown, { concurrency, signal })
  ) {
    if (record !== undefined) knownRecords.set(uid, record);
    if (record === undefined || mayChange(record, now)) requested.push(uid);
    else if (isHeld || record.debugReport !== null) records.set(uid, record);
    else unreported.push(record.order);
  }
  const { orders, missing, failed } = await book.orders(requested, { concurrency, signal });
  let reportsRefused = earlier?.reportsRefused ?? null;
  async function fetchReport(uid: string, callSignal: AbortSignal): Promise<DebugReport | null> {
    if (reportsRefused !== null) return null;
    try {
      return await book.debugReport(uid, { signal: callSignal });
    } catch (error) {
      if (isReportMissing(error)) return null;
      if (!areReportsUnavailable(error)) throw error;
      reportsRefused ??= error;
      return null;
    }
  }
  const withoutFills: string[] = [];
  async function readFills(order: Order, callSignal: AbortSignal): Promise<readonly Trade[]> {
    if (!hasExecution(order)) return [];
    try {
      return await fetchTrades(book, order.uid, { signal: callSignal });
    } catch (error) {
      const isOptional = needsFills?.(order.uid) === false;
      if (!isOptional || !(error instanceof NotRecordedError)) throw error;
      withoutFills.push(order.uid);
      return [];
    }
  }
  async function readRecord(order: Order, callSignal: AbortSignal): Promise<GatheredOrder> {
    const record = knownRecords.get(order.uid);
    if (record === undefined || !isEqual(encodeOrder, record.order, order)) {
      const trades = await readFills(order, callSignal);
      return { order, trades, debugReport: await fetchReport(order.uid, callSignal) };
    }
    const trades = hasAllFills(record) ? record.trades : await readFills(order, callSignal);
    const { debugReport } = record;
    const isReported = debugReport !== null &&
      !(earlier?.hasNewAuctions !== false && mayReportChange(record, now));
    const report = isReported ? debugReport : await fetchReport(order.uid, callSignal);
    const isSame = trades === record.trades && (report === debugReport ||
      report !== null && debugReport !== null && isEqual(encodeDebugReport, report, debugReport));
    return isSame ? record : { order, trades, debugReport: report };
  }
  async function readOrder(
    order: Order,
    callSignal: AbortSignal,
  ): Promise<GatheredOrder | FailedOrder> {
    try {
      const record = await readRecord(order, callSignal);
      const isNew = record !== knownRecords.get(order.uid);
      if (isNew && isFinalRecord(record, now)) await finalOrders?.write(record);
      return record;
    } catch (error) {
      if (!(error instanceof DecodeError || error instanceof MismatchError)) throw error;
      return { uid: order.uid, error };
    }
  }

  const unreadable: FailedOrder[] = [];
  const toRead = [...unreported, ...orders];
  let done = 0;
  for await (const gathered of mapInOrder(toRead, readOrder, { concurrency, signal })) {
    if ("error" in gathered) unreadable.push(gathered);
    else records.set(gathered.order.uid, gathered);
    onProgress?.({ done: ++done, total: toRead.length });
  }
  return {
    records: uidList.flatMap((uid) => records.get(uid) ?? []),
    missing: [...uidList.filter((uid) => earlier?.missing.has(uid)), ...missing],
    failed: [...failed, ...unreadable],
    reportsRefused,
    withoutFills,
  };
}

/** Whether two records are equal as the service writes them. */
function isEqual<Value>(encode: (value: Value) => unknown, a: Value, b: Value): boolean {
  return JSON.stringify(encode(a)) === JSON.stringify(encode(b));
}

/** Whether the service lacks the report of one order, or a recording that has others does. */
function isReportMissing(error: unknown): boolean {
  return error instanceof NotFoundError ||
    error instanceof NotRecordedError && error.isRouteRecorded;
}

/** Whether the deployment or the recording provides no reports to this caller, for any order. */
function areReportsUnavailable(error: unknown): error is OrderlensError {
  return error instanceof UnauthorizedError || error instanceof UnavailableError ||
    error instanceof NotRecordedError;
}
