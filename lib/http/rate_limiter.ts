import { InputError } from "../errors/mod.ts";
import { type Clock, systemClock } from "./clock.ts";
import { orAborted } from "./or_aborted.ts";

/** Lets requests pass one by one, as many as are allowed. */
export interface RateLimiter {
  /**
   * Resolves when the next request may be sent, in the order asked. Rejects with the signal's reason
   * when it aborts first, giving the place in the queue back.
   */
  take(signal?: AbortSignal): Promise<void>;
}

const WINDOW_MS = 60_000;
const NEVER_ABORTED = new AbortController().signal;

/** When requests went to one host during the last minute, and who waits for their turn. */
export class SlidingWindow {
  /** Ascending, in milliseconds. */
  #times: number[] = [];
  /** Ends when nobody waits any more, by limit: a caller with a wider one need not queue for it. */
  readonly #queueEnds = new Map<number, Promise<void>>();

  /**
   * Waits until a request leaves at most `perMinute` in any minute, and counts it. Callers with
   * different limits see each other's requests.
   */
  async take(perMinute: number, clock: Clock, signal: AbortSignal = NEVER_ABORTED): Promise<void> {
    signal.throwIfAborted();
    const before = this.#queueEnds.get(perMinute) ?? Promise.resolve();
    const turn = Promise.withResolvers<void>();
    this.#queueEnds.set(perMinute, turn.promise);
    try {
      await orAborted(before, signal);
      await this.#go(perMinute, clock, signal);
    } finally {
      before.then(turn.resolve);
    }
  }

  async #go(perMinute: number, clock: Clock, signal: AbortSignal): Promise<void> {
    while (true) {
      const nowMs = clock.now();
      this.#times = this.#times.filter((time) => time > nowMs - WINDOW_MS);
      const oldest = this.#times.at(-perMinute);
      if (oldest === undefined) {
        this.#times.push(nowMs);
        return;
      }
      await clock.sleep(oldest + WINDOW_MS - nowMs, signal);
    }
  }
}

/**
 * Makes a limiter of its own, for transports that share a budget nobody else draws from.
 *
 * Any minute holds at most `perMinute` requests, retries and redirects included; they may come in a
 * burst.
 *
 * @param perMinute At least 1.
 * @throws {InputError} If it is less.
 * @example Two transports, one budget
 * ```ts
 * import { httpTransport, rateLimiter } from "orderlens/http";
 * import { assertEquals } from "@std/assert";
 *
 * const limiter = rateLimiter(300);
 * const mainnet = httpTransport("https://example.org/mainnet", { rateLimit: limiter });
 * const gnosis = httpTransport("https://example.org/xdai", { rateLimit: limiter });
 *
 * assertEquals(mainnet.rootUrl, gnosis.rootUrl);
 * ```
 */
export function rateLimiter(perMinute: number, options: RateLimiterOptions = {}): RateLimiter {
  const { clock = systemClock } = options;
  if (!(perMinute >= 1)) {
    throw new InputError(`Cannot let ${perMinute} requests a minute pass`, {
      remedy: "Pass a number of at least 1",
    });
  }
  const sent = new SlidingWindow();
  return { take: (signal) => sent.take(perMinute, clock, signal) };
}

/** Options of {@linkcode rateLimiter}. */
export interface RateLimiterOptions {
  /** Where time comes from. @default {the machine's clock} */
  clock?: Clock;
}
