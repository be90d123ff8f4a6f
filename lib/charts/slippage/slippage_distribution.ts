import { oneOf } from "../../errors/option_rules.ts";
import type { GroupOptions } from "../figure/chart_options.ts";
import { type Draw, picture } from "../figure/picture.ts";
import { beyondNote, binningOf, histogramLegend, slippageHistogram } from "./slippage_histogram.ts";
import { count, partText } from "../texts/count_text.ts";
import { largestGroups, listedGroups } from "../rows.ts";
import { median, quantile } from "../statistics.ts";
import { bpsText, percentText } from "../texts/label_text.ts";
import { solverNames } from "../texts/short_names.ts";
import {
  columnOf,
  measuredFills,
  nothingMeasured,
  SLIPPAGE_OPTIONS,
  SLIPPAGE_ROWS,
  type SlippageChartOptions,
  slippageLabel,
  type SlippageRow,
} from "./measured_fills.ts";

/** Options of {@linkcode slippageDistribution}. */
export interface SlippageDistributionOptions
  extends SlippageChartOptions, GroupOptions<"kind" | "pair" | "solver"> {}

const HEIGHT = 280;
const GROUP_HEIGHT = 190;
const MOST_GROUPS = 8;

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
 * assertMatch(chart.title, /net quote: median \+1.0 bps, 50% better/);
 * ```
 */
export const slippageDistribution: Draw<SlippageRow, SlippageDistributionOptions> = picture({
  chart: "slippageDistribution",
  ...SLIPPAGE_ROWS,
  options: { ...SLIPPAGE_OPTIONS, by: oneOf("kind", "pair", "solver") },
  asks: ({ baseline, by }) => [columnOf(baseline), ...(by === undefined ? [] : [by])],
  select: (rows, options) => {
    const measured = measuredFills(rows, options);
    return { ...measured, values: measured.fills.map(({ bps }) => bps) };
  },
  empty: ({ against }) => ({
    title: `Fills against the ${against.name}`,
    ...nothingMeasured(against),
  }),
  axes: ({ values }) => ({ binning: binningOf(values) }),
  panels: ({ fills, against, binning, by, ...size }) => {
    const { height = by === undefined ? HEIGHT : GROUP_HEIGHT } = size;
    const label = slippageLabel(against);
    const shape = { ...size, binning, label, height };
    if (by === undefined) return [slippageHistogram(fills, shape)];
    const limits = { limit: MOST_GROUPS, noun: by };
    const groups = listedGroups(largestGroups(fills, ({ row }) => row[by], limits));
    const names = by === "solver" ? solverNames(fills.map(({ row }) => row)) : null;
    return groups.map(({ key, rows }, at) =>
      slippageHistogram(rows, {
        ...shape,
        heading: `${names?.text(key) ?? key} (${count(rows.length, "fill")})`,
        label: at === groups.length - 1 ? label : null,
      })
    );
  },
  legend: ({ against, binning }) => histogramLegend(against.name, binning),
  finding: ({ values, against }) => {
    const sorted = values.toSorted((a, b) => a - b);
    const better = values.filter((bps) => bps > 0).length;
    return [
      `${partText(better, values.length)} fills were better than the ${against.name}; half of ` +
      `them all were ${bpsText(quantile(sorted, 0.5)!)} or better`,
      values.length > 1 && `The middle 80% lie between ${bpsText(quantile(sorted, 0.1)!)} and ` +
        bpsText(quantile(sorted, 0.9)!),
    ];
  },
  title: ({ against, values }) => {
    const better = values.filter((bps) => bps > 0).length / values.length;
    return `Fills against the ${against.name}: median ${bpsText(median(values)!)}, ` +
      `${percentText(better)} better`;
  },
  caption: ({ drawn, notes, binning, by }) => [
    `n = ${count(drawn.length, "fill")}`,
    ...notes,
    binning && beyondNote(binning.below + binning.above, binning.farthest),
    binning && by !== undefined && "Each panel has its own scale of fills",
  ],
});
