import { classifyFailure } from "../errors/failure_kind.ts";
import { NotFoundError, OrderlensError, UnansweredError } from "../errors/mod.ts";
import {
  checkOptions,
  defineRule,
  type OptionRule,
  type OptionRules,
} from "../errors/option_rules.ts";
import {
  type CompetitionStatusType,
  effectiveValidTo,
  isClosedStatus,
  type Order,
} from "../schemas/mod.ts";
import { assessSettlement, type SettlementOutlook } from "../metrics/orders/settlement_outlook.ts";
import { isTransient, isTransientOnceReached } from "./connect_options.ts";
import type { OrderBook } from "./order_book.ts";

/** Options of {@linkcode trackOrder}. */
export interface TrackOptions {
  /** Ends the iteration without an error. */
  readonly signal?: AbortSignal;
  /** First wait after a change, in milliseconds; doubles while nothing changes. @default {2000} */
  readonly firstWaitMs?: number;
  /** Maximum wait, in milliseconds. @default {30000} */
  readonly longestWaitMs?: number;
}

const WAIT: OptionRule<number> = defineRule(
  "a number of milliseconds above 0",
  (value) => typeof value === "number" && value > 0,
);
const OPTIONS: OptionRules<TrackOptions> = {
  signal: AbortSignal,
  firstWaitMs: WAIT,
  longestWaitMs: WAIT,
};

/** A state of an order that differs from the previous one. */
export interface OrderChange {
  /** Time of the observation, by the clock of the book. */
  readonly seenAt: Temporal.Instant;
  /** The order. */
  readonly order: Order;
  /** Its stage in the latest auction; `null` if the service does not report it. */
  readonly stage: CompetitionStatusType | null;
  /** Executed fraction of its fixed amount; numerator and denominator in atoms. */
  readonly executed: { readonly atoms: bigint; readonly ofAtoms: bigint };
  /** Whether it may still be settled: an order that has expired or was cancelled may for a while. */
  readonly outlook: SettlementOutlook;
  /** Whether this is the last change. */
  readonly isFinal: boolean;
}

/**
 * Tracks an order: yields its current state, then every change of its status, its executed amounts
 * and its stage in an auction.
 *
 * Ends after the fill, or once an order that has expired or was cancelled can no longer be settled (see
 * {@linkcode assessSettlement}): a settlement from before its end may still fill it for two minutes,
 * unless no auction has had it. Until then such a change is not final, and the last one is the same
 * again with `isFinal`. Ends when the signal aborts, too. The wait doubles after every poll without a
 * change, but never extends far beyond the expiry. Failed polls, and polls that show less executed than
 * before, are ignored.
 *
 * @param book Order book of the order.
 * @param uid UID of the order.
 * @param options Waits and signal.
 * @throws {NotFoundError} If the service does not have the order after five polls.
 * @throws {OrderlensError} The last failure, if five consecutive polls fail or one fails permanently.
 * @throws {InputError} If a wait is not a number above 0.
 * @example An order that has ended
 * ```ts
 * import { connect, trackOrder } from "orderlens";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const recording = await replay("market_1");
 * const [, uid] = recording.recorded.orderUids;
 * const changes = await Array.fromAsync(trackOrder(connect(recording), uid!));
 *
 * assertEquals(changes.map(({ order }) => order.status), ["fulfilled"]);
 * assertEquals(changes[0]?.isFinal, true);
 * ```
 */
