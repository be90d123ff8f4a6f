import type { Chart } from "./chart.ts";
import { NATIVE_TOKENS, type NativeOptions } from "./chart_options.ts";
import type { SlippageChartOptions } from "./measured_fills.ts";
import type { SlippageRow } from "./slippage_row.ts";
import { slippageScatter } from "./slippage_scatter.ts";

/** Options of {@linkcode slippageBySize}. */
export interface SlippageBySizeOptions extends SlippageChartOptions, NativeOptions {}

/**
 * Draws how far fills were from one named baseline of their quote, by their size in native tokens: a
 * dot a fill (from 2,000 on, a dot for the fills around it), and the medians of up to eight groups of
 * equally many fills, from the smallest to the largest. The axis of sizes is logarithmic where they
 * differ thirtyfold.
 *
 * @param rows One row a fill with `volume_native`; fills without a size above zero are counted in the
 * caption; no rows draw a figure that says so.
 * @returns The figure; its `rows` are the fills that are drawn.
 * @throws {InputError} If an option is out of its range.
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
  rows: readonly SlippageRow[],
  options: SlippageBySizeOptions = {},
): Chart<SlippageRow> {
  return slippageScatter(rows, options, {
    column: "volume_native",
    label: `Size of the fill (${options.nativeSymbol ?? NATIVE_TOKENS})`,
    noun: "size",
    ends: ["smallest", "largest"],
  });
}
