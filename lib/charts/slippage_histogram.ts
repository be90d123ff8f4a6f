import * as Plot from "@observablehq/plot";
import { percentText } from "./axis_text.ts";
import { COLORS } from "./colors.ts";
import { labelWidth, type LegendEntry, type Panel } from "./figure.ts";
import { type Binning, type HistogramBar, histogramBars } from "./histogram_bars.ts";
import type { MeasuredFill } from "./measured_fills.ts";
import { median } from "./quantile.ts";
import { count, isNumber } from "./row_selection.ts";
import { bpsText, signedText } from "./signed_text.ts";
import { weightedMedian } from "./weighted_median.ts";

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

interface Middle {
  value: number;
  text: string;
  dash: string;
  dy: number;
}

/** The plain median and the one weighted by size, each with its line and its text above the bars. */
function middlesOf(fills: readonly MeasuredFill[]): Middle[] {
  const plain = median(fills.map(({ bps }) => bps));
  const weighted = weightedMedian(fills.map(({ row, bps }) => ({
    value: bps,
    weight: isNumber(row.volume_native) ? row.volume_native : 0,
  })));
  const middles: Middle[] = [];
  if (plain !== null) {
    middles.push({ value: plain, text: `median ${bpsText(plain)}`, dash: "none", dy: -20 });
  }
  if (weighted !== null) {
    const text = `median weighted by size ${bpsText(weighted)}`;
    middles.push({ value: weighted, text, dash: "5 3", dy: -6 });
  }
  return middles;
}

/** The lines of the medians; their texts grow away from each other where there is room for them. */
function middleMarks(
  fills: readonly MeasuredFill[],
  { domain: [low, high], marginLeft, width }: {
    domain: readonly [number, number];
    marginLeft: number;
    width: number;
  },
) {
  const middles = middlesOf(fills);
  const place = (value: number) => Math.min(high, Math.max(low, value));
  const least = Math.min(...middles.map(({ value }) => value));
  const plotWidth = width - marginLeft - MARGIN_RIGHT;
  return middles.flatMap(({ value, text, dash, dy }) => {
    const pixels = marginLeft + plotWidth * (place(value) - low) / (high - low);
    const needed = labelWidth(text) + TEXT_GAP;
    const [hasLeft, hasRight] = [pixels >= needed, width - pixels >= needed];
    const isLeft = hasLeft && (!hasRight || value === least);
    const look = { text: () => text, stroke: "white", strokeWidth: 3, fill: COLORS.ink };
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
      hasLeft || hasRight
        ? Plot.text([value], {
          ...look,
          x: place,
          frameAnchor: "top",
          dy: dy - 4,
          dx: isLeft ? -TEXT_GAP : TEXT_GAP,
          textAnchor: isLeft ? "end" : "start",
        })
        : Plot.text([value], { ...look, frameAnchor: "top", dy: dy - 4 }),
    ];
  });
}

function barTooltip(bar: HistogramBar, total: number): string {
  const share = `${count(bar.count, "fill")}, ${percentText(bar.count / total)}`;
  return bar.isBeyond
    ? `beyond the axis, as far as ${bpsText(bar.farthest)}\n${share}`
    : `from ${signedText(bar.from)} to below ${bpsText(bar.to)}\n${share}`;
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
      x: { domain: [...domain], label, labelAnchor: "center", ticks: 8, tickFormat: signedText },
      y: {
        label: "↑ Fills",
        domain: [0, top],
        grid: true,
        ticks: Math.min(5, top, Math.max(2, Math.round(height / TICK_SPACING))),
        tickFormat: "d",
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
        ...middleMarks(fills, { domain, marginLeft, width }),
      ],
    },
  };
}

/** What the colours of a histogram of slippage mean. */
export function histogramLegend(than: string, beyond: number): LegendEntry[] {
  return [
    { label: `better than the ${than}, or equal`, fill: COLORS.blue },
    { label: "worse", fill: COLORS.vermilion },
    ...(beyond > 0 ? [{ label: "beyond the axis", fill: "white", stroke: COLORS.muted }] : []),
  ];
}

/** What a caption says of fills in hollow bars; `null` when there are none. */
export function beyondNote(beyond: number): string | null {
  return beyond === 0
    ? null
    : `${count(beyond, "fill")} beyond the axis in the hollow bars at its ends`;
}
