import type { Chart } from "../figure/chart.ts";
import {
  type ChartOptions,
  type ListChartOptions,
  listOptions,
  NATIVE_OPTIONS,
  NATIVE_TOKENS,
  type NativeOptions,
} from "../figure/chart_options.ts";
import { type ChartInput, picture } from "../figure/picture.ts";
import { sum } from "../numbers/statistics.ts";
import type { Rows } from "../rows/row_kind.ts";
import { count, isNumber, rowsWithTexts, sortRows } from "../rows/row_selection.ts";
import { solverNames } from "../texts/solver_names.ts";
import {
  boundsText,
  REWARD_PARTS,
  rewardsAxis,
  rewardsLegend,
  rewardsPanels,
} from "./rewards_panel.ts";
import { rewardWeeks, weeksText } from "./reward_weeks.ts";
import { SOLVER_REWARDS_ROWS, type SolverRewardsRow } from "./solver_rewards_row.ts";

/** What {@linkcode solverRewards} sorts solvers by. */
export type SolverRewardsSort =
  | "solver"
  | "total"
  | "performance"
  | "consistency"
  | "quote_reward";

/** Options of {@linkcode solverRewards}. */
export interface SolverRewardsOptions
  extends ChartOptions, NativeOptions, ListChartOptions<SolverRewardsSort> {
  /**
   * Order of the solvers of a week from top to bottom: by lower bounds, or `solver` by name where
   * it is known. @default {"-total"}
   */
  sort?: SolverRewardsSort | `-${SolverRewardsSort}`;
  /** Maximum number of solvers drawn per week. @default {40} */
  limit?: number;
}

const WHAT = "What solvers earned";

const INPUT: ChartInput<SolverRewardsRow, SolverRewardsOptions> = {
  chart: "solverRewards",
  rows: SOLVER_REWARDS_ROWS,
  options: {
    ...NATIVE_OPTIONS,
    ...listOptions("solver", "total", "performance", "consistency", "quote_reward"),
  },
};

const draw = picture(INPUT, {
  defaults: { sort: "-total", limit: 40, nativeSymbol: NATIVE_TOKENS },
  select: (rows, { sort, limit }) => {
    const known = rowsWithTexts(rows, ["solver"])
      .filter((row) => REWARD_PARTS.some(({ column }) => isNumber(row[column])));
    const names = solverNames(known);
    const sorted = sortRows(known, sort, {
      solver: ({ solver }) => names.text(solver),
      total: (row) => row.total_low_native,
      performance: (row) => row.performance_low_native,
      consistency: (row) => row.consistency_low_native,
      quote_reward: (row) => row.quote_reward_low_native,
    });
    const all = rewardWeeks(sorted);
    const weeks = all.map((week) => ({ ...week, rows: week.rows.slice(0, limit) }));
    const drawn = weeks.flatMap((week) => week.rows);
    return { known, names, weeks, drawn, leftOut: rows.length - known.length };
  },
  empty: {
    title: WHAT,
    noRows: "No solver was rewarded in this range",
    noValues: "No reward in this range is known",
  },
  axes: ({ drawn, nativeSymbol }) => ({ axis: rewardsAxis(drawn, nativeSymbol) }),
  panels: ({ weeks, names, axis, nativeSymbol, ...size }) =>
    rewardsPanels(weeks, { ...size, names, axis, native: nativeSymbol }),
  legend: ({ drawn }) => rewardsLegend(drawn),
  title: ({ known, weeks, nativeSymbol }) => {
    const within = weeksText(weeks);
    const total = boundsText({
      low: known.every((row) => isNumber(row.total_low_native))
        ? sum(known, (row) => row.total_low_native ?? NaN)
        : null,
      high: known.every((row) => isNumber(row.total_high_native))
        ? sum(known, (row) => row.total_high_native ?? NaN)
        : null,
    });
    return WHAT + (within === null ? "" : ` in ${within}`) +
      (total === null ? "" : `: ${total} ${nativeSymbol} in total`);
  },
  caption: ({ known, drawn, leftOut, weeks }) => {
    const within = weeksText(weeks);
    const solvers = new Set(known.map(({ solver }) => solver)).size;
    const open = drawn.filter((row) =>
      isNumber(row.total_low_native) && !isNumber(row.total_high_native)
    );
    return [
      `n = ${count(solvers, "solver")}${within === null ? "" : ` in ${within}`}`,
      known.length > drawn.length &&
      `${count(known.length - drawn.length, "more row")} not drawn`,
      leftOut > 0 && `${count(leftOut, "solver")} without a known reward left out`,
      ...REWARD_PARTS.map(({ label, column }) => {
        const unknown = drawn.filter((row) => !isNumber(row[column])).length;
        return unknown > 0 && `The ${label} of ${count(unknown, "solver")} is unknown`;
      }),
      drawn.length > 0 && "Bars are lower bounds",
      open.length > 0 && `Nothing bounds the total of ${count(open.length, "solver")} from above`,
      drawn.length > 0 &&
      "Estimated from public data; what solvers were paid is not public",
    ];
  },
});

/**
 * Draws what each solver earned, a panel per accounting week: performance, consistency and quote
 * rewards stacked at their lower bounds, a penalty left of zero, and over them a line from the lower
 * to the upper bound of the total, with an arrow where nothing bounds it.
 *
 * All weeks share one axis. The numbers on the right are totals: one where all is known, both bounds
 * where not.
 *
 * @param given Rows or a frame. One row per solver and accounting week; without rows the figure says
 * so. A row without any known reward is left out, and the caption says so.
 * @returns The figure; its `rows` are those drawn, week by week.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example A solver that earned, and one that pays
 * ```ts
 * import { solverRewards } from "orderlens/charts";
 * import { assertEquals } from "@std/assert";
 *
 * const week_start = "2026-11-17T00:00:00Z";
 * const chart = solverRewards([
 *   {
 *     week_start,
 *     solver: "A",
 *     performance_low_native: 0.5,
 *     consistency_low_native: 0.25,
 *     quote_reward_low_native: 0.125,
 *     total_low_native: 0.875,
 *     total_high_native: 1,
 *   },
 *   {
 *     week_start,
 *     solver: "B",
 *     performance_low_native: -0.25,
 *     consistency_low_native: 0,
 *     quote_reward_low_native: 0,
 *     total_low_native: -0.25,
 *     total_high_native: -0.25,
 *   },
 * ], { nativeSymbol: "ETH" });
 *
 * assertEquals(
 *   chart.title,
 *   "What solvers earned in 1 accounting week: 0.625 to 0.75 ETH in total",
 * );
 * ```
 */
export function solverRewards(
  given: Rows<SolverRewardsRow>,
  options: SolverRewardsOptions = {},
): Chart<SolverRewardsRow> {
  return draw(given, options);
}
