import * as Plot from "@observablehq/plot";
import { fixedAxis, linearAxis } from "../axes/axis_scale.ts";
import {
  type ListChartOptions,
  listOptions,
  NATIVE_OPTIONS,
  type NativeOptions,
} from "../figure/chart_options.ts";
import { type Draw, picture } from "../figure/picture.ts";
import { COLORS, type LegendEntry } from "../looks.ts";
import { stackedBars, type StackPart } from "../marks/bars.ts";
import { each, isNumber, rowsWithTexts, sortRows } from "../rows.ts";
import { sum } from "../statistics.ts";
import { count } from "../texts/count_text.ts";
import { alikeTexts, amountText, axisText, exactText, type Moment } from "../texts/label_text.ts";
import { type SolverNames, solverNames } from "../texts/short_names.ts";
import { rewardWeeks, weekPanels, weeksText } from "./reward_weeks.ts";

/** What one solver earned in one accounting week: columns of `rewards`. */
export interface SolverRewardsRow {
  /** Start of the accounting week; `null` where the time of the auctions is unknown. */
  week_start?: Moment | null;
  /** Address or name of the solver. */
  solver: string;
  /** Name of the solver; `null` if unknown. */
  solver_name?: string | null;
  /** Lower bound of its performance reward, in native tokens; negative where it pays. */
  performance_low_native: number | null;
  /** Lower bound of its consistency reward, in native tokens. */
  consistency_low_native: number | null;
  /** Lower bound of its rewards for quotes, in native tokens. */
  quote_reward_low_native: number | null;
  /** Lower bound of all three, in native tokens. */
  total_low_native: number | null;
  /** Upper bound of all three, in native tokens; `null` if nothing bounds it. */
  total_high_native: number | null;
}

/** What {@linkcode solverRewards} sorts solvers by. */
export type SolverRewardsSort =
  | "solver"
  | "total"
  | "performance"
  | "consistency"
  | "quote_reward";

/** Options of {@linkcode solverRewards}. */
export interface SolverRewardsOptions extends NativeOptions, ListChartOptions<SolverRewardsSort> {
  /**
   * Order of the solvers of a week from top to bottom: by lower bounds, or `solver` by name where
   * it is known. @default {"-total"}
   */
  sort?: SolverRewardsSort | `-${SolverRewardsSort}`;
  /** Maximum number of solvers drawn per week. @default {40} */
  limit?: number;
}

const WHAT = "What solvers earned";

/**
 * Draws what each solver earned, a panel per accounting week: performance, consistency and quote
 * rewards stacked at their lower bounds, a penalty left of zero, and right of them, pale, how much more
 * it may be; with a question mark where nothing bounds it.
 *
 * All weeks share one axis. The numbers on the right are totals: one where all is known, both bounds
 * where not.
 *
 * @param rows Rows or a frame. One row per solver and accounting week; without rows the figure says
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
 *   "What solvers earned in auctions of the accounting week from 2026-11-17: 0.625 to 0.75 ETH in total",
 * );
 * ```
 */
export const solverRewards: Draw<SolverRewardsRow, SolverRewardsOptions> = picture({
  chart: "solverRewards",
  table: "rewards",
  columns: {
    ...each("moment?", "week_start"),
    ...each("text", "solver"),
    ...each("text?", "solver_name"),
    ...each("number", "performance_low_native", "consistency_low_native"),
    ...each("number", "quote_reward_low_native", "total_low_native", "total_high_native"),
  },
  options: {
    ...NATIVE_OPTIONS,
    ...listOptions("solver", "total", "performance", "consistency", "quote_reward"),
  },
  defaults: { sort: "-total", limit: 40 },
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
  axes: ({ drawn, nativeSymbol }) => {
    const ends = drawn.flatMap((row) => [
      reachOf(row).most,
      sum(REWARD_PARTS.map(({ column }) => Math.min(0, row[column] ?? 0)).filter(isNumber)),
    ]);
    return { axis: fixedAxis(linearAxis(ends, { label: `Reward (${nativeSymbol})` })) };
  },
  panels: ({ weeks, names, axis, nativeSymbol: native, ...size }) =>
    weekPanels(weeks, {
      ...size,
      names,
      axis,
      notesOf: totalsOf,
      marksOf: (rows) => [
        stackedBars(partsOf(rows, { names, native }), { className: "reward" }),
        ...uncertainMarks(rows, (row) => titleOf(row, names, native)),
      ],
    }),
  legend: ({ drawn }) => {
    const paid = (sign: number) =>
      REWARD_PARTS.filter(({ column }) =>
        drawn.some((row) => isNumber(row[column]) && row[column] * sign > 0)
      );
    return [
      ...paid(1).map(({ label, fill }) => ({ label, fill })),
      ...(paid(-1).length > 0 ? [PENALTY] : []),
      ...(drawn.some((row) => reachOf(row).most > reachOf(row).sure) ? [UNCERTAIN] : []),
    ];
  },
  finding: ({ known, names, nativeSymbol: native }) => {
    const said = (bounds: Bounds) => `${boundsText(bounds, numbersOf(bounds))} ${native}`;
    const solvers = [...Map.groupBy(known, ({ solver }) => solver)]
      .map(([solver, rows]) => ({ solver, rows, ...totalOf(rows) }));
    const bounded = solvers.filter(({ low }) => low !== null);
    const [best, ...others] = bounded.toSorted((a, b) => b.low! - a.low!);
    const isSure = others.length === solvers.length - 1 &&
      others.every(({ high }) => high !== null && high <= best!.low!);
    const paying = solvers.filter(({ rows }) => rows.some((row) => (boundsOf(row).low ?? 0) < 0));
    const negative = solvers.filter((one) =>
      !paying.includes(one) && one.rows.some(({ performance_low_native: low }) =>
        isNumber(low) && low < 0
      )
    ).length;
    const total = totalOf(known);
    return [
      best &&
      (isSure
        ? `${names.label(best.solver)} earned the most, ${said(best)}`
        : `${names.label(best.solver)} has the highest lower bound, ${said(best)}; another may ` +
          "have earned more"),
      total.low !== null &&
      `The rewards of ${count(solvers.length, "solver")} add up to ${said(total)}`,
      paying.length > 0 && `${count(paying.length, "solver")} may have to pay`,
      negative > 0 && `The performance of ${count(negative, "solver")} may cost more than it ` +
        "earned; other rewards outweigh that",
    ];
  },
  title: ({ known, weeks, nativeSymbol }) => {
    const within = weeksText(weeks);
    const total = boundsText(totalOf(known));
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
      drawn.length > 0 && "Bars in colour are lower bounds",
      open.length > 0 &&
      `?: nothing bounds the total of ${count(open.length, "solver")} from above`,
      drawn.length > 0 &&
      "Estimated from public data; what solvers were paid is not public",
    ];
  },
});

