import { ServiceError, UnconfirmedCancellationError } from "../errors/mod.ts";
import { checkOptions, type OptionRules, rule, SIGNAL } from "../errors/option_rules.ts";
import { parseOrderUid } from "../evm/orders/order_uid.ts";
import type { OrderSigner } from "../evm/orders/request_signature.ts";
import { signCancellations } from "../evm/orders/sign_order.ts";
import type { QuoteStages } from "../metrics/mod.ts";
import {
  isClosedStatus,
  type Order,
  type OrderCancellations,
  type OrderCreation,
  type QuoteResponse,
} from "../schemas/mod.ts";
import { isTransient } from "./connect_options.ts";
import type { OrderBook } from "./order_book.ts";
import { type ExecutionOptions, type OrderExecution, orderExecution } from "./order_execution.ts";
import { type OrderChange, stageOf, type TrackOptions, trackOrder } from "./track_order.ts";

/** Parts of a {@linkcode PlacedOrder}. */
export interface PlacedOrderParts {
  /** Order book it was placed at. */
  readonly book: OrderBook;
  /** Account that placed it and may cancel it. */
  readonly account: OrderSigner;
  /** Its UID. */
  readonly uid: string;
  /** The order as sent. */
  readonly creation: OrderCreation;
  /** The quote it was placed with. */
  readonly answer: QuoteResponse;
  /** The quote by its stages. */
  readonly stages: QuoteStages;
}

/** A placed order, to track, verify and cancel. Created by {@linkcode placeOrder}. */
export class PlacedOrder {
  /** Its UID. */
  readonly uid: string;
  /** The order as sent: terms, signature and app data. */
  readonly creation: OrderCreation;
  /** The quote it was placed with. */
  readonly answer: QuoteResponse;
  /** The quote by its stages, with the amounts that were signed. */
  readonly stages: QuoteStages;
  readonly #book: OrderBook;
  readonly #account: OrderSigner;

  /** Binds a handle to an order; {@linkcode placeOrder} is the usual way. */
  constructor(parts: PlacedOrderParts) {
    const { book, account, uid, creation, answer, stages } = parts;
    this.uid = uid;
    this.creation = creation;
    this.answer = answer;
    this.stages = stages;
    this.#book = book;
    this.#account = account;
  }

  /**
   * Its current state, and every change until it is filled, expired or cancelled, or the signal
   * aborts; see {@linkcode trackOrder}.
   */
  track(options: TrackOptions = {}): AsyncGenerator<OrderChange, void, undefined> {
    return trackOrder(this.#book, this.uid, options);
  }

  /** Its execution, verified by its trades; see {@linkcode orderExecution}. */
  execution(options: Omit<ExecutionOptions, "answer"> = {}): Promise<OrderExecution> {
    return orderExecution(this.#book, this.uid, { ...options, answer: this.answer.quote });
  }

  /**
   * Cancels it off-chain, on a best-effort basis: if a solver may be settling it, waits to see
   * whether it is filled anyway.
   *
   * @returns The outcome; an order that was already over is not an error.
   * @throws {InputError} If the account has no key: contracts cancel on-chain.
   * @throws {ServiceError} If the service rejects it for any reason other than that the order is
   * already over.
   */
  async cancel(options: CancelOptions = {}): Promise<CancelOutcome> {
    checkOptions(options, OPTIONS, "Cannot cancel an order");
    const { waitMs = 60_000, signal = new AbortController().signal } = options;
    const book = this.#book;
    const signed = await signCancellations(this.#account, book.domain, [this.uid], {
      signingScheme: this.creation.signingScheme === "ethsign" ? "ethsign" : "eip712",
      from: parseOrderUid(this.uid).owner,
    });
    // The stage is requested first: that of a cancelled order does not show a pending settlement.
    const mayBeSettling = await stageOf(book, this.uid, signal) !== UNTOUCHED_STAGE;
    await cancelUnlessOver(book, signed, signal);
    const untilMs = book.clock.now() + waitMs;
    return await outcomeOf(book, this.uid, { mayBeSettling, untilMs, signal });
  }
}

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
  waitMs: rule(
    "a number of milliseconds, 0 or more",
    (value) => typeof value === "number" && value >= 0,
  ),
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
