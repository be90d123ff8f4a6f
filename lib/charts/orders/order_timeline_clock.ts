import { formatInstant } from "../../units/mod.ts";
import { createFixedAxis } from "../axes/axis_scale.ts";
import { createLinearDurationAxis, formatDuration } from "../axes/duration_axis.ts";
import type { ListSize } from "../axes/row_axes.ts";
import type { Panel } from "../figure/panel.ts";
import { COLORS } from "../looks.ts";
import { describeEarliest, isBracketed, isNumber, readSeconds } from "../rows.ts";
import { extent, max } from "../statistics.ts";
import { count, joinSentences } from "../texts/count_text.ts";
import { formatMoment, type Moment, toSeconds } from "../texts/label_text.ts";
import { readSolverNames } from "../texts/short_names.ts";
import {
  type OrderParts,
  type OrderTimelineAttempt,
  type OrderTimelineEvent,
  type OrderTimelineFill,
  pickAttemptLook,
} from "./order_rows.ts";
import {
  ATTEMPT_LANES,
  AUCTION_LANES,
  createAuctionDots,
  createLanesPanel,
  type Stretch,
} from "./order_timeline_lanes.ts";

export interface TimelinePanel {
  /** The panel; `null` if nothing has a position on its axis. */
  panel: Panel | null;
  /** Note for the caption; `null` for none. */
  note: string | null;
}

const ENDS = ["traded", "cancelled"];

const FILL_LANE = "fill";

const INDEXED_LANE = "fill, indexed";

/** The end of validity is on the axis if it is at most this many times as far out as everything else. */
const VALIDITY_REACH = 2;

/** Moments within so many seconds are a beginning, which shows nothing alone: then it is within a day. */
const BEGINNING = 5;

const DAY = 86_400;

interface TimedRow<Row> {
  row: Row;
  seconds: number;
}

function readTimes<Row extends { timestamp?: Moment | null }>(
  rows: readonly Row[],
): TimedRow<Row>[] {
  return rows.flatMap((row) => {
    const seconds = toSeconds(row.timestamp);
    return seconds === null ? [] : [{ row, seconds }];
  }).toSorted((a, b) => a.seconds - b.seconds);
}

function layOutStates(
  events: readonly TimedRow<OrderTimelineEvent>[],
  { lanes, origin, end }: { lanes: readonly string[]; origin: number; end: number },
): Stretch[] {
  return events.map(({ row, seconds }, index) => {
    const next = events[index + 1]?.seconds;
    const from = seconds - origin;
    const isLast = next === undefined;
    const to = isLast ? (ENDS.includes(row.label) ? from : Math.max(from, end)) : next - origin;
    const lasted = isLast ? "\nits last known state" : `\nfor ${formatDuration(next - seconds)}`;
    const color = pickLaneColor(row.label);
    const lane = nameLane(row);
    const stated = row.timestamp instanceof Temporal.Instant
      ? formatInstant(row.timestamp)
      : row.timestamp;
    return {
      lane: lanes.includes(lane) ? lane : OTHER_LANE,
      from,
      to,
      fill: isLast ? "white" : color,
      stroke: color,
      title: `${lane}\n${formatDuration(from)} after the first\n${stated}${lasted}`,
    };
  });
}

function layOutAttempts(
  attempts: readonly OrderTimelineAttempt[],
  { origin, end }: { origin: number; end: number },
): Stretch[] {
  const names = readSolverNames(attempts);
  return attempts.flatMap((row) => {
    const from = toSeconds(row.start_timestamp);
    if (from === null) return [];
    const endSeconds = toSeconds(row.end_timestamp);
    const look = pickAttemptLook(row.outcome);
    return [{
      ...look,
      lane: look.label,
      from: from - origin,
      to: endSeconds === null ? Math.max(end, from - origin) : endSeconds - origin,
      title: `${names.formatWithHex(row.solver)}, auction ${row.auction_id}\n` +
        `${row.outcome ?? "pending"}\n` +
        (endSeconds === null ? "since " : `for ${formatDuration(endSeconds - from)} from `) +
        formatDuration(from - origin),
    }];
  });
}

