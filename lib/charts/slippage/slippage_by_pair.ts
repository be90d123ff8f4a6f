import type { Chart } from "../figure/chart.ts";
import type { Rows } from "../rows/row_kind.ts";
import { slippageByGroup, type SlippageByGroupOptions } from "./slippage_by_group.ts";
import type { SlippageRow } from "./slippage_row.ts";

/**
 * Draws how far fills were from one named baseline of their quote, a row a directed pair: median,
 * median weighted by size, the middle half and the middle 80% of its fills; each fill as a dot where
 * there are fewer than five. Pairs beyond `limit` (25) stand together in the last row.
 *
 * @param given Rows or a frame. One row a fill with `pair`; none draws a figure that says so.
 * @returns The figure; its `rows` are the fills that are drawn.
 * @throws {InputError} If an option is not one of these or out of its range, or the rows are of another kind.
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
  given: Rows<SlippageRow>,
  options: SlippageByGroupOptions = {},
): Chart<SlippageRow> {
  return slippageByGroup(given, options, { chart: "slippageByPair", column: "pair", noun: "pair" });
}
