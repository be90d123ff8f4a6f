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
import { each, isNumber, type Known, rowsWithNumbers, sortRows } from "../rows.ts";
import { sum } from "../statistics.ts";
import { count, partText, wholeText } from "../texts/count_text.ts";
import { amountText, exactText, type Moment, percentText } from "../texts/label_text.ts";
import { type SolverNames, solverNames } from "../texts/short_names.ts";
import { rewardWeeks, weekPanels, weeksText } from "./reward_weeks.ts";

/** What the caps changed of one solver's rewards in one week: columns of `rewards`. */
export interface RewardCapsRow {
  /** Start of the accounting week; `null` where the time of the auctions is unknown. */
  week_start?: Moment | null;
  /** Address or name of the solver. */
  solver: string;
  /** Name of the solver; `null` if unknown. */
  solver_name?: string | null;
  /** Auctions whose rewards are in the sums. */
  rewarded_auctions?: number | null;
  /** Lower bound of the rewards before the caps, in native tokens. */
  uncapped_low_native: number | null;
  /** Lower bound of what upper caps withheld, in native tokens. */
  upper_cap_cut_low_native: number | null;
  /** Lower bound of what lower caps spared the solver, in native tokens. */
  lower_cap_relief_low_native: number | null;
  /** Upper bound of what lower caps spared the solver, in native tokens. */
  lower_cap_relief_high_native?: number | null;
  /** Lower bound of the performance reward, in native tokens. */
  performance_low_native: number | null;
  /** Upper bound of the performance reward, in native tokens. */
  performance_high_native?: number | null;
  /** Auctions in which the upper cap decided. */
  upper_capped_count?: number | null;
  /** Auctions in which the lower cap decided. */
  lower_capped_count?: number | null;
}

/** What {@linkcode rewardCaps} sorts solvers by. */
export type RewardCapsSort = "solver" | "uncapped" | "upper_cap_cut" | "performance";

/** Options of {@linkcode rewardCaps}. */
export interface RewardCapsOptions extends NativeOptions, ListChartOptions<RewardCapsSort> {
  /**
   * Order of the solvers of a week from top to bottom: by lower bounds, or `solver` by name where
   * it is known. @default {"-uncapped"}
   */
  sort?: RewardCapsSort | `-${RewardCapsSort}`;
  /** Maximum number of solvers drawn per week. @default {12} */
  limit?: number;
}

const WHAT = "What the caps changed";

/** Narrower figures have the amounts beside the dots alone. */
const LONG_NOTES_FROM = 600;

const SUMS = [
  "uncapped_low_native",
  "upper_cap_cut_low_native",
  "lower_cap_relief_low_native",
  "performance_low_native",
] as const;

/** A number for each of the four sums. */
function sumsOf(of: (column: typeof SUMS[number]) => number) {
  return SUMS.map(of) as [number, number, number, number];
}

/** A row whose four sums are known. */
type CappedRow = Known<RewardCapsRow, typeof SUMS[number]>;

const BEFORE = {
  label: "before the caps",
  fill: COLORS.grey,
  stroke: COLORS.muted,
  shape: "dot",
} as const;

const AFTER = { label: "performance reward", fill: COLORS.blue, shape: "dot" } as const;

const CUT: LegendEntry = {
  label: "withheld by upper caps",
  fill: "none",
  stroke: COLORS.orange,
  shape: "line",
};

const RELIEF: LegendEntry = { ...CUT, label: "spared by lower caps", stroke: COLORS.green };

/** What the line of a row means. */
function lineOf(row: CappedRow): LegendEntry {
  return row.performance_low_native <= row.uncapped_low_native ? CUT : RELIEF;
}

/** A solver that won nothing has no reward that a cap could change. */
function isRewarded(row: CappedRow): boolean {
  return row.rewarded_auctions !== 0 ||
    row.uncapped_low_native !== 0 || row.performance_low_native !== 0;
}

/** Sums of doubles differ by less than this part of their terms. */
const ROUNDING = 1e-9;

