import { isPassing, isTransient } from "../../client/connect_options.ts";
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
import { askForReport } from "../order/gather_evidence.ts";
import { orderFunds } from "../order/order_funds.ts";
import { domainOf } from "../order/report_parts.ts";
import { ask, recordOf } from "../order/report_requests.ts";
import type { ReportedFunds } from "../order/verdicts.ts";
import {
  accountOf,
  boughtBy,
  hasNewFills,
  patiently,
  tradesUpTo,
  type WatchedOrder,
  type WatchState,
} from "./watch_state.ts";

/** What one look found out about an order. */
export interface SeenOrder {
  /** What was known before. */
  readonly known: WatchedOrder;
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

/** One look at all orders. */
export interface Look {
  /** When the orders were asked for: what is newer than that is left to the next look. */
  readonly atMs: number;
  /** The orders that are watched. */
  readonly seen: readonly SeenOrder[];
}

/** How a look is made. */
interface ObserveOptions {
  /** A node, for the funds of owners. */
  readonly node: NodeSource | undefined;
  /** Ends the requests. */
  readonly signal: AbortSignal;
  /** Called with what could not be read of a single order, which is passed over. */
  readonly onProblem: (error: OrderlensError) => void;
}

const CONCURRENCY = 4;
/** How often trades are asked for that lag behind their order, and the wait between. */
const MOST_LOOKS = 4;
const BEHIND_MS = 1_000;

/**
 * Looks at every order that is watched: all of it or, if a request fails for a moment, nothing.
 *
 * @throws {OrderlensError} If a request fails.
 */
export async function observeOrders(
  book: OrderBook,
  { orders }: WatchState,
  options: ObserveOptions,
): Promise<Look> {
  const live = orders.filter(({ isDone }) => !isDone);
  let atMs = book.clock.now();
  if (live.length === 0) return { atMs, seen: [] };
  const { signal, onProblem } = options;
  const uids = live.map(({ uid }) => uid);
  const answer = await patiently(book, signal, () => {
    atMs = book.clock.now();
    return book.orders(uids, { signal });
  });
  for (const { error } of answer.failed) {
    if (isTransient(error)) throw error;
    onProblem(error);
  }
  const found = new HexMap(answer.orders.map((order) => [order.uid, order]));
  const missing = new Set(answer.missing.map((uid) => uid.toLowerCase()));
  const notes = await notificationsOf(book, answer.orders, signal);
  const look = async (known: WatchedOrder, ended: AbortSignal): Promise<SeenOrder> => {
    const order = found.get(known.uid) ?? null;
    const own = { known, order, isMissing: missing.has(known.uid) };
    const notifications = notes.get(known.uid) ?? [];
    return order === null ? { ...own, ...NOTHING, notifications } : {
      ...own,
      ...await detailsOf(book, known, order, { ...options, signal: ended }),
      notifications,
    };
  };
  const seen = mapInOrder(live, look, { concurrency: CONCURRENCY, signal });
  return { atMs, seen: await Array.fromAsync(seen) };
}

const NOTHING = { trades: null, competitions: new Map(), report: null, funds: null } as const;

async function detailsOf(
  book: OrderBook,
  known: WatchedOrder,
  order: Order,
  { node, signal, onProblem }: ObserveOptions,
): Promise<Pick<SeenOrder, "trades" | "competitions" | "report" | "funds">> {
  const domain = domainOf(book, order.uid, order);
  const again = <Value>(request: () => Promise<Value>) => patiently(book, signal, request);
  // A fill is told without what only adds to it.
  const passOver = (error: unknown) => {
    if (signal.aborted || !isPassing(error)) throw error;
    onProblem(error);
    return "failed" as const;
  };
  const [trades, report, funds] = await Promise.all([
    hasNewFills(order, known) ? completeTrades(book, order, signal) : null,
    again(() => askForReport(book, order.uid, signal)).catch(passOver),
    again(() => orderFunds(order, { node, domain, signal })),
  ]);
  const competitions = new Map<string, Competition>();
  // The bid is the cause of an improvement, which only an order with a quote has.
  for (const { txHash } of order.quote == null ? [] : trades?.slice(known.fills) ?? []) {
    if (txHash === null || competitions.has(txHash)) continue;
    const competition = recordOf(
      await again(() => ask(() => book.competition(txHash, { signal }))).catch(passOver),
    );
    if (competition !== null) competitions.set(txHash, competition);
  }
  return { trades, competitions, report: recordOf(report), funds };
}

/** Trades of an order; replicas lag behind, so that it is asked again while some are missing. */
async function completeTrades(
  book: OrderBook,
  order: Order,
  signal: AbortSignal,
): Promise<Trade[]> {
  for (let looks = 1;; looks++) {
    const trades = await patiently(book, signal, () => fetchTrades(book, order.uid, { signal }));
    const isBehind = boughtBy(trades) < order.executedBuyAmount;
    if (!isBehind || looks === MOST_LOOKS) return tradesUpTo(order, trades);
    await book.clock.sleep(BEHIND_MS, signal);
  }
}

/** Deployments without notifications, which are not asked again. */
const withoutNotifications = new WeakSet<OrderBook>();

/** Notifications of the owners of orders, by UID; none where the deployment has no such service. */
async function notificationsOf(
  book: OrderBook,
  orders: readonly Order[],
  signal: AbortSignal,
): Promise<HexMap<TypedNotification[]>> {
  const byUid = new HexMap<TypedNotification[]>();
  if (withoutNotifications.has(book)) return byUid;
  for (const account of new Set(orders.map(accountOf))) {
    const answer = await patiently(
      book,
      signal,
      () => ask(() => book.notifications(account, { signal, onFailure() {} })),
    );
    if (answer === "refused") {
      withoutNotifications.add(book);
      break;
    }
    for (const each of recordOf(answer) ?? []) {
      const uid = orderOf(each);
      if (uid === null || !("type" in each)) continue;
      byUid.set(uid, [...byUid.get(uid) ?? [], each]);
    }
  }
  return byUid;
}

/** The order that a notification is about; `null` if it does not say. */
function orderOf(notification: Notification): string | null {
  if (!("type" in notification)) return null;
  const uid: unknown = Object(notification.metadata).orderUid;
  return typeof uid === "string" && /^0x[0-9a-f]{112}$/i.test(uid) ? uid : null;
}
