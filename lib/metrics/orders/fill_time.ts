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
import { inTime } from "./lifecycle_facts.ts";

/** What is known about the time of a fill. */
export interface FillTimeOptions {
  /** Times of blocks, such as those that `auctionTimes` returns. */
  readonly times?: BlockClock | null | undefined;
  /** When the service indexed the fill, from a debug report. */
  readonly indexedAt?: Temporal.Instant | null | undefined;
  /** The order: no fill happens before its creation or after its expiry. */
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

/** What the times of all fills of an order are determined from. */
interface FillTimesOptions extends Pick<FillTimeOptions, "times"> {
  /** The order. */
  readonly order: Pick<Order, "validTo" | "ethflowData">;
  /** When it was created. */
  readonly createdAt: Temporal.Instant;
  /** Its debug report. */
  readonly debugReport: Pick<DebugReport, "events"> | null;
}

/** The times of all fills of an order, in the order of blocks. */
export function fillTimes(
  fills: readonly Pick<Trade, "blockNumber">[],
  { order, createdAt, debugReport, times }: FillTimesOptions,
): { first: KnownTime | null; last: KnownTime | null; areKnown: boolean; events: number } {
  const indexed = indexedTimes(fills, debugReport);
  const known = fills.map((fill, index) =>
    fillTime(fill, {
      times,
      indexedAt: indexed[index],
      order: { ...order, creationDate: createdAt },
    })
  );
  const events = tradedTimes(debugReport);
  return {
    first: orEvent(known[0], events[0]),
    last: orEvent(known.at(-1), events.at(-1)),
    areKnown: known.every((time) => time !== null),
    events: events.length,
  };
}

/** An event is closer than a bracket, even if it cannot be matched with a fill. */
function orEvent(
  time: KnownTime | null | undefined,
  event: Temporal.Instant | undefined,
): KnownTime | null {
  if (event === undefined || time?.basis === "block") return time ?? null;
  return time?.basis === "event" ? time : exactTime(event, "event");
}

function tradedTimes(report: Pick<DebugReport, "events"> | null | undefined): Temporal.Instant[] {
  return inTime(report?.events ?? []).filter(({ label }) => label === "traded")
    .map(({ timestamp }) => timestamp);
}

/**
 * When the service indexed each fill of an order, from its debug report.
 *
 * @param fills All fills of the order, in any order.
 * @returns One time per fill in the order of blocks; `null` if a fill and its event cannot be
 * matched.
 */
export function indexedTimes(
  fills: readonly unknown[],
  report: Pick<DebugReport, "events"> | null | undefined,
): readonly (Temporal.Instant | null)[] {
  const times = tradedTimes(report);
  // Events that repeat a label are not stored, so the counts can differ.
  return times.length === fills.length ? times : fills.map(() => null);
}
