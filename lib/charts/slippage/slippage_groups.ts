import { InputError } from "../../errors/input_error.ts";
import { checkOptions, oneOf, type OptionRules } from "../../errors/option_rules.ts";
import { largestGroups } from "../rows/largest_groups.ts";
import {
  columnOf,
  type MeasuredFill,
  measuredFills,
  SLIPPAGE_OPTIONS,
  type SlippageChartOptions,
  weightedBps,
} from "./measured_fills.ts";
import { quantile } from "../numbers/statistics.ts";
import { type Rows, rowsOf } from "../rows/row_kind.ts";
import { SLIPPAGE_ROWS, type SlippageRow } from "./slippage_row.ts";

/** Options of {@linkcode slippageGroups}. */
export interface SlippageGroupsOptions extends Pick<SlippageChartOptions, "baseline"> {
  /** Column by whose values fills are grouped. */
  by: "pair" | "solver";
}

const ACTION = "Cannot group fills";

const OPTIONS: OptionRules<SlippageGroupsOptions> = {
  by: oneOf("pair", "solver"),
  baseline: SLIPPAGE_OPTIONS.baseline,
};

/** How far the fills of one pair or solver were from a baseline, in basis points of it. */
export interface SlippageGroup {
  /** The pair or the solver. */
  name: string;
  /** How many fills it has. */
  fills: number;
  /** Median slippage: positive where fills were better. */
  median_bps: number;
  /** The same, weighted by the fills' size; `null` where no size is known. */
  weighted_median_bps: number | null;
  /** Where the middle 80% of the fills begin. */
  tenth_bps: number;
  /** Where the middle half begins. */
  lower_quartile_bps: number;
  /** Where the middle half ends. */
  upper_quartile_bps: number;
  /** Where the middle 80% end. */
  ninetieth_bps: number;
  /** Part of the fills that were better than the baseline, from 0 to 1. */
  better_share: number;
}

/** What is known of some fills together. */
export function summaryOf(name: string, members: readonly MeasuredFill[]): SlippageGroup {
  const sorted = members.map(({ bps }) => bps).toSorted((a, b) => a - b);
  const at = (share: number) => quantile(sorted, share) ?? NaN;
  return {
    name,
    fills: members.length,
    median_bps: at(0.5),
    weighted_median_bps: weightedBps(members),
    tenth_bps: at(0.1),
    lower_quartile_bps: at(0.25),
    upper_quartile_bps: at(0.75),
    ninetieth_bps: at(0.9),
    better_share: sorted.filter((bps) => bps > 0).length / sorted.length,
  };
}

/**
 * Sums up the slippage of the fills of each pair or solver: what {@linkcode slippageByPair} and
 * {@linkcode slippageBySolver} draw.
 *
 * Quantiles are interpolated linearly between their neighbours.
 *
 * @param given Rows or a frame. One row per fill; those without a known slippage are in no group.
 * @returns One group per pair or solver, most fills first.
 * @throws {InputError} If a baseline, column or option is unknown, or the rows are of another kind.
 *
 * @example The pair with the better median
 * ```ts
 * import { slippageGroups } from "orderlens/charts";
 * import { assertEquals } from "@std/assert";
 *
 * const groups = slippageGroups([
 *   { order_uid: "0x01", kind: "sell", pair: "WETH → USDC", slippage_net_bps: -2 },
 *   { order_uid: "0x02", kind: "sell", pair: "DAI → USDC", slippage_net_bps: 1 },
 * ], { by: "pair" });
 *
 * assertEquals(groups.map(({ name, median_bps }) => [name, median_bps]), [
 *   ["DAI → USDC", 1],
 *   ["WETH → USDC", -2],
 * ]);
 * ```
 */
export function slippageGroups(
  given: Rows<SlippageRow>,
  options: SlippageGroupsOptions,
): SlippageGroup[] {
  checkOptions(options, OPTIONS, ACTION);
  const { by, baseline } = options;
  if (by === undefined) {
    throw new InputError(`${ACTION} without by`, { remedy: "Pass by: pair or solver" });
  }
  const rows = rowsOf(given, SLIPPAGE_ROWS, { action: ACTION, asked: [columnOf(baseline), by] });
  const { fills } = measuredFills(rows, baseline === undefined ? {} : { baseline });
  return largestGroups(fills, ({ row }) => row[by], { limit: Infinity, noun: by }).groups
    .map((group) => summaryOf(group.key, group.rows));
}
