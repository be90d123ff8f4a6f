import type { ChartOptions, GroupOptions } from "../figure/chart_options.ts";
import { defineChart, type Draw } from "../figure/picture.ts";
import { groupLargest, isNumber, listGroups, readText } from "../rows.ts";
import { max, median, quantile } from "../statistics.ts";
import { formatPortion, MIN_PERCENT } from "../texts/claim_text.ts";
import { count, formatList, formatPart } from "../texts/count_text.ts";
import { bpsText } from "../texts/label_text.ts";
import { nameGroup, readSolverNames } from "../texts/short_names.ts";
import {
  type BaselineFacts,
  BASELINES,
  describeUnfilled,
  explainEmpty,
  formatSlippageLabel,
  type MeasuredFill,
  measureFills,
  pickColumn,
  SLIPPAGE_OPTIONS,
  SLIPPAGE_ROWS,
  type SlippageChartOptions,
  type SlippageRow,
  UNFILLED_ORDERS,
} from "./measured_fills.ts";
import {
  createBins,
  createHistogramLegend,
  createHistogramPanel,
  describeBeyond,
  findHighestBar,
} from "./slippage_histogram.ts";

/** Options of {@linkcode slippageDistribution}. */
export interface SlippageDistributionOptions extends SlippageChartOptions, GroupOptions {}

const HEIGHT = 280;
const GROUP_HEIGHT = 190;
const MAX_GROUPS = 8;

/**
 * Draws the slippage of fills against one baseline of their quote: the number of fills in each
 * range of basis points, better ones right of zero, with the median and the size-weighted median.
 *
 * A few fills far from the rest stand in hollow bars at the edge of the axis, so that one outlier
 * does not squeeze the rest. The caption counts fills whose baseline is not known and, where
 * `unfilledOrders` says how many there are, orders that were never filled.
 *
 * @param rows Rows or a frame. One row per fill; without rows the figure says so.
 * @returns The figure; its `rows` are the fills that are drawn.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example Two fills, one better and one worse than quoted
 * ```ts
 * import { slippageDistribution } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const chart = slippageDistribution([
 *   { order_uid: "0x01", kind: "sell", slippage_net_bps: 4, volume_native: 3 },
 *   { order_uid: "0x02", kind: "buy", slippage_net_bps: -2, volume_native: 1 },
 * ], { baseline: "net" });
 *
 * assertMatch(chart.title, /net quote: median \+1.0 bps, 1 of 2 better/);
 * ```
 */
export const slippageDistribution: Draw<SlippageRow, SlippageDistributionOptions> = defineChart({
  chart: "slippageDistribution",
  ...SLIPPAGE_ROWS,
  options: { ...SLIPPAGE_OPTIONS, by: String },
  selectColumns: ({ baseline, by }) => [pickColumn(baseline), ...(by === undefined ? [] : [by])],
  select: (rows, options) => {
    const measured = measureFills(rows, options);
    return { ...measured, values: measured.fills.map(({ bps }) => bps) };
  },
  empty: ({ against }) => ({
    title: `Fills against the ${against.name}`,
    ...explainEmpty(against),
  }),
  axes: ({ values }) => ({ binning: createBins(values) }),
  panels: ({ fills, against, binning, by, ...size }) => {
    const { height = by === undefined ? HEIGHT : GROUP_HEIGHT } = size;
    const label = formatSlippageLabel(against);
    const shape = { ...size, binning, label, height };
    if (by === undefined) return [createHistogramPanel(fills, shape)];
    const limits = { limit: MAX_GROUPS, noun: nameGroup(by) };
    const groups = listGroups(groupLargest(fills, ({ row }) => readText(row, by), limits));
    const names = by === "solver" ? readSolverNames(fills.map(({ row }) => row)) : null;
    return groups.map(({ key, rows }, index) =>
      createHistogramPanel(rows, {
        ...shape,
        heading: `${names?.format(key) ?? key} (${count(rows.length, "fill")})`,
        label: index === groups.length - 1 ? label : null,
      })
    );
  },
  legend: ({ against, binning }) => createHistogramLegend(against.name, binning),
  finding: ({ values, against }) => {
    const ascending = values.toSorted((a, b) => a - b);
    const better = values.filter((bps) => bps > 0).length;
    return [
      `${formatPart(better, values.length)} fills were better than the ${against.name}; half of ` +
      `all fills were ${bpsText(quantile(ascending, 0.5)!)} or better`,
      values.length > 1 && describeMiddle(ascending),
    ];
  },
  title: ({ against, values }) => {
    const better = values.filter((bps) => bps > 0).length;
    return `Fills against the ${against.name}: median ${bpsText(median(values)!)}, ` +
      `${formatPortion(better, values.length)} better`;
  },
  caption: ({ drawnRows, notes, binning, by }) => [
    `n = ${count(drawnRows.length, "fill")}`,
    ...notes,
    binning && describeBeyond(binning.belowCount + binning.aboveCount, binning.farthest),
    binning && by !== undefined && "Each panel has its own scale of fills",
  ],
});

