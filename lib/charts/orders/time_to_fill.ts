import * as Plot from "@observablehq/plot";
import { oneOf } from "../../errors/option_rules.ts";
import { createDurationAxis, type DurationAxis, formatDuration } from "../axes/duration_axis.ts";
import type { ChartOptions, GroupOptions } from "../figure/chart_options.ts";
import type { Panel } from "../figure/panel.ts";
import { defineChart, type Draw } from "../figure/picture.ts";
import { COLORS, type LegendEntry } from "../looks.ts";
import {
  createDotPanel,
  createShareScale,
  drawEndLabels,
  type PlacedLabel,
  spreadLabels,
} from "../marks/dot_plot.ts";
import { declare, describeEarliest, isBracketed } from "../rows.ts";
import { max, median, min } from "../statistics.ts";
import { compareRange, describeRange, formatPoints, formatPortion } from "../texts/claim_text.ts";
import { count, formatList, formatPart, formatWhole } from "../texts/count_text.ts";
import { fitText, formatPercent, measureLabel, measureLabelMargin } from "../texts/label_text.ts";
import { nameGroup, shortenName } from "../texts/short_names.ts";
import {
  createCurves,
  type FillCurve,
  groupUnfilled,
  isUntimed,
  listSteps,
  measureWaits,
  namePopulation,
  type OrderWait,
  type TimeToFillRow,
  type UnfilledPoint,
} from "./fill_curves.ts";

/** Options of {@linkcode timeToFill}. */
export interface TimeToFillOptions extends GroupOptions {
  /** Event an order waits for: its first fill, or its whole fill. @default {"firstFill"} */
  until?: "firstFill" | "wholeFill";
  /**
   * Column by whose values the orders are grouped into curves: `kind`, `pair`, `market_position`, or one
   * of your own. @default {one curve}
   */
  by?: string;
}

const HEIGHT = 340;
const [TOP, BOTTOM] = [28, 44];
const LINE = 14;
/** Maximum part of the width for names at the ends of curves. */
const MAX_LABELS = 0.35;
/** Maximum length of a short wait, in seconds. */
const SOON = 30;
const createLook = (label: string, short: string, fill: string) => (
  { label, short, fill, stroke: "white" }
);
const UNFILLED_LOOKS: Readonly<Record<string, ReturnType<typeof createLook>>> = {
  cancelled: createLook("cancelled unfilled", "cancelled", COLORS.purple),
  expired: createLook("expired unfilled", "expired", COLORS.orange),
  open: { ...createLook("still open", "may still be filled", "white"), stroke: COLORS.ink },
};
const OTHER_LOOK = createLook("ended unfilled", "ended otherwise", COLORS.grey);

function pickLook(status: string) {
  return Object.hasOwn(UNFILLED_LOOKS, status) ? UNFILLED_LOOKS[status]! : OTHER_LOOK;
}

function createCurvesPanel(
  curves: readonly FillCurve[],
  axis: DurationAxis,
  { height = HEIGHT, marginLeft = 56, width }: ChartOptions & { width: number },
): Panel {
  const labels = createEndLabels(curves, { height, width });
  const endings = curves.flatMap((curve) => groupUnfilled(curve, axis));
  return createDotPanel({
    height,
    marginLeft,
    marginRight: measureLabelMargin(labels.map(({ text }) => text)),
    x: axis.scale,
    y: createShareScale("Share of orders filled"),
    r: {
      type: "sqrt",
      domain: [0, max([25, ...endings.map((point) => point.orders)])],
      range: [2.5, 7],
    },
    marks: [
      Plot.ruleY([0]),
      ...curves.map((curve) =>
        Plot.areaY(listSteps(curve, axis), {
          x: "seconds",
          y1: "low",
          y2: "high",
          curve: "step-after",
          fill: curve.color,
          fillOpacity: 0.15,
          className: "interval",
        })
      ),
      ...curves.map((curve) => {
        const title = formatLegendLabel(curve);
        return Plot.line(listSteps(curve, axis), {
          x: "seconds",
          y: "share",
          curve: "step-after",
          stroke: curve.color,
          strokeWidth: 2.2,
          title: () => title,
          className: "filled",
        });
      }),
      Plot.dot(endings, {
        x: "seconds",
        y: "share",
        r: "orders",
        fill: ({ status }: UnfilledPoint) => pickLook(status).fill,
        stroke: ({ status }: UnfilledPoint) => pickLook(status).stroke,
        title: ({ orders, seconds, status }: UnfilledPoint) =>
          `${count(orders, "order")} ${pickLook(status).label}\nafter ${formatDuration(seconds)}`,
        className: "ending",
      }),
      drawEndLabels(labels),
    ],
  });
}

