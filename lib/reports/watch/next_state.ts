import { effectiveValidTo, isClosedStatus } from "../../schemas/mod.ts";
import { isUnfunded } from "../order/order_funds.ts";
import { eventsOfOrder } from "./events_of_order.ts";
import type { Look, SeenOrder } from "./observe_orders.ts";
import { boughtBy } from "./order_facts.ts";
import { type FoundEvent, WATCH_SCHEMA, type WatchEvent } from "./watch_event.ts";
import type { WatchedOrder, WatchState } from "./watch_state.ts";

/** A pending settlement may fill an order after its end: it is looked at for so long. */
const SETTLING_MS = 120_000;
/** An order counts as gone once the service did not have it so many times in a row. */
export const MOST_MISSES = 5;

/** What follows from a look: the state, with new events as pending. */
export function nextState(
  state: WatchState,
  { seen, atMs: nowMs }: Look,
): WatchState {
  const perOrder = seen.map((each) => {
    const ready = whenReady(each);
    const events = ready.order === null ? [] : eventsOfOrder(ready, ready.order, nowMs);
    return { events, next: nextOrder(ready, events, nowMs) };
  });
  const byUid = new Map(perOrder.map(({ next }) => [next.uid, next]));
  const now = Temporal.Instant.fromEpochMilliseconds(Math.trunc(nowMs));
  const events = inOrder(perOrder.map(({ events }) => events), now);
  const orders = state.orders.map((order) => byUid.get(order.uid) ?? order);
  return {
    ...state,
    sequence: state.sequence + events.length,
    // Those of an account that are done are forgotten: it may have any number.
    orders: state.owner === null ? orders : orders.filter(({ isDone }) => !isDone),
    pending: [
      ...state.pending,
      ...events.map(({ at, ...event }, index): WatchEvent => ({
        schema: WATCH_SCHEMA,
        sequence: state.sequence + index + 1,
        ...event,
        at: at?.toString() ?? null,
        seenAt: now.toString(),
      })),
    ],
  };
}

/** Trades that lag behind their order wait for the next look: no fill is passed over. */
function whenReady(seen: SeenOrder): SeenOrder {
  const { order, trades } = seen;
  const isBehind = order !== null && trades !== null && boughtBy(trades) < order.executedBuyAmount;
  return isBehind ? { ...seen, order: null, isMissing: false } : seen;
}

function nextOrder(
  { known, order, isMissing, trades, report, funds }: SeenOrder,
  events: readonly FoundEvent[],
  nowMs: number,
): WatchedOrder {
  if (order === null) {
    const misses = isMissing ? known.misses + 1 : known.misses;
    return { ...known, misses, isDone: misses >= MOST_MISSES };
  }
  const has = (type: FoundEvent["type"]) => events.some((event) => event.type === type);
  const isOver = isClosedStatus(order.status);
  const overSinceMs = isOver ? known.overSinceMs ?? nowMs : null;
  const isFilled = order.status === "fulfilled";
  const overMs = Math.min(overSinceMs ?? Infinity, effectiveValidTo(order) * 1_000);
  const isSettled = overSinceMs !== null && nowMs - overMs >= SETTLING_MS;
  const lacks = events.filter(({ type }) => type === "insufficient_balance");
  return {
    ...known,
    fills: trades?.length ?? known.fills,
    boughtAtoms: trades === null ? known.boughtAtoms : `${boughtBy(trades)}`,
    isCancelled: known.isCancelled || has("order_cancelled"),
    isExpired: known.isExpired || has("order_expired"),
    balanceUntilMs: Math.max(
      known.balanceUntilMs,
      ...lacks.map(({ at }) => at?.epochMilliseconds ?? nowMs),
    ),
    isLacking: funds === null ? report === null && known.isLacking : isUnfunded(funds),
    overSinceMs,
    misses: 0,
    isDone: isFilled || isSettled,
  };
}

/**
 * Events of several orders in one list: by their time and block where both are known, and those of
 * one order always in their own order.
 */
function inOrder(
  perOrder: readonly (readonly FoundEvent[])[],
  now: Temporal.Instant,
): FoundEvent[] {
  const placed = perOrder.flatMap((events) => {
    let [time, block, logIndex] = [0n, -1, -1];
    return events.map((event) => {
      const { cause } = event;
      const { epochNanoseconds } = event.at ?? now;
      if (epochNanoseconds > time) time = epochNanoseconds;
      if (cause.kind === "fill") [block, logIndex] = [cause.blockNumber, cause.logIndex];
      return { event, time, block, logIndex };
    });
  });
  return placed.sort((a, b) =>
    a.time === b.time ? a.block - b.block || a.logIndex - b.logIndex : a.time < b.time ? -1 : 1
  ).map(({ event }) => event);
}
