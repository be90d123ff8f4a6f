import * as Plot from "@observablehq/plot";
import {
  checkOptions,
  needed,
  type OptionRules,
  TEXT,
  wholeFrom,
} from "../../errors/option_rules.ts";
import type { Chart } from "../figure/chart.ts";
import { CHART_OPTIONS, type ChartOptions } from "../figure/chart_options.ts";
import { COLORS } from "../figure/colors.ts";
import type { Panel } from "../figure/panel.ts";
import { drawPicture } from "../figure/picture.ts";
import { dotPlot } from "../marks/dot_plot.ts";
import { quantile } from "../numbers/statistics.ts";
import type { Rows } from "../rows/row_kind.ts";
import { count, wholeText } from "../rows/row_selection.ts";
import { axisText, percentText } from "../texts/axis_text.ts";
import {
  columnLabel,
  type ColumnText,
  columnText,
  groupNoun,
  inSentence,
  withUnit,
} from "./column_text.ts";
import {
  curveOf,
  type EcdfCurve,
  type EcdfMark,
  ecdfMarks,
  ecdfSteps,
  hasSmallMarks,
} from "./ecdf_curves.ts";
import { type OpenAxis, openAxis } from "./open_axis.ts";
import { numberIn, openRows, textIn } from "./open_rows.ts";
import { MOST_SERIES, restNote, seriesLegend, seriesOf } from "./series.ts";
import { tipText } from "./time_points.ts";

/** Options of {@linkcode ecdf}. */
export interface EcdfOptions extends ChartOptions {
  /** Column of numbers. */
  x: string;
  /** Column of texts by which rows are told apart. @default {one curve} */
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
  x: needed(TEXT),
  series: TEXT,
  unit: TEXT,
  limit: wholeFrom(1, MOST_SERIES),
};

/**
 * Draws the distribution of a column of any table: for each value, the share of rows that are not
 * above it, as one curve or one for each series, with the medians.
 *
 * The axis is linear; logarithmic where values differ a thousandfold; and where some are negative,
 * linear with outliers at its edge, or linear near zero and logarithmic beyond.
 *
 * @param given Rows of any kind, or a frame. Rows without a number are left out, and the caption says
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
 * assertEquals(ecdf(quotes, { x: "duration_ms" }).title, "Duration: median 20 ms, 80% at most 31 ms");
 * ```
 */
export function ecdf<Row extends object>(given: Rows<Row>, options: EcdfOptions): Chart<Row> {
  checkOptions(options, OPTIONS, ACTION);
  const { x, series, unit } = options;
  const text = columnText(x, unit);
  const rows = openRows(given, {
    needed: { ...(series === undefined ? {} : { [series]: "text" }), [x]: "number" },
  }, ACTION);
  const noun = groupNoun(series ?? "");
  return drawPicture("ecdf", rows, options, {
    defaults: { limit: MOST_SERIES },
    select: (rows: readonly Row[], { limit }) => {
      const drawn = rows.filter((row) => numberIn(row, x) !== null);
      const groups = seriesOf(drawn, {
        keyOf: series === undefined ? null : (row) => textIn(row, series),
        sizeOf: (members) => members.length,
        limit,
        noun,
      });
      const curves = groups.map((one) =>
        curveOf({ ...one, points: one.points.map((row) => numberIn(row, x)!) })
      );
      return { curves, drawn, leftOut: rows.length - drawn.length };
    },
    empty: {
      title: `Distribution of ${inSentence(text.name)}`,
      noRows: "No rows in this range",
      noValues: `No row in this range has a number in ${x}`,
    },
    axes: ({ curves }) => ({
      axis: openAxis(curves.flatMap(({ points }) => points), {
        label: columnLabel(text),
        unit: text.unit ?? "",
        towards: "right",
      }),
    }),
    panels: ({ curves, axis, ...size }) => [curvesPanel(curves, { axis, text, size })],
    legend: ({ curves }) =>
      seriesLegend(curves, {
        shape: "dot",
        labelOf: (one) =>
          `${one.label} (n = ${wholeText(one.points.length)}): median ` +
          withUnit(axisText((one as EcdfCurve).median), text),
      }),
    title: ({ curves }) => {
      const all = curves.flatMap(({ points }) => points).toSorted((a, b) => a - b);
      const most = all[Math.ceil(0.8 * all.length - 1e-9) - 1]!;
      return `${text.name}: median ${withUnit(axisText(quantile(all, 0.5)!), text)}, ` +
        `80% at most ${withUnit(axisText(most), text)}`;
    },
    caption: ({ curves, drawn, leftOut, limit, axis }) => [
      `n = ${count(drawn.length, "row")}`,
      leftOut > 0 && `${count(leftOut, "row")} without a number in ${x} left out`,
      axis && "Large dots: medians" +
        (curves.some(hasSmallMarks) ? "; small ones: 10%, 25%, 75% and 90%" : ""),
      restNote(curves, { limit, noun, most: "rows" }),
      axis?.note,
    ],
  });
}

function curvesPanel(
  curves: readonly EcdfCurve[],
  { axis, text, size }: { axis: OpenAxis; text: ColumnText; size: ChartOptions },
): Panel {
  const { height = HEIGHT, marginLeft = 56 } = size;
  const marks = curves.flatMap((curve) => ecdfMarks(curve, axis));
  return dotPlot({
    height,
    marginLeft,
    x: axis.scale,
    y: {
      label: "↑ Share of rows at most this",
      domain: [0, 1],
      grid: true,
      ticks: 5,
      tickFormat: percentText,
    },
    marks: [
      Plot.ruleY([0]),
      Plot.ruleY([0.5], { stroke: COLORS.ink, strokeDasharray: "2 3" }),
      ...curves.map((curve) =>
        Plot.line(ecdfSteps(curve, axis), {
          x: "x",
          y: "share",
          z: null,
          stroke: () => curve.color,
          strokeWidth: 1.8,
          curve: "step-after",
          className: "curve",
        })
      ),
      dotsOf(marks.filter(({ isMedian }) => !isMedian), { text, r: 2.4 }),
      dotsOf(marks.filter(({ isMedian }) => isMedian), { text, r: 4.5 }),
    ],
  });
}

function dotsOf(
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
    title: (mark: EcdfMark) => markText(mark, text),
    className: "mark",
  });
}

function markText({ curve, value, share, isMedian }: EcdfMark, text: ColumnText): string {
  const name = curve.name === "" ? "" : `${curve.name}\n`;
  const rows = count(curve.points.length, "row");
  return isMedian
    ? `${name}median of ${rows}: ${tipText(value, text)}`
    : `${name}${percentText(share)} of ${rows} are at most ${tipText(value, text)}`;
}
