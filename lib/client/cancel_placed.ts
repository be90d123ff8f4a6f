import { InputError, ServiceError, UnconfirmedCancellationError } from "../errors/mod.ts";
import { checkOptions, type OptionRules, rule, SIGNAL } from "../errors/option_rules.ts";
import { parseOrderUid } from "../evm/orders/order_uid.ts";
import type { OrderSigner } from "../evm/signing/order_signer.ts";
import { signCancellations } from "../evm/signing/sign_cancellations.ts";
import { isClosedStatus, type Order, type OrderCancellations } from "../schemas/mod.ts";
import { isTransient } from "./is_transient.ts";
import type { OrderBook } from "./order_book.ts";
import { stageOf } from "./track_order.ts";

/** Options of a cancellation. */
export interface CancelOptions {
  /** Aborts the requests and the wait; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * How long to wait for a pending settlement, in milliseconds; 0 does not wait.
   *
   * @default {60000}
   */
  readonly waitMs?: number;
}

const OPTIONS: OptionRules<CancelOptions> = {
  signal: SIGNAL,
  waitMs: rule("milliseconds", (value) => typeof value === "number"),
};

/** Outcome of a cancellation. */
export interface CancelOutcome {
  /**
   * `"settled"`: the order was filled despite the cancellation; `"expired"`: it had already
   * expired.
   */
  readonly outcome: "cancelled" | "settled" | "expired";
  /** The order afterwards; a cancelled order may be partially filled. */
  readonly order: Order;
  /**
   * Whether the order may still be filled: it had been in an auction when it was cancelled, and no
   * fill was seen while waiting, so a settlement may be pending.
   */
  readonly mayStillSettle: boolean;
}

/** Error types that mean that nothing is left to cancel. */
const OVER: readonly string[] = ["AlreadyCancelled", "OrderFullyExecuted", "OrderExpired"];
/**
 * The only stage in which no solver can be settling the order: no auction has included it yet. While
 * an order is being settled, the next auction sets the stage to `open`; a fill sets it to `traded`
 * permanently.
 */
const UNTOUCHED_STAGE = "scheduled";
const POLL_MS = 2_000;

/**
 * Cancels an order off-chain and determines the outcome.
 *
 * @throws {InputError} If the signer has no key: contracts cancel on-chain.
 * @throws {ServiceError} If the service rejects it for any reason other than that the order is
 * already over.
 * @throws {UnconfirmedCancellationError} If there is no usable answer and the order is still open.
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
    throw new InputError(`Cannot cancel an order with waitMs ${waitMs}`, {
      remedy: "Pass a number of milliseconds, 0 or more",
    });
  }
  const signing = { signingScheme, from: parseOrderUid(uid).owner };
  const signed = await signCancellations(signer, book.domain, [uid], signing);
  // The stage is requested first: that of a cancelled order does not show a pending settlement.
  const mayBeSettling = await stageOf(book, uid, signal) !== UNTOUCHED_STAGE;
  await cancelUnlessOver(book, signed, signal);
  return await outcomeOf(book, uid, { mayBeSettling, untilMs: book.clock.now() + waitMs, signal });
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

/** Polls the order until its outcome is known or the time is up. */
async function outcomeOf(
  book: OrderBook,
  uid: string,
  { mayBeSettling, untilMs, signal }: {
    mayBeSettling: boolean;
    untilMs: number;
    signal: AbortSignal;
  },
): Promise<CancelOutcome> {
  let initiallyBought: bigint | undefined;
  while (true) {
    const isTimeUp = book.clock.now() >= untilMs;
    const order = await pollOrder(book, uid, { signal, isTimeUp });
    if (order?.status === "fulfilled") return { outcome: "settled", order, mayStillSettle: false };
    if (order?.status === "expired") return { outcome: "expired", order, mayStillSettle: false };
    if (order !== null) {
      initiallyBought ??= order.executedBuyAmount;
      const mayStillSettle = mayBeSettling && order.executedBuyAmount === initiallyBought;
      if (isTimeUp || (order.status === "cancelled" && !mayStillSettle)) {
        return { outcome: "cancelled", order, mayStillSettle };
      }
    }
    await book.clock.sleep(POLL_MS, signal);
  }
}

/** The order; `null` if it cannot be read now and there is time to retry. */
async function pollOrder(
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
