import { NotFoundError, UnavailableError } from "../errors/mod.ts";
import type { CompetitionStatusType, Order } from "../schemas/mod.ts";
import type { OrderBook } from "./order_book.ts";

/** How an order is watched. */
export interface TrackOptions {
  /** Ends the watch, quietly. */
  readonly signal?: AbortSignal;
  /** First wait after a change, in milliseconds; doubled while nothing changes. @default {2000} */
  readonly firstWaitMs?: number;
  /** Longest wait, in milliseconds. @default {30000} */
  readonly longestWaitMs?: number;
}

/** A state of an order that differs from the one before. */
export interface OrderChange {
  /** When it was seen, by the clock of the book. */
  readonly seenAt: Temporal.Instant;
  /** The order. */
  readonly order: Order;
  /** How far the latest auction got with it; `null` where the service does not tell. */
  readonly stage: CompetitionStatusType | null;
  /** What of it is executed, as a fraction of the amount it fixes: numerator and denominator in atoms. */
  readonly executed: { readonly atoms: bigint; readonly ofAtoms: bigint };
  /** Whether nothing is to be expected after it. */
  readonly isFinal: boolean;
}

const FINAL: readonly string[] = ["fulfilled", "cancelled", "expired"];
/** Looks at an order that is not there yet: a copy of the service's records may lag behind. */
const LOOKS_FOR_NEW = 5;

/**
 * Watches an order: its state now, then every change of status, of what is executed and of how far an
 * auction got with it.
 *
 * Ends after the fill, the expiry or the cancellation, or when the signal aborts. Waits twice as long
 * after every look that shows nothing new, never long past the expiry. A cancelled order can still be
 * filled by a settlement on its way, which `cancel` of a placed order waits for.
 *
 * @param book Where the order is.
 * @param uid UID of the order.
 * @throws {NotFoundError} If the service does not have the order after a few looks.
 * @example An order that is over
 * ```ts
 * import { connect, trackOrder } from "orderlens";
 * import { replay } from "orderlens/sandbox";
 * import { assertEquals } from "@std/assert";
 *
 * const tape = await replay("market_1");
 * const [, uid] = tape.recorded.orderUids;
 * const changes = await Array.fromAsync(trackOrder(connect(tape), uid!));
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
  const { clock } = book;
  const { firstWaitMs = 2_000, longestWaitMs = 30_000 } = options;
  const signal = options.signal ?? new AbortController().signal;
  let last: string | undefined;
  let looks = 0;
  let quiet = 0;
  try {
    while (!signal.aborted) {
      looks++;
      const change = await look(book, uid, { signal, mayBeMissing: looks < LOOKS_FOR_NEW });
      const state = change === null ? last : inShort(change);
      quiet = state === last ? quiet + 1 : 0;
      if (change !== null && state !== last) {
        last = state;
        yield change;
        if (change.isFinal) return;
      }
      const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(quiet, 30));
      const left = change === null
        ? wait
        : change.order.validTo * 1_000 - clock.now() + firstWaitMs;
      await clock.sleep(left > 0 ? Math.min(wait, left) : wait, signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function look(
  book: OrderBook,
  uid: string,
  { signal, mayBeMissing }: { signal: AbortSignal; mayBeMissing: boolean },
): Promise<OrderChange | null> {
  try {
    const order = await book.order(uid, { signal });
    const stage = await stageOf(book, uid, signal);
    const [atoms, ofAtoms] = order.kind === "sell"
      ? [order.executedSellAmountBeforeFees, order.sellAmount]
      : [order.executedBuyAmount, order.buyAmount];
    return {
      seenAt: Temporal.Instant.fromEpochMilliseconds(Math.trunc(book.clock.now())),
      order,
      stage,
      executed: { atoms, ofAtoms },
      isFinal: FINAL.includes(order.status),
    };
  } catch (error) {
    if (mayBeMissing && error instanceof NotFoundError) return null;
    throw error;
  }
}

/** How far the latest auction got with an order; `null` where the service does not tell. */
export async function stageOf(
  book: OrderBook,
  uid: string,
  signal: AbortSignal | undefined,
): Promise<CompetitionStatusType | null> {
  try {
    return (await book.orderStatus(uid, signal === undefined ? {} : { signal })).type;
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof UnavailableError) return null;
    throw error;
  }
}

function inShort({ order, stage }: OrderChange): string {
  return `${order.status} ${order.executedSellAmount} ${order.executedBuyAmount} ${stage}`;
}
