import type { OrderSigner } from "../evm/mod.ts";
import type { QuoteStages } from "../metrics/mod.ts";
import type { OrderCreation, QuoteResponse } from "../schemas/mod.ts";
import { type CancelOptions, type CancelOutcome, cancelPlaced } from "./cancel_placed.ts";
import type { OrderBook } from "./order_book.ts";
import { type ExecutionOptions, type OrderExecution, orderExecution } from "./order_execution.ts";
import { type OrderChange, type TrackOptions, trackOrder } from "./track_order.ts";

/** What a {@linkcode PlacedOrder} is made of. */
export interface PlacedOrderParts {
  /** Where it was placed. */
  readonly book: OrderBook;
  /** Who placed it, and may cancel it. */
  readonly account: OrderSigner;
  /** Its UID. */
  readonly uid: string;
  /** What was sent. */
  readonly creation: OrderCreation;
  /** The quote that it was placed with. */
  readonly answer: QuoteResponse;
  /** The quote by its stages. */
  readonly stages: QuoteStages;
}

/** An order that was placed: to be watched, verified and cancelled. Made by {@linkcode placeOrder}. */
export class PlacedOrder {
  /** Its UID. */
  readonly uid: string;
  /** What was sent: terms, signature and app data. */
  readonly creation: OrderCreation;
  /** The quote that it was placed with. */
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
   * Its state, and every change until it is filled, expired or cancelled, or the signal aborts; see
   * {@linkcode trackOrder}.
   */
  track(options: TrackOptions = {}): AsyncGenerator<OrderChange, void, undefined> {
    return trackOrder(this.#book, this.uid, options);
  }

  /** What became of it, verified by its trades; see {@linkcode orderExecution}. */
  execution(options: Omit<ExecutionOptions, "answer"> = {}): Promise<OrderExecution> {
    return orderExecution(this.#book, this.uid, { ...options, answer: this.answer.quote });
  }

  /**
   * Cancels it off-chain, as well as that can be done: where solvers may have it in hand, waits to see
   * whether it settles all the same.
   *
   * @returns What became of it; one that was over already is no error.
   * @throws {InputError} If the account has no key: contracts cancel on the chain.
   * @throws {ServiceError} If the service refuses it for another reason than that it is over.
   */
  cancel(options: CancelOptions = {}): Promise<CancelOutcome> {
    const signingScheme = this.creation.signingScheme === "ethsign" ? "ethsign" : "eip712";
    return cancelPlaced(this.#book, {
      signer: this.#account,
      uid: this.uid,
      signingScheme,
    }, options);
  }
}