function createEndLabels(
  curves: readonly FillCurve[],
  { height, width }: { height: number; width: number },
): PlacedLabel[] {
  const labels = curves.map((curve) => {
    const share = ` ${formatFilledShare(curve)}`;
    const name = fitText(shortenName(curve.label), width * MAX_LABELS - measureLabel(share));
    return {
      text: curve.label === "" ? share.trim() : name + share,
      y: curve.waits.length === 0 ? 0 : curve.filled.length / curve.waits.length,
    };
  });
  return spreadLabels(labels, { gap: LINE / (height - TOP - BOTTOM), max: 1 });
}

function formatFilledShare({ filled, waits }: FillCurve): string {
  return formatPercent(waits.length === 0 ? 0 : filled.length / waits.length);
}

function formatLegendLabel(curve: FillCurve): string {
  const middle = median(curve.filled);
  return `${nameCurve(curve)} (n = ${formatWhole(curve.waits.length)}): ` +
    `${formatFilledShare(curve)} filled` +
    (middle === undefined ? "" : `, ${formatMedian(curve, middle)}`);
}

/** Says of which curves the filled shares differ most, or that no difference is seen. */
function compareCurves(curves: readonly FillCurve[], noun: string): string {
  const samples = curves.map((curve) => ({
    curve,
    values: curve.waits.map(({ isFilled }) => Number(isFilled)),
  }));
  return describeRange(compareRange(samples, { text: formatPoints, stat: "share" }), {
    noun,
    rows: "orders",
    value: "filled share",
    text: ({ curve }) =>
      `${formatPart(curve.filled.length, curve.waits.length)} (${shortenName(curve.label)})`,
  });
}

/** Whether some of the waits may have been longer. */
function hasLowerBounds(waits: readonly OrderWait[]): boolean {
  return waits.some(({ row, isFilled }) => isFilled && isBracketed(row));
}

/** Formats the median wait of a curve: a lower bound if some of the waits are. */
function formatMedian({ waits }: FillCurve, medianSeconds: number): string {
  return hasLowerBounds(waits)
    ? `median wait at least ${formatDuration(medianSeconds)}`
    : `half of those within ${formatDuration(medianSeconds)}`;
}

/** Names a curve, shortening a long pair. */
function nameCurve({ name, label }: FillCurve): string {
  return name === label ? shortenName(name) : name;
}

function createLegend(curves: readonly FillCurve[], statuses: ReadonlySet<string>): LegendEntry[] {
  const labels = new Map([...statuses].map((status) => {
    const { label, fill, stroke } = pickLook(status);
    return [label, { label, fill, stroke, shape: "dot" } as const];
  }));
  return [
    ...curves.map((curve) => ({
      label: formatLegendLabel(curve),
      name: curve.name,
      fill: "none",
      stroke: curve.color,
      shape: "line" as const,
    })),
    { label: "95% Wilson interval at each age", name: "interval", fill: COLORS.grey },
    ...labels.values(),
  ];
}

function describeStatuses(waits: readonly OrderWait[], isFirst: boolean): string {
  const groups = Map.groupBy(waits.filter(({ isFilled }) => !isFilled), ({ row }) => row.status);
  const filled = waits.filter(({ isFilled }) => isFilled).length;
  const parts = [...groups].toSorted(([a], [b]) => a < b ? -1 : 1)
    .map(([status, members]) => `${formatWhole(members.length)} ${status}`);
  return `n = ${count(waits.length, "order")}: ` +
    [`${formatWhole(filled)} ${isFirst ? "filled" : "completely filled"}`, ...parts].join(", ");
}

/** Lists the waits that the axis covers: those from the first fill on, since no curve rises before. */
function listAxisSeconds(waits: readonly OrderWait[]): number[] {
  const fills = waits.filter(({ isFilled, seconds }) => isFilled && seconds > 0);
  const first = min(fills.map(({ seconds }) => seconds)) ?? -Infinity;
  return waits.map(({ seconds }) => seconds).filter((seconds) => seconds >= first);
}

/**
 * Draws how long orders waited to be filled: for each age, the share of all orders filled by
 * then. Orders that were never filled count in that share: each is a dot on the curve at the age at
 * which it was cancelled, expired or last seen open (several at one place are one larger dot).
 *
 * Where the time of a fill is known only as an interval, the order counts as filled at its start, so
 * that the wait is a lower bound; the caption counts these orders.
 *
 * The area around each curve is its 95% Wilson interval, which holds for each age alone and takes
 * orders as independent of each other. The share counts every order, so it ends below 100% where some
 * were not filled. Where orders are still open it is a lower bound, and the caption says so. The axis
 * is logarithmic where waits differ a hundredfold.
 *
 * @param rows Rows or a frame. One row per order; orders without the times that are needed are
 * counted in the caption; without rows the figure says so.
 * @returns The figure; its `rows` are the orders that are drawn.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
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
 * assertEquals(chart.title, "Time to the first fill: 2 of 4 orders filled, half of those within 6 s");
 * ```
 */
