import * as Plot from "@observablehq/plot";
import { extent } from "../numbers/statistics.ts";
import { COLORS } from "../figure/colors.ts";
import { type DurationAxis, durationText, linearDurationAxis } from "../axes/duration_axis.ts";
import { eventLanes, laneColor, laneOf, OTHER_LANE } from "./event_lanes.ts";
import { type TimedFill, timedFills } from "./fill_times.ts";
import { fixedAxis } from "../axes/value_axis.ts";
import type { ListSize } from "../axes/list_axis.ts";
import { rankedList } from "../marks/ranked_list.ts";
import { type Moment, momentText, secondsOf } from "../texts/moment.ts";
import { attemptOf } from "./order_timeline_attempts.ts";
import type {
  OrderTimelineAttempt,
  OrderTimelineEvent,
  OrderTimelineFill,
} from "./order_timeline_rows.ts";
import type { Panel } from "../figure/panel.ts";
import { captionText, count } from "../rows/row_selection.ts";
import { shortHex } from "../texts/short_hex.ts";

/** What the clock shows of an order. */
export interface ClockRows {
  /** Its events. */
  events: readonly OrderTimelineEvent[];
  /** Attempts to settle it. */
  attempts: readonly OrderTimelineAttempt[];
  /** Its fills. */
  fills: readonly OrderTimelineFill[];
  /** When it expires. */
  valid_to: Moment | null | undefined;
}

/** A panel, if there is anything to draw, and what the caption says of it. */
export interface TimelinePanel {
  /** The panel; `null` when nothing has a place on its axis. */
  panel: Panel | null;
  /** What the caption says; `null` for nothing. */
  note: string | null;
}

/** A stretch or a point in a lane, in seconds since the first. */
interface Stretch {
  lane: string;
  from: number;
  to: number;
  fill: string;
  stroke: string;
  title: string;
}

const ENDS = ["traded", "cancelled"];
const ATTEMPT_LANE = "attempt to settle";
const FILL_LANE = "fill";
const INDEXED_LANE = "fill, indexed";
/**
 * The end of validity is on the axis if it is at most this many times as far out as everything
 * else.
 */
const VALIDITY_REACH = 3;
/** For an unfilled order: if it is at most this many times as far out, or within a day. */
const VALIDITY_REACH_UNFILLED = 20;
const DAY = 86_400;
const MANY_POINTS = 100;

interface Timed<Row> {
  row: Row;
  seconds: number;
}

function timed<Row extends { timestamp?: Moment | null }>(rows: readonly Row[]): Timed<Row>[] {
  return rows.flatMap((row) => {
    const seconds = secondsOf(row.timestamp);
    return seconds === null ? [] : [{ row, seconds }];
  }).toSorted((a, b) => a.seconds - b.seconds);
}

function statesOf(
  events: readonly Timed<OrderTimelineEvent>[],
  { lanes, origin, end }: { lanes: readonly string[]; origin: number; end: number },
): Stretch[] {
  return events.map(({ row, seconds }, index) => {
    const next = events[index + 1]?.seconds;
    const from = seconds - origin;
    const isLast = next === undefined;
    const to = isLast ? (ENDS.includes(row.label) ? from : Math.max(from, end)) : next - origin;
    const lasted = isLast ? "\nits last known state" : `\nfor ${durationText(next - seconds)}`;
    const color = laneColor(row.label);
    const lane = laneOf(row);
    return {
      lane: lanes.includes(lane) ? lane : OTHER_LANE,
      from,
      to,
      fill: isLast ? "white" : color,
      stroke: color,
      title: `${lane}\n${durationText(from)} after the first\n${row.timestamp}${lasted}`,
    };
  });
}

function attemptsOf(
  attempts: readonly OrderTimelineAttempt[],
  { origin, end }: { origin: number; end: number },
): Stretch[] {
  return attempts.flatMap((row) => {
    const from = secondsOf(row.start_timestamp);
    if (from === null) return [];
    const ended = secondsOf(row.end_timestamp);
    return [{
      lane: ATTEMPT_LANE,
      from: from - origin,
      to: ended === null ? end : ended - origin,
      ...attemptOf(row.outcome),
      title: `${shortHex(row.solver)}, auction ${row.auction_id}\n${row.outcome ?? "pending"}\n` +
        (ended === null ? "since " : `for ${durationText(ended - from)} from `) +
        durationText(from - origin),
    }];
  });
}

function fillsOf(fills: readonly TimedFill[], { lane, origin }: {
  lane: string;
  origin: number;
}): Stretch[] {
  return fills.map(({ row, seconds, isIndexed }) => ({
    lane,
    from: seconds - origin,
    to: seconds - origin,
    fill: COLORS.blue,
    stroke: COLORS.blue,
    title: `fill in block ${row.block_number}\n${isIndexed ? "indexed " : ""}` +
      `${durationText(seconds - origin)} after the first`,
  }));
}