function layOutFills(fills: ReturnType<typeof readFillTimes>, { lane, origin }: {
  lane: string;
  origin: number;
}): Stretch[] {
  return fills.map(({ row, seconds, isIndexed }) => ({
    lane,
    from: seconds - origin,
    to: seconds - origin,
    latest: readLatest(row.fill_time_max_ms, row, origin),
    fill: COLORS.blue,
    stroke: COLORS.blue,
    title: `fill in block ${row.block_number}\n${isIndexed ? "indexed " : ""}` +
      `${formatDuration(seconds - origin)} after the first`,
  }));
}

/** Reads the end of the interval of a time, in seconds since the origin. */
function readLatest(
  milliseconds: number | null | undefined,
  row: Parameters<typeof isBracketed>[0],
  origin: number,
): number | null {
  const seconds = isBracketed(row) ? readSeconds(milliseconds) : null;
  return seconds === null ? null : seconds - origin;
}

export function createClockPanel(
  rows: OrderParts & { readonly valid_to: Moment | null | undefined },
  options: ListSize,
): TimelinePanel & { readonly isWhole: boolean } {
  const events = readTimes(rows.events);
  const fills = readFillTimes(rows.fills, rows.events);
  const isIndexed = fills.some((fill) => fill.isIndexed);
  const fillLane = isIndexed ? INDEXED_LANE : FILL_LANE;
  const starts = rows.attempts.map(({ start_timestamp: start }) => toSeconds(start));
  const ends = rows.attempts.map(({ end_timestamp: end }) => toSeconds(end));
  const auctions = rows.auctions.flatMap((row) => {
    const seconds = readSeconds(row.auction_at_ms);
    return seconds === null ? [] : [{ row, seconds }];
  });
  const moments = [
    ...events.map(({ seconds }) => seconds),
    ...auctions.map(({ seconds }) => seconds),
    ...fills.map(({ seconds }) => seconds),
    ...[...starts, ...ends].filter((seconds) => seconds !== null),
  ];
  const lost = rows.events.length - events.length +
    starts.filter((seconds) => seconds === null).length;
  const undated = rows.fills.length - fills.length;
  const unheld = auctions.length === 0 ? 0 : rows.auctions.length - auctions.length;
  const notes = [
    lost > 0 ? `${count(lost, "event or attempt", "events or attempts")} without a time` : "",
    undated > 0 ? `${count(undated, "fill")} without a known time` : "",
    unheld > 0 ? `${count(unheld, "auction")} without a known time` : "",
  ].filter((text) => text !== "");
  const missingNote = notes.length === 0 ? null : `${notes.join(" and ")} not in the upper panel`;
  const isWhole = auctions.length > 0 && auctions.length === rows.auctions.length &&
    lost + undated === 0;
  if (moments.length === 0) return { panel: null, note: lost === 0 ? null : missingNote, isWhole };
  const [origin = 0, last = 0] = extent(moments);
  const span = last - origin;
  const expiry = toSeconds(rows.valid_to);
  const validity = expiry === null ? null : expiry - origin;
  const hasEnded = fills.length > 0 || events.some(({ row }) => ENDS.includes(row.label));
  const reach = !hasEnded && span <= BEGINNING ? DAY : VALIDITY_REACH * (span || 1);
  const isOnAxis = validity !== null && validity <= reach;
  const reached = Math.max(span, isOnAxis ? validity : 0) || 1;
  const axis = createLinearDurationAxis(
    [Math.min(0, isOnAxis ? validity : 0) - reached * 0.01, reached * 1.03],
    "Time since the first event",
  );
  const dots = createAuctionDots(
    auctions.map(({ row, seconds }) => ({
      row,
      position: seconds - origin,
      latest: readLatest(row.auction_time_max_ms, row, origin),
    })),
    [0, span],
  );
  const states = listEventLanes(rows.events);
  const end = isOnAxis ? validity : axis.domain[1];
  const bars = layOutStates(events, { lanes: states, origin, end });
  const stretches = [
    ...bars,
    ...layOutAttempts(rows.attempts, { origin, end })
      .toSorted((a, b) => (b.to - b.from) - (a.to - a.from)),
    ...layOutFills(fills, { lane: fillLane, origin }),
  ];
  const firsts = new Map<string, number>();
  for (
    const { lane, position } of [
      ...stretches.map(({ lane, from: position }) => ({ lane, position })),
      ...dots,
    ]
  ) {
    firsts.set(lane, Math.min(position, firsts.get(lane) ?? position));
  }
  // Those of one moment in the order in which an order passes through them.
  const lanes = [...states, ...Object.keys(AUCTION_LANES), ...ATTEMPT_LANES, fillLane]
    .filter((lane) => firsts.has(lane))
    .toSorted((a, b) => firsts.get(a)! - firsts.get(b)!);
  const from = `By time, from ${formatMoment(origin)}`;
  const until = formatMoment(expiry ?? origin);
  const isOneDay = until.slice(0, 10) === formatMoment(origin).slice(0, 10);
  const beyond = isOnAxis ? "" : ` (at ${formatDuration(validity ?? 0)}, beyond the axis)`;
  const heading = expiry === null
    ? from
    : `${from}; valid until ${isOneDay ? until.slice(11) : until}${beyond}`;
  const lastState = bars.at(-1);
  const latest = max([...stretches, ...dots].map((mark) => mark.latest).filter(isNumber));
  const note = joinSentences([
    missingNote,
    describeEarliest(auctions.map(({ row }) => row), "auction"),
    describeEarliest(fills.map(({ row }) => row), "fill"),
    latest !== undefined && "Lines end at the latest possible times" +
      (latest > axis.domain[1] ? ", which may be beyond the axis" : ""),
    isIndexed &&
    "Fills are placed where the service indexed them (event traded), shortly after their block",
    lastState !== undefined && lastState.to > lastState.from && "The last known state is hollow",
  ], undefined) || null;
  const panel = createLanesPanel(stretches, {
    ...options,
    dots,
    // An interval may end beyond the axis.
    axis: createFixedAxis({ ...axis.scale, clamp: true }),
    lanes,
    heading,
    validity: isOnAxis ? validity : null,
  });
  return { note, panel, isWhole };
}

