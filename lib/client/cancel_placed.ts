import { InputError, ServiceError, UnconfirmedCancellationError } from "../errors/mod.ts";
import { checkOptions, type OptionRules, rule, SIGNAL } from "../errors/option_rules.ts";
import { type OrderSigner, parseOrderUid, signCancellations } from "../evm/mod.ts";
import { isClosedStatus, type Order, type OrderCancellations } from "../schemas/mod.ts";
import { isTransient } from "./is_transient.ts";
import type { OrderBook } from "./order_book.ts";
import { stageOf } from "./track_order.ts";

/** How long a cancellation is followed. */
export interface CancelOptions {
  /** Ends the requests and the wait; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * How long a settlement that is on its way is waited for, in milliseconds; 0 does not wait.
   *
   * @default {60000}
   */
  readonly waitMs?: number;
}

const OPTIONS: OptionRules<CancelOptions> = {
  signal: SIGNAL,
  waitMs: rule("milliseconds", (value) => typeof value === "number"),
};

/** What became of a cancellation. */
export interface CancelOutcome {
  /** `"settled"`: it was filled all the same; `"expired"`: it had ended before. */
  readonly outcome: "cancelled" | "settled" | "expired";
  /** The order afterwards; a cancelled one may have been filled in parts. */
  readonly order: Order;
  /**
   * Whether solvers may have had it in hand when it was cancelled, as they may once an auction had it,
   * and no fill came while waiting: one on its way may still come.
   */
  readonly mayStillSettle: boolean;
}

/** Refusals that say that there is nothing left to cancel. */
const OVER: readonly string[] = ["AlreadyCancelled", "OrderFullyExecuted", "OrderExpired"];
/**
 * The one stage in which solvers surely do not have the order in hand: no auction has had it yet. Of an
 * order that is being settled the next auction makes `open`, and any fill `traded` for good.
 */
const NOT_IN_HAND = "scheduled";
const LOOK_EVERY_MS = 2_000;

/**
 * Cancels an order off-chain and follows what becomes of it.
 *
 * @throws {InputError} If the signer has no key: contracts cancel on the chain.
 * @throws {ServiceError} If the service refuses it for another reason than that the order is over.
 * @throws {UnconfirmedCancellationError} If no usable answer came and the order is still open.
 */
export async function cancelPlaced(
  book: OrderBook,
  { signer, uid, signingScheme }: {
    signer: OrderSigner;
    uid: string;
    signingScheme: "eip712" | "ethsign";
  },
  options: CancelOptions = {},
): Promise<CancelOutcome> {
  checkOptions(options, OPTIONS, "Cannot cancel an order");
  const { waitMs = 60_000, signal = new AbortController().signal } = options;
  if (!(waitMs >= 0)) {
    throw new InputError(`Cannot follow a cancellation for waitMs ${waitMs}`, {
      remedy: "Pass milliseconds, 0 or more",
    });
  }
  const how = { signingScheme, from: parseOrderUid(uid).owner };
  const signed = await signCancellations(signer, book.domain, [uid], how);
  // A cancelled order no longer tells whether a solver has it in hand, so it is asked just before.
  const isInHand = await stageOf(book, uid, signal) !== NOT_IN_HAND;
  await cancelUnlessOver(book, signed, signal);
  return await follow(book, uid, { isInHand, untilMs: book.clock.now() + waitMs, signal });
}

async function cancelUnlessOver(
  book: OrderBook,
  signed: OrderCancellations,
  signal: AbortSignal,
): Promise<void> {
  try {
    await book.cancelOrders(signed, { signal });
  } catch (error) {
    const isOver = error instanceof UnconfirmedCancellationError
      ? signed.orderUids.every((uid) => isClosedStatus(error.statuses.get(uid) ?? ""))
      : error instanceof ServiceError && OVER.includes(error.errorType);
    if (!isOver) throw error;
  }
}

async function follow(
  book: OrderBook,
  uid: string,
  { isInHand, untilMs, signal }: { isInHand: boolean; untilMs: number; signal: AbortSignal },
): Promise<CancelOutcome> {
  let boughtAtFirst: bigint | undefined;
  while (true) {
    const isTimeUp = book.clock.now() >= untilMs;
    const order = await orderNow(book, uid, { signal, isTimeUp });
    if (order?.status === "fulfilled") return { outcome: "settled", order, mayStillSettle: false };
    if (order?.status === "expired") return { outcome: "expired", order, mayStillSettle: false };
    if (order !== null) {
      boughtAtFirst ??= order.executedBuyAmount;
      const mayStillSettle = isInHand && order.executedBuyAmount === boughtAtFirst;
      if (isTimeUp || (order.status === "cancelled" && !mayStillSettle)) {
        return { outcome: "cancelled", order, mayStillSettle };
      }
    }
    await book.clock.sleep(LOOK_EVERY_MS, signal);
  }
}

/** The order; `null` where it cannot be had now, and there is time to look again. */
async function orderNow(
  book: OrderBook,
  uid: string,
  { signal, isTimeUp }: { signal: AbortSignal; isTimeUp: boolean },
): Promise<Order | null> {
  try {
    return await book.order(uid, { signal });
  } catch (error) {
    if (isTimeUp || signal.aborted || !isTransient(error)) throw error;
    return null;
  }
}
