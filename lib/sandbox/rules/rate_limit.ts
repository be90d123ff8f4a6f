/**
 * Rate limits; whatever is not named is unlimited. Requests of all clients are counted together,
 * including rejected ones, over the last minute of the sandbox's time; open orders are counted per
 * account.
 */
export interface SandboxLimits {
  /** Orders per minute. @default {no limit} */
  readonly ordersPerMinute?: number;
  /** Quotes per minute. @default {no limit} */
  readonly quotesPerMinute?: number;
  /** Open out-of-market orders per account. @default {no limit} */
  readonly openLimitOrders?: number;
}

const MINUTE_MS = 60_000;

/** Counts requests of the last minute. */
export class RateLimit {
  readonly #most: number;
  readonly #times: number[] = [];

  /** Takes so many in a minute. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Whether one more is taken now; if not, after how many seconds it would be. */
  take(nowMs: number): { isTaken: boolean; retryAfterSec: number } {
    while (this.#times.length > 0 && this.#times[0]! <= nowMs - MINUTE_MS) this.#times.shift();
    if (this.#times.length < this.#most) {
      this.#times.push(nowMs);
      return { isTaken: true, retryAfterSec: 0 };
    }
    const waitMs = this.#times[0] === undefined ? MINUTE_MS : this.#times[0] + MINUTE_MS - nowMs;
    return { isTaken: false, retryAfterSec: Math.ceil(waitMs / 1_000) };
  }
}
