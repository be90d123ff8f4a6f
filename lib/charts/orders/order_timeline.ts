import { checkOptions, defineRule, type OptionRules } from "../../errors/option_rules.ts";
import { InputError } from "../../errors/orderlens_error.ts";
import { createFixedAxis } from "../axes/axis_scale.ts";
import { formatDuration } from "../axes/duration_axis.ts";
import type { ListSize } from "../axes/row_axes.ts";
import type { Chart } from "../figure/chart.ts";
import { CHART_OPTIONS, type ChartOptions } from "../figure/chart_options.ts";
import { drawPicture } from "../figure/picture.ts";
import { COLORS, type LegendEntry } from "../looks.ts";
import { fillTexts, filterOrder, isBracketed, isNumber, readRows, readSeconds } from "../rows.ts";
import { extent, min } from "../statistics.ts";
import { count, formatPart, formatWhole } from "../texts/count_text.ts";
import { formatPercent, type Moment, toSeconds } from "../texts/label_text.ts";
import { readSolverNames, shortenHex } from "../texts/short_names.ts";
import {
  ATTEMPT_LOOKS,
  ATTEMPT_ROWS,
  AUCTION_ROWS,
  EVENT_ROWS,
  FILL_ROWS,
  type OrderParts,
  type OrderTimelineAttempt,
  type OrderTimelineRow,
  type OrderTimelineRows,
  pickAttemptLook,
} from "./order_rows.ts";
import { createClockPanel, type TimelinePanel } from "./order_timeline_clock.ts";
import {
  ATTEMPT_LANES,
  AUCTION_LANES,
  createAuctionDots,
  createLanesPanel,
  type Stretch,
} from "./order_timeline_lanes.ts";

/** Maximum number of rows drawn per part: the latest. */
const MAX_ROWS = 1_000;

const NOUNS: readonly [keyof OrderParts, noun: string, plural: string][] = [
  ["events", "event", "events"],
  ["auctions", "auction", "auctions"],
  ["attempts", "attempt to settle", "attempts to settle"],
  ["fills", "fill", "fills"],
];

const ACTION = "Cannot draw orderTimeline";
/** Accepts anything: rows are checked when they are read. */
const isAny = () => true;
const PARTS: OptionRules<OrderTimelineRows> = {
  order_uid: String,
  valid_to: defineRule(
    "a time",
    (moment) => moment === null || toSeconds(moment as Moment) !== null,
  ),
  is_open: Boolean,
  events: defineRule("rows", isAny),
  auctions: defineRule("rows", isAny),
  attempts: defineRule("rows", isAny),
  fills: defineRule("rows", isAny),
};

function readParts(order: OrderTimelineRows): OrderParts {
  checkOptions(order, PARTS, ACTION);
  if (order.order_uid === undefined) {
    throw new InputError(`${ACTION} without order_uid`, { remedy: "Pass the UID of the order" });
  }
  const { events = [], auctions = [], attempts = [], fills = [] } = order;
  const uid = order.order_uid;
  return {
    events: fillTexts(filterOrder(readRows(events, EVENT_ROWS, { action: ACTION }), uid), [
      "label",
    ]),
    auctions: filterOrder(readRows(auctions, AUCTION_ROWS, { action: ACTION }), uid),
    attempts: readRows(attempts, ATTEMPT_ROWS, { action: ACTION }),
    fills: filterOrder(readRows(fills, FILL_ROWS, { action: ACTION }), uid),
  };
}

/** Sums up the wait for the first fill and the attempts to settle. */
function summarizeLife({ events, attempts, fills }: OrderParts) {
  const created = min(events.flatMap(({ timestamp }) => toSeconds(timestamp) ?? []));
  const first = min(fills.flatMap((row) => readSeconds(row.filled_at_ms, row.timestamp) ?? []));
  const outcomes = attempts.map(({ outcome }) => pickAttemptLook(outcome));
  const attemptNumber = outcomes.indexOf(ATTEMPT_LOOKS.success) + 1;
  const nth = ["second", "third", "fourth", "fifth"][attemptNumber - 2];
  return {
    waitText: created === undefined || first === undefined
      ? ""
      : ` after ${fills.some(isBracketed) ? "at least " : ""}${formatDuration(first - created)}`,
    attemptText: attemptNumber < 2
      ? ""
      : `, at ${nth ? `the ${nth} attempt` : `attempt ${formatWhole(attemptNumber)}`}`,
    failedCount: outcomes.filter((look) => look === ATTEMPT_LOOKS.failed).length,
    pendingCount: outcomes.filter((look) => look === ATTEMPT_LOOKS.pending).length,
  };
}

