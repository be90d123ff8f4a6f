/** How the wait between attempts grows. */
export interface Backoff {
  /** Upper bound of the first wait, in milliseconds; it doubles with each further wait. */
  readonly baseMs: number;
  /** Largest upper bound, in milliseconds. */
  readonly capMs: number;
  /** Returns a number from 0 up to 1, like `Math.random`. */
  readonly random: () => number;
}

/**
 * How long to wait after the `attempt`-th failure, in milliseconds.
 *
 * `random · min(cap, base · 2^(attempt − 1))`: exponential backoff with full jitter, so that
 * clients that failed together do not retry together.
 *
 * @param attempt Number of the failed attempt, from 1.
 */
export function backoffMs(attempt: number, backoff: Backoff): number {
  return backoff.random() * Math.min(backoff.capMs, backoff.baseMs * 2 ** (attempt - 1));
}
