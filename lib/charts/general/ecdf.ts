import * as Plot from "@observablehq/plot";
import {
  checkOptions,
  type OptionRules,
  required,
  wholeNumber,
} from "../../errors/option_rules.ts";
import { lowerFirst } from "../../units/format.ts";
import { createOpenAxis, type OpenAxis } from "../axes/axis_scale.ts";
import type { Chart } from "../figure/chart.ts";
import { CHART_OPTIONS, type ChartOptions } from "../figure/chart_options.ts";
import type { Panel } from "../figure/panel.ts";
import { drawPicture } from "../figure/picture.ts";
import { COLORS } from "../looks.ts";
import { createDotPanel, createShareScale } from "../marks/dot_plot.ts";
import type { Rows } from "../rows.ts";
import { median, quantile } from "../statistics.ts";
import { compareRange, describeRange, formatCoverage } from "../texts/claim_text.ts";
import { count, formatWhole } from "../texts/count_text.ts";
import { formatPercent } from "../texts/label_text.ts";
import { nameGroup } from "../texts/short_names.ts";
import {
  type ColumnText,
  createSeriesLegend,
  describeColumn,
  describeRest,
  formatColumnLabel,
  formatDifference,
  formatValue,
  groupRows,
  MAX_SERIES,
  readNumber,
  readOpenRows,
  type Series,
} from "./column_text.ts";
import { formatTip } from "./time_points.ts";

/** Options of {@linkcode ecdf}. */
export interface EcdfOptions extends ChartOptions {
  /** Column of numbers. */
  x: string;
  /** Column of texts by which rows are distinguished. @default {one curve} */
  series?: string;
  /** Unit of `x`, for labels. @default {as its name ends: bps for slippage_net_bps} */
  unit?: string;
  /** Most curves, from 1 to 6; the others share one more. @default {6} */
  limit?: number;
}

const ACTION = "Cannot draw ecdf";

const HEIGHT = 340;

const OPTIONS: OptionRules<EcdfOptions> = {
  ...CHART_OPTIONS,
  x: required(String),
  series: String,
  unit: String,
  limit: wholeNumber(1, MAX_SERIES),
};

/**
 * Draws the distribution of a column of any table: for each value, the share of rows that are not
 * above it, as one curve or one for each series, with the medians.
 *
 * The axis is linear; logarithmic where values differ a thousandfold; and where some are negative,
 * linear with outliers at its edge, or linear near zero and logarithmic beyond.
 *
 * @param input Rows of any kind, or a frame. Rows without a number are left out, and the caption says
 * how many; without rows the figure says so.
 * @returns The figure; its `rows` are the rows drawn.
 * @throws {InputError} If an option is unknown or out of range, or the rows have no such column, or
 * text in it.
 *
 * @example How long quotes took
 * ```ts
 * import { ecdf } from "orderlens/charts";
 * import { assertEquals } from "@std/assert";
 *
 * const quotes = [12, 15, 20, 31, 44].map((duration_ms) => ({ duration_ms }));
 *
 * assertEquals(ecdf(quotes, { x: "duration_ms" }).title, "Duration: median 20 ms, 4 of 5 are at most 31 ms");
 * ```
 */
export function ecdf<Row extends object>(input: Rows<Row>, options: EcdfOptions): Chart<Row> {
  checkOptions(options, OPTIONS, ACTION);
  const { x, series, unit } = options;
  const text = describeColumn(x, unit);
  const rows = readOpenRows(input, {
    required: { ...(series === undefined ? {} : { [series]: "text" }), [x]: "number" },
  }, ACTION);
  const noun = nameGroup(series ?? "");
  return drawPicture("ecdf", rows, options, {
    defaults: { limit: MAX_SERIES },
    select: (rows: readonly Row[], { limit }) => {
      const drawnRows = rows.filter((row) => readNumber(row, x) !== null);
      const curves = groupRows(drawnRows, series, limit).map((group) =>
        createCurve({ ...group, points: group.points.map((row) => readNumber(row, x)!) })
      );
      return { curves, drawnRows, leftOut: rows.length - drawnRows.length };
    },
    empty: {
      title: `Distribution of ${lowerFirst(text.name)}`,
      noRows: "No rows in this range",
      noValues: `No row in this range has a number in ${x}`,
    },
    axes: ({ curves }) => ({
      axis: createOpenAxis(curves.flatMap(({ points }) => points), {
        label: formatColumnLabel(text),
        unit: text.unit ?? "",
        towards: "right",
      }),
    }),
    panels: ({ curves, axis, ...size }) => [createCurvesPanel(curves, { axis, text, size })],
    legend: ({ curves }) =>
      createSeriesLegend(curves, {
        shape: "dot",
        formatLabel: (curve) =>
          `${curve.label} (n = ${formatWhole(curve.points.length)}): median ` +
          formatValue((curve as EcdfCurve).median, text),
      }),
    finding: ({ curves, drawnRows }) => {
      const ascending = curves.flatMap(({ points }) => points).toSorted((a, b) => a - b);
      const formatQuantile = (share: number) => formatValue(quantile(ascending, share)!, text);
      const formatCurve = (curve: EcdfCurve) =>
        `${formatValue(curve.median, text)} (${curve.label}, n = ` +
        `${formatWhole(curve.points.length)})`;
      return [
        `The median of ${count(drawnRows.length, "row")} is ` +
        `${formatQuantile(0.5)}; the middle 80% lie between ` +
        `${formatQuantile(0.1)} and ${formatQuantile(0.9)}`,
        curves.length > 1 && describeRange(
          compareRange(curves.map((curve) => ({ curve, values: curve.points })), {
            text: (value) => formatDifference(value, text),
          }),
          { noun: "series", rows: "rows", text: ({ curve }) => formatCurve(curve) },
        ),
      ];
    },
    title: ({ curves }) => {
      const ascending = curves.flatMap(({ points }) => points).toSorted((a, b) => a - b);
      const upper = ascending[Math.ceil(0.8 * ascending.length - 1e-9) - 1]!;
      return `${text.name}: median ${formatValue(quantile(ascending, 0.5)!, text)}, ` +
        `${formatCoverage(0.8, ascending.length)} are at most ${formatValue(upper, text)}`;
    },
    caption: ({ curves, drawnRows, leftOut, limit, axis }) => [
      `n = ${count(drawnRows.length, "row")}`,
      leftOut > 0 && `${count(leftOut, "row")} without a number in ${x} left out`,
      axis && "Large dots: medians" +
        (curves.some(hasSmallMarks) ? "; small ones: 10%, 25%, 75% and 90%" : ""),
      describeRest(curves, { limit, noun, measure: "rows" }),
      axis?.note,
    ],
  });
}

