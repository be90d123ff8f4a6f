import * as Plot from "@observablehq/plot";
import {
  createBaseScale,
  createDifferenceAxis,
  createLogScale,
  measureRatio,
} from "../axes/axis_scale.ts";
import { NATIVE_OPTIONS, type NativeOptions } from "../figure/chart_options.ts";
import { defineChart, type Draw } from "../figure/picture.ts";
import { COLORS, type LegendEntry } from "../looks.ts";
import {
  createDotPanel,
  type DotAxis,
  drawDots,
  nameDots,
  type RowDot,
} from "../marks/dot_plot.ts";
import { describeEarliest, isBracketed, isNumber } from "../rows.ts";
import { extent, quantile } from "../statistics.ts";
import { compareRange, describeRange, formatUnseen, INTERVALS_NOTE } from "../texts/claim_text.ts";
import { count, formatPart, formatWhole, pluralize } from "../texts/count_text.ts";
import { bpsText, formatAmount, formatNumber } from "../texts/label_text.ts";
import {
  type BaselineFacts,
  explainEmpty,
  formatFillTooltip,
  formatSlippageLabel,
  measureFills,
  pickColumn,
  SLIPPAGE_OPTIONS,
  SLIPPAGE_ROWS,
  type SlippageChartOptions,
  type SlippageRow,
} from "./measured_fills.ts";
import { type SliceColumn, type SlippageSlice, slippageSlices } from "./slippage_groups.ts";

/** The second quantity of a scatter chart of slippage. */
interface ScatterQuestion {
  /** Column of the horizontal axis; only values above zero are drawn. */
  column: SliceColumn;
  /** Label of the column with its unit; built from the native token's symbol where that is its unit. */
  label: string | ((native: string) => string);
  /** Name of the column, in a sentence. */
  noun: string;
  /** Reason for missing values, for a figure without any. @default {nothing} */
  reason?: string;
}

/** Name of one of 2 to 8 equal groups. */
const NTH: Readonly<Record<number, string>> = {
  2: "half",
  3: "third",
  4: "quarter",
  5: "fifth",
  6: "sixth",
  7: "seventh",
  8: "eighth",
};

/** Creates channels that place a group of fills by its range; the tooltip ends with their number. */
function createSliceChannels(x: DotAxis, describe: (slice: SlippageSlice) => string) {
  return {
    x1: ({ from }: SlippageSlice) => x.clamp(from),
    x2: ({ to }: SlippageSlice) => x.clamp(to),
    title: (slice: SlippageSlice) =>
      `${describe(slice)}\n${count(slice.rows.length, "fill")} from ${
        formatNumber(slice.from)
      } to ` +
      formatNumber(slice.to),
  };
}

/** Draws the interval of the median of each group of fills as a box over its range. */
function drawIntervals(slices: readonly SlippageSlice[], x: DotAxis, y: DotAxis): Plot.Markish {
  const readEnds = ({ median_low_bps: low, median_high_bps: high }: SlippageSlice) =>
    [low ?? NaN, high ?? NaN] as const;
  const describe = (slice: SlippageSlice) =>
    `median, 95% interval ${readEnds(slice).map(bpsText).join(" to ")}`;
  return Plot.rect(slices, {
    ...createSliceChannels(x, describe),
    y1: (slice: SlippageSlice) => y.clamp(readEnds(slice)[0]),
    y2: (slice: SlippageSlice) => y.clamp(readEnds(slice)[1]),
    fill: COLORS.grey,
    fillOpacity: 0.6,
    className: "interval",
  });
}

function drawMedians(slices: readonly SlippageSlice[], x: DotAxis, y: DotAxis): Plot.Markish[] {
  const toY = (slice: SlippageSlice) => y.clamp(slice.median_bps);
  const describe = (slice: SlippageSlice) => `median ${bpsText(slice.median_bps)}`;
  const look = { stroke: COLORS.ink, strokeWidth: 2.5, className: "median" };
  return slices.length === 0
    ? []
    : [Plot.link(slices, { ...createSliceChannels(x, describe), y1: toY, y2: toY, ...look })];
}

/** Compares the two groups of fills whose medians differ most. */
function compareSlices(slices: readonly SlippageSlice[], { column }: BaselineFacts) {
  const samples = slices.map((slice) => ({
    slice,
    values: slice.rows.map((row) => row[column]).filter(isNumber),
  }));
  return compareRange(samples, { text: bpsText });
}

