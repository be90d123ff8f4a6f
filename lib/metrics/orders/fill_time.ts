import { type DebugReport, effectiveValidTo, type Order, type Trade } from "../../schemas/mod.ts";
import {
  type BlockClock,
  bracketedTime,
  bracketOf,
  earlierOf,
  exactTime,
  type KnownTime,
  laterOf,
} from "./known_time.ts";
import { inTime } from "./time_in_states.ts";

/** What may be known about the time of a fill. */
export interface FillTimeOptions {
  /** Times of blocks, such as those that `auctionTimes` returns. */
  readonly times?: BlockClock | null | undefined;
  /** When the service indexed the fill, from a debug report. */
  readonly indexedAt?: Temporal.Instant | null | undefined;
  /** The order: no fill comes before its creation or after its expiry. */
  readonly order?: Pick<Order, "creationDate" | "validTo" | "ethflowData"> | null | undefined;
}

/**
 * When a fill happened: the timestamp of its block; if that is not known, the time at which the
 * service indexed it; otherwise an interval.
 *
 * @param fill The fill, with the number of its block.
 * @param options What is known.
 * @returns The time and its basis; `null` if nothing is known about it.
 *
 * @example The time of an event of a debug report
 * ```ts
 * import { fillTime } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const indexedAt = Temporal.Instant.from("2026-11-21T15:00:12.25Z");
 * const time = fillTime({ blockNumber: 23_000_000 }, { indexedAt });
 *
 * assertEquals([time?.basis, time?.at], ["event", indexedAt]);
 * assertEquals(fillTime({ blockNumber: 23_000_000 }), null);
 * ```
 */
export function fillTime(
  fill: Pick<Trade, "blockNumber">,
  options: FillTimeOptions = {},
): KnownTime | null {
  const { times, indexedAt, order } = options;
  const known = times?.block(fill.blockNumber) ?? null;
  if (known?.basis === "block") return known;
  if (indexedAt != null) return exactTime(indexedAt, "event");
  if (known?.bracket == null || order == null) return known;
  const { min, max } = known.bracket;
  const expiry = Temporal.Instant.fromEpochMilliseconds(effectiveValidTo(order) * 1_000);
  const narrowed = bracketOf(laterOf(min, order.creationDate), earlierOf(max, expiry));
  return narrowed === null ? known : bracketedTime(narrowed);
}

/**
 * When the service indexed each fill of an order, from its debug report.
 *
 * @param fills All fills of the order, in any order.
 * @returns One time per fill in the order of blocks; `null` where the report does not tell, as it
 * does not if a fill and its event cannot be matched.
 */
export function indexedTimes(
  fills: readonly unknown[],
  report: Pick<DebugReport, "events"> | null | undefined,
): readonly (Temporal.Instant | null)[] {
  const times = inTime(report?.events ?? []).filter(({ label }) => label === "traded");
  // Events that repeat a label are not stored, so the counts can differ.
  if (times.length !== fills.length) return fills.map(() => null);
  return times.map(({ timestamp }) => timestamp);
}
