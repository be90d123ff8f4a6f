import { secondsOf } from "../texts/moment.ts";
import type { OrderTimelineEvent, OrderTimelineFill } from "./order_timeline_rows.ts";
import { isNumber } from "../rows/row_selection.ts";
import { secondsFrom } from "../rows/row_time.ts";

/** A fill at a moment. */
export interface TimedFill {
  /** The fill. */
  row: OrderTimelineFill;
  /** Seconds since 1970. */
  seconds: number;
  /** Whether that is when the service indexed it, a little after its block. */
  isIndexed: boolean;
}

/**
 * Fills whose time is known, in its order: their own, or else that of the event `traded`
 * by which the service says that it indexed them. Events do not name their fill, so they tell its time
 * only where there are as many of them as fills.
 */
export function timedFills(
  fills: readonly OrderTimelineFill[],
  events: readonly OrderTimelineEvent[],
): TimedFill[] {
  const indexed = events.filter(({ label }) => label === "traded")
    .flatMap(({ timestamp }) => secondsOf(timestamp) ?? []).toSorted((a, b) => a - b);
  const byBlock = fills.every(({ block_number: block }) => isNumber(block))
    ? fills.toSorted((a, b) => a.block_number - b.block_number)
    : fills;
  return byBlock.flatMap((row, at) => {
    const own = secondsFrom(row.filled_at_ms, row.timestamp);
    const seconds = own ?? (indexed.length === fills.length ? indexed[at] : undefined);
    const isIndexed = own === null || row.time_basis === "event";
    return seconds === undefined ? [] : [{ row, seconds, isIndexed }];
  }).toSorted((a, b) => a.seconds - b.seconds);
}
