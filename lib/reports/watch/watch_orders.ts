import { formatSearch } from "../command_text.ts";
import { isTransient, isTransientOnceReached } from "../../client/connect_options.ts";
import type { OrderBook } from "../../client/order_book.ts";
import { fetchTrades } from "../../client/trade_request.ts";
import { requireHex } from "../../endpoints/calls.ts";
import { InputError, type OrderlensError, UnansweredError } from "../../errors/mod.ts";
import {
  checkOptions,
  defineRule,
  numberAtLeast,
  type OptionRules,
} from "../../errors/option_rules.ts";
import type { NodeSource } from "../../evm/mod.ts";
import { assessSettlement } from "../../metrics/mod.ts";
import { effectiveValidTo, isClosedStatus, type Order } from "../../schemas/mod.ts";
import { formatInstant } from "../../units/mod.ts";
import { INSPECT_NOUN_OPTIONS } from "../order/inspect_order.ts";
import { reportDeposit } from "../order/ethflow_deposit.ts";
import { isUnfunded } from "../order/order_funds.ts";
import { listOrderEvents } from "./list_order_events.ts";
import { type OrderSnapshot, pollOrders, type PollResult } from "./poll_orders.ts";
import {
  createOrder,
  createState,
  type NewEvent,
  requireSameWatch,
  retryTransient,
  sumBought,
  WATCH_SCHEMA,
  type WatchedOrder,
  type WatchEvent,
  type WatchSelection,
  type WatchState,
} from "./watch_state.ts";

/** Options of {@linkcode watchOrders}: either `owner` or `uids` is needed. */
export interface WatchOptions {
  /** Account whose orders are watched, those that it places from now on too. */
  owner?: string | undefined;
  /** Orders to watch. */
  uids?: Iterable<string> | undefined;
  /** State at the end of an earlier watch, as `save` got it. @default {a new watch} */
  state?: WatchState | undefined;
  /**
   * Keeps the state: called when there are new events, before the first is yielded, and when each has
   * been taken. What it keeps is plain JSON.
   */
  save?: ((state: WatchState) => void | Promise<void>) | undefined;
  /** Time between looks, in milliseconds, at least 1,000. @default {15000} */
  intervalMs?: number | undefined;
  /**
   * Whether to end once no order is open any more; orders that are named end the watch always.
   * @default {false}
   */
  untilDone?: boolean | undefined;
  /**
   * Whether to tell settlements that failed, as `settlement_failed`, where the deployment gives debug
   * reports. @default {false}
   */
  failedSettlements?: boolean | undefined;
  /**
   * Number of auctions in a row without a bid on an order after which to tell it, as `no_bids`, where
   * the deployment gives debug reports. @default {never}
   */
  noBidsAfter?: number | undefined;
  /** A node, for the balance of owners where nothing else shows it. @default {none} */
  node?: NodeSource | undefined;
  /** Called for what failed and is tried again, or is passed over. */
  onProblem?: ((error: OrderlensError) => void) | undefined;
  /** Called when a look fails, so that nothing is seen until one succeeds. */
  onBlind?: ((outage: WatchOutage) => void) | undefined;
  /** Called when a look succeeds after some that failed, with when the first of them did. */
  onSight?: ((blindSince: Temporal.Instant) => void) | undefined;
  /** Ends the watch without an error. */
  signal?: AbortSignal | undefined;
}

/** A time in which a watch sees nothing. */
export interface WatchOutage {
  /** Error of the failed poll. */
  readonly error: OrderlensError;
  /** Time at which the first failed poll began. */
  readonly since: Temporal.Instant;
  /** Time until the next look, in milliseconds. */
  readonly waitMs: number;
}

const ACTION = "Cannot watch orders";
const MIN_INTERVAL_MS = 1_000;
const DEFAULT_INTERVAL_MS = 15_000;
const MAX_WAIT_MS = 300_000;
const MAX_DOUBLINGS = 10;

const OPTIONS: OptionRules<WatchOptions> = {
  owner: String,
  uids: defineRule(
    "a list of UIDs",
    (uids) => typeof uids === "object" && uids !== null && Symbol.iterator in uids,
  ),
  state: defineRule(
    "a state that `save` got",
    (state) => typeof state === "object" && state !== null,
  ),
  save: Function,
  intervalMs: numberAtLeast(MIN_INTERVAL_MS),
  untilDone: Boolean,
  failedSettlements: Boolean,
  noBidsAfter: numberAtLeast(1),
  node: INSPECT_NOUN_OPTIONS.node,
  onProblem: Function,
  onBlind: Function,
  onSight: Function,
  signal: AbortSignal,
};

