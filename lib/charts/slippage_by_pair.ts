import type { Chart } from "./chart.ts";
import { slippageByGroup, type SlippageByGroupOptions } from "./slippage_by_group.ts";
import type { SlippageRow } from "./slippage_row.ts";

/**
 * Draws how far fills were from one named baseline of their quote, a row a directed pair: median,
 * median weighted by size, the middle half and the middle 80 % of its fills; each fill as a dot where
 * there are fewer than five. Pairs beyond `limit` (25) stand together in the last row.
 *
 * @param rows One row a fill with `pair`; none draws a figure that says so.
 * @returns The figure; its `rows` are the fills that are drawn.
 * @throws {InputError} If an option is out of its range.
 *
 * @example Two pairs, the better one first
 * ```ts
 * import { slippageByPair } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const chart = slippageByPair([
 *   { order_uid: "0x01", kind: "sell", pair: "WETH → USDC", slippage_net_bps: -2 },
 *   { order_uid: "0x02", kind: "sell", pair: "DAI → USDC", slippage_net_bps: 1 },
 * ], { sort: "-median_bps" });
 *
 * assertMatch(chart.title, /median better in 1 of 2 pairs/);
 * ```
 */
export function slippageByPair(
  rows: readonly SlippageRow[],
  options: SlippageByGroupOptions = {},
): Chart<SlippageRow> {
  return slippageByGroup(rows, options, { column: "pair", noun: "pair" });
}
