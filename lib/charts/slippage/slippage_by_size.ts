import type { Chart } from "../figure/chart.ts";
import type { NativeOptions } from "../figure/chart_options.ts";
import type { SlippageChartOptions } from "./measured_fills.ts";
import type { Rows } from "../rows/row_kind.ts";
import type { SlippageRow } from "./slippage_row.ts";
import { slippageScatter } from "./slippage_scatter.ts";

/** Options of {@linkcode slippageBySize}. */
export interface SlippageBySizeOptions extends SlippageChartOptions, NativeOptions {}

const draw = slippageScatter("slippageBySize", {
  column: "volume_native",
  label: (native) => `Size of the fill (${native})`,
  noun: "size",
  ends: ["smallest", "largest"],
});

/**
 * Draws the slippage of fills against one baseline of their quote, by size in native tokens: one
 * dot per fill (from 2,000 on, a dot for the fills around it), and the medians of up to eight
 * groups of equally many fills, from the smallest to the largest. The axis of sizes is logarithmic
 * where they differ thirtyfold.
 *
 * @param given Rows or a frame. One row per fill with `volume_native`; fills without a size above
 * zero are counted in the caption; without rows the figure says so.
 * @returns The figure; its `rows` are the fills that are drawn.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example A small and a large fill
 * ```ts
 * import { slippageBySize } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const chart = slippageBySize([
 *   { order_uid: "0x01", kind: "sell", slippage_net_bps: 4, volume_native: 0.1 },
 *   { order_uid: "0x02", kind: "sell", slippage_net_bps: -2, volume_native: 300 },
 * ], { nativeSymbol: "ETH" });
 *
 * assertMatch(chart.svg, /Size of the fill \(ETH, logarithmic\)/);
 * ```
 */
export function slippageBySize(
  given: Rows<SlippageRow>,
  options: SlippageBySizeOptions = {},
): Chart<SlippageRow> {
  return draw(given, options);
}
