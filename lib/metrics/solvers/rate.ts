import { type Ratio, ratio } from "../../units/mod.ts";
import { type Interval, wilsonInterval } from "./wilson_interval.ts";

/** How often something succeeded, out of all trials. */
export interface Rate {
  /** Number of successes. */
  readonly successes: number;
  /** Number of trials. */
  readonly trials: number;
  /** `successes / trials`, exactly; `null` for no trials. */
  readonly share: Ratio | null;
  /** The 95% interval of the true rate, by {@linkcode wilsonInterval}; `null` for no trials. */
  readonly interval: Interval | null;
}

/**
 * A rate with its Wilson interval.
 *
 * @param successes A whole number from 0 to `trials`.
 * @param trials A whole number.
 * @throws {RangeError} If the counts are not such numbers.
 *
 * @example Three of four
 * ```ts
 * import { rate } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(rate(3, 4).share, { numerator: 3n, denominator: 4n });
 * assertEquals(rate(0, 0), { successes: 0, trials: 0, share: null, interval: null });
 * ```
 */
export function rate(successes: number, trials: number): Rate {
  const interval = wilsonInterval(successes, trials);
  return {
    successes,
    trials,
    share: trials === 0 ? null : ratio(BigInt(successes), BigInt(trials)),
    interval,
  };
}