/**
 * Whether all is known of a row, so that its lower bounds are its amounts: they add up then, and the
 * performance reward has one bound.
 */
function isExact(row: CappedRow): boolean {
  const [before, cut, relief, after] = sumsOf((column) => row[column]);
  const high = row.performance_high_native;
  const size = Math.abs(before) + Math.abs(cut) + Math.abs(relief) + Math.abs(after);
  return Math.abs(before - cut + relief - after) <= ROUNDING * size &&
    (high === undefined || high === after);
}

/** In how many auctions a cap decided, such as `5 of 8`; `null` where that is not known. */
function decidedText(
  decided: number | null | undefined,
  { rewarded_auctions: of }: CappedRow,
): string | null {
  return isNumber(decided) && isNumber(of) ? `${wholeText(decided)} of ${wholeText(of)}` : null;
}

/** `1 → 0.5 (−50%), capped in 3 of 4`. */
function noteOf(row: CappedRow, width: number): string {
  const { uncapped_low_native: before, performance_low_native: after } = row;
  const amounts = `${amountText(before, 3)} → ${amountText(after, 3)}`;
  if (width < LONG_NOTES_FROM) return amounts;
  const change = after / before - 1;
  const percent = before > 0 && isExact(row) && change !== 0
    ? ` (${change > 0 ? "+" : "−"}${percentText(Math.abs(change))})`
    : "";
  const capped = decidedText(row.upper_capped_count, row);
  return `${amounts}${percent}${capped === null ? "" : `, capped in ${capped}`}`;
}

function tooltipOf(row: CappedRow, names: SolverNames, native: string): string {
  const { performance_low_native: after, performance_high_native: high } = row;
  const decided = (by: number | null | undefined) => {
    const text = decidedText(by, row);
    return text === null ? "" : `, decided ${text} auctions`;
  };
  return [
    names.withAddress(row.solver),
    `${BEFORE.label}: ${exactText(row.uncapped_low_native)} ${native}`,
    `${CUT.label}: ${exactText(row.upper_cap_cut_low_native)} ${native}` +
    decided(row.upper_capped_count),
    `${RELIEF.label}: ${exactText(row.lower_cap_relief_low_native)} ${native}` +
    decided(row.lower_capped_count),
    `${AFTER.label}: ${exactText(after)} ${native}` +
    (isNumber(high) && high > after ? `, at most ${exactText(high)}` : ""),
  ].join("\n");
}

/**
 * Draws what the caps changed, a row per solver: a dot for its rewards before the caps, one for its
 * performance reward after them, and a line between, orange where upper caps withheld more than lower
 * caps spared it. Beside it stand both amounts, and in how many auctions a cap decided. There is a
 * panel per accounting week, all with one axis.
 *
 * Where not all is known, both are lower bounds, and the caption says so.
 *
 * @param rows Rows or a frame. One row per solver and accounting week; without rows the figure says
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
 * assertMatch(chart.title, /Upper caps withheld 0.5 of the 1 ETH/);
 * assertMatch(chart.svg, /1 → 0.5 \(−50%\), capped in 3 of 4/);
 * ```
 */