function describeOutcome(parts: OrderParts, isOpen = false): string {
  const { fills: { length: fills }, attempts: { length: attemptCount } } = parts;
  const { waitText, attemptText, failedCount, pendingCount } = summarizeLife(parts);
  if (fills === 0 && pendingCount > 0) {
    return `not filled yet, ${pendingCount} of ${count(attemptCount, "attempt")} pending`;
  }
  if (fills === 0) {
    return `not filled${isOpen ? " yet" : ""}` +
      `${attemptCount === 0 ? "" : `, ${failedCount} of ${count(attemptCount, "attempt")} failed`}`;
  }
  return fills === 1
    ? `filled${waitText}${attemptText}`
    : `${count(fills, "fill")}, the first${waitText || " at an unknown time"}${attemptText}`;
}

function formatFinding(parts: OrderParts, isOpen = false): (string | false)[] {
  const { auctions, attempts, fills } = parts;
  const { waitText, failedCount, pendingCount } = summarizeLife(parts);
  const bid = auctions.filter(({ bid_count: bids }) => isNumber(bids) && bids > 0).length;
  return [
    fills.length === 0
      ? `The order was not filled${isOpen || pendingCount > 0 ? " yet" : ""}`
      : `The order has ${count(fills.length, "fill")}` +
        (waitText === "" ? "" : `, the first${waitText}`),
    auctions.some(({ bid_count: bids }) => isNumber(bids)) &&
    `Solvers bid on it in ${formatPart(bid, auctions.length)} auctions`,
    attempts.length > pendingCount &&
    `${formatPart(failedCount, attempts.length)} attempts to settle it failed`,
    pendingCount > 0 &&
    `${count(pendingCount, "attempt")} to settle it ${pendingCount === 1 ? "is" : "are"} pending`,
  ];
}

/**
 * Draws the life of one order: by time its events (a lane per state, as long as it lasted),
 * attempts to settle it and fills, against the end of its validity; and by block the auctions it
 * was in, with and without bids, the attempts and the fills. Where the times of all auctions,
 * attempts and fills are known, there is the axis of time alone.
 *
 * Debug reports have no times of auctions, only blocks: two axes keep what is known separate from
 * what would be a guess. Auctions and fills of which only an interval is known stand at its start,
 * with a line to its end. A fill is placed at its own time, otherwise at its `traded` event, which is
 * when the service indexed it. The caption says all this. Of more than 1,000 events, attempts or
 * fills only the latest are drawn, and the caption says so; auctions that share a place are one dot.
 *
 * Rows of other orders are left out, so that events, auctions and fills may be whole tables; attempts
 * name no order.
 *
 * @param order What is known of the order; with nothing known, the figure says so.
 * @returns The figure; its `rows` are events, auctions, attempts and fills, in this order.
 * @throws {InputError} If an option is out of range.
 *
 * @example An order filled in the first auction it was in
 * ```ts
 * import { orderTimeline } from "orderlens/charts";
 * import { assertEquals, assertMatch } from "@std/assert";
 *
 * const chart = orderTimeline({
 *   order_uid: "0x01",
 *   valid_to: "2026-11-21T15:38:19Z",
 *   events: [
 *     { label: "created", timestamp: "2026-11-21T15:18:19.058308Z" },
 *     { label: "ready", timestamp: "2026-11-21T15:18:19.569153Z" },
 *     { label: "traded", timestamp: "2026-11-21T15:18:21.626084Z" },
 *   ],
 *   auctions: [{ auction_id: 2241, block_number: 1916, deadline_block: 1924, is_won: true }],
 *   fills: [{ block_number: 1919, auction_id: 2241 }],
 * });
 *
 * assertEquals(chart.title, "Order 0x01: filled");
 * assertMatch(chart.svg, /3 events, 1 auction, 0 attempts to settle, 1 fill/);
 * ```
 */
export function orderTimeline(
  order: OrderTimelineRows,
  options: ChartOptions = {},
): Chart<OrderTimelineRow> {
  checkOptions(options, CHART_OPTIONS, ACTION);
  const allParts = readParts(order);
  const parts: OrderParts = {
    events: allParts.events.slice(-MAX_ROWS),
    auctions: allParts.auctions,
    attempts: allParts.attempts.slice(-MAX_ROWS),
    fills: allParts.fills.slice(-MAX_ROWS),
  };
  const rows = [...parts.events, ...parts.auctions, ...parts.attempts, ...parts.fills];
  const name = `Life of order ${shortenHex(order.order_uid)}`;
  const counts = NOUNS.map(([part, ...nouns]) => count(allParts[part].length, ...nouns)).join(", ");
  return drawPicture("orderTimeline", rows, options, {
    select: (rows: readonly OrderTimelineRow[], size) => {
      const clock = createClockPanel({ ...parts, valid_to: order.valid_to }, size);
      const blocks = clock.isWhole ? { panel: null, note: null } : createBlockPanel(parts, size);
      const alone = [clock.panel, blocks.panel].filter((panel) => panel !== null);
      const marginLeft = Math.max(...alone.map(({ plot }) => plot.marginLeft ?? 0));
      const panels = alone.map((panel) => ({ ...panel, plot: { ...panel.plot, marginLeft } }));
      return { clock, blocks, panels, drawnRows: panels.length === 0 ? [] : rows };
    },
    empty: {
      title: name,
      noRows: "Nothing is known about this order",
      noValues: "No event, auction, attempt or fill of this order has a known time or block",
    },
    panels: ({ panels }) => panels,
    series: () => Object.values(ATTEMPT_LOOKS),
    legend: ({ blocks }) =>
      blocks.panel !== null &&
        parts.attempts.some(({ deadline_block: deadline }) => isNumber(deadline))
        ? [DEADLINE]
        : [],
    finding: () => formatFinding(allParts, order.is_open),
    title: () =>
      `Order ${shortenHex(order.order_uid)}: ${describeOutcome(allParts, order.is_open)}`,
    caption: ({ clock, blocks }) => [
      counts,
      ...NOUNS.map(([part, ...nouns]) => {
        const more = allParts[part].length - parts[part].length;
        return more > 0 && `${count(more, ...nouns)} before them not shown`;
      }),
      clock.note,
      blocks.note,
    ],
  });
}

