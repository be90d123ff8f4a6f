import { systemClock } from "../../http/mod.ts";
import { postSigned } from "../../http/sending/post_signed.ts";
import type { WatchEvent } from "../../reports/watch/watch_event.ts";
import type { WatchStore } from "./watch_store.ts";

/** Where events are delivered, and how patiently. */
export interface Delivery {
  /** The webhook. */
  readonly url: string;
  /** Secret that messages are signed with. */
  readonly secret: string;
  /** Called for each attempt that failed. */
  readonly onFailure: (status: number | null, waitMs: number) => void;
  /** First wait after a failure, in milliseconds; it doubles. @default {1000} */
  readonly firstWaitMs?: number;
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 300_000;

/**
 * Delivers the events of a store one after the other, each until the receiver answers with a status of
 * 200 to 299. That is kept before the next one is sent: after a restart, the only event that may be sent
 * a second time is one whose answer came while the process ended, with the same key.
 */
export class EventDelivery {
  readonly #store: WatchStore;
  readonly #delivery: Delivery;
  #wake = Promise.withResolvers<void>();
  #isClosed = false;

  /** Delivers from a store. */
  constructor(store: WatchStore, delivery: Delivery) {
    this.#store = store;
    this.#delivery = delivery;
  }

  /** Says that the store may have new events. */
  wake(): void {
    this.#wake.resolve();
  }

  /** Says that no more events come: `run` ends once all are delivered. */
  close(): void {
    this.#isClosed = true;
    this.wake();
  }

  /** Delivers until it is closed and all is delivered, or until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = () => this.wake();
    signal.addEventListener("abort", stop, { once: true });
    try {
      while (!signal.aborted) {
        const event = this.#store.next;
        if (event !== undefined) {
          await this.#deliver(event, signal);
          await this.#store.delivered();
        } else if (this.#isClosed) return;
        else {
          await this.#wake.promise;
          this.#wake = Promise.withResolvers();
        }
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  async #deliver(event: WatchEvent, signal: AbortSignal): Promise<void> {
    const { url, secret, onFailure, firstWaitMs = FIRST_WAIT_MS } = this.#delivery;
    const body = JSON.stringify(event);
    for (let failed = 0;; failed++) {
      const message = { url, body, key: event.id, secret, nowMs: Date.now() };
      const { status, waitMs: asked } = await postSigned(message, signal);
      if (status !== null && status >= 200 && status < 300) return;
      const backoffMs = firstWaitMs * 2 ** Math.min(failed, 20);
      const waitMs = Math.min(Math.max(backoffMs, asked ?? 0), LONGEST_WAIT_MS);
      onFailure(status, waitMs);
      await systemClock.sleep(waitMs, signal);
    }
  }
}
