import type { Chart } from "../figure/chart.ts";
import type { SlippageChartOptions } from "./measured_fills.ts";
import type { Rows } from "../rows/row_kind.ts";
import type { SlippageRow } from "./slippage_row.ts";
import { slippageScatter } from "./slippage_scatter.ts";

const draw = slippageScatter("slippageByQuoteAge", {
  column: "quote_age_seconds",
  label: "Age of the quote at the fill (seconds)",
  noun: "quote age",
  ends: ["youngest", "oldest"],
  missing: ": pass times, as auctionTimes gets them, to fillsTable",
});

/**
 * Draws the slippage of fills against one baseline of their quote, by the age of the quote at
 * settlement: one dot per fill (from 2,000 on, a dot for the fills around it), and the medians of
 * up to eight groups of equally many fills, from the youngest to the oldest quotes. The axis of
 * ages is logarithmic where they differ thirtyfold. Where only an interval of the time of a fill is
 * known, the age is the least it can be, and the caption says of how many fills.
 *
 * @param given Rows or a frame. One row per fill with `quote_age_seconds`; fills without an age
 * above zero are counted in the caption; without rows the figure says so.
 * @returns The figure; its `rows` are the fills that are drawn.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example A fill soon after its quote, and one late
 * ```ts
 * import { slippageByQuoteAge } from "orderlens/charts";
 * import { assertEquals } from "@std/assert";
 *
 * const chart = slippageByQuoteAge([
 *   { order_uid: "0x01", kind: "sell", slippage_net_bps: 4, quote_age_seconds: 12 },
 *   { order_uid: "0x02", kind: "sell", slippage_net_bps: -2, quote_age_seconds: 80 },
 *   { order_uid: "0x03", kind: "sell", slippage_net_bps: -2, quote_age_seconds: null },
 * ]);
 *
 * assertEquals(chart.rows.length, 2);
 * ```
 */
export function slippageByQuoteAge(
  given: Rows<SlippageRow>,
  options: SlippageChartOptions = {},
): Chart<SlippageRow> {
  return draw(given, options);
}
