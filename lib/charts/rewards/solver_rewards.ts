import * as Plot from "@observablehq/plot";
import { createFixedAxis, createLinearScale } from "../axes/axis_scale.ts";
import {
  createListOptions,
  type ListChartOptions,
  NATIVE_OPTIONS,
  type NativeOptions,
} from "../figure/chart_options.ts";
import { defineChart, type Draw } from "../figure/picture.ts";
import { COLORS, type LegendEntry } from "../looks.ts";
import { drawStackedBars, type StackPart } from "../marks/bars.ts";
import { declare, fillTexts, isNumber, sortRows } from "../rows.ts";
import { sum } from "../statistics.ts";
import { count } from "../texts/count_text.ts";
import {
  formatAmount,
  formatExact,
  formatNumber,
  formatTogether,
  type Moment,
} from "../texts/label_text.ts";
import { readSolverNames, type SolverNames } from "../texts/short_names.ts";
import { createWeekPanels, formatWeeks, groupByWeek } from "./reward_weeks.ts";

/** One solver's earnings in one accounting week: columns of `rewards`. */
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

/** Keys by which {@linkcode solverRewards} sorts solvers. */
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

const TITLE = "What solvers earned";

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
export const solverRewards: Draw<SolverRewardsRow, SolverRewardsOptions> = defineChart({
  chart: "solverRewards",
  table: "rewards",
  columns: {
    ...declare("moment?", "week_start"),
    ...declare("text", "solver"),
    ...declare("text?", "solver_name"),
    ...declare("number", "performance_low_native", "consistency_low_native"),
    ...declare("number", "quote_reward_low_native", "total_low_native", "total_high_native"),
  },
  options: {
    ...NATIVE_OPTIONS,
    ...createListOptions("solver", "total", "performance", "consistency", "quote_reward"),
  },
  defaults: { sort: "-total", limit: 40 },
  select: (rows, { sort, limit }) => {
    const knownRows = fillTexts(rows, ["solver"])
      .filter((row) => REWARD_PARTS.some(({ column }) => isNumber(row[column])));
    const names = readSolverNames(knownRows);
    const sortedRows = sortRows(knownRows, sort, {
      solver: ({ solver }) => names.format(solver),
      total: (row) => row.total_low_native,
      performance: (row) => row.performance_low_native,
      consistency: (row) => row.consistency_low_native,
      quote_reward: (row) => row.quote_reward_low_native,
    });
    const allWeeks = groupByWeek(sortedRows);
    const weeks = allWeeks.map((week) => ({ ...week, rows: week.rows.slice(0, limit) }));
    const drawnRows = weeks.flatMap((week) => week.rows);
    return { knownRows, names, weeks, drawnRows, leftOut: rows.length - knownRows.length };
  },
  empty: {
    title: TITLE,
    noRows: "No solver was rewarded in this range",
    noValues: "No reward in this range is known",
  },
  axes: ({ drawnRows, nativeSymbol }) => {
    const ends = drawnRows.flatMap((row) => [
      measureReach(row).upper,
      sum(REWARD_PARTS.map(({ column }) => Math.min(0, row[column] ?? 0)).filter(isNumber)),
    ]);
    return {
      axis: createFixedAxis(createLinearScale(ends, { label: `Reward (${nativeSymbol})` })),
    };
  },
  panels: ({ weeks, names, axis, nativeSymbol: native, ...size }) =>
    createWeekPanels(weeks, {
      ...size,
      names,
      axis,
      formatNotes: formatTotals,
      drawMarks: (rows) => [
        drawStackedBars(createParts(rows, { names, native }), { className: "reward" }),
        ...drawUncertain(rows, (row) => formatTooltip(row, names, native)),
      ],
    }),
  legend: ({ drawnRows }) => {
    const listParts = (sign: number) =>
      REWARD_PARTS.filter(({ column }) =>
        drawnRows.some((row) => isNumber(row[column]) && row[column] * sign > 0)
      );
    return [
      ...listParts(1).map(({ label, fill }) => ({ label, fill })),
      ...(listParts(-1).length > 0 ? [PENALTY] : []),
      ...(drawnRows.some((row) => measureReach(row).upper > measureReach(row).sure)
        ? [UNCERTAIN]
        : []),
    ];
  },
  finding: ({ knownRows, names, nativeSymbol: native }) => {
    const format = (bounds: Bounds) =>
      `${
        formatBounds(bounds, [bounds.low, bounds.high].map((bound) => formatAmount(bound ?? 0)))
      } ${native}`;
    const solvers = [...Map.groupBy(knownRows, ({ solver }) => solver)]
      .map(([solver, rows]) => ({ solver, rows, ...sumBounds(rows) }));
    const bounded = solvers.filter(({ low }) => low !== null);
    const [best, ...otherSolvers] = bounded.toSorted((a, b) => b.low! - a.low!);
    const isSure = otherSolvers.length === solvers.length - 1 &&
      otherSolvers.every(({ high }) => high !== null && high <= best!.low!);
    const paying = solvers.filter(({ rows }) => rows.some((row) => (readBounds(row).low ?? 0) < 0));
    const negative = solvers.filter((solver) =>
      !paying.includes(solver) && solver.rows.some(({ performance_low_native: low }) =>
        isNumber(low) && low < 0
      )
    ).length;
    const total = sumBounds(knownRows);
    return [
      best &&
      (isSure
        ? `${names.formatLabel(best.solver)} earned the most, ${format(best)}`
        : `${names.formatLabel(best.solver)} has the highest lower bound, ` +
          `${format(best)}; another may ` +
          "have earned more"),
      total.low !== null &&
      `The rewards of ${count(solvers.length, "solver")} add up to ${format(total)}`,
      paying.length > 0 && `${count(paying.length, "solver")} may have to pay`,
      negative > 0 && `The performance of ${count(negative, "solver")} may cost more than it ` +
        "earned; other rewards outweigh that",
    ];
  },
  title: ({ knownRows, weeks, nativeSymbol }) => {
    const within = formatWeeks(weeks);
    const total = formatBounds(sumBounds(knownRows));
    return TITLE + (within === null ? "" : ` in ${within}`) +
      (total === null ? "" : `: ${total} ${nativeSymbol} in total`);
  },
  caption: ({ knownRows, drawnRows, leftOut, weeks }) => {
    const within = formatWeeks(weeks);
    const solvers = new Set(knownRows.map(({ solver }) => solver)).size;
    const open = drawnRows.filter((row) =>
      isNumber(row.total_low_native) && !isNumber(row.total_high_native)
    );
    return [
      `n = ${count(solvers, "solver")}${within === null ? "" : ` in ${within}`}`,
      knownRows.length > drawnRows.length &&
      `${count(knownRows.length - drawnRows.length, "more row")} not shown`,
      leftOut > 0 && `${count(leftOut, "solver")} without a known reward left out`,
      ...REWARD_PARTS.map(({ label, column }) => {
        const unknownCount = drawnRows.filter((row) => !isNumber(row[column])).length;
        return unknownCount > 0 && `The ${label} of ${count(unknownCount, "solver")} is unknown`;
      }),
      drawnRows.length > 0 && "Bars in colour are lower bounds",
      open.length > 0 &&
      `?: the total of ${count(open.length, "solver")} has no known upper bound`,
      drawnRows.length > 0 &&
      "Estimated from public data; what solvers were paid is not public",
    ];
  },
});