export async function* trackOrder(
  book: OrderBook,
  uid: string,
  options: TrackOptions = {},
): AsyncGenerator<OrderChange, void, undefined> {
  checkOptions(options, OPTIONS, "Cannot track an order");
  const { signal = new AbortController().signal } = options;
  let last: OrderChange | null = null;
  let end: ObservedEnd | null = null;
  let unchanged = -1;
  let failedCount = 0;
  try {
    while (!signal.aborted) {
      const polled = await poll(book, uid, { signal, last, end });
      failedCount = polled instanceof OrderlensError ? failedCount + 1 : 0;
      if (polled instanceof OrderlensError) {
        if (failedCount >= MAX_FAILED_POLLS) throw polled;
      } else {
        end = updateEnd(end, polled.order, polled.seenAt);
      }
      if (!(polled instanceof OrderlensError) && (last === null || isChange(polled, last))) {
        last = polled;
        unchanged = -1;
        yield polled;
        if (polled.isFinal) return;
      }
      unchanged++;
      await book.clock.sleep(
        calculateWaitMs(options, { unchanged, nowMs: book.clock.now(), last }),
        signal,
      );
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/**
 * Maximum number of consecutive failed polls: a replica of the service may lag behind, and failures
 * may be transient.
 */
const MAX_FAILED_POLLS = 5;

function calculateWaitMs(
  { firstWaitMs: firstMs = 2_000, longestWaitMs: longestMs = 30_000 }: TrackOptions,
  { unchanged, nowMs, last }: { unchanged: number; nowMs: number; last: OrderChange | null },
): number {
  const wait = Math.min(longestMs, firstMs * 2 ** unchanged);
  if (last === null) return wait;
  const { order, outlook: { until } } = last;
  const endMs = isClosedStatus(order.status) && until !== null
    ? until.epochMilliseconds
    : effectiveValidTo(order) * 1_000 + firstMs;
  const remainingMs = endMs - nowMs;
  return remainingMs > 0 ? Math.min(wait, remainingMs) : wait;
}

/** Polls the state, or returns the failure if a later poll may succeed. */
async function poll(
  book: OrderBook,
  uid: string,
  { signal, last, end }: {
    signal: AbortSignal;
    last: OrderChange | null;
    end: ObservedEnd | null;
  },
): Promise<OrderChange | OrderlensError> {
  try {
    const order = await book.order(uid, { signal });
    const stage = await fetchStage(book, uid, signal) ?? last?.stage ?? null;
    const [atoms, ofAtoms] = order.kind === "sell"
      ? [order.executedSellAmountBeforeFees, order.sellAmount]
      : [order.executedBuyAmount, order.buyAmount];
    const seenAt = Temporal.Instant.fromEpochMilliseconds(Math.trunc(book.clock.now()));
    const outlook = assessOrder(book, order, { stage, end: updateEnd(end, order, seenAt) });
    const isFinal = isClosedStatus(order.status) && outlook.mayStillSettle !== true;
    return { seenAt, order, stage, executed: { atoms, ofAtoms }, outlook, isFinal };
  } catch (error) {
    const isFirst = last === null;
    // A server that was never reached has a wrong URL, or a permission is missing.
    const isUnreached = error instanceof UnansweredError && !error.mayHaveBeenReceived;
    if (isFirst && error instanceof NotFoundError) return error;
    const mayPass = isFirst ? isTransient : isTransientOnceReached;
    if (mayPass(error) && !(isFirst && isUnreached)) return error;
    throw error;
  }
}

/** The first observation of an order's end. */
export interface ObservedEnd {
  /** Time of the observation. */
  readonly since: Temporal.Instant;
  /** Bought until then, in buy-token atoms. */
  readonly boughtAtoms: bigint;
}

/** Updates the first observation of an order's end; `null` while it is open. */
export function updateEnd(
  end: ObservedEnd | null,
  { status, executedBuyAmount }: Order,
  seenAt: Temporal.Instant,
): ObservedEnd | null {
  if (!isClosedStatus(status)) return null;
  return end ?? { since: seenAt, boughtAtoms: executedBuyAmount };
}

/** Assesses whether a polled order may still be settled, as of now. */
export function assessOrder(
  book: OrderBook,
  order: Order,
  { stage, end }: {
    readonly stage: CompetitionStatusType | "absent" | null;
    readonly end: ObservedEnd | null;
  },
): SettlementOutlook {
  return assessSettlement({
    order,
    stage,
    now: readClock(book),
    overSince: end?.since,
    isLastWinSettled: end !== null && order.executedBuyAmount > end.boughtAtoms,
  });
}

/** Reads the time of a book's responses: now; `null` of a recording, which has none. */
export function readClock({ baseUrl, clock }: OrderBook): Temporal.Instant | null {
  return /^https?:/i.test(baseUrl)
    ? Temporal.Instant.fromEpochMilliseconds(Math.trunc(clock.now()))
    : null;
}

/**
 * Fetches the stage of an order in the latest auction; `null` if the service does not report it, even if only
 * temporarily.
 */
export async function fetchStage(
  book: OrderBook,
  uid: string,
  signal: AbortSignal,
): Promise<CompetitionStatusType | null> {
  try {
    return (await book.orderStatus(uid, { signal })).type;
  } catch (error) {
    // The order itself is what is tracked.
    if (!signal.aborted && classifyFailure(error) !== null) return null;
    throw error;
  }
}

function isChange(polled: OrderChange, last: OrderChange): boolean {
  if (polled.executed.atoms < last.executed.atoms) return false;
  return formatFingerprint(polled) !== formatFingerprint(last);
}

/** Formats the parts of a state whose change is reported. */
function formatFingerprint({ order, stage, isFinal }: OrderChange): string {
  const { status, executedSellAmount, executedBuyAmount } = order;
  return `${status} ${executedSellAmount} ${executedBuyAmount} ${stage} ${isFinal}`;
}