function createLegend(fills: number, slices: number, against: BaselineFacts): LegendEntry[] {
  return [
    {
      label: `${nameDots(fills, "fill")} better than the ${against.name}, or equal`,
      name: "better",
      fill: COLORS.blue,
      shape: "dot",
    },
    { label: "worse", fill: COLORS.vermilion, shape: "dot" },
    ...(slices === 0 ? [] : [
      {
        label: `median of each ${NTH[slices]} of the fills`,
        name: "median",
        fill: "none",
        stroke: COLORS.ink,
        shape: "line",
      } as const,
      { label: "its 95% bootstrap interval", name: "interval", fill: COLORS.grey },
    ]),
  ];
}

/**
 * Defines a chart of slippage against a second quantity: one dot per fill, and medians of groups of
 * equally many fills.
 *
 * @param chart Name of the function that draws.
 */
function defineScatterChart(
  chart: string,
  { column, label, noun, reason = "" }: ScatterQuestion,
): Draw<SlippageRow, SlippageChartOptions & NativeOptions> {
  const nativeOptions = typeof label === "string" ? {} : NATIVE_OPTIONS;
  const options = { ...SLIPPAGE_OPTIONS, ...nativeOptions as typeof NATIVE_OPTIONS };
  /** Formats the range of some fills: `0.2 to 0.51 ETH`. */
  const formatSlice = ({ from, to }: SlippageSlice, native: string) =>
    `${formatAmount(from, 3)} to ${formatAmount(to, 3)} ` +
    (column === "volume_native" ? native : "s");
  const selectColumns = ({ baseline }: SlippageChartOptions & NativeOptions) =>
    [pickColumn(baseline), column] as const;
  return defineChart({
    chart,
    ...SLIPPAGE_ROWS,
    options,
    selectColumns,
    select: (rows, options) => {
      const { fills, against, notes } = measureFills(rows, options);
      const points = fills.flatMap((fill): RowDot<SlippageRow>[] => {
        const x = fill.row[column];
        if (!isNumber(x) || x <= 0) return [];
        const color = fill.bps < 0 ? COLORS.vermilion : COLORS.blue;
        return [{
          row: fill.row,
          x,
          y: fill.bps,
          color,
          title: formatFillTooltip(fill, against, options.currency),
        }];
      });
      const { baseline } = options;
      const slices = slippageSlices(rows, {
        by: column,
        ...(baseline === undefined ? {} : { baseline }),
      });
      const drawnRows = points.map(({ row }) => row);
      const unaged = column !== "quote_age_seconds"
        ? 0
        : fills.filter(({ row }) => isBracketed(row) && isNumber(row[column]) && row[column] <= 0)
          .length;
      return { fills, against, notes, points, slices, drawnRows, unaged };
    },
    empty: ({ fills, against }) => ({
      title: `Fills against the ${against.name}, by ${noun}`,
      ...explainEmpty(against),
      ...(fills.length === 0
        ? {}
        : { noValues: `No fill in this range has a known ${noun}${reason}` }),
    }),
    axes: ({ points, slices, nativeSymbol: native }) => ({
      across: createSpreadAxis(points.map(({ x }) => x), {
        label: typeof label === "string" ? label : label(native),
        noun,
      }),
      axis: createDifferenceAxis(points.map(({ y }) => y), "bps"),
      middle: createDifferenceAxis(
        slices.flatMap((slice) =>
          [slice.median_bps, slice.median_low_bps, slice.median_high_bps].filter(isNumber)
        ),
        "bps",
      ),
    }),
    panels: ({ points, slices, against, across: { scale, axis: x }, axis, middle, ...size }) => {
      const label = `↑ ${formatSlippageLabel(against).replace(" →", "")}`;
      const zero = Plot.ruleY([0], { stroke: COLORS.ink });
      const all = createDotPanel({
        ...{ height: slices.length === 0 ? undefined : SMALL_HEIGHT, ...size },
        x: scale,
        y: { ...axis.scale, label },
        marks: [
          zero,
          ...drawDots(points, {
            ...{ noun: "fill", x, y: axis },
            opacity: slices.length === 0 ? 0.6 : FAINT,
          }),
          ...drawMedians(slices, x, axis),
        ],
      });
      if (slices.length === 0) return [all];
      const medians = createDotPanel({
        ...{ height: SMALL_HEIGHT, ...size },
        x: scale,
        y: { ...middle.scale, label },
        marks: [zero, drawIntervals(slices, x, middle), ...drawMedians(slices, x, middle)],
      });
      return [
        { ...medians, heading: `Median of each ${NTH[slices.length]} of the fills` },
        { ...all, heading: "All fills, on their own scale" },
      ];
    },
    legend: ({ points, slices, against }) => createLegend(points.length, slices.length, against),
    finding: ({ slices, points, against, nativeSymbol: native }) => {
      if (slices.length === 0) {
        const better = points.filter(({ y }) => y > 0).length;
        return [
          `${formatPart(better, points.length)} fills were better than the ${against.name}; ` +
          `that is too few to tell whether the ${noun} matters`,
        ];
      }
      return [
        describeRange(compareSlices(slices, against), {
          noun: NTH[slices.length]!,
          rows: "fills",
          text: ({ slice }) =>
            `${bpsText(slice.median_bps)} (${formatSlice(slice, native)}, ` +
            `${count(slice.rows.length, "fill")})`,
        }),
      ];
    },
    title: ({ slices, against, nativeSymbol: native }) => {
      const subject = `Fills against the ${against.name}, by ${noun}`;
      if (slices.length === 0) return subject;
      const range = compareSlices(slices, against);
      const { ends } = range;
      if (!ends?.isSeen) {
        const unseen = formatUnseen(range, { noun: NTH[slices.length]!, rows: "fills" });
        return `${subject}: ${unseen}`;
      }
      const [lowest, highest] = [ends.lowest, ends.highest].map(({ slice }) =>
        `${bpsText(slice.median_bps)} (${formatSlice(slice, native)})`
      );
      return `${subject}: median from ${lowest} to ${highest}`;
    },
    caption: ({ fills, points, slices, drawnRows, unaged, notes, across, middle, axis }) => [
      `n = ${count(points.length, "fill")}`,
      fills.length > points.length + unaged &&
      `${count(fills.length - points.length - unaged, "fill")} without a known ${noun} left out`,
      unaged > 0 && `${count(unaged, "fill")} left out: quote age known only to be 0 s or more`,
      column === "quote_age_seconds" && describeEarliest(drawnRows, "fill"),
      ...notes,
      slices.length > 0 &&
      `The ${pluralize(NTH[slices.length]!)} have ${describeSizes(slices)} fills each`,
      slices.length > 0 && INTERVALS_NOTE.replace("group alone", `${NTH[slices.length]} alone`),
      across?.note,
      middle && slices.length > 0 && middle.note !== axis?.note && middle.note,
      axis?.note,
    ],
  });
}

