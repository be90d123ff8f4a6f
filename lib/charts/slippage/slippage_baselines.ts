import { percentText } from "../texts/axis_text.ts";
import type { Chart } from "../figure/chart.ts";
import { type ChartInput, readInput } from "../figure/chart_input.ts";
import { CHART_OPTIONS, type ChartOptions } from "../figure/chart_options.ts";
import { drawFigure, emptyFigure } from "../figure/figure.ts";
import { type Binning, binningOf } from "../marks/histogram_bars.ts";
import { type MeasuredFill, UNFILLED_ORDERS, unfilledNote } from "./measured_fills.ts";
import { median } from "../numbers/quantile.ts";
import type { Rows } from "../rows/row_kind.ts";
import { captionText, count, isNumber } from "../rows/row_selection.ts";
import { bpsText } from "../texts/signed_text.ts";
import { type BaselineFacts, BASELINES } from "./slippage_baseline.ts";
import {
  beyondNote,
  highestBar,
  histogramLegend,
  slippageHistogram,
} from "./slippage_histogram.ts";
import { SLIPPAGE_ROWS, type SlippageRow } from "./slippage_row.ts";

/** Options of {@linkcode slippageBaselines}. */
export interface SlippageBaselinesOptions extends ChartOptions {
  /**
   * Number of orders in the same range that were never filled, for the caption. @default {not
   * stated}
   */
  unfilledOrders?: number;
}

const HEIGHT = 150;

/** Fills that are known against every baseline that any fill is known against. */
interface Compared {
  shown: readonly BaselineFacts[];
  absent: readonly BaselineFacts[];
  rows: readonly SlippageRow[];
}

function compare(rows: readonly SlippageRow[]): Compared {
  const isKnown = (row: SlippageRow, { column }: BaselineFacts) => isNumber(row[column]);
  const all = Object.values(BASELINES);
  const shown = all.filter((baseline) => rows.some((row) => isKnown(row, baseline)));
  return {
    shown,
    absent: all.filter((baseline) => !shown.includes(baseline)),
    rows: shown.length === 0
      ? []
      : rows.filter((row) => shown.every((baseline) => isKnown(row, baseline))),
  };
}

function fillsAgainst(rows: readonly SlippageRow[], { column }: BaselineFacts): MeasuredFill[] {
  return rows.map((row) => ({ row, bps: row[column] ?? NaN }));
}

function headingOf({ meaning }: BaselineFacts, fills: readonly MeasuredFill[]): string {
  const better = fills.filter(({ bps }) => bps > 0).length / fills.length;
  return `${meaning} (${percentText(better)} of fills better)`;
}

const INPUT: ChartInput<SlippageRow, SlippageBaselinesOptions> = {
  chart: "slippageBaselines",
  rows: SLIPPAGE_ROWS,
  options: {
    ...CHART_OPTIONS,
    unfilledOrders: UNFILLED_ORDERS,
  },
};

/**
 * Draws the same fills against all four baselines, stacked on one axis, to show how the answer to
 * "was it better than quoted?" depends on which quote is meant.
 *
 * Only fills that are known against every baseline drawn are counted, in all of them; the caption
 * says how many are not. A baseline that no fill is known against is not drawn, and named.
 *
 * @param given Rows or a frame. One row per fill; without rows the figure says so.
 * @returns The figure; its `rows` are the fills that are drawn.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example One fill: worse than the quote before fees, better than the one after
 * ```ts
 * import { slippageBaselines } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const chart = slippageBaselines([{
 *   order_uid: "0x01",
 *   kind: "sell",
 *   slippage_gross_bps: -5,
 *   slippage_net_bps: 1,
 *   slippage_user_shown_bps: 3,
 *   slippage_limit_bps: 50,
 * }]);
 *
 * assertMatch(chart.title, /from −5.0 bps \(gross quote\) to \+50.0 bps \(limit\)/);
 * ```
 */
export function slippageBaselines(
  given: Rows<SlippageRow>,
  options: SlippageBaselinesOptions = {},
): Chart<SlippageRow> {
  const { rows, width } = readInput(given, options, INPUT);
  const { shown, absent, rows: compared } = compare(rows);
  const leftOut = rows.length - compared.length;
  const names = shown.map(({ name }) => name).join(", ");
  const notes = [
    `n = ${count(compared.length, "fill")}, the same ones against each baseline`,
    leftOut === 0
      ? null
      : `${count(leftOut, "fill")} without a known slippage against all of them left out`,
    absent.length > 0 && shown.length > 0
      ? `No fill has a known slippage against the ${
        absent.map(({ name }) => name).join(" or the ")
      }`
      : null,
    unfilledNote(options.unfilledOrders),
  ];
  const title = "The same fills against four baselines";
  if (compared.length === 0) {
    return emptyFigure({
      title,
      reason: rows.length === 0
        ? "No fills in this range"
        : shown.length === 0
        ? "No fill in this range has a known slippage"
        : `No fill in this range has a known slippage against all of: ${names}`,
      caption: captionText(notes, options.source),
      width,
    });
  }
  const series = shown.map((baseline) => ({ baseline, fills: fillsAgainst(compared, baseline) }));
  const values = series.flatMap(({ fills }) => fills.map(({ bps }) => bps));
  const binning = binningOf(values, compared.length);
  const top = series.reduce((most, { fills }) => Math.max(most, highestBar(fills, binning)), 1);
  const caption = captionText(
    [...notes, beyondNote(farFills(series, binning), binning.farthest)],
    options.source,
  );
  const whole = titleOf(series) ?? title;
  return drawFigure({
    title: whole,
    description: `${whole}. ${caption}`,
    legend: histogramLegend("baseline", binning),
    panels: series.map(({ baseline, fills }, index) =>
      slippageHistogram(fills, {
        binning,
        label: index === series.length - 1
          ? "Slippage against each baseline (bps), better than it →"
          : null,
        height: options.height ?? HEIGHT,
        width,
        heading: headingOf(baseline, fills),
        marginLeft: options.marginLeft,
        top,
      })
    ),
    caption,
    width,
    rows: compared,
  });
}

/** How many fills are beyond the bars against at least one baseline. */
function farFills(
  series: readonly { fills: readonly MeasuredFill[] }[],
  { range: [low, high] }: Binning,
): number {
  const far = series.flatMap(({ fills }) => fills.filter(({ bps }) => bps < low || bps >= high));
  return new Set(far.map(({ row }) => row)).size;
}

/** How far the median moves from the first baseline to the last. */
function titleOf(
  series: readonly { baseline: BaselineFacts; fills: readonly MeasuredFill[] }[],
): string | null {
  const ends = [series.at(0), series.at(-1)].map((one) => {
    const middle = median(one?.fills.map(({ bps }) => bps) ?? []);
    return one === undefined || middle === null
      ? null
      : `${bpsText(middle)} (${one.baseline.name})`;
  });
  if (series.length < 2 || ends.includes(null)) return null;
  return `The same fills: median from ${ends[0]} to ${ends[1]}`;
}