/**
 * Watches orders, and yields what happens to them: the six notifications of the interface and refunds,
 * each with what caused it, in order and once each, also through restarts of both sides.
 *
 * - `order_partially_filled`, `order_filled`: by the trades of an order, one for each fill.
 * - `price_improvement`: a fill gave more than the quote that is stored with its order.
 * - `order_expired`: the order expired without a fill so far; a pending settlement may still fill it.
 * - `order_cancelled`: the order was cancelled; a pending settlement may still fill it.
 * - `order_refunded`: the EthFlow contract returned what was not sold of an EthFlow order. A watch of
 *   orders waits for it for an hour after their end: the service does not refund every order.
 * - `insufficient_balance`: by the debug report where the deployment gives them, else by the account's
 *   notifications, else by a node.
 *
 * Two more are told where they are requested and the deployment gives debug reports:
 * `settlement_failed`, and `no_bids` after a number of auctions in a row.
 *
 * An order that has expired or was cancelled is watched until it can no longer be settled (see
 * `assessSettlement`).
 *
 * Looks at all orders at a time, every `intervalMs` of the book's clock: a look that fails for a
 * moment is dropped as a whole and made again, so that no event overtakes another. Orders that are
 * named are watched from their beginning; of an account, what has happened before the watch counts as
 * known. Events of one order come in the order in which they happened; of several orders by their
 * times, where the answers have them.
 *
 * An event that has been yielded counts as taken when the next one is requested. A watch that goes on
 * from a state yields again what had not been taken, with the same `id` and `sequence`.
 *
 * @param book The deployment or the sandbox.
 * @param options What to watch, and how.
 * @throws {InputError} If an option is invalid, the state is of another watch, or the service has none
 *   of the orders that are named.
 * @throws {OrderlensError} If a request fails permanently.
 *
 * @example An order that has been filled
 * ```ts
 * import { connect } from "orderlens";
 * import { watchOrders } from "orderlens/reports";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const recording = await replay("market_1");
 * const uids = recording.recorded.orderUids.slice(1, 2);
 * const events = await Array.fromAsync(watchOrders(connect(recording), { uids }));
 *
 * assertEquals(events[0]?.type, "order_filled");
 * assertEquals(events[0]?.cause.kind, "fill");
 * ```
 */