function createCurvesPanel(
  curves: readonly EcdfCurve[],
  { axis, text, size }: { axis: OpenAxis; text: ColumnText; size: ChartOptions },
): Panel {
  const { height = HEIGHT, marginLeft = 56 } = size;
  const marks = curves.flatMap((curve) => listMarks(curve, axis));
  return createDotPanel({
    height,
    marginLeft,
    x: axis.scale,
    y: createShareScale("Share of rows at most this"),
    marks: [
      Plot.ruleY([0]),
      Plot.ruleY([0.5], { stroke: COLORS.ink, strokeDasharray: "2 3" }),
      ...curves.map((curve) =>
        Plot.line(listSteps(curve, axis), {
          x: "x",
          y: "share",
          z: null,
          stroke: () => curve.color,
          strokeWidth: 1.8,
          curve: "step-after",
          className: "curve",
        })
      ),
      drawMarks(marks.filter(({ isMedian }) => !isMedian), { text, r: 2.4 }),
      drawMarks(marks.filter(({ isMedian }) => isMedian), { text, r: 4.5 }),
    ],
  });
}

function drawMarks(
  marks: readonly EcdfMark[],
  { text, r }: { text: ColumnText; r: number },
): Plot.Markish {
  return Plot.dot(marks, {
    x: "x",
    y: "share",
    r,
    fill: ({ curve }: EcdfMark) => curve.color,
    stroke: "white",
    strokeWidth: 0.75,
    title: (mark: EcdfMark) => formatMark(mark, text),
    className: "mark",
  });
}

function formatMark({ curve, value, share, isMedian }: EcdfMark, text: ColumnText): string {
  const name = curve.name === "" ? "" : `${curve.name}\n`;
  const rows = count(curve.points.length, "row");
  return isMedian
    ? `${name}median of ${rows}: ${formatTip(value, text)}`
    : `${name}${formatPercent(share)} of ${rows} are at most ${formatTip(value, text)}`;
}

/** The values of one series, ascending. */
interface EcdfCurve extends Series<number> {
  /** The value in the middle, or the mean of the two there. */
  readonly median: number;
}

/** More steps would be less than a pixel. */
const MAX_STEPS = 1_000;

const MARKED = [0.1, 0.25, 0.75, 0.9];

export function createCurve(series: Series<number>): EcdfCurve {
  const points = series.points.toSorted((a, b) => a - b);
  return { ...series, points, median: median(points) ?? NaN };
}

/**
 * The share of the values that are at most each of them, from the left end of the axis to its right
 * end. Of many values every so-manieth has a corner, and the last one.
 */
export function listSteps({ points }: EcdfCurve, { scale, clamp }: OpenAxis) {
  const [from, to] = scale.domain as readonly [number, number];
  const step = Math.ceil(points.length / MAX_STEPS);
  const steps = [{ x: from, share: 0 }];
  for (const [index, value] of points.entries()) {
    const isLastOfEqual = points[index + 1] !== value;
    const isCorner = step === 1
      ? isLastOfEqual
      : (index + 1) % step === 0 || index + 1 === points.length;
    if (isCorner) steps.push({ x: clamp(value), share: (index + 1) / points.length });
  }
  steps.push({ x: to, share: 1 });
  return steps;
}

function hasSmallMarks({ points }: EcdfCurve): boolean {
  return points.length >= MARKED.length;
}

/** Lists the median of a curve, and the smallest values that 10%, 25%, 75% and 90% do not exceed. */
export function listMarks(curve: EcdfCurve, { clamp }: OpenAxis) {
  const { points } = curve;
  const quantiles = !hasSmallMarks(curve) ? [] : MARKED.map((share) => {
    const value = points[Math.ceil(share * points.length - 1e-9) - 1]!;
    return { curve, value, x: clamp(value), share, isMedian: false };
  });
  const middle = curve.median;
  return [...quantiles, { curve, value: middle, x: clamp(middle), share: 0.5, isMedian: true }];
}

type EcdfMark = ReturnType<typeof listMarks>[number];
