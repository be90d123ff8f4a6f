import type { OrderSigner } from "../evm/signing/order_signer.ts";
import type { QuoteStages } from "../metrics/mod.ts";
import type { OrderCreation, QuoteResponse } from "../schemas/mod.ts";
import { type CancelOptions, type CancelOutcome, cancelPlaced } from "./cancel_placed.ts";
import type { OrderBook } from "./order_book.ts";
import { type ExecutionOptions, type OrderExecution, orderExecution } from "./order_execution.ts";
import { type OrderChange, type TrackOptions, trackOrder } from "./track_order.ts";

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
  cancel(options: CancelOptions = {}): Promise<CancelOutcome> {
    const signingScheme = this.creation.signingScheme === "ethsign" ? "ethsign" : "eip712";
    return cancelPlaced(this.#book, {
      signer: this.#account,
      uid: this.uid,
      signingScheme,
    }, options);
  }
}
