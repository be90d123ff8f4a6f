import * as Plot from "@observablehq/plot";
import { largest } from "./axis_scale.ts";
import { percentText } from "./axis_text.ts";
import type { Chart } from "./chart.ts";
import { type ChartOptions, checkedWidth } from "./chart_options.ts";
import { COLORS } from "./colors.ts";
import { type DurationAxis, durationAxis, durationText } from "./duration_axis.ts";
import { drawFigure, emptyFigure, type LegendEntry, type Panel } from "./figure.ts";
import { largestGroups } from "./largest_groups.ts";
import { median } from "./quantile.ts";
import { captionText, count, isNumber, wholeText } from "./row_selection.ts";

/** How long one order waited: columns of `lifecycleTable`. */
export interface TimeToFillRow {
  /** UID of the order. */
  order_uid: string;
  /** State at the end, as `fulfilled`, `cancelled`, `expired` or `open`. */
  status: string;
  /** Seconds from creation to the first fill; `null` when there was none. */
  time_to_first_fill_seconds?: number | null;
  /** Seconds from creation to the last fill; read for orders whose status is `fulfilled` only. */
  time_to_last_fill_seconds?: number | null;
  /** Seconds from creation to the end: whole fill, cancellation, expiry, or the last moment known. */
  observed_seconds?: number | null;
  /** Fills it had; an order with fills whose time is not known is left out. */
  fill_count?: number | null;
  /** `sell` or `buy`. */
  kind?: string | null;
  /** Directed pair as text, as `WETH → USDC`. */
  pair?: string | null;
  /** Where the limit was against the quote, as `inMarket` or `outOfMarket`. */
  market_position?: string | null;
}

/** Options of {@linkcode timeToFill}. */
export interface TimeToFillOptions extends ChartOptions {
  /** What an order waits for: its first fill, or being filled whole. @default {"firstFill"} */
  until?: "firstFill" | "wholeFill";
  /** Column by whose values the orders are split into curves. @default {one curve} */
  z?: "kind" | "pair" | "market_position";
}

/** One order: how long until it was filled, or until it ended or was last seen unfilled. */
interface Wait {
  row: TimeToFillRow;
  seconds: number;
  isFilled: boolean;
}

interface Curve {
  name: string;
  color: string;
  waits: readonly Wait[];
  /** Seconds to the fill, ascending. */
  filled: readonly number[];
}

interface Ending {
  seconds: number;
  share: number;
  orders: number;
  status: string;
}

const HEIGHT = 340;
const MOST_CURVES = 5;
const MOST_STEPS = 1_000;
const ENDING_CELLS = 70;
const CURVE_COLORS = [
  COLORS.blue,
  COLORS.vermilion,
  COLORS.green,
  COLORS.purple,
  COLORS.sky,
  COLORS.muted,
];
const ENDINGS: readonly { status: string; label: string; fill: string; stroke: string }[] = [
  { status: "cancelled", label: "cancelled unfilled", fill: COLORS.purple, stroke: "white" },
  { status: "expired", label: "expired unfilled", fill: COLORS.orange, stroke: "white" },
  { status: "open", label: "still open", fill: "white", stroke: COLORS.ink },
];
const OTHER_ENDING = { label: "ended unfilled", fill: COLORS.grey, stroke: "white" };

function fillTime(row: TimeToFillRow, until: "firstFill" | "wholeFill"): number | null {
  const seconds = until === "firstFill"
    ? row.time_to_first_fill_seconds
    : row.status === "fulfilled"
    ? row.time_to_last_fill_seconds
    : null;
  return isNumber(seconds) ? seconds : null;
}

function waitsOf(rows: readonly TimeToFillRow[], until: "firstFill" | "wholeFill"): Wait[] {
  const waits: Wait[] = [];
  for (const row of rows) {
    const filled = fillTime(row, until);
    const seconds = filled ?? row.observed_seconds;
    const isFilled = row.status === "fulfilled" ||
      (until === "firstFill" && isNumber(row.fill_count) && row.fill_count > 0);
    if (isNumber(seconds) && (filled !== null || !isFilled)) {
      waits.push({ row, seconds, isFilled: filled !== null });
    }
  }
  return waits;
}

