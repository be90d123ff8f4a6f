import * as Plot from "@observablehq/plot";
import { axisText } from "./axis_text.ts";
import { largest, logAxis, smallest } from "./axis_scale.ts";
import type { Chart } from "./chart.ts";
import { COLORS } from "./colors.ts";
import { type DifferenceAxis, differenceAxis } from "./difference_axis.ts";
import { DOT_AREAS, dotMarks, dotNoun, type RowDot } from "./dot_marks.ts";
import { drawFigure, emptyFigure, type LegendEntry } from "./figure.ts";
import type { Panel } from "./panel.ts";
import {
  fillTooltip,
  measuredFills,
  nothingMeasured,
  type SlippageChartOptions,
} from "./measured_fills.ts";
import { median } from "./quantile.ts";
import { captionText, count, isNumber } from "./row_selection.ts";
import { bpsText } from "./signed_text.ts";
import type { BaselineFacts } from "./slippage_baseline.ts";
import type { SlippageRow } from "./slippage_row.ts";

/** What slippage is set against. */
export interface ScatterQuestion {
  /** Column of the horizontal axis; only values above zero are drawn. */
  column: "volume_native" | "quote_age_seconds";
  /** What the column is, with its unit. */
  label: string;
  /** What the column is, in a sentence. */
  noun: string;
  /** What the values of the column are called from small to large, as `small` and `large`. */
  ends: readonly [string, string];
}

/** Fills of about the same size or age. */
interface Slice {
  from: number;
  to: number;
  middle: number;
  count: number;
}

const HEIGHT = 340;
const LOG_FROM_RATIO = 30;
const MOST_SLICES = 8;
const SLICE_SIZE = 15;

/** Medians of fills in groups of equal number, from the smallest to the largest; none for few fills. */
function slicesOf(points: readonly RowDot<SlippageRow>[]): Slice[] {
  const sorted = points.toSorted((a, b) => a.x - b.x);
  const slices = Math.min(MOST_SLICES, Math.floor(sorted.length / SLICE_SIZE));
  if (slices < 2) return [];
  return Array.from({ length: slices }, (_, index) => {
    const start = Math.round(index * sorted.length / slices);
    const members = sorted.slice(start, Math.round((index + 1) * sorted.length / slices));
    const xs = members.map(({ x }) => x);
    const middle = median(members.map(({ y }) => y)) ?? NaN;
    return { from: smallest(xs), to: largest(xs), middle, count: members.length };
  });
}

function sliceMarks(slices: readonly Slice[], axis: DifferenceAxis) {
  return [
    Plot.link(slices, {
      x1: "from",
      x2: "to",
      y1: ({ middle }: Slice) => axis.place(middle),
      y2: ({ middle }: Slice) => axis.place(middle),
      stroke: COLORS.ink,
      strokeWidth: 2.5,
      title: ({ count: fills, from, middle, to }: Slice) =>
        `median ${bpsText(middle)}\n${count(fills, "fill")} from ${axisText(from)} to ${
          axisText(to)
        }`,
      className: "median",
    }),
  ];
}

function scatterPanel(
  points: readonly RowDot<SlippageRow>[],
  options: {
    axis: DifferenceAxis;
    baseline: BaselineFacts;
    height: number;
    marginLeft: number | undefined;
    question: ScatterQuestion;
    slices: readonly Slice[];
  },
): Panel {
  const { axis, baseline, height, marginLeft = 72, question, slices } = options;
  const xs = points.map(({ x }) => x);
  const isLog = largest(xs) / smallest(xs) >= LOG_FROM_RATIO;
  return {
    plot: {
      height,
      marginLeft,
      marginRight: 24,
      marginTop: 28,
      marginBottom: 44,
      x: isLog ? logAxis(xs, { label: question.label }) : {
        domain: [0, largest(xs) * 1.05],
        label: `${question.label} →`,
        labelAnchor: "center",
        grid: true,
        ticks: 6,
        tickFormat: axisText,
      },
      y: {
        ...axis.scale,
        label: `↑ Slippage against the ${baseline.name} (bps), ${
          baseline.better.replace(" →", "")
        }`,
      },
      r: DOT_AREAS,
      marks: [
        Plot.ruleY([0], { stroke: COLORS.ink }),
        ...dotMarks(points, { noun: "fill", y: axis }),
        ...sliceMarks(slices, axis),
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
        label: `median of each ${slices === 2 ? "half" : `${slices}th`} of the fills`,
        fill: "none",
        stroke: COLORS.ink,
        shape: "line",
      } as const,
    ]),
  ];
}

/** Draws slippage against a second quantity: a dot a fill, and medians of groups of equal number. */
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
  const axis = differenceAxis(points.map(({ y }) => y), "bps");
  const slices = slicesOf(points);
  const caption = captionText([...said, axis.note], options.source);
  const title = titleOf(slices, baseline, question);
  return drawFigure({
    title,
    description: `${title}. ${caption}`,
    legend: legendOf(points.length, slices.length, baseline),
    panels: [scatterPanel(points, {
      axis,
      baseline,
      height: options.height ?? HEIGHT,
      marginLeft: options.marginLeft,
      question,
      slices,
    })],
    caption,
    width,
    rows: points.map(({ row }) => row),
  });
}

function titleOf(
  slices: readonly Slice[],
  baseline: BaselineFacts,
  { ends, noun }: ScatterQuestion,
): string {
  const [first, last] = [slices.at(0), slices.at(-1)];
  const what = `Fills against the ${baseline.name}, by ${noun}`;
  if (first === undefined || last === undefined) return what;
  return `${what}: median ${bpsText(first.middle)} of the ${ends[0]}, ` +
    `${bpsText(last.middle)} of the ${ends[1]}`;
}
