import * as Plot from "@observablehq/plot";
import { axisText } from "../texts/axis_text.ts";
import type { Chart } from "../figure/chart.ts";
import { COLORS } from "../figure/colors.ts";
import { type DifferenceAxis, differenceAxis } from "../axes/difference_axis.ts";
import { DOT_AREAS, type DotAxis, dotMarks, dotNoun, type RowDot } from "../marks/dot_marks.ts";
import { drawFigure, emptyFigure, type LegendEntry } from "../figure/figure.ts";
import type { Panel } from "../figure/panel.ts";
import {
  fillTooltip,
  measuredFills,
  nothingMeasured,
  type SlippageChartOptions,
} from "./measured_fills.ts";
import { captionText, count, isNumber } from "../rows/row_selection.ts";
import { bpsText } from "../texts/signed_text.ts";
import type { BaselineFacts } from "./slippage_baseline.ts";
import type { SlippageRow } from "./slippage_row.ts";
import { type SliceColumn, type SlippageSlice, slippageSlices } from "./slippage_slices.ts";
import { type SpreadAxis, spreadAxis } from "../marks/spread_axis.ts";

/** What slippage is set against. */
export interface ScatterQuestion {
  /** Column of the horizontal axis; only values above zero are drawn. */
  column: SliceColumn;
  /** What the column is, with its unit. */
  label: string;
  /** What the column is, in a sentence. */
  noun: string;
  /** What the values of the column are called from small to large, as `small` and `large`. */
  ends: readonly [string, string];
}

const HEIGHT = 340;
/** What one of so many equal groups is called. */
const NTH: Readonly<Record<number, string>> = {
  2: "half",
  3: "third",
  4: "quarter",
  5: "fifth",
  6: "sixth",
  7: "seventh",
  8: "eighth",
};

function sliceMarks(slices: readonly SlippageSlice[], { x, y: axis }: { x: DotAxis; y: DotAxis }) {
  return [
    Plot.link(slices, {
      x1: ({ from }: SlippageSlice) => x.place(from),
      x2: ({ to }: SlippageSlice) => x.place(to),
      y1: (slice: SlippageSlice) => axis.place(slice.median_bps),
      y2: (slice: SlippageSlice) => axis.place(slice.median_bps),
      stroke: COLORS.ink,
      strokeWidth: 2.5,
      title: ({ rows, from, median_bps: middle, to }: SlippageSlice) =>
        `median ${bpsText(middle)}\n${count(rows.length, "fill")} from ${axisText(from)} to ${
          axisText(to)
        }`,
      className: "median",
    }),
  ];
}

function scatterPanel(
  points: readonly RowDot<SlippageRow>[],
  options: {
    across: SpreadAxis;
    axis: DifferenceAxis;
    baseline: BaselineFacts;
    height: number;
    marginLeft: number | undefined;
    slices: readonly SlippageSlice[];
  },
): Panel {
  const { across, axis, baseline, height, marginLeft = 72, slices } = options;
  const { scale, axis: x } = across;
  return {
    plot: {
      height,
      marginLeft,
      marginRight: 24,
      marginTop: 28,
      marginBottom: 44,
      x: scale,
      y: {
        ...axis.scale,
        label: `↑ Slippage against the ${baseline.name} (bps), ${
          baseline.better.replace(" →", "")
        }`,
      },
      r: DOT_AREAS,
      marks: [
        Plot.ruleY([0], { stroke: COLORS.ink }),
        ...dotMarks(points, { noun: "fill", x, y: axis }),
        ...sliceMarks(slices, { x, y: axis }),
      ],
    },
  };
}

function legendOf(fills: number, slices: number, baseline: BaselineFacts): LegendEntry[] {
  return [
    {
      label: `${dotNoun(fills, "fill")} better than the ${baseline.name}, or equal`,
      fill: COLORS.blue,
      shape: "dot",
    },
    { label: "worse", fill: COLORS.vermilion, shape: "dot" },
    ...(slices === 0 ? [] : [
      {
        label: `median of each ${NTH[slices]} of the fills`,
        fill: "none",
        stroke: COLORS.ink,
        shape: "line",
      } as const,
    ]),
  ];
}

/**
 * Draws slippage against a second quantity: one dot per fill, and medians of groups of equal
 * number.
 */
export function slippageScatter(
  rows: readonly SlippageRow[],
  options: SlippageChartOptions & { width: number },
  question: ScatterQuestion,
): Chart<SlippageRow> {
  const { width } = options;
  const { baseline, fills, notes } = measuredFills(rows, options);
  const points: RowDot<SlippageRow>[] = [];
  for (const fill of fills) {
    const x = fill.row[question.column];
    if (!isNumber(x) || x <= 0) continue;
    points.push({
      row: fill.row,
      x,
      y: fill.bps,
      color: fill.bps < 0 ? COLORS.vermilion : COLORS.blue,
      title: fillTooltip(fill, baseline),
    });
  }
  const unknown = fills.length - points.length;
  const [first, ...rest] = notes;
  const said = [
    points.length === fills.length ? first ?? null : `n = ${count(points.length, "fill")}`,
    unknown === 0 ? null : `${count(unknown, "fill")} without a known ${question.noun} left out`,
    ...rest,
  ];
  if (points.length === 0) {
    return emptyFigure({
      title: `Fills against the ${baseline.name}, by ${question.noun}`,
      reason: fills.length === 0
        ? nothingMeasured(rows, baseline)
        : `No fill in this range has a known ${question.noun}`,
      caption: captionText(said, options.source),
      width,
    });
  }
  const across = spreadAxis(points.map(({ x }) => x), question);
  const axis = differenceAxis(points.map(({ y }) => y), "bps");
  const slices = slippageSlices(rows, {
    by: question.column,
    ...(options.baseline === undefined ? {} : { baseline: options.baseline }),
  });
  const caption = captionText([...said, across.note, axis.note], options.source);
  const title = titleOf(slices, baseline, question);
  return drawFigure({
    title,
    description: `${title}. ${caption}`,
    legend: legendOf(points.length, slices.length, baseline),
    panels: [scatterPanel(points, {
      across,
      axis,
      baseline,
      height: options.height ?? HEIGHT,
      marginLeft: options.marginLeft,
      slices,
    })],
    caption,
    width,
    rows: points.map(({ row }) => row),
  });
}

function titleOf(
  slices: readonly SlippageSlice[],
  baseline: BaselineFacts,
  { ends, noun }: ScatterQuestion,
): string {
  const [first, last] = [slices.at(0), slices.at(-1)];
  const what = `Fills against the ${baseline.name}, by ${noun}`;
  const part = NTH[slices.length];
  if (first === undefined || last === undefined) return what;
  return `${what}: median ${bpsText(first.median_bps)} for the ${ends[0]} ${part}, ` +
    `${bpsText(last.median_bps)} for the ${ends[1]}`;
}
