import type { EventLabel, EventReason, OrderEvent } from "../../schemas/mod.ts";
import { nanosecondsBetween } from "../../units/mod.ts";

/** How long an order was in one state for one reason, over all its stays. */
export interface TimeInState {
  /** The state: the label of the event that began it. */
  readonly label: EventLabel;
  /** Why, for `filtered` and `invalid`; `null` otherwise. */
  readonly reason: EventReason | null;
  /** Number of stays. */
  readonly stays: number;
  /** Total duration, in nanoseconds. */
  readonly nanoseconds: bigint;
}

/**
 * How long an order spent in each state: from each event to the next one, and from the last one to
 * `until`.
 *
 * The service stores an event only when label or reason changes, so the order was in the state of
 * the first event until the second. Time after `until` does not count.
 *
 * @param events Events of one order, from a debug report, in any order.
 * @param until The end of the period.
 * @returns One entry per state and reason, in the order of first occurrence; empty without events.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/database/src/order_events.rs | events of the service}
 *
 * @example Two seconds without funds
 * ```ts
 * import { timeInStates } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const at = (second: number) => Temporal.Instant.from(`2026-08-21T10:00:0${second}Z`);
 * const times = timeInStates([
 *   { label: "created", timestamp: at(0) },
 *   { label: "invalid", timestamp: at(1), reason: "insufficient_balance" },
 *   { label: "ready", timestamp: at(3) },
 * ], at(9));
 *
 * assertEquals(times.map(({ label, nanoseconds }) => [label, nanoseconds]), [
 *   ["created", 1_000_000_000n],
 *   ["invalid", 2_000_000_000n],
 *   ["ready", 6_000_000_000n],
 * ]);
 * ```
 */
export function timeInStates(
  events: Iterable<OrderEvent>,
  until: Temporal.Instant,
): readonly TimeInState[] {
  const times = new Map<string, TimeInState>();
  const ordered = inTime(events).filter(({ timestamp }) =>
    nanosecondsBetween(timestamp, until) > 0n
  );
  for (const [index, { label, reason = null, timestamp }] of ordered.entries()) {
    const end = ordered[index + 1]?.timestamp ?? until;
    const spent = nanosecondsBetween(timestamp, end);
    const key = `${label} ${reason}`;
    const known = times.get(key);
    times.set(key, {
      label,
      reason,
      stays: known === undefined ? 1 : known.stays + 1,
      nanoseconds: spent + (known === undefined ? 0n : known.nanoseconds),
    });
  }
  return [...times.values()];
}

/** Events by time, oldest first; those of the same instant in the given order. */
export function inTime(events: Iterable<OrderEvent>): OrderEvent[] {
  return [...events].sort((a, b) => Temporal.Instant.compare(a.timestamp, b.timestamp));
}
