import { oneOf } from "../../errors/option_rules.ts";
import { percentText } from "../texts/axis_text.ts";
import type { Chart } from "../figure/chart.ts";
import { type ChartInput, readInput } from "../figure/chart_input.ts";
import type { FacetOptions } from "../figure/chart_options.ts";
import { drawFigure, emptyFigure } from "../figure/figure.ts";
import type { Panel } from "../figure/panel.ts";
import { binningOf } from "../marks/histogram_bars.ts";
import { largestGroups } from "../rows/largest_groups.ts";
import {
  columnOf,
  type MeasuredFill,
  measuredFills,
  nothingMeasured,
  SLIPPAGE_OPTIONS,
  type SlippageChartOptions,
} from "./measured_fills.ts";
import { median } from "../numbers/quantile.ts";
import type { Rows } from "../rows/row_kind.ts";
import { captionText, count } from "../rows/row_selection.ts";
import { bpsText } from "../texts/signed_text.ts";
import {
  beyondNote,
  histogramLegend,
  slippageHistogram,
  type SlippageHistogramOptions,
} from "./slippage_histogram.ts";
import { SLIPPAGE_ROWS, type SlippageRow } from "./slippage_row.ts";

/** Options of {@linkcode slippageDistribution}. */
export interface SlippageDistributionOptions
  extends SlippageChartOptions, FacetOptions<"kind" | "pair" | "solver"> {}

const HEIGHT = 280;
const FACET_HEIGHT = 190;
const MOST_FACETS = 8;

const INPUT: ChartInput<SlippageRow, SlippageDistributionOptions> = {
  chart: "slippageDistribution",
  rows: SLIPPAGE_ROWS,
  options: {
    ...SLIPPAGE_OPTIONS,
    facet: oneOf("kind", "pair", "solver"),
  },
  asks: ({ baseline, facet }) => [columnOf(baseline), ...(facet === undefined ? [] : [facet])],
};

/**
 * Draws the slippage of fills against one baseline of their quote: the number of fills in each
 * range of basis points, better ones right of zero, with the median and the size-weighted median.
 *
 * A few fills far from the rest stand in hollow bars at the edge of the axis, so that one outlier
 * does not squeeze the rest. The caption counts fills whose baseline is not known and, where
 * `unfilledOrders` says how many there are, orders that were never filled.
 *
 * @param given Rows or a frame. One row per fill; without rows the figure says so.
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
export function slippageDistribution(
  given: Rows<SlippageRow>,
  options: SlippageDistributionOptions = {},
): Chart<SlippageRow> {
  const { rows, width } = readInput(given, options, INPUT);
  const { baseline, fills, notes } = measuredFills(rows, options);
  const values = fills.map(({ bps }) => bps);
  const middle = median(values);
  if (middle === null) {
    return emptyFigure({
      title: `Fills against the ${baseline.name}`,
      reason: nothingMeasured(rows, baseline),
      caption: captionText(notes, options.source),
      width,
    });
  }
  const binning = binningOf(values);
  const better = values.filter((bps) => bps > 0).length / values.length;
  const caption = captionText([
    ...notes,
    beyondNote(binning.below + binning.above, binning.farthest),
    options.facet !== undefined && "Each panel has its own scale of fills",
  ], options.source);
  const title = `Fills against the ${baseline.name}: median ${bpsText(middle)}, ` +
    `${percentText(better)} better`;
  return drawFigure({
    title,
    description: `${title}. ${caption}`,
    legend: histogramLegend(baseline.name, binning),
    panels: panelsOf(fills, options, {
      binning,
      label: `Slippage against the ${baseline.name} (bps), ${baseline.better}`,
      height: options.height ?? (options.facet === undefined ? HEIGHT : FACET_HEIGHT),
      marginLeft: options.marginLeft,
      width,
    }),
    caption,
    width,
    rows: fills.map(({ row }) => row),
  });
}

function panelsOf(
  fills: readonly MeasuredFill[],
  { facet }: SlippageDistributionOptions,
  shape: SlippageHistogramOptions,
): Panel[] {
  if (facet === undefined) return [slippageHistogram(fills, shape)];
  const { groups, rest } = largestGroups(fills, ({ row }) => row[facet], {
    limit: MOST_FACETS,
    noun: facet,
  });
  const facets = [...groups, ...(rest === null ? [] : [rest])];
  return facets.map(({ key, rows }, index) =>
    slippageHistogram(rows, {
      ...shape,
      heading: `${key} (${count(rows.length, "fill")})`,
      label: index === facets.length - 1 ? shape.label : null,
    })
  );
}