function curvesOf(waits: readonly Wait[], z: TimeToFillOptions["z"]): Curve[] {
  const { groups, rest } = z === undefined
    ? { groups: [{ key: "orders", rows: waits }], rest: null }
    : largestGroups(waits, ({ row }) => row[z], { limit: MOST_CURVES, noun: z.replace("_", " ") });
  return [...groups, ...(rest === null ? [] : [rest])].map(({ key, rows }, index) => ({
    name: key,
    color: CURVE_COLORS[index] ?? COLORS.muted,
    waits: rows,
    filled: rows.filter(({ isFilled }) => isFilled).map(({ seconds }) => seconds)
      .toSorted((a, b) => a - b),
  }));
}

/** Share of a curve's orders that are filled by each time, as steps; below a pixel steps are joined. */
function stepsOf({ filled, waits }: Curve, { domain, place }: DurationAxis) {
  const each = Math.ceil(filled.length / MOST_STEPS);
  const steps = [{ seconds: domain[0], share: 0 }];
  for (const [index, seconds] of filled.entries()) {
    if ((index + 1) % each === 0 || index + 1 === filled.length) {
      steps.push({ seconds: place(seconds), share: (index + 1) / waits.length });
    }
  }
  steps.push({ seconds: domain[1], share: filled.length / waits.length });
  return steps;
}

/** Orders that ended unfilled, on the curve at their age then; those at one place are one dot. */
function endingsOf(curve: Curve, axis: DurationAxis): Ending[] {
  const along = (seconds: number) => axis.isLog ? Math.log(axis.place(seconds)) : seconds;
  const [low, high] = [along(axis.domain[0]), along(axis.domain[1])];
  const cells = new Map<string, Ending>();
  const unfilled = curve.waits.filter(({ isFilled }) => !isFilled)
    .toSorted((a, b) => a.seconds - b.seconds);
  let before = 0;
  for (const { seconds, row: { status } } of unfilled) {
    while ((curve.filled[before] ?? Infinity) <= seconds) before++;
    const cell = Math.round((along(seconds) - low) / (high - low) * ENDING_CELLS);
    const key = `${status} ${cell}`;
    const ending = cells.get(key) ??
      { seconds: axis.place(seconds), share: before / curve.waits.length, orders: 0, status };
    ending.orders += 1;
    cells.set(key, ending);
  }
  return [...cells.values()];
}

function endingOf(status: string) {
  return ENDINGS.find((one) => one.status === status) ?? OTHER_ENDING;
}

function curvesPanel(
  curves: readonly Curve[],
  axis: DurationAxis,
  { height = HEIGHT, marginLeft = 56 }: ChartOptions,
): Panel {
  const endings = curves.flatMap((curve) => endingsOf(curve, axis));
  return {
    plot: {
      height,
      marginLeft,
      marginRight: 24,
      marginTop: 28,
      marginBottom: 44,
      x: axis.scale,
      y: {
        label: "↑ Share of all orders that are filled",
        domain: [0, 1],
        grid: true,
        ticks: 5,
        tickFormat: percentText,
      },
      r: {
        type: "sqrt",
        domain: [0, Math.max(25, largest(endings.map((one) => one.orders)))],
        range: [2.5, 7],
      },
      marks: [
        Plot.ruleY([0]),
        ...curves.map((curve) =>
          Plot.line(stepsOf(curve, axis), {
            x: "seconds",
            y: "share",
            curve: "step-after",
            stroke: curve.color,
            strokeWidth: 2.2,
            title: () => legendText(curve),
            className: "filled",
          })
        ),
        Plot.dot(endings, {
          x: "seconds",
          y: "share",
          r: "orders",
          fill: ({ status }: Ending) => endingOf(status).fill,
          stroke: ({ status }: Ending) => endingOf(status).stroke,
          title: ({ orders, seconds, status }: Ending) =>
            `${count(orders, "order")} ${endingOf(status).label}\nafter ${durationText(seconds)}`,
          className: "ending",
        }),
      ],
    },
  };
}

function shareOf({ filled, waits }: Curve): string {
  return percentText(waits.length === 0 ? 0 : filled.length / waits.length);
}

function legendText(curve: Curve): string {
  const middle = median(curve.filled);
  return `${curve.name} (n = ${wholeText(curve.waits.length)}): ${shareOf(curve)} filled` +
    (middle === null ? "" : `, half of those within ${durationText(middle)}`);
}

