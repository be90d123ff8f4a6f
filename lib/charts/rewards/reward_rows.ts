import type * as Plot from "@observablehq/plot";
import type { PlacedAxis } from "../axes/axis_scale.ts";
import { listAxis, type ListSize } from "../axes/row_axes.ts";
import type { Panel } from "../figure/panel.ts";
import { columnMargin, rankedList } from "../marks/bars.ts";
import { each, type RowKind } from "../rows.ts";
import type { SolverNames } from "../texts/short_names.ts";
import { type Moment, momentText, secondsOf } from "../texts/label_text.ts";

/** The rows of one accounting week. */
export interface RewardWeek<Row> {
  /** When it starts, in seconds since 1970; `null` if unknown. */
  start: number | null;
  /** Its rows, in their order. */
  rows: readonly Row[];
}

/** The rows by accounting week, the earliest first and those without a week last. */
export function rewardWeeks<Row extends { readonly week_start?: Moment | null }>(
  rows: readonly Row[],
): RewardWeek<Row>[] {
  return [...Map.groupBy(rows, (row) => secondsOf(row.week_start))]
    .map(([start, own]) => ({ start, rows: own }))
    .toSorted((a, b) => (a.start ?? Infinity) - (b.start ?? Infinity));
}

/** How the panels of weeks are set. */
interface WeekPanels<Row> extends ListSize {
  /** Axis of all weeks. */
  axis: PlacedAxis;
  /** What the solvers are called. */
  names: SolverNames;
  /** What stands right of each row, given all of them. */
  notesOf: (rows: readonly Row[]) => string[];
  /** The marks of the rows of one week. */
  marksOf: (rows: readonly Row[]) => Plot.Markish[];
}

/** A panel per week, a row per solver, all with one axis. */
export function weekPanels<Row extends { readonly solver: string }>(
  weeks: readonly RewardWeek<Row>[],
  { axis, names, notesOf, marksOf, ...size }: WeekPanels<Row>,
): Panel[] {
  const rows = weeks.flatMap((week) => week.rows);
  const labels = names.labels(rows.map(({ solver }) => solver));
  const notes = notesOf(rows);
  const { marginLeft } = listAxis(labels, size);
  let first = 0;
  return weeks.map(({ start, rows }) => {
    const [from, to] = [first, first += rows.length];
    return rankedList({
      ...size,
      heading: start !== null
        ? `Accounting week from ${momentText(start).slice(0, 10)}`
        : weeks.length === 1
        ? undefined
        : "Auctions of an unknown week",
      marginLeft,
      marginRight: columnMargin(notes),
      labels: labels.slice(from, to),
      axis,
      marks: () => marksOf(rows),
      column: notes.slice(from, to),
      hasBaseline: true,
    });
  });
}

/** `auctions of 2 accounting weeks from 2026-11-10`; `null` where no row tells its week. */
export function weeksText(weeks: readonly RewardWeek<unknown>[]): string | null {
  const [first, ...others] = weeks.flatMap(({ start }) => start ?? []);
  if (first === undefined) return null;
  const span = others.length === 0
    ? "the accounting week"
    : `${others.length + 1} accounting weeks`;
  return `auctions of ${span} from ${momentText(first).slice(0, 10)}`;
}

/** What one solver earned in one accounting week: columns of `rewardsTable`. */
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

/** The table these rows come from, and its columns. */
export const SOLVER_REWARDS_ROWS: RowKind<SolverRewardsRow> = {
  table: "rewardsTable",
  columns: {
    ...each("moment?", "week_start"),
    ...each("text", "solver"),
    ...each("text?", "solver_name"),
    ...each("number", "performance_low_native", "consistency_low_native"),
    ...each("number", "quote_reward_low_native", "total_low_native", "total_high_native"),
  },
};

/** What the caps changed of one solver's rewards in one week: columns of `rewardsTable`. */
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

/** The table these rows come from, and its columns. */
export const REWARD_CAPS_ROWS: RowKind<RewardCapsRow> = {
  table: "rewardsTable",
  columns: {
    ...each("moment?", "week_start"),
    ...each("text", "solver"),
    ...each("text?", "solver_name"),
    ...each("number?", "rewarded_auctions", "lower_cap_relief_high_native"),
    ...each("number?", "performance_high_native", "upper_capped_count", "lower_capped_count"),
    ...each("number", "uncapped_low_native", "upper_cap_cut_low_native"),
    ...each("number", "lower_cap_relief_low_native", "performance_low_native"),
  },
};