export const rewardCaps: Draw<RewardCapsRow, RewardCapsOptions> = picture({
  chart: "rewardCaps",
  table: "rewards",
  columns: {
    ...each("moment?", "week_start"),
    ...each("text", "solver"),
    ...each("text?", "solver_name"),
    ...each("number?", "rewarded_auctions", "lower_cap_relief_high_native"),
    ...each("number?", "performance_high_native", "upper_capped_count", "lower_capped_count"),
    ...each("number", "uncapped_low_native", "upper_cap_cut_low_native"),
    ...each("number", "lower_cap_relief_low_native", "performance_low_native"),
  },
  options: {
    ...NATIVE_OPTIONS,
    ...listOptions("solver", "uncapped", "upper_cap_cut", "performance"),
  },
  defaults: { sort: "-uncapped", limit: 12 },
  select: (rows, { sort, limit }) => {
    const { rows: known, leftOut } = rowsWithNumbers(rows, SUMS, ["solver"]);
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
    return { known, rewarded, names, weeks, drawn: weeks.flatMap((week) => week.rows), leftOut };
  },
  empty: {
    title: WHAT,
    noRows: "No solver was rewarded in this range",
    noValues: "No reward in this range is one that a cap could change",
  },
  axes: ({ drawn, nativeSymbol }) => ({
    axis: fixedAxis(linearAxis(
      drawn.flatMap((row) => [row.uncapped_low_native, row.performance_low_native]),
      {
        label: `${drawn.every(isExact) ? "Rewards" : "Lower bounds of rewards"} (${nativeSymbol})`,
      },
    )),
  }),
  panels: ({ weeks, names, nativeSymbol, ...size }) =>
    weekPanels(weeks, {
      ...size,
      names,
      notesOf: (rows) => rows.map((row) => noteOf(row, size.width)),
      marksOf: (rows) => {
        const own = {
          y: (_: unknown, place: number) => place,
          title: (row: CappedRow) => tooltipOf(row, names, nativeSymbol),
        };
        const dot = { ...own, r: 5 };
        return [
          Plot.ruleY(rows, {
            ...own,
            x1: "uncapped_low_native",
            x2: "performance_low_native",
            stroke: (row: CappedRow) => lineOf(row).stroke,
            strokeWidth: 3,
            className: "change",
          }),
          Plot.dot(rows, {
            ...dot,
            x: "uncapped_low_native",
            fill: BEFORE.fill,
            stroke: BEFORE.stroke,
            className: "before",
          }),
          Plot.dot(rows, {
            ...dot,
            x: "performance_low_native",
            fill: AFTER.fill,
            className: "after",
          }),
        ];
      },
    }),
  legend: ({ drawn }) => {
    const lines = new Set(drawn.map(lineOf));
    return [BEFORE, AFTER, ...[CUT, RELIEF].filter((line) => lines.has(line))];
  },
  series: () => [BEFORE, AFTER, CUT, RELIEF],
  finding: ({ rewarded, nativeSymbol: native }) => {
    const total = (of: (row: CappedRow) => number) => `${amountText(sum(rewarded, of))} ${native}`;
    const least = rewarded.every(isExact) ? "" : "at least ";
    const decided = (of: (row: CappedRow) => number | null | undefined) =>
      rewarded.every((row) => isNumber(of(row)) && isNumber(row.rewarded_auctions))
        ? partText(
          sum(rewarded, (row) => of(row)!),
          sum(rewarded, (row) => row.rewarded_auctions!),
        )
        : null;
    const [upper, lower] = [
      decided((row) => row.upper_capped_count),
      decided((row) => row.lower_capped_count),
    ];
    return [
      `Performance is worth ${least}${total((row) => row.uncapped_low_native)} before the caps ` +
      `and ${least}${total((row) => row.performance_low_native)} after them`,
      `Upper caps withheld ${least}${total((row) => row.upper_cap_cut_low_native)}, lower caps ` +
      `spared solvers ${least}${total((row) => row.lower_cap_relief_low_native)}`,
      upper !== null && lower !== null &&
      `The upper cap decided ${upper} rewards, the lower cap ${lower}`,
    ];
  },
  title: ({ rewarded, nativeSymbol: native }) => {
    const [before, cut, relief, after] = sumsOf((column) => sum(rewarded, (row) => row[column]));
    if (!rewarded.every(isExact)) {
      return `${WHAT}: at least ${amountText(before)} ${native} before, at least ` +
        `${amountText(after)} ${native} after them`;
    }
    if (cut > 0) {
      return before >= cut
        ? `Upper caps withheld ${amountText(cut)} of the ${amountText(before)} ${native} that ` +
          "solvers' solutions were worth"
        : `Upper caps withheld ${amountText(cut)} ${native}`;
    }
    return relief > 0
      ? `Lower caps spared solvers ${amountText(relief)} ${native}`
      : "The caps changed nothing";
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
      open > 0 && `Not all is known of ${count(open, "solver")}: lower bounds are drawn`,
    ];
  },
});
