import * as Plot from "@observablehq/plot";
import { createAxis, findInlierRange } from "../axes/axis_scale.ts";
import type { Panel } from "../figure/panel.ts";
import { COLORS, type LegendEntry } from "../looks.ts";
import { drawReferences, type Reference } from "../marks/dot_plot.ts";
import { max, median, roundStep, ticks } from "../statistics.ts";
import { count, formatWhole } from "../texts/count_text.ts";
import { bpsText, formatPercent, formatSigned, measureLabel } from "../texts/label_text.ts";
import { type MeasuredFill, weighBps } from "./measured_fills.ts";

interface SlippageHistogramOptions {
  /** Bins; fills beyond them stand in hollow bars at the ends. */
  binning: HistogramBins;
  label: string | null;
  /** Height with margins, in pixels. */
  height: number;
  /** Width with margins, in pixels. */
  width: number;
  heading?: string | undefined;
  /** Room left of the axis, in pixels. */
  marginLeft?: number | undefined;
  /** Fills at the top of the axis, to compare panels. @default {the highest bar} */
  top?: number | undefined;
}

const LABEL_ROOM = 42;
const TICK_SPACING = 50;
const MARGIN_RIGHT = 24;
const TEXT_GAP = 4;
const MAX_TICKS = 9;
/** Look of texts over bars or lines. */
const OVER = { stroke: "white", strokeWidth: 3, fill: COLORS.ink } as const;

function listMedians(fills: readonly MeasuredFill[], width: number): Reference[] {
  const [weighted, plain] = [weighBps(fills), median(fills.map(({ bps }) => bps))];
  const short = `weighted by size ${bpsText(weighted ?? 0)}`;
  const long = measureLabel(`median ${short}`) < width / 2 ? `median ${short}` : short;
  return [
    { value: weighted, text: long, dash: "5 3" },
    { value: plain, text: `median ${bpsText(plain ?? 0)}`, dash: "none" },
  ].flatMap(({ value, ...reference }) =>
    value == null ? [] : [{ value, ...reference, title: reference.text }]
  );
}

function formatBarTooltip(bar: HistogramBar, total: number): string {
  const share = `${count(bar.count, "fill")}, ${formatPercent(bar.count / total)}`;
  return bar.isBeyond
    ? `beyond the bars, up to ${bpsText(bar.farthest)}\n${share}`
    : `from ${formatSigned(bar.from)} to below ${bpsText(bar.to)}\n${share}`;
}

/** Draws the number of fills beyond the bars, above the hollow ones. */
function drawBeyondTexts(
  bars: readonly HistogramBar[],
  { range, domain }: HistogramBins,
  plotWidth: number,
): Plot.Markish[] {
  return bars.filter(({ isBeyond }) => isBeyond).map((bar) => {
    const isBelow = bar.from < range[0];
    const text = isBelow
      ? `${formatWhole(bar.count)} below ${formatSigned(range[0])}`
      : `${formatWhole(bar.count)} from ${formatSigned(range[1])} on`;
    const reach = (measureLabel(text) + TEXT_GAP) * (domain[1] - domain[0]) / plotWidth;
    const covered = bars.filter(({ from, to }) =>
      isBelow ? from < domain[0] + reach : to > domain[1] - reach
    );
    return Plot.text([max([0, ...covered.map(({ count }) => count)])], {
      ...OVER,
      x: () => isBelow ? domain[0] : domain[1],
      y: (top: number) => top,
      text: () => text,
      textAnchor: isBelow ? "start" : "end",
      dx: isBelow ? TEXT_GAP : -TEXT_GAP,
      dy: -8,
      className: "beyond",
    });
  });
}

export function findHighestBar(fills: readonly MeasuredFill[], binning: HistogramBins): number {
  const bars = countBars(fills.map(({ bps }) => bps), binning);
  return max([1, ...bars.map(({ count }) => count)]);
}

