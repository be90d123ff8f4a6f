import { isTransient, isTransientOnceReached } from "../../client/connect_options.ts";
import type { OrderBook } from "../../client/order_book.ts";
import { fetchTrades } from "../../client/trade_request.ts";
import { mapInOrder } from "../../endpoints/calls.ts";
import type { OrderlensError } from "../../errors/mod.ts";
import type { NodeSource } from "../../evm/mod.ts";
import type {
  Competition,
  DebugReport,
  Notification,
  Order,
  Trade,
  TypedNotification,
} from "../../schemas/mod.ts";
import { HexMap } from "../../units/mod.ts";
import { fetchDebugReport } from "../order/gather_evidence.ts";
import { readCurrentFunds } from "../order/order_funds.ts";
import { readDomain } from "../order/report_parts.ts";
import { fetchOptional, recordOrNull } from "../order/report_requests.ts";
import type { ReportedFunds } from "../order/verdicts.ts";
import {
  hasNewFills,
  readAccount,
  retryTransient,
  selectIndexedTrades,
  sumBought,
  type WatchedOrder,
  type WatchState,
} from "./watch_state.ts";

/** Snapshot of an order in one poll. */
export interface OrderSnapshot {
  /** The state before the poll. */
  readonly previous: WatchedOrder;
  /** The order; `null` if the service does not have it, or it could not be read. */
  readonly order: Order | null;
  /** Whether it was missing rather than unreadable. */
  readonly isMissing: boolean;
  /** All its trades up to the look, oldest first; `null` if they need not be read. */
  readonly trades: readonly Trade[] | null;
  /** Competitions of its new fills, by transaction hash. */
  readonly competitions: ReadonlyMap<string, Competition>;
  /** Its debug report; `null` where there is none. */
  readonly report: DebugReport | null;
  /** Notifications of its owner about it. */
  readonly notifications: readonly TypedNotification[];
  /** Funds of its owner; `null` unless a node was asked. */
  readonly funds: ReportedFunds | null;
}

/** Result of one poll of all orders. */
export interface PollResult {
  /** Time at which the orders were requested: newer events are left to the next poll. */
  readonly atMs: number;
  /** The orders that are watched. */
  readonly snapshots: readonly OrderSnapshot[];
}

/** Options of {@linkcode pollOrders}. */
interface ObserveOptions {
  /** A node, for the funds of owners. */
  readonly node: NodeSource | undefined;
  /** Aborts the requests. */
  readonly signal: AbortSignal;
  /** Called with what could not be read of a single order, which is passed over. */
  readonly onProblem: (error: OrderlensError) => void;
}

const CONCURRENCY = 4;
/** Maximum requests for trades that lag behind their order, and the wait between them. */
const MAX_ATTEMPTS = 4;
const BEHIND_MS = 1_000;

/**
 * Looks at every order that is watched: all of it or, if a request fails for a moment, nothing.
 *
 * @throws {OrderlensError} If a request fails.
 */
export async function pollOrders(
  book: OrderBook,
  { orders }: WatchState,
  options: ObserveOptions,
): Promise<PollResult> {
  const activeOrders = orders.filter(({ isDone }) => !isDone);
  let atMs = book.clock.now();
  if (activeOrders.length === 0) return { atMs, snapshots: [] };
  const { signal, onProblem } = options;
  const uids = activeOrders.map(({ uid }) => uid);
  const response = await retryTransient(book, signal, () => {
    atMs = book.clock.now();
    return book.orders(uids, { signal });
  });
  for (const { error } of response.failed) {
    if (isTransient(error)) throw error;
    onProblem(error);
  }
  const ordersByUid = new HexMap(response.orders.map((order) => [order.uid, order]));
  const missingUids = new Set(response.missing.map((uid) => uid.toLowerCase()));
  const notes = await fetchNotifications(book, response.orders, signal);
  const takeSnapshot = async (
    previous: WatchedOrder,
    taskSignal: AbortSignal,
  ): Promise<OrderSnapshot> => {
    const order = ordersByUid.get(previous.uid) ?? null;
    const fields = { previous, order, isMissing: missingUids.has(previous.uid) };
    const notifications = notes.get(previous.uid) ?? [];
    return order === null ? { ...fields, ...NO_DETAILS, notifications } : {
      ...fields,
      ...await readDetails(book, previous, order, { ...options, signal: taskSignal }),
      notifications,
    };
  };
  const seen = mapInOrder(activeOrders, takeSnapshot, { concurrency: CONCURRENCY, signal });
  return { atMs, snapshots: await Array.fromAsync(seen) };
}