export async function* watchOrders(
  book: OrderBook,
  options: WatchOptions,
): AsyncGenerator<WatchEvent, void, undefined> {
  checkOptions(options, OPTIONS, ACTION);
  const selection = parseSelection(options);
  if (options.state !== undefined) requireSameWatch(options.state, book, selection);
  const { intervalMs = DEFAULT_INTERVAL_MS, save, node, onProblem, onBlind, onSight } = options;
  const signal = options.signal ?? new AbortController().signal;
  const hasEnd = options.untilDone === true || selection.owner === null;
  let state = options.state ?? createState(book, selection);
  let isNew = options.state === undefined;
  let failureCount = 0;
  let blindSince: Temporal.Instant | null = null;

  const readNextState = async () => {
    const discovered = await retryTransient(book, signal, () => findNewOrders(book, state, signal));
    const pollOptions = { node, signal, onProblem: onProblem ?? (() => {}) };
    return advanceState(discovered, await pollOrders(book, discovered, pollOptions), options);
  };

  /** Looks at all orders, and returns how long to wait until the next look. */
  const poll = async (): Promise<number> => {
    let next: WatchState;
    const startedAt = Temporal.Instant.fromEpochMilliseconds(Math.trunc(book.clock.now()));
    try {
      next = await readNextState();
    } catch (error) {
      // A server that was never reached has a wrong URL, or a permission is missing.
      const isUnreached = error instanceof UnansweredError && !error.mayHaveBeenReceived;
      const mayPass = isNew ? isTransient : isTransientOnceReached;
      if (signal.aborted || !mayPass(error) || isNew && isUnreached) throw error;
      onProblem?.(error);
      const backoffMs = intervalMs * 2 ** Math.min(failureCount++, MAX_DOUBLINGS);
      const waitMs = Math.max(intervalMs, Math.min(backoffMs, MAX_WAIT_MS));
      blindSince ??= startedAt;
      onBlind?.({ error, since: blindSince, waitMs });
      return waitMs;
    }
    if (blindSince !== null) onSight?.(blindSince);
    blindSince = null;
    const isChanged = isNew || JSON.stringify(next) !== JSON.stringify(state);
    [state, isNew, failureCount] = [next, false, 0];
    if (isChanged) await save?.(next);
    return intervalMs;
  };

  try {
    for (;;) {
      for (let [event] = state.pending; event !== undefined; [event] = state.pending) {
        if (signal.aborted) return;
        yield event;
        state = { ...state, pending: state.pending.slice(1) };
        await save?.(state);
      }
      if (signal.aborted) return;
      if (hasEnd && isDone(state)) break;
      const waitMs = await poll();
      const isOver = state.pending.length > 0 || hasEnd && isDone(state);
      if (!isOver) await book.clock.sleep(waitMs, signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    return;
  }
  requireFound(state);
}

/** Whether nothing can happen any more. */
function isDone({ owner, newestMs, orders }: WatchState): boolean {
  return (owner === null || newestMs > 0) && orders.every(({ isDone }) => isDone);
}

/** Rejects a watch of which the service never had an order. */
function requireFound({ owner, orders, sequence }: WatchState): void {
  const isMissing = orders.length > 0 && orders.every(({ misses }) => misses >= MAX_MISSES);
  if (owner !== null || sequence > 0 || !isMissing) return;
  throw new InputError(`${ACTION}: the service has none of them`, {
    facts: { first: orders[0]!.uid },
    remedy: formatSearch("UID"),
  });
}

function parseSelection({ owner, uids }: WatchOptions): WatchSelection {
  const keys = [...new Set(Array.from(uids ?? [], (uid) => String(uid).toLowerCase()))];
  if ((owner === undefined) === (uids === undefined) || uids !== undefined && keys.length === 0) {
    throw new InputError(`${ACTION}: exactly one of owner and uids is needed`, {
      remedy: "Pass the address of an account as owner, or at least one UID as uids",
    });
  }
  if (owner !== undefined) {
    return { owner: requireHex(owner, "an address").toLowerCase(), uids: [] };
  }
  return { owner: null, uids: keys.map((uid) => requireHex(uid, "an order UID")) };
}

/** Pages of an account are read back so far behind its newest known order: replicas lag behind. */
const LAG_MS = 600_000;
/** Orders of an account that are looked through for open ones at the beginning. */
const MAX_INITIAL_ORDERS = 10_000;
/** Orders of a page after that: few are new. */
const PAGE_SIZE = 100;

/**
 * The state with the orders that an account has placed since the last look. At the first one, those
 * that are over are left out, and what has happened to the others counts as known.
 */
async function findNewOrders(
  book: OrderBook,
  state: WatchState,
  signal: AbortSignal,
): Promise<WatchState> {
  if (state.owner === null) return state;
  const isFirst = state.newestMs === 0;
  const knownUids = new Set([...state.recent, ...state.orders.map(({ uid }) => uid)]);
  const [orders, recent]: [WatchedOrder[], [uid: string, createdMs: number][]] = [[], []];
  let { newestMs } = state;
  const paging = isFirst ? { limit: MAX_INITIAL_ORDERS } : { pageSize: PAGE_SIZE };
  for await (const order of book.accountOrders(state.owner, { ...paging, signal })) {
    const createdMs = order.creationDate.epochMilliseconds;
    if (!isFirst && createdMs < state.newestMs - LAG_MS) break;
    newestMs = Math.max(newestMs, createdMs);
    const uid = order.uid.toLowerCase();
    recent.push([uid, createdMs]);
    if (knownUids.has(uid)) continue;
    if (!isFirst) orders.push(createOrder(uid));
    else if (mayStillChange(order, book.clock.now())) {
      orders.push(await trackExisting(book, order, { startedMs: state.startedMs, signal }));
    }
  }
  return {
    ...state,
    newestMs: newestMs === 0 ? 1 : newestMs,
    recent: recent.filter(([, createdMs]) => createdMs >= newestMs - LAG_MS).map(([uid]) => uid),
    orders: [...state.orders, ...orders.reverse()],
  };
}

/** Whether anything can happen to an order that is not watched yet, as far as it shows by itself. */
function mayStillChange(order: Order, nowMs: number): boolean {
  return assessSettlement({ order, now: toInstant(nowMs) }).mayStillSettle === true;
}

/** An order whose past counts as known. */
async function trackExisting(
  book: OrderBook,
  order: Order,
  { startedMs, signal }: { readonly startedMs: number; readonly signal: AbortSignal },
): Promise<WatchedOrder> {
  const { uid, status, invalidated } = order;
  const isExpired = status === "expired";
  const trackedOrder = {
    ...createOrder(uid.toLowerCase(), startedMs),
    isExpired,
    isCancelled: invalidated,
  };
  if (order.executedBuyAmount === 0n) return trackedOrder;
  const trades = await fetchTrades(book, order.uid, { signal });
  const boughtAmount = sumBought(trades);
  return { ...trackedOrder, fills: trades.length, boughtAtoms: `${boughtAmount}` };
}

/** The service refunds an EthFlow order soon after its end, or never: it is looked at for so long. */
const REFUND_MS = 3_600_000;
/** An order counts as gone once the service did not have it so many times in a row. */
const MAX_MISSES = 5;

/** Returns the state after a poll, with new events as pending. */
function advanceState(
  state: WatchState,
  { snapshots, atMs: nowMs }: PollResult,
  { failedSettlements, noBidsAfter }: WatchOptions,
): WatchState {
  const eventOptions = { nowMs, failedSettlements, noBidsAfter };
  const perOrder = snapshots.map((snapshot) => {
    const complete = deferIfBehind(snapshot);
    const events = complete.order === null
      ? []
      : listOrderEvents(complete, complete.order, eventOptions);
    return { events, next: advanceOrder(complete, events, nowMs) };
  });
  const byUid = new Map(perOrder.map(({ next }) => [next.uid, next]));
  const now = toInstant(nowMs);
  const events = sortEvents(perOrder.map(({ events }) => events), now);
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
        at: at && formatInstant(at),
        seenAt: formatInstant(now),
      })),
    ],
  };
}