/**
 * Fills whose time is known, in its order: their own, or else that of the event `traded`
 * by which the service says that it indexed them. Events do not name their fill, so they tell its time
 * only where there are as many of them as fills.
 */
function readFillTimes(fills: readonly OrderTimelineFill[], events: readonly OrderTimelineEvent[]) {
  const indexed = events.filter(({ label }) => label === "traded")
    .flatMap(({ timestamp }) => toSeconds(timestamp) ?? []).toSorted((a, b) => a - b);
  const byBlock = fills.every(({ block_number: block }) => isNumber(block))
    ? fills.toSorted((a, b) => a.block_number - b.block_number)
    : fills;
  return byBlock.flatMap((row, position) => {
    const ownSeconds = readSeconds(row.filled_at_ms, row.timestamp);
    const seconds = ownSeconds ?? (indexed.length === fills.length ? indexed[position] : undefined);
    const isIndexed = ownSeconds === null || row.time_basis === "event";
    return seconds === undefined ? [] : [{ row, seconds, isIndexed }];
  }).toSorted((a, b) => a.seconds - b.seconds);
}

const STATES: readonly [label: string, color: string][] = [
  ["created", COLORS.muted],
  ["ready", COLORS.sky],
  ["filtered", COLORS.orange],
  ["invalid", COLORS.vermilion],
  ["considered", COLORS.grey],
  ["executing", COLORS.purple],
  ["traded", COLORS.blue],
  ["cancelled", COLORS.ink],
];
/** Lane of events beyond the maximum number of lanes. */
const OTHER_LANE = "other events";
const MAX_LANES = 20;

function nameLane({ label, reason }: OrderTimelineEvent): string {
  return reason ? `${label} (${reason.replaceAll("_", " ")})` : label;
}

function rankState(lane: string): number {
  const rank = STATES.findIndex(([label]) => lane === label || lane.startsWith(`${label} (`));
  return rank < 0 ? STATES.length : rank;
}

/** Lists lanes of the events in the order in which an order passes through them. */
function listEventLanes(events: readonly OrderTimelineEvent[]): string[] {
  const lanes = [...new Set(events.map(nameLane))]
    .toSorted((a, b) => rankState(a) - rankState(b) || (a < b ? -1 : 1));
  return lanes.length <= MAX_LANES ? lanes : [...lanes.slice(0, MAX_LANES), OTHER_LANE];
}

function pickLaneColor(label: string): string {
  return STATES[rankState(label)]?.[1] ?? COLORS.grey;
}