const NO_DETAILS = { trades: null, competitions: new Map(), report: null, funds: null } as const;

async function readDetails(
  book: OrderBook,
  previous: WatchedOrder,
  order: Order,
  { node, signal, onProblem }: ObserveOptions,
): Promise<Pick<OrderSnapshot, "trades" | "competitions" | "report" | "funds">> {
  const domain = readDomain(book, order.uid, order);
  const retry = <Value>(request: () => Promise<Value>) => retryTransient(book, signal, request);
  // A fill is told without what only adds to it.
  const passOver = (error: unknown) => {
    if (signal.aborted || !isTransientOnceReached(error)) throw error;
    onProblem(error);
    return "failed" as const;
  };
  const [trades, report, funds] = await Promise.all([
    hasNewFills(order, previous) ? completeTrades(book, order, signal) : null,
    retry(() => fetchDebugReport(book, order.uid, signal)).catch(passOver),
    retry(() => readCurrentFunds(order, { node, domain, signal })),
  ]);
  const competitions = new Map<string, Competition>();
  // The bid is the cause of an improvement, which only an order with a quote has.
  for (const { txHash } of order.quote == null ? [] : trades?.slice(previous.fills) ?? []) {
    if (txHash === null || competitions.has(txHash)) continue;
    const competition = recordOrNull(
      await retry(() => fetchOptional(() => book.competition(txHash, { signal }))).catch(passOver),
    );
    if (competition !== null) competitions.set(txHash, competition);
  }
  return { trades, competitions, report: recordOrNull(report), funds };
}

/** Trades of an order; replicas lag behind, so that it is asked again while some are missing. */
async function completeTrades(
  book: OrderBook,
  order: Order,
  signal: AbortSignal,
): Promise<Trade[]> {
  for (let attempt = 1;; attempt++) {
    const trades = await retryTransient(
      book,
      signal,
      () => fetchTrades(book, order.uid, { signal }),
    );
    const isBehind = sumBought(trades) < order.executedBuyAmount;
    if (!isBehind || attempt === MAX_ATTEMPTS) return selectIndexedTrades(order, trades);
    await book.clock.sleep(BEHIND_MS, signal);
  }
}

/** Deployments without notifications, which are not asked again. */
const withoutNotifications = new WeakSet<OrderBook>();

/** Notifications of the owners of orders, by UID; none where the deployment has no such service. */
async function fetchNotifications(
  book: OrderBook,
  orders: readonly Order[],
  signal: AbortSignal,
): Promise<HexMap<TypedNotification[]>> {
  const byUid = new HexMap<TypedNotification[]>();
  if (withoutNotifications.has(book)) return byUid;
  for (const account of new Set(orders.map(readAccount))) {
    const response = await retryTransient(
      book,
      signal,
      () => fetchOptional(() => book.notifications(account, { signal, onFailure() {} })),
    );
    if (response === "refused") {
      withoutNotifications.add(book);
      break;
    }
    for (const notification of recordOrNull(response) ?? []) {
      const uid = readOrderUid(notification);
      if (uid === null || !("type" in notification)) continue;
      byUid.set(uid, [...byUid.get(uid) ?? [], notification]);
    }
  }
  return byUid;
}

/** The order that a notification is about; `null` if it does not say. */
function readOrderUid(notification: Notification): string | null {
  if (!("type" in notification)) return null;
  const uid: unknown = Object(notification.metadata).orderUid;
  return typeof uid === "string" && /^0x[0-9a-f]{112}$/i.test(uid) ? uid : null;
}
