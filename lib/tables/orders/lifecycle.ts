import { type LifecycleGap, type OrderLifecycle, orderLifecycle } from "../../metrics/mod.ts";
import type { Competition, Order } from "../../schemas/mod.ts";
import { HexMap, nanosecondsBetween } from "../../units/mod.ts";
import {
  flag,
  integer,
  number,
  secondsBetween,
  text,
  time,
  timeBasis,
  timeInInterval,
  toSeconds,
} from "../columns/columns.ts";
import { marketPositionColumn, pairColumn } from "../columns/order_columns.ts";
import { defineTable, type Table, TO_ORDER } from "../columns/table.ts";
import type { ReadRecords } from "../columns/records.ts";

/** The inputs of one row. */
interface LifecycleFacts {
  /** The order. */
  readonly order: Order;
  /** Its life. */
  readonly life: OrderLifecycle;
  /** The time of the responses. */
  readonly now: Temporal.Instant;
  /**
   * Number of auctions and bids, where these are counted apart from its life.
   * @default {those of its life}
   */
  readonly counts?: { readonly auctions: number; readonly bids: number };
}

function toSecondsOrNull(nanoseconds: bigint | null): number | null {
  return nanoseconds === null ? null : toSeconds(nanoseconds);
}

/** Measures from creation to the end of the order's life, or to now; `null` if the end is unknown. */
function measureObservedSeconds({ life, now }: LifecycleFacts): number | null {
  switch (life.status.reported) {
    case "fulfilled":
      return toSecondsOrNull(life.toLastFillNs);
    case "cancelled": {
      const cancelled = life.events?.findLast(({ label }) => label === "cancelled");
      return cancelled === undefined ? null : secondsBetween(life.createdAt, cancelled.timestamp);
    }
    case "expired":
      return secondsBetween(life.createdAt, life.expiresAt);
    default: {
      const isOver = nanosecondsBetween(life.expiresAt, now) > 0n;
      return secondsBetween(life.createdAt, isOver ? life.expiresAt : now);
    }
  }
}

/** Whether the evidence does not cover something. */
function hasGap({ unknown }: OrderLifecycle, topic: LifecycleGap["what"]): boolean {
  return unknown.some((gap) => gap.what === topic);
}

/** Counts the auctions and bids of an order; `null` without auctions. */
function countAuctions(
  { life, counts }: LifecycleFacts,
): NonNullable<LifecycleFacts["counts"]> | null {
  if (counts !== undefined) return counts;
  // Fills name auctions too, but no bids.
  return hasGap(life, "bids") ? null : { auctions: life.auctions.length, bids: life.bidCount };
}

/**
 * One row per order: how long it took, what it went through, and how it ended.
 *
 * With a debug report, everything is known. Public responses alone contain no times of states; the
 * option `times` adds the times of fills. `gaps` says what is missing. `observed_seconds` of an
 * open order ends at `now`: in statistics of waiting times it is censored, not missing.
 *
 * @example No orders
 * ```ts
 * import { buildTable, LIFECYCLE } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const now = Temporal.Instant.from("2026-11-21T15:30:00Z");
 * assertEquals(buildTable(LIFECYCLE, { evidence: [], now }).height, 0);
 * ```
 */
