import type { ChartOptions } from "../figure/chart_options.ts";
import { type Draw, picture } from "../figure/picture.ts";
import {
  beyondNote,
  binningOf,
  highestBar,
  histogramLegend,
  slippageHistogram,
} from "./slippage_histogram.ts";
import { count, listText, partText } from "../texts/count_text.ts";
import { isNumber } from "../rows.ts";
import { max, median } from "../statistics.ts";
import { bpsText, percentText } from "../texts/label_text.ts";
import {
  type BaselineFacts,
  BASELINES,
  type MeasuredFill,
  SLIPPAGE_ROWS,
  type SlippageRow,
  UNFILLED_ORDERS,
  unfilledNote,
} from "./measured_fills.ts";

/** Options of {@linkcode slippageBaselines}. */
export interface SlippageBaselinesOptions extends ChartOptions {
  /**
   * Number of orders in the same range that were never filled, for the caption. @default {not
   * stated}
   */
  unfilledOrders?: number;
}

const HEIGHT = 150;
/** What is seen. */
const WHAT = "The same fills against four baselines";
const ALL = Object.values(BASELINES);

/** Fills against one baseline. */
interface Series {
  baseline: BaselineFacts;
  fills: readonly MeasuredFill[];
}

function headingOf({ baseline, fills }: Series): string {
  const better = fills.filter(({ bps }) => bps > 0).length / fills.length;
  return `${baseline.meaning} (${percentText(better)} of fills better)`;
}

/**
 * Draws the same fills against all four baselines, stacked on one axis, to show how the answer to
 * "was it better than quoted?" depends on which quote is meant.
 *
 * Only fills that are known against every baseline drawn are counted, in all of them; the caption
 * says how many are not. A baseline that no fill is known against is not drawn, and named.
 *
 * @param rows Rows or a frame. One row per fill; without rows the figure says so.
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
export const slippageBaselines: Draw<SlippageRow, SlippageBaselinesOptions> = picture({
  chart: "slippageBaselines",
  ...SLIPPAGE_ROWS,
  options: { unfilledOrders: UNFILLED_ORDERS },
  select: (rows) => {
    const isKnown = (row: SlippageRow) => ({ column }: BaselineFacts) => isNumber(row[column]);
    const shown = ALL.filter((baseline) => rows.some((row) => isKnown(row)(baseline)));
    const drawn = shown.length === 0 ? [] : rows.filter((row) => shown.every(isKnown(row)));
    const series = shown.map((baseline): Series => ({
      baseline,
      fills: drawn.map((row) => ({ row, bps: row[baseline.column] ?? NaN })),
    }));
    return { shown, drawn, series, leftOut: rows.length - drawn.length };
  },
  empty: ({ shown }) => ({
    title: WHAT,
    noRows: "No fills in this range",
    noValues: shown.length === 0
      ? "No fill in this range has a known slippage"
      : `No fill in this range has a known slippage against all of: ${namesOf(shown, ", ")}`,
  }),
  axes: ({ drawn, series }) => {
    const values = series.flatMap(({ fills }) => fills.map(({ bps }) => bps));
    return { binning: binningOf(values, drawn.length) };
  },
  panels: ({ series, binning, height = HEIGHT, ...size }) => {
    const top = max([1, ...series.map(({ fills }) => highestBar(fills, binning))]);
    return series.map((one, at) =>
      slippageHistogram(one.fills, {
        ...size,
        binning,
        label: at === series.length - 1
          ? "Slippage against each baseline (bps), better than it →"
          : null,
        height,
        heading: headingOf(one),
        top,
      })
    );
  },
  legend: ({ binning }) => histogramLegend("baseline", binning),
  finding: ({ series, drawn }) => {
    const better = ({ fills }: Series) => fills.filter(({ bps }) => bps > 0).length;
    const torn = drawn.filter((row) =>
      isNumber(row.slippage_gross_bps) && row.slippage_gross_bps <= 0 &&
      isNumber(row.slippage_user_shown_bps) && row.slippage_user_shown_bps > 0
    ).length;
    return [
      "Fills better than " + listText(series.map((one) =>
        `the ${one.baseline.name}: ${partText(better(one), drawn.length)}`
      )),
      torn > 0 && `${partText(torn, drawn.length)} fills are not better than the gross quote but ` +
        "better than the quote as shown",
    ];
  },
  title: ({ series }) =>
    titleOf(series),
  caption: ({ drawn, series, shown, leftOut, unfilledOrders, binning }) => {
    const absent = ALL.filter((baseline) =>
      !shown.includes(baseline)
    );
    return [
      `n = ${count(drawn.length, "fill")}, the same ones against each baseline`,
      leftOut > 0 &&
      `${count(leftOut, "fill")} without a known slippage against all of them left out`,
      absent.length > 0 && shown.length > 0 &&
      `No fill has a known slippage against the ${namesOf(absent, " or the ")}`,
      unfilledNote(unfilledOrders),
      binning && beyondNote(farFills(series, binning.range), binning.farthest),
    ];
  },
});

function namesOf(baselines: readonly BaselineFacts[], between: string): string {
  return baselines.map(({ name }) => name).join(between);
}

/** How many fills are beyond the bars against at least one baseline. */
function farFills(series: readonly Series[], [low, high]: readonly [number, number]): number {
  const far = series.flatMap(({ fills }) => fills.filter(({ bps }) => bps < low || bps >= high));
  return new Set(far.map(({ row }) => row)).size;
}

/** How far the median moves from the first baseline to the last. */
function titleOf(series: readonly Series[]): string {
  if (series.length < 2) return WHAT;
  const [first, last] = [series.at(0)!, series.at(-1)!].map(({ baseline, fills }) =>
    `${bpsText(median(fills.map(({ bps }) => bps))!)} (${baseline.name})`
  );
  return `The same fills: median from ${first} to ${last}`;
}