/** Parts of a reward, in stacking order. */
const REWARD_PARTS = [
  { label: "performance reward", column: "performance_low_native", fill: COLORS.blue },
  { label: "consistency reward", column: "consistency_low_native", fill: COLORS.green },
  { label: "quote rewards", column: "quote_reward_low_native", fill: COLORS.orange },
] as const;

const PENALTY: LegendEntry = { label: "penalty", fill: COLORS.vermilion };
const UNCERTAIN = { label: "possibly more", fill: "#e6e9ec", stroke: COLORS.grey } as const;

interface Bounds {
  low: number | null;
  high: number | null;
}

/** Formats `0.5`, `0.5 to 0.7` or `at least 0.5`; `null` if the lower bound is unknown. */
function formatBounds(
  { low, high }: Bounds,
  [lowText, highText]: readonly string[] = [low, high].map((bound) => formatNumber(bound ?? 0)),
): string | null {
  if (low === null) return null;
  if (high === null) return `at least ${lowText}`;
  return low === high ? lowText! : `${lowText} to ${highText}`;
}

/** Sums the bounds of rows; a bound that one of them lacks is `null`. */
function sumBounds(rows: readonly SolverRewardsRow[]): Bounds {
  const bounds = rows.map(readBounds);
  const sumEnd = (end: keyof Bounds) =>
    bounds.some((bound) => bound[end] === null) ? null : sum(bounds, (bound) => bound[end]!);
  return { low: sumEnd("low"), high: sumEnd("high") };
}