/** The parts, in the order in which they are stacked. */
const REWARD_PARTS = [
  { label: "performance reward", column: "performance_low_native", fill: COLORS.blue },
  { label: "consistency reward", column: "consistency_low_native", fill: COLORS.green },
  { label: "quote rewards", column: "quote_reward_low_native", fill: COLORS.orange },
] as const;

const PENALTY: LegendEntry = { label: "penalty", fill: COLORS.vermilion };
const UNCERTAIN = { label: "possibly more", fill: "#e6e9ec", stroke: COLORS.grey } as const;

/** The bounds of a total. */
interface Bounds {
  low: number | null;
  high: number | null;
}

/** `0.5`, `0.5 to 0.7` or `at least 0.5`; `null` if not even the lower bound is known. */
function boundsText(
  { low, high }: Bounds,
  [lowText, highText]: readonly string[] = [low, high].map((one) => axisText(one ?? 0)),
): string | null {
  if (low === null) return null;
  if (high === null) return `at least ${lowText}`;
  return low === high ? lowText! : `${lowText} to ${highText}`;
}

/** What rows add up to; a bound that one of them lacks is `null`. */
function totalOf(rows: readonly SolverRewardsRow[]): Bounds {
  const bounds = rows.map(boundsOf);
  const added = (end: keyof Bounds) =>
    bounds.some((one) => one[end] === null) ? null : sum(bounds, (one) => one[end]!);
  return { low: added("low"), high: added("high") };
}

/** Both bounds as a sentence writes them. */
function numbersOf({ low, high }: Bounds): string[] {
  return [low, high].map((one) => amountText(one ?? 0));
}

function boundsOf({ total_low_native: low, total_high_native: high }: SolverRewardsRow): Bounds {
  return { low: isNumber(low) ? low : null, high: isNumber(high) ? high : null };
}

/** The totals of rows, all numbers alike. */
function totalsOf(rows: readonly SolverRewardsRow[]): string[] {
  const texts = alikeTexts(rows.flatMap((row) => {
    const { low, high } = boundsOf(row);
    return [low ?? 0, high ?? 0];
  }));
  return rows.map((row, at) =>
    boundsText(boundsOf(row), texts.slice(2 * at, 2 * at + 2)) ?? "unknown total"
  );
}

/** How far the bars of a row reach right of zero: for certain, and at most. */
function reachOf(row: SolverRewardsRow): { sure: number; most: number; isOpen: boolean } {
  const parts = REWARD_PARTS.map(({ column }) => row[column]).filter(isNumber);
  const { low, high } = boundsOf(row);
  const sure = sum(parts.filter((part) => part > 0));
  const more = low === null || high === null ? 0 : Math.max(0, high - low);
  return { sure, most: sure + more, isOpen: low !== null && high === null };
}

/** How much more a reward may be, and question marks where nothing bounds it. */
function uncertainMarks(
  rows: readonly SolverRewardsRow[],
  title: (row: SolverRewardsRow) => string,
): Plot.Markish[] {
  const all = rows.map((row, place) => ({ row, place, ...reachOf(row) }));
  type Reach = typeof all[number];
  const own = { y: "place", title: ({ row }: Reach) => title(row) };
  return [
    Plot.barX(all.filter(({ sure, most }) => most > sure), {
      ...own,
      x1: "sure",
      x2: "most",
      fill: UNCERTAIN.fill,
      stroke: UNCERTAIN.stroke,
      strokeDasharray: "3 2",
      className: "uncertain",
    }),
    Plot.text(all.filter(({ isOpen }) => isOpen), {
      ...own,
      x: "sure",
      text: () => "?",
      dx: 6,
      textAnchor: "start",
      fontWeight: "bold",
      className: "unbounded",
    }),
  ];
}

function titleOf(row: SolverRewardsRow, names: SolverNames, native: string): string {
  const total = boundsText(
    boundsOf(row),
    [row.total_low_native, row.total_high_native].map((one) => exactText(one ?? 0)),
  );
  return `${names.withAddress(row.solver)}\ntotal ${total ?? "unknown"} ${native}`;
}

function partsOf(
  rows: readonly SolverRewardsRow[],
  { names, native }: { names: SolverNames; native: string },
): StackPart[] {
  return rows.flatMap((row, place) =>
    REWARD_PARTS.flatMap(({ column, label, fill }) => {
      const value = row[column];
      if (!isNumber(value) || value === 0) return [];
      const title = `${names.withAddress(row.solver)}\n` +
        `${label}: ${exactText(value)} ${native}, lower bound`;
      return [{ place, value, fill: value < 0 ? PENALTY.fill : fill, title }];
    })
  );
}