/** Opacity of dots behind medians. */
const FAINT = 0.35;

/** Height of each of two panels, in pixels. */
const SMALL_HEIGHT = 230;

/** Formats the numbers of fills of equal groups: `83`, or `83 to 84`. */
function describeSizes(slices: readonly SlippageSlice[]): string {
  const [low = 0, high = low] = extent(slices.map(({ rows }) => rows.length));
  return low === high ? formatWhole(low) : `${formatWhole(low)} to ${formatWhole(high)}`;
}

const LOG_FROM_RATIO = 30;

/** Reach of the axis beyond the middle 80%, in multiples of their spread of logarithms. */
const FENCE = 4;

/** Maximum share of values beyond the axis. */
const MAX_FAR = 0.02;

/** Factor by which the edge of the axis lies beyond the other values. */
const EDGE = 1.3;

/**
 * Creates an axis for positive values: linear from zero, or logarithmic where they differ thirtyfold. A
 * logarithmic axis draws a few outliers at its edge, so that a dust fill does not squeeze the rest.
 */
function createSpreadAxis(
  values: readonly number[],
  { label, noun }: { label: string; noun: string },
) {
  const isFar = createOutlierTest(values);
  const far = values.filter(isFar);
  const near = values.filter((value) => !isFar(value));
  const [low = 1, high = 1] = extent(near);
  const [from, to] = [low / EDGE, high * EDGE];
  return {
    scale: measureRatio(near) >= LOG_FROM_RATIO || far.length > 0
      ? createLogScale(near, { label })
      : { ...createBaseScale({ label }), domain: [0, high * 1.05] },
    axis: {
      clamp: (value: number) => isFar(value) ? Math.min(to, Math.max(from, value)) : value,
      isBeyond: isFar,
    },
    note: far.length === 0
      ? null
      : `${count(far.length, "fill")} at the edge of the axis, with a ${noun} far from the rest: ` +
        formatNumber(far.reduce((a, b) => Math.abs(Math.log(b)) > Math.abs(Math.log(a)) ? b : a)),
  };
}

