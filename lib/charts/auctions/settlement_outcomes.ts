import { fixedAxis, linearAxis } from "../axes/axis_scale.ts";
import type { ListSize } from "../axes/row_axes.ts";
import { type ListChartOptions, listOptions } from "../figure/chart_options.ts";
import type { Panel } from "../figure/panel.ts";
import { type Draw, picture } from "../figure/picture.ts";
import { COLORS, type LegendEntry } from "../looks.ts";
import { rankedList, sideBySide, stackedBars } from "../marks/bars.ts";
import { each, isCount, rowsWithTexts, sortRows } from "../rows.ts";
import { sum } from "../statistics.ts";
import { count, listText, partText, wholeText } from "../texts/count_text.ts";
import { axisText, percentText } from "../texts/label_text.ts";
import { type SolverNames, solverNames } from "../texts/short_names.ts";

/** What became of the winning solutions of one solver: columns of `leaderboard`. */
export interface SettlementOutcomesRow {
  /** Address or name of the solver. */
  solver: string;
  /** Name of the solver; `null` if unknown. */
  solver_name?: string | null;
  /** Settled by the deadline block. */
  in_time: number | null;
  /** Settled after the deadline block. */
  late: number | null;
  /** Not settled. */
  absent: number | null;
  /** Not settled yet, before the deadline. */
  pending: number | null;
  /** Outcome unknown. @default {0} */
  unknown?: number | null;
}

/** Columns by which {@linkcode settlementOutcomes} sorts; `won` is the sum of all outcomes. */
export type SettlementOutcomesSort = "solver" | "won" | "in_time" | "late" | "absent" | "pending";

/** Options of {@linkcode settlementOutcomes}. */
export interface SettlementOutcomesOptions extends ListChartOptions<SettlementOutcomesSort> {
  /**
   * Order of the solvers from top to bottom; `solver` by name where it is known.
   * @default {"-won"}
   */
  sort?: SettlementOutcomesSort | `-${SettlementOutcomesSort}`;
  /** Maximum number of solvers drawn. @default {60} */
  limit?: number;
}

/** Part of the width that those not in time have. */
const RIGHT_SHARE = 0.36;

type Outcome = "in_time" | "late" | "absent" | "pending" | "unknown";

const OUTCOMES: Readonly<Record<Outcome, LegendEntry & { readonly became: string }>> = {
  in_time: { label: "in time", became: "in time", fill: COLORS.green },
  late: { label: "late", became: "settled late", fill: COLORS.orange },
  absent: { label: "absent", became: "not settled", fill: COLORS.vermilion },
  pending: { label: "pending", became: "still pending", fill: COLORS.sky },
  unknown: { label: "unknown", became: "of unknown outcome", fill: COLORS.grey },
};
const IN_ORDER = Object.keys(OUTCOMES) as Outcome[];

/** The wins of one solver, and how many had each outcome. */
interface Bar extends Readonly<Record<Outcome, number>> {
  solver: string;
  won: number;
  row: SettlementOutcomesRow;
}

/** Bars of the rows in which every outcome is counted. */
function barsOf(rows: readonly SettlementOutcomesRow[]): Bar[] {
  return rowsWithTexts(rows, ["solver"]).flatMap((row) => {
    const counts = { ...row, unknown: row.unknown ?? 0 };
    if (!IN_ORDER.every((outcome) => isCount(counts[outcome]))) return [];
    const { solver, in_time, late, absent, pending, unknown } = counts as Omit<Bar, "won" | "row">;
    const won = in_time + late + absent + pending + unknown;
    return [{ solver, in_time, late, absent, pending, unknown, won, row }];
  });
}

function outcomePanel(
  bars: readonly Bar[],
  { outcomes, names, ...look }: {
    outcomes: readonly Outcome[];
    names: SolverNames;
    heading: string;
    className: string;
  },
  size: ListSize,
): Panel {
  const sums = bars.map((bar) => sum(outcomes, (outcome) => bar[outcome]));
  const tickFormat = (tick: number) =>
    !Number.isInteger(tick) ? "" : tick < 1e6 ? wholeText(tick) : axisText(tick);
  const parts = bars.flatMap((bar, place) =>
    outcomes.filter((outcome) => bar[outcome] > 0).map((outcome) => {
      const { label, fill } = OUTCOMES[outcome];
      const [value, share] = [bar[outcome], percentText(bar[outcome] / bar.won)];
      const title = `${names.withAddress(bar.solver)}\n` +
        `${label}: ${wholeText(value)} of ${wholeText(bar.won)} (${share})`;
      return { place, value, fill, title };
    })
  );
  return rankedList({
    ...size,
    heading: look.heading,
    labels: names.labels(bars.map(({ solver }) => solver)),
    axis: fixedAxis({ ...linearAxis(sums, { label: "Winning solutions" }), tickFormat }),
    marks: () => [stackedBars(parts, { className: look.className })],
    ends: sums.map((value) => ({ value, text: wholeText(value) })),
    hasBaseline: true,
  });
}

