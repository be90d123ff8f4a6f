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
import { count, isNumber, rowsWithTexts, sortRows, wholeText } from "../rows/row_selection.ts";
import { axisText } from "../texts/axis_text.ts";
import { solverNames } from "../texts/solver_names.ts";
import { CAP_STEPS, isExact } from "./cap_steps.ts";
import { capsAxis, capsPanels } from "./caps_panel.ts";
import { type CappedRow, REWARD_CAPS_ROWS, type RewardCapsRow } from "./reward_caps_row.ts";
import { rewardWeeks, weeksText } from "./reward_weeks.ts";

/** What {@linkcode rewardCaps} sorts solvers by. */
export type RewardCapsSort = "solver" | "uncapped" | "upper_cap_cut" | "performance";

/** Options of {@linkcode rewardCaps}. */
export interface RewardCapsOptions
  extends ChartOptions, NativeOptions, ListChartOptions<RewardCapsSort> {
  /**
   * Order of the solvers of a week from top to bottom: by lower bounds, or `solver` by name where
   * it is known. @default {"-uncapped"}
   */
  sort?: RewardCapsSort | `-${RewardCapsSort}`;
  /** Maximum number of solvers drawn per week. @default {12} */
  limit?: number;
}

const WHAT = "What the caps changed";

const INPUT: ChartInput<RewardCapsRow, RewardCapsOptions> = {
  chart: "rewardCaps",
  rows: REWARD_CAPS_ROWS,
  options: {
    ...NATIVE_OPTIONS,
    ...listOptions("solver", "uncapped", "upper_cap_cut", "performance"),
  },
};

function isCapped(row: RewardCapsRow): row is CappedRow {
  return isNumber(row.uncapped_low_native) && isNumber(row.upper_cap_cut_low_native) &&
    isNumber(row.lower_cap_relief_low_native) && isNumber(row.performance_low_native);
}

/** A solver that won nothing has no reward that a cap could change. */
function isRewarded(row: CappedRow): boolean {
  return row.rewarded_auctions !== 0 ||
    row.uncapped_low_native !== 0 || row.performance_low_native !== 0;
}

const draw = picture(INPUT, {
  defaults: { sort: "-uncapped", limit: 12, nativeSymbol: NATIVE_TOKENS },
  select: (rows, { sort, limit }) => {
    const known = rowsWithTexts(rows, ["solver"]).filter(isCapped);
    const rewarded = known.filter(isRewarded);
    const names = solverNames(rewarded);
    const sorted = sortRows(rewarded, sort, {
      solver: ({ solver }) => names.text(solver),
      uncapped: (row) => row.uncapped_low_native,
      upper_cap_cut: (row) => row.upper_cap_cut_low_native,
      performance: (row) => row.performance_low_native,
    });
    const weeks = rewardWeeks(sorted)
      .map((week) => ({ ...week, rows: week.rows.slice(0, limit) }));
    return {
      known,
      rewarded,
      names,
      weeks,
      drawn: weeks.flatMap((week) => week.rows),
      leftOut: rows.length - known.length,
    };
  },
  empty: {
    title: WHAT,
    noRows: "No solver was rewarded in this range",
    noValues: "No reward in this range is one that a cap could change",
  },
  axes: ({ drawn, nativeSymbol }) => ({ axis: capsAxis(drawn, nativeSymbol) }),
  panels: ({ weeks, names, axis, nativeSymbol, ...size }) =>
    capsPanels(weeks, { ...size, names, axis, native: nativeSymbol }),
  legend: () => Object.values(CAP_STEPS),
  title: ({ rewarded, nativeSymbol }) => {
    const total = (of: (row: CappedRow) => number) => axisText(sum(rewarded, of));
    const [before, after] = [
      total((row) => row.uncapped_low_native),
      total((row) => row.performance_low_native),
    ];
    const least = rewarded.every(isExact) ? "" : "at least ";
    return `${WHAT}: ${least}${before} ${nativeSymbol} before, ` +
      `${least}${after} ${nativeSymbol} after them`;
  },
  caption: ({ known, rewarded, drawn, leftOut, weeks }) => {
    const within = weeksText(weeks);
    const solvers = new Set(rewarded.map(({ solver }) => solver)).size;
    const [idle, more] = [known.length - rewarded.length, rewarded.length - drawn.length];
    const open = drawn.filter((row) => !isExact(row)).length;
    return [
      `n = ${count(solvers, "solver")}${within === null ? "" : ` in ${within}`}`,
      more > 0 && `${count(more, "more row")} not drawn`,
      idle > 0 && `${wholeText(idle)} without a rewarded auction left out`,
      leftOut > 0 && `${count(leftOut, "solver")} without known rewards left out`,
      open > 0 &&
      `Not all is known of ${count(open, "solver")}: their steps are those of the worst case`,
      drawn.length > 0 &&
      "Counts: auctions in which the cap decided, of those with a reward",
    ];
  },
});

/**
 * Draws what the caps changed, four rows per solver: its rewards before the caps, less what upper
 * caps withheld, plus what lower caps spared it, to its performance reward, with the number of
 * auctions that each cap decided. There is a panel per accounting week, all with one axis.
 *
 * Steps are lower bounds. Where something is not known, they are those of the worst case, which
 * leads to the lower bound of the performance reward, and the caption says so.
 *
 * @param given Rows or a frame. One row per solver and accounting week; without rows the figure says
 * so. Rows without known sums, and solvers without a rewarded auction, are counted in the caption.
 * @returns The figure; its `rows` are those drawn, week by week.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example A solver of whose rewards the upper cap withheld half
 * ```ts
 * import { rewardCaps } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const chart = rewardCaps([{
 *   week_start: "2026-11-17T00:00:00Z",
 *   solver: "A",
 *   rewarded_auctions: 4,
 *   uncapped_low_native: 1,
 *   upper_cap_cut_low_native: 0.5,
 *   upper_capped_count: 3,
 *   lower_cap_relief_low_native: 0,
 *   performance_low_native: 0.5,
 * }], { nativeSymbol: "ETH" });
 *
 * assertMatch(chart.title, /1 ETH before, 0.5 ETH after them/);
 * assertMatch(chart.svg, /3 of 4 auctions/);
 * ```
 */
export function rewardCaps(
  given: Rows<RewardCapsRow>,
  options: RewardCapsOptions = {},
): Chart<RewardCapsRow> {
  return draw(given, options);
}
