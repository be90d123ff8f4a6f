/**
 * How much is taken; what is not named is not limited. Requests are counted from everybody together,
 * refused ones too, over the last minute of the sandbox's time; open orders account by account.
 */
export interface SandboxLimits {
  /** Orders in a minute. @default {any number} */
  readonly ordersPerMinute?: number;
  /** Quotes in a minute. @default {any number} */
  readonly quotesPerMinute?: number;
  /** Open orders out of the market that an account may have. @default {any number} */
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