/** The life of an order by the clock. */
export function clockPanel(rows: ClockRows, options: ListSize): TimelinePanel {
  const events = timed(rows.events);
  const fills = timedFills(rows.fills, rows.events);
  const isIndexed = fills.some((fill) => fill.isIndexed);
  const fillLane = isIndexed ? INDEXED_LANE : FILL_LANE;
  const starts = rows.attempts.map(({ start_timestamp: start }) => secondsOf(start));
  const ends = rows.attempts.map(({ end_timestamp: end }) => secondsOf(end));
  const moments = [
    ...events.map(({ seconds }) => seconds),
    ...fills.map(({ seconds }) => seconds),
    ...[...starts, ...ends].filter((seconds) => seconds !== null),
  ];
  const lost = rows.events.length - events.length +
    starts.filter((seconds) => seconds === null).length;
  const undated = rows.fills.length - fills.length;
  const notes = [
    lost > 0 ? `${count(lost, "event or attempt", "events or attempts")} without a time` : "",
    undated > 0 ? `${count(undated, "fill")} without a known time` : "",
  ].filter((text) => text !== "");
  const missing = notes.length === 0 ? null : `${notes.join(" and ")} not in the upper panel`;
  const note = captionText([
    missing,
    isIndexed &&
    "Fills are placed where the service indexed them (event traded), shortly after their block",
  ], undefined) || null;
  if (moments.length === 0) return { panel: null, note: lost === 0 ? null : missing };
  const [origin = 0, last = 0] = extent(moments);
  const span = last - origin;
  const expiry = secondsOf(rows.valid_to);
  const validity = expiry === null ? null : expiry - origin;
  const isFilled = fills.length > 0 || events.some(({ row }) => row.label === "traded");
  const reach = isFilled
    ? VALIDITY_REACH * (span || 1)
    : Math.max(DAY, VALIDITY_REACH_UNFILLED * span);
  const isOnAxis = validity !== null && validity <= reach;
  const reached = Math.max(span, isOnAxis ? validity : 0) || 1;
  const axis = linearDurationAxis(
    [Math.min(0, isOnAxis ? validity : 0) - reached * 0.01, reached * 1.03],
    "Time since the first event",
  );
  const lanes = [
    ...eventLanes(rows.events),
    ...(starts.some((seconds) => seconds !== null) ? [ATTEMPT_LANE] : []),
    ...(fills.length > 0 ? [fillLane] : []),
  ];
  const end = axis.domain[1];
  const stretches = [
    ...statesOf(events, { lanes, origin, end: isOnAxis ? validity : end }),
    ...attemptsOf(rows.attempts, { origin, end })
      .toSorted((a, b) => (b.to - b.from) - (a.to - a.from)),
    ...fillsOf(fills, { lane: fillLane, origin }),
  ];
  const heading = headingOf({ origin, span, expiry, isOnAxis });
  const panel = lanesPanel(stretches, {
    ...options,
    axis,
    lanes,
    heading,
    validity: isOnAxis ? validity : null,
  });
  return { note, panel };
}

function headingOf({ origin, span, expiry, isOnAxis }: {
  origin: number;
  span: number;
  expiry: number | null;
  isOnAxis: boolean;
}): string {
  const from = `By time, from ${momentText(origin)}`;
  if (expiry === null) return from;
  const after = expiry - origin - span;
  const beyond = isOnAxis ? "" : `, ${durationText(after)} after the last of these`;
  return `${from}; valid until ${momentText(expiry)}${beyond}`;
}

function lanesPanel(
  stretches: readonly Stretch[],
  { axis, lanes, heading, validity, ...size }: ListSize & {
    axis: DurationAxis;
    lanes: readonly string[];
    heading: string;
    validity: number | null;
  },
): Panel {
  const y = ({ lane }: Stretch) => lanes.indexOf(lane);
  const points = stretches.filter(({ lane }) => lane !== ATTEMPT_LANE);
  const isMany = points.length > MANY_POINTS;
  return rankedList({
    ...size,
    heading,
    labels: lanes,
    axis: fixedAxis(axis.scale),
    marginTop: 26,
    marginRight: 44,
    marks: () => [
      Plot.barX(stretches.filter(({ from, to }) => to > from), {
        x1: "from",
        x2: "to",
        y,
        fill: "fill",
        stroke: "stroke",
        fillOpacity: 0.5,
        inset: 1,
        title: "title",
        className: "stretch",
      }),
      Plot.dot(points, {
        x: "from",
        y,
        r: isMany ? 2 : 4,
        fill: "stroke",
        stroke: isMany ? "none" : "white",
        title: "title",
        className: "point",
      }),
      ...(validity === null ? [] : validityMarks(validity, axis)),
    ],
  });
}

/** The end of validity, with its name on the side that has more room. */
function validityMarks(validity: number, { domain: [low, high] }: DurationAxis): Plot.Markish[] {
  const isRight = validity > (low + high) / 2;
  return [
    Plot.ruleX([validity], {
      stroke: COLORS.ink,
      strokeDasharray: "5 3",
      title: () => "end of validity",
      className: "validity",
    }),
    Plot.text([validity], {
      x: (seconds: number) => seconds,
      text: () => "valid until here",
      frameAnchor: "top",
      dy: -10,
      dx: isRight ? -4 : 4,
      textAnchor: isRight ? "end" : "start",
    }),
  ];
}