/** Creates a test for outliers, which finds none if values are similar or many are far. */
function createOutlierTest(values: readonly number[]): (value: number) => boolean {
  if (measureRatio(values) < LOG_FROM_RATIO) return () => false;
  const logs = values.map(Math.log10).toSorted((a, b) => a - b);
  const [low, high] = [quantile(logs, 0.1)!, quantile(logs, 0.9)!];
  const reach = FENCE * (high - low);
  const isFar = (value: number) =>
    Math.log10(value) < low - reach || Math.log10(value) > high + reach;
  const hasFewOutliers = high > low && values.filter(isFar).length <= MAX_FAR * values.length;
  return hasFewOutliers ? isFar : () => false;
}

/**
 * Draws the slippage of fills against one baseline of their quote, by the age of the quote at
 * settlement: the medians of up to eight groups of equally many fills, from the youngest to the
 * oldest quotes, each with its 95% interval, and below them one dot per fill (from 2,000 fills on, a
 * dot for several near each other). The axis of ages is logarithmic where they differ thirtyfold. Where
 * the time of a fill is known only as an interval, its age is the least possible; the caption counts
 * these fills.
 *
 * @param rows Rows or a frame. One row per fill with `quote_age_seconds`; fills without an age
 * above zero are counted in the caption; without rows the figure says so.
 * @returns The figure; its `rows` are the fills that are drawn.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example A fill soon after its quote, and one late
 * ```ts
 * import { slippageByQuoteAge } from "orderlens/charts";
 * import { assertEquals } from "@std/assert";
 *
 * const chart = slippageByQuoteAge([
 *   { order_uid: "0x01", kind: "sell", slippage_net_bps: 4, quote_age_seconds: 12 },
 *   { order_uid: "0x02", kind: "sell", slippage_net_bps: -2, quote_age_seconds: 80 },
 *   { order_uid: "0x03", kind: "sell", slippage_net_bps: -2, quote_age_seconds: null },
 * ]);
 *
 * assertEquals(chart.rows.length, 2);
 * ```
 */
export const slippageByQuoteAge: Draw<SlippageRow, SlippageChartOptions> = defineScatterChart(
  "slippageByQuoteAge",
  {
    column: "quote_age_seconds",
    label: "Age of the quote at the fill (seconds)",
    noun: "quote age",
    reason: ": build fills with times from auctionTimes",
  },
);

/** Options of {@linkcode slippageBySize}. */
export interface SlippageBySizeOptions extends SlippageChartOptions, NativeOptions {}

/**
 * Draws the slippage of fills against one baseline of their quote, by size in native tokens: the
 * medians of up to eight groups of equally many fills, from the smallest to the largest, each with its
 * 95% interval, and below them one dot per fill (from 2,000 fills on, a dot for several near each
 * other). The axis of sizes is logarithmic where they differ thirtyfold.
 *
 * @param rows Rows or a frame. One row per fill with `volume_native`; fills without a size above
 * zero are counted in the caption; without rows the figure says so.
 * @returns The figure; its `rows` are the fills that are drawn.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example A small and a large fill
 * ```ts
 * import { slippageBySize } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const chart = slippageBySize([
 *   { order_uid: "0x01", kind: "sell", slippage_net_bps: 4, volume_native: 0.1 },
 *   { order_uid: "0x02", kind: "sell", slippage_net_bps: -2, volume_native: 300 },
 * ], { nativeSymbol: "ETH" });
 *
 * assertMatch(chart.svg, /Size of the fill \(ETH, logarithmic\)/);
 * ```
 */
export const slippageBySize: Draw<SlippageRow, SlippageBySizeOptions> = defineScatterChart(
  "slippageBySize",
  {
    column: "volume_native",
    label: (native) => `Size of the fill (${native})`,
    noun: "size",
  },
);
