import { type Clock, systemClock } from "./clock.ts";

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

/** When requests went, or will go, to one host during the last minute and later. */
export class SentTimes {
  /** Ascending. */
  readonly #timesMs: number[] = [];

  /**
   * Takes the next place that leaves at most `perMinute` requests in any minute, and waits for it.
   * Callers with different limits see each other's requests.
   */
  async take(perMinute: number, clock: Clock, signal: AbortSignal = NEVER_ABORTED): Promise<void> {
    signal.throwIfAborted();
    const times = this.#timesMs;
    const nowMs = clock.now();
    const kept = times.findIndex((time) => time > nowMs - WINDOW_MS);
    times.splice(0, kept === -1 ? times.length : kept);
    const oldest = times[times.length - perMinute];
    const placeMs = oldest === undefined ? nowMs : Math.max(nowMs, oldest + WINDOW_MS);
    times.splice(times.findLastIndex((time) => time <= placeMs) + 1, 0, placeMs);
    if (placeMs === nowMs) return;
    try {
      await clock.sleep(placeMs - nowMs, signal);
    } catch (error) {
      times.splice(times.indexOf(placeMs), 1);
      throw error;
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
 * @example Two transports, one budget
 * ```ts
 * import { httpTransport, rateLimiter } from "orderlens";
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
  const sent = new SentTimes();
  return { take: (signal) => sent.take(perMinute, clock, signal) };
}

/** Options of {@linkcode rateLimiter}. */
export interface RateLimiterOptions {
  /** Where time comes from. @default {the machine's clock} */
  clock?: Clock;
}