const DEADLINE: LegendEntry = {
  label: "deadline to settle",
  fill: "none",
  stroke: COLORS.ink,
  shape: "tick",
};

/** Extension of an attempt beyond its blocks on both sides, as a fraction of the axis margin. */
const MIN_WIDTH = 0.06;
const FILL_LANE = "fill";

function layOutAttempts(
  attempts: readonly OrderTimelineAttempt[],
  { last, pad }: { last: number; pad: number },
): (Stretch & { deadline: number | null })[] {
  const names = readSolverNames(attempts);
  return attempts.flatMap((row) => {
    const { start_block: from, end_block: end, deadline_block: deadline } = row;
    if (!isNumber(from)) return [];
    const to = isNumber(end) ? end : Math.max(from, isNumber(deadline) ? deadline : last);
    const look = pickAttemptLook(row.outcome);
    return [{
      ...look,
      lane: look.label,
      from: from - pad * MIN_WIDTH,
      to: to + pad * MIN_WIDTH,
      deadline: isNumber(deadline) ? deadline : null,
      title: `${names.formatWithHex(row.solver)}, auction ${row.auction_id}\n` +
        `${row.outcome ?? "pending"}\n` +
        `from block ${from}${isNumber(end) ? ` to ${end}` : ""}` +
        (isNumber(deadline) ? `, deadline ${deadline}` : ""),
    }];
  });
}

function createBlockPanel(rows: Omit<OrderParts, "events">, options: ListSize): TimelinePanel {
  const auctions = rows.auctions.filter((row) => isNumber(row.block_number));
  const fills = rows.fills.filter((row) => isNumber(row.block_number));
  const blocks = [
    ...auctions.flatMap((row) => [row.block_number, row.is_won ? row.deadline_block : null]),
    ...fills.map((row) => row.block_number),
    ...rows.attempts.flatMap((row) => [row.start_block, row.end_block, row.deadline_block]),
  ].filter(isNumber);
  const [low = 0, high = 0] = extent(blocks);
  const pad = Math.max(1, (high - low) * 0.03);
  const tries = layOutAttempts(rows.attempts, { last: high, pad });
  const unplaced = rows.auctions.length - auctions.length + rows.fills.length - fills.length +
    rows.attempts.length - tries.length;
  const note = unplaced === 0
    ? null
    : `${count(unplaced, "auction, attempt or fill", "auctions, attempts or fills")} without a ` +
      "block not in the lower panel";
  if (auctions.length + fills.length + tries.length === 0) return { panel: null, note };
  const dots = createAuctionDots(auctions.map((row) => ({ row, position: row.block_number })), [
    low,
    high,
  ]);
  const stretches = [
    ...tries,
    ...fills.map(({ block_number: block, auction_id: id, filled_fraction: share }) => ({
      lane: FILL_LANE,
      from: block,
      to: block,
      fill: COLORS.blue,
      stroke: COLORS.blue,
      title: `fill in block ${block}` + (isNumber(id) ? `\nauction ${id}` : "") +
        (isNumber(share) ? `\n${formatPercent(share)} of the order` : ""),
    })),
  ];
  const usedLanes = new Set([...dots, ...stretches].map(({ lane }) => lane));
  const panel = createLanesPanel(stretches, {
    ...options,
    dots,
    heading: "By block: auctions it was in, and their settlement",
    lanes: [...Object.keys(AUCTION_LANES), ...ATTEMPT_LANES, FILL_LANE].filter((lane) =>
      usedLanes.has(lane)
    ),
    axis: createFixedAxis({
      type: "linear",
      domain: [low - pad, high + pad],
      label: "Block →",
      labelAnchor: "center",
      grid: true,
      ticks: Math.min(6, Math.floor(high - low) + 2),
      tickFormat: String,
    }),
    deadlines: tries.filter(({ deadline }) => deadline !== null),
  });
  return { note, panel };
}