/** Defers an order whose trades are not indexed yet to the next poll. */
function deferIfBehind(snapshot: OrderSnapshot): OrderSnapshot {
  const { order, trades } = snapshot;
  const isBehind = order !== null && trades !== null && sumBought(trades) < order.executedBuyAmount;
  return isBehind ? { ...snapshot, order: null, isMissing: false } : snapshot;
}

function toInstant(epochMs: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(Math.trunc(epochMs));
}

function advanceOrder(
  { previous, order, isMissing, trades, report, funds }: OrderSnapshot,
  events: readonly NewEvent[],
  nowMs: number,
): WatchedOrder {
  if (order === null) {
    const misses = isMissing ? previous.misses + 1 : previous.misses;
    return { ...previous, misses, isDone: misses >= MAX_MISSES };
  }
  const has = (type: NewEvent["type"]) => events.some((event) => event.type === type);
  const isOver = isClosedStatus(order.status);
  const overSinceMs = isOver ? previous.overSinceMs ?? nowMs : null;
  const { mayStillSettle } = assessSettlement({
    order,
    events: report?.events,
    now: toInstant(nowMs),
    overSince: overSinceMs === null ? null : toInstant(overSinceMs),
  });
  const overMs = Math.min(overSinceMs ?? Infinity, effectiveValidTo(order) * 1_000);
  const isRefundDue = reportDeposit(order)?.state === "held" && nowMs - overMs < REFUND_MS;
  const findLatest = (type: NewEvent["type"], knownMs: number) =>
    events.reduce(
      (ms, event) => event.type === type ? Math.max(ms, event.at?.epochMilliseconds ?? nowMs) : ms,
      knownMs,
    );
  const silent = events.flatMap(({ cause }) => cause.kind === "auctions" ? cause.from : []);
  return {
    ...previous,
    fills: trades?.length ?? previous.fills,
    boughtAtoms: trades === null ? previous.boughtAtoms : `${sumBought(trades)}`,
    isCancelled: previous.isCancelled || has("order_cancelled"),
    isExpired: previous.isExpired || has("order_expired"),
    isRefunded: previous.isRefunded === true || has("order_refunded"),
    balanceUntilMs: findLatest("insufficient_balance", previous.balanceUntilMs),
    attemptsUntilMs: findLatest("settlement_failed", previous.attemptsUntilMs),
    noBidsFrom: silent[0] ?? previous.noBidsFrom,
    isLacking: funds === null ? report === null && previous.isLacking : isUnfunded(funds),
    overSinceMs,
    misses: 0,
    isDone: isOver && mayStillSettle !== true && !isRefundDue,
  };
}

/**
 * Events of several orders in one list: by their time and block where both are known, and those of
 * one order always in their own order.
 */
function sortEvents(
  perOrder: readonly (readonly NewEvent[])[],
  now: Temporal.Instant,
): NewEvent[] {
  const timedEvents = perOrder.flatMap((events) => {
    let [time, block, logIndex] = [0n, -1, -1];
    return events.map((event) => {
      const { cause } = event;
      const { epochNanoseconds } = event.at ?? now;
      if (epochNanoseconds > time) time = epochNanoseconds;
      if (cause.kind === "fill") [block, logIndex] = [cause.blockNumber, cause.logIndex];
      return { event, time, block, logIndex };
    });
  });
  return timedEvents.sort((a, b) =>
    a.time === b.time ? a.block - b.block || a.logIndex - b.logIndex : a.time < b.time ? -1 : 1
  ).map(({ event }) => event);
}
