import { type Ratio, ratio } from "../../units/mod.ts";
import { type Interval, wilsonInterval } from "./wilson_interval.ts";

/** How often something came out well, of how often it could. */
export interface Rate {
  /** How often it did. */
  readonly successes: number;
  /** How often it could. */
  readonly trials: number;
  /** `successes / trials`, exactly; `null` for no trials. */
  readonly share: Ratio | null;
  /** Where the true rate lies with 95%, by {@linkcode wilsonInterval}; `null` for no trials. */
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