function sumOf(bars: readonly Bar[], column: Outcome | "won"): number {
  return sum(bars, (bar) => bar[column]);
}

/**
 * Draws the outcome of each solver's winning solutions: settled in time, late, not at all, or not
 * yet. Those not in time also have their own panel and axis, since they are few.
 *
 * @param rows Rows or a frame. One row per solver; without rows the figure says so. Rows in which
 * an outcome is not a number from 0 are left out, and the caption says so.
 * @returns The figure; its `rows` are the solvers drawn, in order.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example A solver that was late once
 * ```ts
 * import { settlementOutcomes } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const chart = settlementOutcomes([
 *   { solver: "A", in_time: 8, late: 1, absent: 0, pending: 0 },
 *   { solver: "B", in_time: 1, late: 0, absent: 0, pending: 0 },
 * ]);
 *
 * assertMatch(chart.title, /9 of 10 winning solutions were settled in time/);
 * ```
 */
export const settlementOutcomes: Draw<SettlementOutcomesRow, SettlementOutcomesOptions> = picture({
  chart: "settlementOutcomes",
  table: "leaderboard",
  columns: {
    ...each("text", "solver"),
    ...each("text?", "solver_name"),
    ...each("number", "in_time", "late", "absent", "pending"),
    ...each("number?", "unknown"),
  },
  options: listOptions("solver", "won", "in_time", "late", "absent", "pending"),
  defaults: { sort: "-won", limit: 60 },
  select: (rows, { limit, sort }) => {
    const bars = barsOf(rows);
    const names = solverNames(bars.map(({ row }) => row));
    const sorted = sortRows(bars, sort, { solver: ({ solver }) => names.text(solver) });
    const [shown, rest, won] = [sorted.slice(0, limit), sorted.slice(limit), sumOf(bars, "won")];
    const drawn = won === 0 ? [] : shown.map(({ row }) => row);
    return { bars, names, shown, rest, won, leftOut: rows.length - bars.length, drawn };
  },
  empty: {
    title: "What became of winning solutions",
    noRows: "No winning solutions in this range",
    noValues: "No winning solutions in this range",
  },
  panels: ({ shown, names, ...size }) => {
    const all = { heading: "All", outcomes: IN_ORDER, names, className: "outcome" };
    const failed = {
      heading: "Not in time, on its own scale",
      outcomes: IN_ORDER.slice(1),
      names,
      className: "not_in_time",
    };
    const looks = shown.every((bar) => bar.in_time === bar.won) ? [all] : [all, failed];
    const labels = names.labels(shown.map(({ solver }) => solver));
    const lists = looks.map((look) => (list: ListSize) => outcomePanel(shown, look, list));
    return sideBySide(lists, { ...size, labels }, RIGHT_SHARE);
  },
  series: () => Object.values(OUTCOMES),
  legend: ({ shown }) =>
    IN_ORDER.filter((outcome) => shown.some((bar) => bar[outcome] > 0))
      .map((outcome) => OUTCOMES[outcome]),
  finding: ({ bars, won }) => {
    const total = (outcome: Outcome) => sumOf(bars, outcome);
    const others = IN_ORDER.slice(1).filter((outcome) => total(outcome) > 0).map((outcome) =>
      `${wholeText(total(outcome))} ${total(outcome) === 1 ? "was" : "were"} ` +
      OUTCOMES[outcome].became
    );
    return [
      `${partText(total("in_time"), won)} winning solutions were settled in time`,
      others.length === 0
        ? "None was late or absent, and none is pending"
        : `Of the others, ${listText(others)}`,
    ];
  },
  title: ({ bars, won }) => {
    const [inTime, all] = [sumOf(bars, "in_time"), count(won, "winning solution")];
    return `${wholeText(inTime)} of ${all} ${inTime === 1 ? "was" : "were"} settled in time`;
  },
  caption: ({ bars, rest, won, leftOut }) => [
    `n = ${count(won, "winning solution")} of ${count(bars.length, "solver")}`,
    rest.length > 0 &&
    `${count(rest.length, "more solver")} with ${wholeText(sumOf(rest, "in_time"))} of ` +
      `${count(sumOf(rest, "won"), "winning solution")} in time not drawn`,
    leftOut > 0 && `${count(leftOut, "solver")} without counts left out`,
  ],
});
