import type { DebugAuction, DebugReport, OrderEvent } from "../../schemas/mod.ts";
import { nanosecondsBetween, ratioToNumber } from "../../units/mod.ts";
import { flag, integer, number, text, time } from "../columns/columns.ts";
import type { Table } from "../columns/frame.ts";
import { type BuildTable, REPORT_KIND, tableOf } from "../columns/table_input.ts";

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
export const orderEventsTable: BuildTable<DebugReport> = tableOf({
  table: ORDER_EVENTS,
  records: REPORT_KIND,
  options: {},
  rows: (reports) =>
    reports.flatMap(({ orderUid, events }) =>
      events.map((event, at) => ({ orderUid, position: at + 1, event, next: events[at + 1] }))
    ),
});

/** What one row is computed from. */
export interface OrderAuctionFacts {
  /** UID of the order. */
  readonly orderUid: string;
  /** One auction that included it. */
  readonly auction: DebugAuction;
}

/** One row per auction of an order; see {@linkcode orderAuctionsTable}. */
export const ORDER_AUCTIONS: Table<OrderAuctionFacts> = {
  name: "order_auctions",
  grain: "One auction that included one order",
  columns: [
    text("order_uid", { source: "report.orderUid", cell: ({ orderUid }) => orderUid }),
    integer("auction_id", { source: "report.auctions[].id", cell: ({ auction }) => auction.id }),
    integer("block_number", {
      source: "report.auctions[].block: the block at which the auction started",
      cell: ({ auction }) => auction.block,
    }),
    integer("deadline_block", {
      source: "report.auctions[].deadline: the last block in which to settle",
      cell: ({ auction }) => auction.deadline,
    }),
    integer("bid_count", {
      unit: "solutions",
      source: "number of report.auctions[].proposedSolutions, which all execute the order",
      cell: ({ auction }) => auction.proposedSolutions.length,
    }),
    flag("is_won", {
      source: "whether one of them won",
      cell: ({ auction }) => auction.proposedSolutions.some(({ isWinner }) => isWinner),
    }),
    integer("policy_count", {
      unit: "policies",
      source: "number of report.auctions[].feePolicies; 0 if no solution with the order won",
      cell: ({ auction }) => auction.feePolicies.length,
    }),
    integer("execution_count", {
      unit: "executions",
      source: "number of report.auctions[].executions",
      cell: ({ auction }) => auction.executions.length,
    }),
  ],
};

/**
 * One row per auction of an order: reports in the order given, auctions by id.
 *
 * @param reports Decoded debug reports.
 * @param options None; any is rejected, since it would be ignored.
 * @returns A frame with the columns of {@linkcode ORDER_AUCTIONS}; no reports give no rows.
 * @throws {InputError} If a record is not decoded or is of another kind, or an option is passed.
 *
 * @example No reports
 * ```ts
 * import { orderAuctionsTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(orderAuctionsTable([]).height, 0);
 * ```
 */
export const orderAuctionsTable: BuildTable<DebugReport> = tableOf({
  table: ORDER_AUCTIONS,
  records: REPORT_KIND,
  options: {},
  rows: (reports) =>
    reports.flatMap(({ orderUid, auctions }) => auctions.map((auction) => ({ orderUid, auction }))),
});
