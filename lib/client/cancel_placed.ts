import { ServiceError, UnconfirmedCancellationError } from "../errors/mod.ts";
import { type OrderSigner, signCancellations } from "../evm/mod.ts";
import type { Order } from "../schemas/mod.ts";
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

/** What became of a cancellation. */
export interface CancelOutcome {
  /** `"settled"`: it was filled all the same; `"expired"`: it had ended before. */
  readonly outcome: "cancelled" | "settled" | "expired";
  /** The order afterwards; a cancelled one may have been filled in parts. */
  readonly order: Order;
  /**
   * Whether solvers had it in hand when it was cancelled and no fill came while waiting: one on its way
   * may still come.
   */
  readonly mayStillSettle: boolean;
}

/** Refusals that say that there is nothing left to cancel. */
const OVER: readonly string[] = ["AlreadyCancelled", "OrderFullyExecuted", "OrderExpired"];
/** Stages in which solvers have the order in hand. */
const IN_HAND: readonly (string | null)[] = ["active", "solved", "executing"];
const LOOK_EVERY_MS = 2_000;

/**
 * Cancels an order off-chain and follows what becomes of it.
 *
 * @throws {InputError} If the signer has no key: contracts cancel on the chain.
 * @throws {ServiceError} If the service refuses it for another reason than that the order is over.
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
  const { clock } = book;
  const { waitMs = 60_000 } = options;
  const signal = options.signal ?? new AbortController().signal;
  // A cancelled order no longer tells whether a solver has it in hand, so it is asked before.
  const isInHand = IN_HAND.includes(await stageOf(book, uid, signal));
  const signed = await signCancellations(signer, book.domain, [uid], { signingScheme });
  try {
    await book.cancelOrders(signed, { signal });
  } catch (error) {
    const isOver = error instanceof ServiceError && OVER.includes(error.errorType);
    const isDone = error instanceof UnconfirmedCancellationError &&
      error.statuses.get(uid) === "cancelled";
    if (!isOver && !isDone) throw error;
  }
  const until = clock.now() + waitMs;
  while (true) {
    const order = await book.order(uid, { signal });
    if (order.status === "fulfilled") return { outcome: "settled", order, mayStillSettle: false };
    if (order.status === "expired") return { outcome: "expired", order, mayStillSettle: false };
    if (!isInHand || clock.now() >= until) {
      return { outcome: "cancelled", order, mayStillSettle: isInHand };
    }
    await clock.sleep(LOOK_EVERY_MS, signal);
  }
}
