import { InputError } from "../../errors/mod.ts";
import { type Clock, systemClock } from "../requests/clock.ts";
import { orAborted } from "../requests/or_aborted.ts";

/** Admits requests one by one, up to a limit. */
export interface RateLimiter {
  /**
   * Resolves when the next request may be sent, in call order. If the signal aborts first, rejects
   * with its reason and leaves the queue.
   */
  take(signal?: AbortSignal): Promise<void>;
}

const WINDOW_MS = 60_000;
const NEVER_ABORTED = new AbortController().signal;

/** The requests to one host during the last minute, and the callers that wait for their turn. */
export class SlidingWindow {
  /** Ascending, in milliseconds. */
  #times: number[] = [];
  /**
   * Tail of each queue, by limit: a caller with a higher limit does not queue behind a lower one.
   */
  readonly #queueEnds = new Map<number, Promise<void>>();

  /**
   * Waits until another request keeps within `perMinute` in any minute, and counts it. Callers with
   * different limits share the count.
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
 * Creates a separate limiter, for transports that share a budget of their own.
 *
 * At most `perMinute` requests are sent in any minute, retries and redirects included; they may be
 * sent in a burst.
 *
 * @param perMinute Maximum number of requests per minute, at least 1.
 * @throws {InputError} If `perMinute` is less than 1.
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
    throw new InputError(`Cannot limit the rate to ${perMinute} requests per minute`, {
      remedy: "Pass a number of at least 1",
    });
  }
  const sent = new SlidingWindow();
  return { take: (signal) => sent.take(perMinute, clock, signal) };
}

/** Options of {@linkcode rateLimiter}. */
export interface RateLimiterOptions {
  /** Source of time. @default {the system clock} */
  clock?: Clock;
}
