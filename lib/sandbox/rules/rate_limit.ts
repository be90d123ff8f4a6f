/**
 * Rate limits; what is not named is unlimited. Rates count the requests of all clients over the last
 * minute of the sandbox's time, including invalid requests but not those answered with 429. Open
 * orders are counted per account.
 */
export interface SandboxLimits {
  /** Maximum number of requests per minute: a whole number from 0. @default {no limit} */
  readonly requestsPerMinute?: number;
  /** Maximum number of order requests per minute: a whole number from 0. @default {no limit} */
  readonly ordersPerMinute?: number;
  /** Maximum number of quote requests per minute: a whole number from 0. @default {no limit} */
  readonly quotesPerMinute?: number;
  /**
   * Maximum number of open out-of-market orders per account: a whole number from 0.
   *
   * @default {no limit}
   */
  readonly openLimitOrders?: number;
}

const MINUTE_MS = 60_000;

/** Counts the requests of the last minute. */
export class RateLimit {
  readonly #perMinute: number;
  readonly #times: number[] = [];

  /** Allows this number of requests per minute. */
  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** Counts a request if it is allowed now; if not, says after how many seconds it would be. */
  take(nowMs: number): { isAllowed: boolean; retryAfterSec: number } {
    while (this.#times.length > 0 && this.#times[0]! <= nowMs - MINUTE_MS) this.#times.shift();
    if (this.#times.length < this.#perMinute) {
      this.#times.push(nowMs);
      return { isAllowed: true, retryAfterSec: 0 };
    }
    const waitMs = this.#times[0] === undefined ? MINUTE_MS : this.#times[0] + MINUTE_MS - nowMs;
    return { isAllowed: false, retryAfterSec: Math.ceil(waitMs / 1_000) };
  }
}
