import * as Plot from "@observablehq/plot";
import { percentText } from "../texts/axis_text.ts";
import { COLORS } from "../figure/colors.ts";
import { roundTicks } from "../axes/fitting_ticks.ts";
import type { LegendEntry } from "../figure/figure.ts";
import { labelWidth } from "../texts/label_size.ts";
import type { Panel } from "../figure/panel.ts";
import { type Binning, type HistogramBar, histogramBars } from "../marks/histogram_bars.ts";
import type { MeasuredFill } from "./measured_fills.ts";
import { median } from "../numbers/quantile.ts";
import { LABEL_GAP, referenceLabels } from "../marks/reference_labels.ts";
import { count, isNumber, wholeText } from "../rows/row_selection.ts";
import { bpsText, signedText } from "../texts/signed_text.ts";
import { weightedMedian } from "../numbers/weighted_median.ts";

/** How a histogram of slippage is set. */
export interface SlippageHistogramOptions {
  /** Ranges in which fills are counted; fills beyond them stand in hollow bars at the ends. */
  binning: Binning;
  /** Label of the axis; `null` for none. */
  label: string | null;
  /** Height with margins, in pixels. */
  height: number;
  /** Width with margins, in pixels. */
  width: number;
  /** What the panel shows. */
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
/** From the bars up to the lower of the texts above them, and from it to the next, in pixels. */
const [LOWEST_TEXT, LINE] = [6, 14];
const MOST_TICKS = 9;

interface Middle {
  value: number;
  text: string;
  dash: string;
}

/**
 * The median weighted by size and the plain one, each with its line and its text above the bars.
 */
function middlesOf(fills: readonly MeasuredFill[], width: number): Middle[] {
  const plain = median(fills.map(({ bps }) => bps));
  const weighted = weightedMedian(fills.map(({ row, bps }) => ({
    value: bps,
    weight: isNumber(row.volume_native) ? row.volume_native : 0,
  })));
  const middles: Middle[] = [];
  if (weighted !== null) {
    const short = `weighted by size ${bpsText(weighted)}`;
    const text = labelWidth(`median ${short}`) < width / 2 ? `median ${short}` : short;
    middles.push({ value: weighted, text, dash: "5 3" });
  }
  if (plain !== null) {
    middles.push({ value: plain, text: `median ${bpsText(plain)}`, dash: "none" });
  }
  return middles;
}

/** The lines of the medians, with texts that neither is cut nor crossed by the other's line. */
function middleMarks(
  fills: readonly MeasuredFill[],
  { domain: [low, high], marginLeft, width }: {
    domain: readonly [number, number];
    marginLeft: number;
    width: number;
  },
) {
  const middles = middlesOf(fills, width);
  const place = (value: number) => Math.min(high, Math.max(low, value));
  const plotWidth = width - marginLeft - MARGIN_RIGHT;
  const lines = middles.map(({ value, text }) => ({
    x: marginLeft + plotWidth * (place(value) - low) / (high - low),
    width: labelWidth(text),
  }));
  const places = referenceLabels(lines, width);
  return middles.flatMap(({ value, text, dash }, at) => {
    const { isLeft, level } = places[at]!;
    const { x, width: needed } = lines[at]!;
    const isCut = isLeft ? x < needed + LABEL_GAP : width - x < needed + LABEL_GAP;
    const dy = -LOWEST_TEXT - level * LINE;
    const look = {
      text: () => text,
      stroke: "white",
      strokeWidth: 3,
      fill: COLORS.ink,
      frameAnchor: "top",
      dy: dy - 4,
    } as const;
    return [
      Plot.ruleX([value], {
        x: place,
        insetTop: dy,
        stroke: COLORS.ink,
        strokeWidth: 1.5,
        strokeDasharray: dash,
        title: () => text,
        className: "median",
      }),
      isCut ? Plot.text([value], look) : Plot.text([value], {
        ...look,
        x: place,
        dx: isLeft ? -LABEL_GAP : LABEL_GAP,
        textAnchor: isLeft ? "end" : "start",
      }),
    ];
  });
}

function barTooltip(bar: HistogramBar, total: number): string {
  const share = `${count(bar.count, "fill")}, ${percentText(bar.count / total)}`;
  return bar.isBeyond
    ? `beyond the bars, up to ${bpsText(bar.farthest)}\n${share}`
    : `from ${signedText(bar.from)} to below ${bpsText(bar.to)}\n${share}`;
}

/** How many fills stand beyond the bars, above the hollow ones. */
function beyondTexts(
  bars: readonly HistogramBar[],
  { binning: { range, domain }, plotWidth }: { binning: Binning; plotWidth: number },
) {
  return bars.filter(({ isBeyond }) => isBeyond).map((bar) => {
    const isBelow = bar.from < range[0];
    const text = isBelow
      ? `${wholeText(bar.count)} below ${signedText(range[0])}`
      : `${wholeText(bar.count)} from ${signedText(range[1])} on`;
    const reach = (labelWidth(text) + TEXT_GAP) * (domain[1] - domain[0]) / plotWidth;
    const under = bars.filter(({ from, to }) =>
      isBelow ? from < domain[0] + reach : to > domain[1] - reach
    );
    return Plot.text([under.reduce((most, { count }) => Math.max(most, count), 0)], {
      x: () => isBelow ? domain[0] : domain[1],
      y: (top: number) => top,
      text: () => text,
      textAnchor: isBelow ? "start" : "end",
      dx: isBelow ? TEXT_GAP : -TEXT_GAP,
      dy: -8,
      stroke: "white",
      strokeWidth: 3,
      fill: COLORS.ink,
      className: "beyond",
    });
  });
}

/** How many fills the highest bar of a histogram has. */
export function highestBar(fills: readonly MeasuredFill[], binning: Binning): number {
  const bars = histogramBars(fills.map(({ bps }) => bps), binning);
  return bars.reduce((most, bar) => Math.max(most, bar.count), 1);
}

/** How many fills were how far from a baseline: worse ones left of zero, better ones right. */
export function slippageHistogram(
  fills: readonly MeasuredFill[],
  options: SlippageHistogramOptions,
): Panel {
  const { binning, heading, height, label, marginLeft = 56, width } = options;
  const bars = histogramBars(fills.map(({ bps }) => bps), binning);
  const { domain } = binning;
  const top = options.top ?? highestBar(fills, binning);
  return {
    ...(heading === undefined ? {} : { heading }),
    plot: {
      height: label === null ? height - 18 : height,
      marginLeft,
      marginRight: MARGIN_RIGHT,
      marginTop: LABEL_ROOM,
      marginBottom: label === null ? 26 : 44,
      x: {
        domain: [...domain],
        label,
        labelAnchor: "center",
        ticks: roundTicks(binning.range, MOST_TICKS),
        tickFormat: signedText,
      },
      y: {
        label: "↑ Fills",
        domain: [0, top],
        grid: true,
        ticks: Math.min(5, top, Math.max(2, Math.round(height / TICK_SPACING))),
        tickFormat: (fills: number) => Number.isInteger(fills) ? wholeText(fills) : "",
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
          title: (bar) => barTooltip(bar, fills.length),
          className: "bin",
        }),
        Plot.ruleY([0]),
        Plot.ruleX([0], { stroke: COLORS.ink }),
        ...beyondTexts(bars, { binning, plotWidth: width - marginLeft - MARGIN_RIGHT }),
        ...middleMarks(fills, { domain, marginLeft, width }),
      ],
    },
  };
}

/** What the colours of a histogram of slippage mean. */
export function histogramLegend(than: string, { below, above }: Binning): LegendEntry[] {
  return [
    { label: `better than the ${than}, or equal`, fill: COLORS.blue },
    { label: "worse", fill: COLORS.vermilion },
    ...(below + above > 0
      ? [{ label: "beyond the bars", fill: "white", stroke: COLORS.muted }]
      : []),
  ];
}

/** What a caption says of fills in hollow bars; `null` when there are none. */
export function beyondNote(fills: number, farthest: number): string | null {
  return fills === 0
    ? null
    : `${count(fills, "fill")} far from the rest, up to ${bpsText(farthest)}, in the ` +
      "hollow bars at the ends";
}
