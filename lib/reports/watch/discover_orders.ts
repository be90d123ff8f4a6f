import type { OrderBook } from "../../client/order_book.ts";
import { tradesOf } from "../../client/trades_of.ts";
import type { Order } from "../../schemas/mod.ts";
import { boughtBy } from "./order_facts.ts";
import { newOrder, type WatchedOrder, type WatchState } from "./watch_state.ts";

/** Pages of an account are read back so far behind its newest known order: replicas lag behind. */
const LAG_MS = 600_000;
/** Orders of an account that are looked through for open ones at the beginning. */
const MOST_AT_START = 10_000;
/** Orders of a page after that: few are new. */
const PAGE = 100;

/**
 * The state with the orders that an account has placed since the last look. At the first one, those
 * that are over are left out, and what has happened to the others counts as known.
 */
export async function discoverOrders(
  book: OrderBook,
  state: WatchState,
  signal: AbortSignal,
): Promise<WatchState> {
  if (state.owner === null) return state;
  const isFirst = state.newestMs === 0;
  const known = new Set([...state.recent, ...state.orders.map(({ uid }) => uid)]);
  const [orders, recent]: [WatchedOrder[], [uid: string, createdMs: number][]] = [[], []];
  let { newestMs } = state;
  const paging = isFirst ? { limit: MOST_AT_START } : { pageSize: PAGE };
  for await (const order of book.accountOrders(state.owner, { ...paging, signal })) {
    const createdMs = order.creationDate.epochMilliseconds;
    if (!isFirst && createdMs < state.newestMs - LAG_MS) break;
    newestMs = Math.max(newestMs, createdMs);
    const uid = order.uid.toLowerCase();
    recent.push([uid, createdMs]);
    if (known.has(uid)) continue;
    if (!isFirst) orders.push(newOrder(uid));
    else if (order.status === "open" || order.status === "presignaturePending") {
      orders.push(await asIs(book, order, { startedMs: state.startedMs, signal }));
    }
  }
  return {
    ...state,
    newestMs: newestMs === 0 ? 1 : newestMs,
    recent: recent.filter(([, createdMs]) => createdMs >= newestMs - LAG_MS).map(([uid]) => uid),
    orders: [...state.orders, ...orders.reverse()],
  };
}

/** An order whose past counts as known. */
async function asIs(
  book: OrderBook,
  order: Order,
  { startedMs, signal }: { readonly startedMs: number; readonly signal: AbortSignal },
): Promise<WatchedOrder> {
  const known = newOrder(order.uid.toLowerCase(), startedMs);
  if (order.executedBuyAmount === 0n) return known;
  const trades = await tradesOf(book, order.uid, { signal });
  const bought = boughtBy(trades);
  return { ...known, fills: trades.length, boughtAtoms: `${bought}` };
}
