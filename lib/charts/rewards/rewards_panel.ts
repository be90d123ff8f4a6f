import * as Plot from "@observablehq/plot";
import { linearAxis } from "../axes/axis_scale.ts";
import { listAxis, type ListSize } from "../axes/list_axis.ts";
import { fixedAxis, type ValueAxis } from "../axes/value_axis.ts";
import { COLORS } from "../figure/colors.ts";
import type { LegendEntry } from "../figure/figure.ts";
import type { Panel } from "../figure/panel.ts";
import { columnMargin } from "../marks/end_notes.ts";
import { rankedList } from "../marks/ranked_list.ts";
import { stackedBars, type StackPart } from "../marks/stacked_bars.ts";
import { sum } from "../numbers/statistics.ts";
import { isNumber } from "../rows/row_selection.ts";
import { alikeTexts } from "../texts/alike_texts.ts";
import { axisText, exactText } from "../texts/axis_text.ts";
import type { SolverNames } from "../texts/solver_names.ts";
import { type RewardWeek, weekHeading } from "./reward_weeks.ts";
import type { SolverRewardsRow } from "./solver_rewards_row.ts";

/** A part of a reward: its name, the column of its lower bound, and its colour. */
export interface RewardPart {
  /** What it is called. */
  readonly label: string;
  /** Its lower bound. */
  readonly column:
    | "performance_low_native"
    | "consistency_low_native"
    | "quote_reward_low_native";
  /** Colour of its bars. */
  readonly fill: string;
}

/** The parts, in the order in which they are stacked. */
export const REWARD_PARTS: readonly RewardPart[] = [
  { label: "performance reward", column: "performance_low_native", fill: COLORS.blue },
  { label: "consistency reward", column: "consistency_low_native", fill: COLORS.green },
  { label: "quote rewards", column: "quote_reward_low_native", fill: COLORS.orange },
];
const PENALTY: LegendEntry = { label: "penalty", fill: COLORS.vermilion };

const TOTAL = { fill: "white", stroke: COLORS.ink, shape: "dot" } as const;
const UPPER_BOUND: LegendEntry = {
  label: "up to its upper bound",
  fill: "none",
  stroke: COLORS.ink,
  shape: "line",
};

/** The bounds of a total. */
interface Bounds {
  low: number | null;
  high: number | null;
}

/** `0.5`, `0.5 to 0.7` or `at least 0.5`; `null` if not even the lower bound is known. */
export function boundsText(
  { low, high }: Bounds,
  [lowText, highText]: readonly string[] = [low, high].map((one) => axisText(one ?? 0)),
): string | null {
  if (low === null) return null;
  if (high === null) return `at least ${lowText}`;
  return low === high ? lowText! : `${lowText} to ${highText}`;
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

/** An axis for the bars and totals of all weeks. */
export function rewardsAxis(rows: readonly SolverRewardsRow[], native: string): ValueAxis {
  const ends = rows.flatMap((row) => {
    const parts = REWARD_PARTS.map(({ column }) => row[column]).filter(isNumber);
    const reach = [1, -1].map((side) => sum(parts.filter((part) => part * side > 0)));
    const { low, high } = boundsOf(row);
    return [...reach, low ?? 0, high ?? 0];
  });
  return fixedAxis(linearAxis(ends, { label: `Reward (${native})` }));
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

/** What the colours and marks of some rows mean. */
export function rewardsLegend(rows: readonly SolverRewardsRow[]): LegendEntry[] {
  const isExact = rows.every((row) => boundsOf(row).low === boundsOf(row).high);
  const has = (test: (value: number) => boolean, { column }: RewardPart) =>
    rows.some((row) => isNumber(row[column]) && test(row[column]));
  return [
    ...REWARD_PARTS.filter((part) => has((value) => value > 0, part))
      .map(({ label, fill }) => ({ label, fill })),
    ...(REWARD_PARTS.some((part) => has((value) => value < 0, part)) ? [PENALTY] : []),
    { label: isExact ? "total" : "lower bound of the total", ...TOTAL },
    ...(isExact ? [] : [UPPER_BOUND]),
  ];
}

/** How the panels are set. */
interface RewardsSize extends ListSize {
  axis: ValueAxis;
  names: SolverNames;
  native: string;
}

/** A panel per week, with one axis. */
export function rewardsPanels(
  weeks: readonly RewardWeek<SolverRewardsRow>[],
  { axis, names, native, ...size }: RewardsSize,
): Panel[] {
  const rows = weeks.flatMap((week) => week.rows);
  const labels = names.labels(rows.map(({ solver }) => solver));
  const totals = totalsOf(rows);
  const { marginLeft } = listAxis(labels, size);
  const marginRight = columnMargin(totals);
  let first = 0;
  return weeks.map((week) => {
    const [from, to] = [first, first += week.rows.length];
    return rankedList({
      ...size,
      ...weekHeading(week, weeks),
      marginLeft,
      marginRight,
      labels: labels.slice(from, to),
      axis,
      marks: () => [
        stackedBars(partsOf(week.rows, { names, native }), { className: "reward" }),
        Plot.ruleX([0], { stroke: COLORS.ink }),
        ...totalMarks(week.rows, { axis, title: (row) => titleOf(row, names, native) }),
      ],
      column: totals.slice(from, to),
    });
  });
}

/** A total at its lower bound, and how far it may reach. */
function totalMarks(
  rows: readonly SolverRewardsRow[],
  { axis, title }: { axis: ValueAxis; title: (row: SolverRewardsRow) => string },
): Plot.Markish[] {
  const { domain: [, end] } = Plot.scale({ x: axis.scale }) as unknown as {
    domain: [number, number];
  };
  const all = rows.flatMap((row, place) => {
    const { low, high } = boundsOf(row);
    return low === null ? [] : [{ row, place, low, high: high ?? end, isOpen: high === null }];
  });
  type Total = typeof all[number];
  const spans = all.filter(({ low, high }) => high > low);
  const own = { y: "place", title: ({ row }: Total) => title(row) };
  return [
    Plot.ruleY(spans, {
      ...own,
      x1: "low",
      x2: "high",
      stroke: COLORS.ink,
      strokeWidth: 1.5,
      className: "total_bounds",
    }),
    Plot.tickX(spans.filter(({ isOpen }) => !isOpen), {
      ...own,
      x: "high",
      stroke: COLORS.ink,
      strokeWidth: 1.5,
      insetTop: 4,
      insetBottom: 4,
      className: "upper_bound",
    }),
    Plot.text(spans.filter(({ isOpen }) => isOpen), {
      ...own,
      x: "high",
      text: () => "▶",
      fill: COLORS.ink,
      className: "unbounded",
    }),
    Plot.dot(all, {
      ...own,
      x: "low",
      r: 4,
      fill: "white",
      stroke: COLORS.ink,
      strokeWidth: 1.5,
      className: "total",
    }),
  ];
}
