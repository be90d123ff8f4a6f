import type { Chart } from "../figure/chart.ts";
import type { Rows } from "../rows/row_kind.ts";
import { slippageByGroup, type SlippageByGroupOptions } from "./slippage_by_group.ts";
import type { SlippageRow } from "./slippage_row.ts";

const draw = slippageByGroup("slippageBySolver", "solver");

/**
 * Draws the slippage of fills against one baseline of their quote, one row per settling solver:
 * median, median weighted by size, the middle half and the middle 80% of its fills; each fill as a
 * dot where there are fewer than five. Solvers beyond `limit` (25) share the last row.
 *
 * Solvers settle different orders, so this compares their results, not their skill.
 *
 * @param given Rows or a frame. One row per fill with `solver`; without rows the figure says so.
 * @returns The figure; its `rows` are the fills that are drawn.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example A fill whose solver is not known is a row of its own
 * ```ts
 * import { slippageBySolver } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const chart = slippageBySolver([
 *   { order_uid: "0x01", kind: "sell", solver: "quasilabs", slippage_net_bps: -2 },
 *   { order_uid: "0x02", kind: "sell", solver: null, slippage_net_bps: 1 },
 * ]);
 *
 * assertMatch(chart.svg, /unknown solver/);
 * ```
 */
export function slippageBySolver(
  given: Rows<SlippageRow>,
  options: SlippageByGroupOptions = {},
): Chart<SlippageRow> {
  return draw(given, options);
}
