import type { DebugReport, OrderEvent } from "../../schemas/mod.ts";
import { nanosecondsBetween, ratioToNumber } from "../../units/mod.ts";
import { integer, number, text, time } from "../columns/columns.ts";
import { buildFrame, type Frame, type Table } from "../columns/frame.ts";
import { readRecords, REPORT_KIND, type TableInput } from "../columns/table_input.ts";

const NANOSECONDS_IN_SECOND = 1_000_000_000n;

/** What one row is computed from. */
export interface OrderEventFacts {
  /** UID of the order. */
  readonly orderUid: string;
  /** Position among the order's events, from 1. */
  readonly position: number;
  /** The event. */
  readonly event: OrderEvent;
  /** The next event. */
  readonly next: OrderEvent | undefined;
}

/** One row per event; see {@linkcode orderEventsTable}. */
export const ORDER_EVENTS: Table<OrderEventFacts> = {
  name: "order_events",
  grain: "One change in the life of one order; the service keeps them for 30 days",
  columns: [
    text("order_uid", { source: "report.orderUid", cell: ({ orderUid }) => orderUid }),
    integer("position", {
      source: "position in report.events, from 1",
      cell: ({ position }) => position,
    }),
    text("label", { source: "event.label", cell: ({ event }) => event.label }),
    text("reason", {
      source: "event.reason, for filtered and invalid",
      cell: ({ event }) => event.reason ?? null,
    }),
    ...time<OrderEventFacts>("timestamp", {
      source: "event.timestamp: when it was stored; for traded, when it was indexed",
      at: ({ event }) => event.timestamp,
    }),
    number("seconds_to_next", {
      unit: "seconds",
      source: "time in the state that the event started; null for the last event",
      cell: ({ event, next }) =>
        next === undefined ? null : secondsBetween(event.timestamp, next.timestamp),
    }),
  ],
};

/** Seconds from one time to another, for axes. */
export function secondsBetween(from: Temporal.Instant, to: Temporal.Instant): number {
  return secondsOf(nanosecondsBetween(from, to));
}

/** Seconds, for axes. */
export function secondsOf(nanoseconds: bigint): number {
  return ratioToNumber({ numerator: nanoseconds, denominator: NANOSECONDS_IN_SECOND });
}

const INPUT: TableInput<DebugReport, Readonly<Record<string, never>>> = {
  table: "orderEventsTable",
  records: REPORT_KIND,
  options: {},
};

/**
 * One row per event: reports in the order given, events oldest first.
 *
 * @param reports Decoded debug reports.
 * @param options None; any is rejected, since it would be ignored.
 * @returns A frame with the columns of {@linkcode ORDER_EVENTS}; no reports give no rows.
 * @throws {InputError} If a record is not decoded or is of another kind, or an option is passed.
 *
 * @example Nothing happened yet
 * ```ts
 * import { orderEventsTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const frame = orderEventsTable([]);
 * assertEquals([frame.height, frame.columns.includes("seconds_to_next")], [0, true]);
 * ```
 */
export function orderEventsTable(
  reports: Iterable<DebugReport>,
  options: Readonly<Record<string, never>> = {},
): Frame {
  const rows: OrderEventFacts[] = [];
  for (const { orderUid, events } of readRecords(reports, options, INPUT)) {
    for (const [index, event] of events.entries()) {
      rows.push({ orderUid, position: index + 1, event, next: events[index + 1] });
    }
  }
  return buildFrame(ORDER_EVENTS, rows);
}