/** Describes the range of the middle 80%; of all values if they are few. */
function describeMiddle(ascending: readonly number[]): string {
  const [low, high] = ascending.length < MIN_PERCENT ? [0, 1] : [0.1, 0.9];
  return `${low === 0 ? "All of them" : "The middle 80%"} lie between ` +
    `${bpsText(quantile(ascending, low)!)} and ${bpsText(quantile(ascending, high)!)}`;
}

/** Options of {@linkcode slippageBaselines}. */
export interface SlippageBaselinesOptions extends ChartOptions {
  /**
   * Number of orders in the same range that were never filled, for the caption. @default {not
   * stated}
   */
  unfilledOrders?: number;
}

const BASELINE_HEIGHT = 150;

const TITLE = "The same fills against four baselines";

const BASELINE_LIST = Object.values(BASELINES);

interface Series {
  baseline: BaselineFacts;
  fills: readonly MeasuredFill[];
}

function formatHeading({ baseline, fills }: Series): string {
  const better = fills.filter(({ bps }) => bps > 0).length;
  return `${baseline.meaning} (${formatPortion(better, fills.length, "fill")} better)`;
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
export const slippageBaselines: Draw<SlippageRow, SlippageBaselinesOptions> = defineChart({
  chart: "slippageBaselines",
  ...SLIPPAGE_ROWS,
  options: { unfilledOrders: UNFILLED_ORDERS },
  select: (rows) => {
    const isKnown = (row: SlippageRow) => ({ column }: BaselineFacts) => isNumber(row[column]);
    const baselines = BASELINE_LIST.filter((baseline) =>
      rows.some((row) => isKnown(row)(baseline))
    );
    const drawnRows = baselines.length === 0
      ? []
      : rows.filter((row) => baselines.every(isKnown(row)));
    const series = baselines.map((baseline): Series => ({
      baseline,
      fills: drawnRows.map((row) => ({ row, bps: row[baseline.column] ?? NaN })),
    }));
    return { baselines, drawnRows, series, leftOut: rows.length - drawnRows.length };
  },
  empty: ({ baselines }) => ({
    title: TITLE,
    noRows: "No fills in this range",
    noValues: baselines.length === 0
      ? "No fill in this range has a known slippage"
      : `No fill in this range has a known slippage against all of: ${joinNames(baselines, ", ")}`,
  }),
  axes: ({ drawnRows, series }) => {
    const values = series.flatMap(({ fills }) => fills.map(({ bps }) => bps));
    return { binning: createBins(values, drawnRows.length) };
  },
  panels: ({ series, binning, height = BASELINE_HEIGHT, ...size }) => {
    const top = max([1, ...series.map(({ fills }) => findHighestBar(fills, binning))]);
    return series.map((group, index) =>
      createHistogramPanel(group.fills, {
        ...size,
        binning,
        label: index === series.length - 1
          ? "Slippage against each baseline (bps), better than the baseline →"
          : null,
        height,
        heading: formatHeading(group),
        top,
      })
    );
  },
  legend: ({ binning }) => createHistogramLegend("baseline", binning),
  finding: ({ series, drawnRows }) => {
    const countBetter = ({ fills }: Series) => fills.filter(({ bps }) => bps > 0).length;
    const torn = drawnRows.filter((row) =>
      isNumber(row.slippage_gross_bps) && row.slippage_gross_bps <= 0 &&
      isNumber(row.slippage_user_shown_bps) && row.slippage_user_shown_bps > 0
    ).length;
    return [
      "Fills better than " + formatList(series.map((group) =>
        `the ${group.baseline.name}: ${formatPart(countBetter(group), drawnRows.length)}`
      )),
      torn > 0 &&
      `${formatPart(torn, drawnRows.length)} fills are not better than the gross quote but ` +
        "better than the quote as shown",
    ];
  },
  title: ({ series }) => {
    if (series.length < 2) {
      return TITLE;
    }
    const [first, last] = [series.at(0)!, series.at(-1)!].map(({ baseline, fills }) =>
      `${
        bpsText(median(fills.map(({ bps }) => bps))!)
      } (${baseline.name})`
    );
    return `The same fills against ${series.length} baselines: median from ${first} to ${last}`;
  },
  caption: ({ drawnRows, series, baselines, leftOut, unfilledOrders, binning }) => {
    const [low = 0, high = 0] = binning?.range ?? [];
    const far = series.flatMap(({ fills }) => fills.filter(({ bps }) => bps < low || bps >= high));
    const absent = BASELINE_LIST.filter((baseline) => !baselines.includes(baseline));
    return [
      `n = ${count(drawnRows.length, "fill")}, the same ones against each baseline`,
      leftOut > 0 &&
      `${count(leftOut, "fill")} without a known slippage against each of them left out`,
      absent.length > 0 && baselines.length > 0 &&
      `No fill has a known slippage against the ${joinNames(absent, " or the ")}`,
      describeUnfilled(unfilledOrders),
      binning && describeBeyond(new Set(far.map(({ row }) => row)).size, binning.farthest),
    ];
  },
});

function joinNames(baselines: readonly BaselineFacts[], separator: string): string {
  return baselines.map(({ name }) => name).join(separator);
}