export const LIFECYCLE: Table<"evidence" | "now"> = defineTable<LifecycleFacts, "evidence" | "now">(
  {
    name: "lifecycle",
    grain: "One order, from its creation to its end or to the time of the responses",
    kind: "derived",
    of: ["evidence", "now"],
    key: ["order_uid"],
    needs: ["orders", "trades", "reports", "times"],
    references: [TO_ORDER],
    isOfUnbid: true,
    columns: [
      text("order_uid", { source: "order.uid", cell: ({ order }) => order.uid }),
      text("status", {
        source: "order.status, as reported",
        cell: ({ life }) => life.status.reported,
      }),
      flag("status_agrees", {
        source: "whether the rules of the service give the reported status",
        cell: ({ life }) => life.status.agrees,
      }),
      text("why", { source: "orderLifecycle: its state in words", cell: ({ life }) => life.why }),
      text("kind", { source: "order.kind", cell: ({ order }) => order.kind }),
      flag("partially_fillable", {
        source: "order.partiallyFillable",
        cell: ({ order }) => order.partiallyFillable,
      }),
      pairColumn(({ order }) => order),
      marketPositionColumn(({ order }) => order),
      ...time<LifecycleFacts>("created_at", {
        source: "event created; order.creationDate without events",
        instant: ({ life }) => life.createdAt,
      }),
      ...time<LifecycleFacts>("expires_at", {
        source: "end of the last second of the order's validity, as its trader set it",
        instant: ({ life }) => life.expiresAt,
      }),
      ...timeInInterval<LifecycleFacts>("first_fill_at", {
        interval: "first_fill_time",
        source: "when it was first filled: timestamp of the block, or of the first event traded",
        time: ({ life }) => life.firstFill,
      }),
      ...timeInInterval<LifecycleFacts>("last_fill_at", {
        interval: "last_fill_time",
        source: "when it was last filled: timestamp of the block, or of the last event traded",
        time: ({ life }) => life.lastFill,
      }),
      timeBasis<LifecycleFacts>(({ life }) => [life.firstFill, life.lastFill]),
      number("time_to_first_fill_seconds", {
        unit: "seconds",
        source: "first_fill_at - created_at; null without a fill or its time",
        cell: ({ life }) => toSecondsOrNull(life.toFirstFillNs),
      }),
      number("time_to_last_fill_seconds", {
        unit: "seconds",
        source: "last_fill_at - created_at of a fully filled order; null otherwise",
        cell: ({ life }) =>
          life.status.reported === "fulfilled" ? toSecondsOrNull(life.toLastFillNs) : null,
      }),
      number("time_to_happy_moo_seconds", {
        unit: "seconds",
        source:
          "time_to_first_fill_seconds without the time during which the order was invalid; null without events",
        cell: ({ life }) => toSecondsOrNull(life.toHappyMooNs),
      }),
      number("observed_seconds", {
        unit: "seconds",
        source:
          "from created_at to the complete fill, cancellation, expiry or the time of the responses",
        cell: measureObservedSeconds,
      }),
      number("invalid_seconds", {
        unit: "seconds",
        source: "time during which it could not be settled; null without events",
        cell: ({ life }) => toSecondsOrNull(life.invalidNs),
      }),
      number("filtered_seconds", {
        unit: "seconds",
        source: "time during which the protocol left it out; null without events",
        cell: ({ life }) => toSecondsOrNull(life.filteredNs),
      }),
      integer("event_count", {
        unit: "events",
        source: "events of the debug report; null without one",
        cell: ({ life }) => life.events?.length ?? null,
      }),
      text("last_event", {
        source: "label of the last of them; null without events",
        cell: ({ life }) => life.events?.at(-1)?.label ?? null,
      }),
      integer("auction_count", {
        unit: "auctions",
        source: "auctions that included it, by competitions and report; null without both",
        cell: (row) => countAuctions(row)?.auctions ?? null,
      }),
      integer("bid_count", {
        unit: "solutions",
        source: "solutions with it, in all of those auctions; null without competitions and report",
        cell: (row) => countAuctions(row)?.bids ?? null,
      }),
      flag("had_bid", {
        source:
          "whether any solution contained it, in those auctions; null without competitions and " +
          "report",
        cell: (row) => {
          const counts = countAuctions(row);
          return counts === null ? null : counts.bids > 0;
        },
      }),
      integer("fill_count", {
        unit: "fills",
        source: "fills, by trades and report; null without both",
        cell: ({ life }) =>
          hasGap(life, "fills") && life.fills.length === 0 ? null : life.fills.length,
      }),
      number("filled_fraction", {
        unit: "0 to 1",
        source: "executed / signed, of the amount that the order fixes",
        cell: ({ life }) => life.filledFraction,
      }),
      integer("failed_attempt_count", {
        unit: "tries",
        source: "failed attempts to settle its winning solutions; null without a report",
        cell: ({ life }) => hasGap(life, "attempts") ? null : life.failedAttempts.length,
      }),
      text("gaps", {
        source: "what the evidence does not cover, joined by commas; null if nothing is missing",
        cell: ({ life }) => life.unknown.map(({ what }) => what).join(", ") || null,
      }),
    ],
    rows: findLifecycles,
  },
);

/** Finds the lifecycle of each order. */
function findLifecycles(
  records: ReadRecords & Required<Pick<ReadRecords, "evidence" | "now">>,
): LifecycleFacts[] {
  const { evidence, competitions, now, times, presignaturePending, countAuctions } = records;
  const isListed = competitions !== undefined && evidence.some((item) => item.competitions == null);
  const auctions = indexCompetitions(isListed ? competitions : []);
  // Competitions without an order show that none had it.
  const unlisted = competitions === undefined ? undefined : [];
  return evidence.map((item): LifecycleFacts => {
    const { order } = item;
    const time = typeof now === "function" ? now(order) : now;
    const life = orderLifecycle(
      { ...item, competitions: item.competitions ?? auctions.get(order.uid) ?? unlisted },
      {
        now: time,
        ...presignaturePending !== undefined && { presignaturePending },
        ...times && { times },
      },
    );
    const counts = countAuctions?.(order.uid);
    return { order, life, now: time, ...counts !== undefined && { counts } };
  });
}

/** Indexes auctions by the orders that they list or execute. */
function indexCompetitions(competitions: Iterable<Competition>): HexMap<Competition[]> {
  const byUid = new HexMap<Competition[]>();
  for (const competition of competitions) {
    const { auction, solutions } = competition;
    const uids = [
      ...auction.orders,
      ...solutions.flatMap(({ orders }) => orders.map(({ id }) => id)),
    ];
    for (const uid of uids) {
      const existing = byUid.get(uid);
      if (existing === undefined) byUid.set(uid, [competition]);
      else if (existing.at(-1) !== competition) existing.push(competition);
    }
  }
  return byUid;
}