export const timeToFill: Draw<TimeToFillRow, TimeToFillOptions> = defineChart({
  chart: "timeToFill",
  table: "lifecycle",
  columns: {
    ...declare("text", "order_uid", "status"),
    ...declare("number?", "time_to_first_fill_seconds", "time_to_last_fill_seconds"),
    ...declare("number?", "observed_seconds", "fill_count", "auction_count"),
    ...declare("flag?", "had_bid"),
    ...declare("text?", "time_basis", "kind", "pair", "market_position"),
  },
  options: { until: oneOf("firstFill", "wholeFill"), by: String },
  selectColumns: ({ until = "firstFill", by }) => [
    until === "firstFill" ? "time_to_first_fill_seconds" : "time_to_last_fill_seconds",
    "observed_seconds",
    ...(by === undefined ? [] : [by]),
  ],
  defaults: { until: "firstFill" },
  select: (rows, { until }) => {
    const waits = measureWaits(rows, until);
    const untimed = rows.filter((row) => isUntimed(row, until)).length;
    const unfilled = waits.filter(({ isFilled }) => !isFilled);
    const hasFillTimes = untimed === 0 || waits.length > unfilled.length;
    return {
      waits,
      untimed,
      unfilled,
      unknownCount: rows.length - waits.length,
      isFirst: until === "firstFill",
      drawnRows: hasFillTimes ? waits.map(({ row }) => row) : [],
    };
  },
  empty: ({ isFirst, waits }) => ({
    title: isFirst ? "Time to the first fill" : "Time to the complete fill",
    noRows: "No orders in this range",
    noValues: waits.length === 0
      ? "No order in this range has known times"
      : "These rows do not say when orders were filled: build lifecycle with times from auctionTimes",
  }),
  axes: ({ waits, by }) => ({
    allOrders: createCurves(waits, undefined)[0]!,
    axis: createDurationAxis(listAxisSeconds(waits), "Time since creation"),
    curves: createCurves(waits, by),
  }),
  panels: ({ curves, axis, ...size }) => [createCurvesPanel(curves, axis, size)],
  legend: ({ curves, unfilled }) =>
    createLegend(curves, new Set(unfilled.map(({ row }) => row.status))),
  finding: ({ waits, unfilled, isFirst, allOrders, curves, by }) => {
    const isBound = hasLowerBounds(waits);
    const soon = allOrders.filled.filter((seconds) => seconds <= SOON).length;
    const ends = [...Map.groupBy(unfilled, ({ row }) => row.status)]
      .toSorted(([, a], [, b]) => b.length - a.length)
      .map(([status, members]) => `${formatWhole(members.length)} ${pickLook(status).short}`);
    return [
      `${formatPart(allOrders.filled.length, waits.length)} ${namePopulation(waits)} were ` +
      (isFirst ? "filled, completely or in part" : "completely filled"),
      allOrders.filled.length > 0 && `Half of those waited ${isBound ? "at least " : ""}` +
        `${formatDuration(median(allOrders.filled)!)}${isBound ? "" : " at most"}; ` +
        `${isBound ? "at most " : ""}${formatPart(soon, allOrders.filled.length)} no longer than ` +
        formatDuration(SOON),
      ends.length > 0 && `The others: ${formatList(ends)}`,
      by !== undefined && curves.length > 1 && compareCurves(curves, nameGroup(by)),
    ];
  },
  title: ({ isFirst, allOrders, waits }) => {
    const middle = median(allOrders.filled);
    const population = namePopulation(waits);
    const nouns = [population.replace("orders", "order"), population] as const;
    return `Time to the ${isFirst ? "first" : "complete"} fill: ` +
      `${formatPortion(allOrders.filled.length, allOrders.waits.length, ...nouns)} filled` +
      (middle === undefined ? "" : `, ${formatMedian(allOrders, middle)}`);
  },
  caption: ({ waits, drawnRows, unknownCount, untimed, unfilled, isFirst, axis }) => {
    const leftOutNote = unknownCount > 0 &&
      `${count(unknownCount, "order")} without known times left out`;
    if (axis === undefined) return [`n = ${count(drawnRows.length, "order")}`, leftOutNote];

    const early = waits.filter(({ seconds }) => seconds < axis.domain[0]).length;
    return [
      describeStatuses(waits, isFirst),
      leftOutNote,
      describeEarliest(waits.flatMap(({ row, isFilled }) => isFilled ? [row] : []), "fill"),
      untimed > 0 &&
      `${formatWhole(untimed)} of those left out were filled, so the share is too low`,
      unfilled.length > 0 &&
      "Dots: orders not filled, at the age at which they ended or were last seen; area shows how many",
      unfilled.some(({ row }) => row.status === "open") &&
      "Open orders may still be filled, so the share is a lower bound",
      early > 0 &&
      `${count(early, "order")} with a time before the axis ${early === 1 ? "is" : "are"} shown ` +
        "at its left edge",
    ];
  },
});