function readBounds({ total_low_native: low, total_high_native: high }: SolverRewardsRow): Bounds {
  return { low: isNumber(low) ? low : null, high: isNumber(high) ? high : null };
}

function formatTotals(rows: readonly SolverRewardsRow[]): string[] {
  const texts = formatTogether(rows.flatMap((row) => {
    const { low, high } = readBounds(row);
    return [low ?? 0, high ?? 0];
  }));
  return rows.map((row, index) =>
    formatBounds(readBounds(row), texts.slice(2 * index, 2 * index + 2)) ?? "unknown total"
  );
}

/** Measures how far the bars of a row reach right of zero: for certain, and at most. */
function measureReach(row: SolverRewardsRow): { sure: number; upper: number; isOpen: boolean } {
  const parts = REWARD_PARTS.map(({ column }) => row[column]).filter(isNumber);
  const { low, high } = readBounds(row);
  const sure = sum(parts.filter((part) => part > 0));
  const more = low === null || high === null ? 0 : Math.max(0, high - low);
  return { sure, upper: sure + more, isOpen: low !== null && high === null };
}

/** Draws how much more a reward may be, and question marks where nothing bounds it. */
function drawUncertain(
  rows: readonly SolverRewardsRow[],
  title: (row: SolverRewardsRow) => string,
): Plot.Markish[] {
  const reaches = rows.map((row, index) => ({ row, index, ...measureReach(row) }));
  type Reach = typeof reaches[number];
  const channels = { y: "index", title: ({ row }: Reach) => title(row) };
  return [
    Plot.barX(reaches.filter(({ sure, upper }) => upper > sure), {
      ...channels,
      x1: "sure",
      x2: "upper",
      fill: UNCERTAIN.fill,
      stroke: UNCERTAIN.stroke,
      strokeDasharray: "3 2",
      className: "uncertain",
    }),
    Plot.text(reaches.filter(({ isOpen }) => isOpen), {
      ...channels,
      x: "sure",
      text: () => "?",
      dx: 6,
      textAnchor: "start",
      fontWeight: "bold",
      className: "unbounded",
    }),
  ];
}

function formatTooltip(row: SolverRewardsRow, names: SolverNames, native: string): string {
  const total = formatBounds(
    readBounds(row),
    [row.total_low_native, row.total_high_native].map((bound) => formatExact(bound ?? 0)),
  );
  return `${names.formatWithAddress(row.solver)}\ntotal ${total ?? "unknown"} ${native}`;
}

function createParts(
  rows: readonly SolverRewardsRow[],
  { names, native }: { names: SolverNames; native: string },
): StackPart[] {
  return rows.flatMap((row, index) =>
    REWARD_PARTS.flatMap(({ column, label, fill }) => {
      const value = row[column];
      if (!isNumber(value) || value === 0) return [];
      const title = `${names.formatWithAddress(row.solver)}\n` +
        `${label}: ${formatExact(value)} ${native}, lower bound`;
      return [{ index, value, fill: value < 0 ? PENALTY.fill : fill, title }];
    })
  );
}