/** Creates a histogram of distances from a baseline: worse fills left of zero, better ones right. */
export function createHistogramPanel(
  fills: readonly MeasuredFill[],
  options: SlippageHistogramOptions,
): Panel {
  const { binning, heading, height, label, marginLeft = 56, width } = options;
  const bars = countBars(fills.map(({ bps }) => bps), binning);
  const { top = findHighestBar(fills, binning) } = options;
  const x = { type: "linear", domain: [...binning.domain] } as const;
  const axisWidth = width - marginLeft - MARGIN_RIGHT;
  const [low, high] = binning.domain;
  const axis = createAxis(x, (value) => Math.min(high, Math.max(low, value)));
  return {
    heading,
    plot: {
      height: label === null ? height - 18 : height,
      marginLeft,
      marginRight: MARGIN_RIGHT,
      marginTop: LABEL_ROOM,
      marginBottom: label === null ? 26 : 44,
      x: {
        ...x,
        label,
        labelAnchor: "center",
        ticks: ticks(...binning.range, MAX_TICKS),
        tickFormat: formatSigned,
      },
      y: {
        label: "↑ Fills",
        domain: [0, top],
        grid: true,
        ticks: Math.min(5, top, Math.max(2, Math.round(height / TICK_SPACING))),
        tickFormat: (fills: number) => Number.isInteger(fills) ? formatWhole(fills) : "",
        nice: true,
      },
      marks: [
        Plot.rectY(bars, {
          x1: "from",
          x2: "to",
          y: "count",
          fill: (bar) => bar.isBeyond ? "white" : bar.from < 0 ? COLORS.vermilion : COLORS.blue,
          stroke: (bar) => bar.from < 0 ? COLORS.vermilion : COLORS.blue,
          strokeWidth: 0.75,
          inset: 0.5,
          title: (bar) => formatBarTooltip(bar, fills.length),
          className: "bin",
        }),
        Plot.ruleY([0]),
        Plot.ruleX([0], { stroke: COLORS.ink }),
        ...drawBeyondTexts(bars, binning, axisWidth),
        ...drawReferences(
          listMedians(fills, width),
          { axis, axisWidth, marginLeft, width, heights: [6, 14] },
          { line: { strokeWidth: 1.5, className: "median" }, name: OVER },
        ),
      ],
    },
  };
}

export function createHistogramLegend(
  reference: string,
  { belowCount, aboveCount }: HistogramBins,
): LegendEntry[] {
  return [
    { label: `better than the ${reference}, or equal`, name: "better", fill: COLORS.blue },
    { label: "worse", fill: COLORS.vermilion },
    ...(belowCount + aboveCount > 0
      ? [{ label: "beyond the bars", fill: "white", stroke: COLORS.muted }]
      : []),
  ];
}

export function describeBeyond(fills: number, farthest: number): string | null {
  return fills === 0
    ? null
    : `${count(fills, "fill")} far from the rest, up to ${bpsText(farthest)}, in the ` +
      "hollow bars at the ends";
}

const MAX_BARS = 50;
const MIN_BARS = 8;
/** Minimum width of a bin: doubles near the smallest cannot be divided. */
const MIN_STEP = 1e-100;

/**
 * Bins of equal and round width. One of them begins at zero, so that no bin has values of both signs.
 * A few outliers lie beyond the bins, which keeps the others wide enough to read.
 *
 * @param values All values that will be counted, in one histogram or several.
 * @param size How many values one histogram has. @default {all}
 */
export function createBins(values: readonly number[], size: number = values.length) {
  const [low, high] = findInlierRange(values);
  const binCount = Math.min(MAX_BARS, Math.max(MIN_BARS, 2 * Math.sqrt(size)));
  const step = roundStep(Math.max(MIN_STEP, (high - low) / binCount));
  const first = Math.floor(low / step);
  const last = Math.floor(high / step) + 1;
  const belowCount = values.filter((value) => Math.floor(value / step) < first);
  const aboveCount = values.filter((value) => Math.floor(value / step) >= last);
  return {
    step,
    domain: [
      (first - (belowCount.length > 0 ? 1 : 0)) * step,
      (last + (aboveCount.length > 0 ? 1 : 0)) * step,
    ] as const,
    range: [first * step, last * step] as const,
    belowCount: belowCount.length,
    aboveCount: aboveCount.length,
    farthest: [...belowCount, ...aboveCount].reduce((a, b) => Math.abs(b) > Math.abs(a) ? b : a, 0),
  };
}

/**
 * Counts values in bins. Values beyond them have a bar of their own at each end.
 *
 * @returns Bars with at least one value, from left to right.
 */
export function countBars(values: readonly number[], { step, domain, range }: HistogramBins) {
  const [first, last] = range.map((end) => Math.round(end / step)) as [number, number];
  const findBin = (value: number) => Math.max(first - 1, Math.min(last, Math.floor(value / step)));
  return [...Map.groupBy(values, findBin)].toSorted(([a], [b]) => a - b).map(([bin, members]) => {
    const isBeyond = bin < first || bin >= last;
    const from = !isBeyond ? bin * step : bin < first ? domain[0] : domain[1] - step;
    const farthest = members.reduce((a, b) => Math.abs(b) > Math.abs(a) ? b : a);
    return { from, to: from + step, count: members.length, isBeyond, farthest };
  });
}

type HistogramBins = ReturnType<typeof createBins>;

type HistogramBar = ReturnType<typeof countBars>[number];
