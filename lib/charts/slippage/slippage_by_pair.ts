import type { Chart } from "../figure/chart.ts";
import type { Rows } from "../rows/row_kind.ts";
import { slippageByGroup, type SlippageByGroupOptions } from "./slippage_by_group.ts";
import type { SlippageRow } from "./slippage_row.ts";

const draw = slippageByGroup("slippageByPair", "pair");

/**
 * Draws the slippage of fills against one baseline of their quote, one row per directed pair:
 * median, median weighted by size, the middle half and the middle 80% of its fills; each fill as a
 * dot where there are fewer than five. Pairs beyond `limit` (25) share the last row.
 *
 * @param given Rows or a frame. One row per fill with `pair`; without rows the figure says so.
 * @returns The figure; its `rows` are the fills that are drawn.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
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
  return draw(given, options);
}
