/** How waits between attempts grow. */
export interface Backoff {
  /** Upper end of the first wait, in milliseconds; each further one is twice as long. */
  readonly baseMs: number;
  /** Longest upper end, in milliseconds. */
  readonly capMs: number;
  /** Gives a number from 0 up to 1, as `Math.random` does. */
  readonly random: () => number;
}

/**
 * How long to wait after the `attempt`-th failure, in milliseconds.
 *
 * `random · min(cap, base · 2^(attempt − 1))`: exponential with full jitter, so that clients which
 * failed together do not come back together.
 *
 * @param attempt Which attempt failed, from 1.
 */
export function backoffMs(attempt: number, backoff: Backoff): number {
  return backoff.random() * Math.min(backoff.capMs, backoff.baseMs * 2 ** (attempt - 1));
}