function legendOf(curves: readonly Curve[], statuses: ReadonlySet<string>): LegendEntry[] {
  const labels = new Map([...statuses].map((status) => {
    const { label, fill, stroke } = endingOf(status);
    return [label, { label, fill, stroke, shape: "dot" } as const];
  }));
  return [
    ...curves.map((curve) => ({
      label: legendText(curve),
      fill: "none",
      stroke: curve.color,
      shape: "line" as const,
    })),
    ...labels.values(),
  ];
}

function statusNote(waits: readonly Wait[], isFirst: boolean): string {
  const groups = Map.groupBy(waits.filter(({ isFilled }) => !isFilled), ({ row }) => row.status);
  const filled = waits.filter(({ isFilled }) => isFilled).length;
  const parts = [...groups].toSorted(([a], [b]) => a < b ? -1 : 1)
    .map(([status, members]) => `${wholeText(members.length)} ${status}`);
  return `n = ${count(waits.length, "order")}: ` +
    [`${wholeText(filled)} ${isFirst ? "filled" : "filled whole"}`, ...parts].join(", ");
}

/**
 * Draws how long orders waited to be filled: for each age the share of all orders that were filled by
 * then. Orders that were never filled stay in that share: each stands on the curve at the age at
 * which it was cancelled, expired or last seen open (one dot where there are several, by area).
 *
 * The share counts every order, so it ends below 100 % where some were not filled. Where orders are
 * still open it is a lower bound, and the caption says so. The axis is logarithmic where waits differ
 * a hundredfold.
 *
 * @param rows One row an order; orders without the times that are needed are counted in the caption;
 * no rows draw a figure that says so.
 * @returns The figure; its `rows` are the orders that are drawn.
 * @throws {InputError} If an option is out of its range.
 *
 * @example Two of four orders were filled
 * ```ts
 * import { timeToFill } from "orderlens/charts";
 * import { assertEquals } from "@std/assert";
 *
 * const chart = timeToFill([
 *   { order_uid: "0x01", status: "fulfilled", time_to_first_fill_seconds: 4 },
 *   { order_uid: "0x02", status: "fulfilled", time_to_first_fill_seconds: 8 },
 *   { order_uid: "0x03", status: "cancelled", observed_seconds: 6 },
 *   { order_uid: "0x04", status: "expired", observed_seconds: 60 },
 * ]);
 *
 * assertEquals(chart.title, "Time to the first fill: 50 % of orders filled, half of those within 6 s");
 * ```
 */
export function timeToFill(
  rows: readonly TimeToFillRow[],
  options: TimeToFillOptions = {},
): Chart<TimeToFillRow> {
  const width = checkedWidth(options);
  const { until = "firstFill", z } = options;
  const isFirst = until === "firstFill";
  const waits = waitsOf(rows, until);
  const unknown = rows.length - waits.length;
  const what = isFirst ? "Time to the first fill" : "Time to the whole fill";
  const left = unknown === 0 ? null : `${count(unknown, "order")} without known times left out`;
  if (waits.length === 0) {
    return emptyFigure({
      title: what,
      reason: rows.length === 0
        ? "No orders in this range"
        : "No order in this range has known times",
      caption: captionText(["n = 0 orders", left], options.source),
      width,
    });
  }
  const axis = durationAxis(waits.map(({ seconds }) => seconds), "Time since creation");
  const curves = curvesOf(waits, z);
  const [all] = curvesOf(waits, undefined);
  const unfilled = waits.filter(({ isFilled }) => !isFilled);
  const hasOpen = unfilled.some(({ row }) => row.status === "open");
  const middle = median(all?.filled ?? []);
  const caption = captionText([
    statusNote(waits, isFirst),
    left,
    unfilled.length > 0 &&
    "Dots are orders not filled, at the age at which they ended or were last seen; area: how many",
    hasOpen && "Open orders may be filled yet: the share is a lower bound",
    axis.atEdge > 0 && `${count(axis.atEdge, "order")} at the left edge waited less than it shows`,
  ], options.source);
  const title = `${what}: ${all === undefined ? "0 %" : shareOf(all)} of orders filled` +
    (middle === null ? "" : `, half of those within ${durationText(middle)}`);
  return drawFigure({
    title,
    description: `${title}. ${caption}`,
    legend: legendOf(curves, new Set(unfilled.map(({ row }) => row.status))),
    panels: [curvesPanel(curves, axis, options)],
    caption,
    width,
    rows: waits.map(({ row }) => row),
  });
}
