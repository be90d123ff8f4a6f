import type { OptionRules } from "../../errors/option_rules.ts";
import { STATUS_OPTIONS, type StatusOptions } from "./calculate_status.ts";
import { type BlockClock, timesRule } from "./known_time.ts";

/** The time of the answers, and the times of fills. */
export interface LifecycleTerms extends StatusOptions {
  /**
   * Times of blocks, such as those that `auctionTimes` returns: they date fills without a debug
   * report, and more exactly than its events.
   */
  readonly times?: BlockClock;
}

/** Allowed values of the {@linkcode LifecycleTerms}. */
export const LIFECYCLE_TERMS: OptionRules<LifecycleTerms> = {
  ...STATUS_OPTIONS,
  times: timesRule<BlockClock>(["block"]),
};
