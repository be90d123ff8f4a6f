import { InputError } from "../errors/input_error.ts";
import { requireKnown } from "../errors/require_known.ts";
import { largestGroups } from "./largest_groups.ts";
import { type MeasuredFill, measuredFills, type SlippageChartOptions } from "./measured_fills.ts";
import { median, quantile } from "./quantile.ts";
import { isNumber } from "./row_selection.ts";
import type { SlippageRow } from "./slippage_row.ts";
import { weightedMedian } from "./weighted_median.ts";

/** Options of {@linkcode slippageGroups}. */
export interface SlippageGroupsOptions extends Pick<SlippageChartOptions, "baseline"> {
  /** Column by whose values fills are grouped. */
  by: "pair" | "solver";
}

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
  return {
    name,
    fills: members.length,
    median_bps: median(sorted) ?? NaN,
    weighted_median_bps: weightedMedian(members.map(({ row, bps }) => ({
      value: bps,
      weight: isNumber(row.volume_native) ? row.volume_native : 0,
    }))),
    tenth_bps: quantile(sorted, 0.1),
    lower_quartile_bps: quantile(sorted, 0.25),
    upper_quartile_bps: quantile(sorted, 0.75),
    ninetieth_bps: quantile(sorted, 0.9),
    better_share: sorted.filter((bps) => bps > 0).length / sorted.length,
  };
}

/**
 * Sums up the slippage of the fills of each pair or solver: what {@linkcode slippageByPair} and
 * {@linkcode slippageBySolver} draw.
 *
 * Quantiles are interpolated linearly between their neighbours.
 *
 * @param rows One row a fill; those without a known slippage are in no group.
 * @returns One group a pair or solver, most fills first.
 * @throws {InputError} If there is no such baseline, column or option.
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
  rows: readonly SlippageRow[],
  { by, ...options }: SlippageGroupsOptions,
): SlippageGroup[] {
  requireKnown({ by, ...options }, ["by", "baseline"], "Cannot group fills");
  if (by !== "pair" && by !== "solver") {
    throw new InputError(`Cannot group fills by ${String(by)}`, {
      remedy: "Pass by: pair or solver",
    });
  }
  const { fills } = measuredFills(rows, options);
  return largestGroups(fills, ({ row }) => row[by], { limit: Infinity, noun: by }).groups
    .map((group) => summaryOf(group.key, group.rows));
}
