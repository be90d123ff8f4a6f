import { createFixedAxis, createLinearScale } from "../axes/axis_scale.ts";
import type { ListSize } from "../axes/row_axes.ts";
import {
  createListOptions,
  type ListChartOptions,
  type NamedRowOptions,
} from "../figure/chart_options.ts";
import type { Panel } from "../figure/panel.ts";
import { defineChart, type Draw } from "../figure/picture.ts";
import { COLORS, type LegendEntry } from "../looks.ts";
import { createListPanel, drawStackedBars, placeSideBySide } from "../marks/bars.ts";
import { declare, fillTexts, isCount, sortRows } from "../rows.ts";
import { sum } from "../statistics.ts";
import { count, formatList, formatPart, formatWhole } from "../texts/count_text.ts";
import { formatNumber, formatPercent } from "../texts/label_text.ts";
import { nameGroup, readSolverNames, type SolverNames } from "../texts/short_names.ts";

/** Outcomes of one solver's winning solutions: columns of `leaderboard`. */
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
export interface SettlementOutcomesOptions
  extends ListChartOptions<SettlementOutcomesSort>, NamedRowOptions {
  /**
   * Order of the solvers from top to bottom; `solver` by name where it is known.
   * @default {"-won"}
   */
  sort?: SettlementOutcomesSort | `-${SettlementOutcomesSort}`;
  /** Maximum number of solvers drawn. @default {60} */
  limit?: number;
}

/** Part of the width of the panel of wins that were not settled in time. */
const RIGHT_SHARE = 0.36;

type Outcome = "in_time" | "late" | "absent" | "pending" | "unknown";

const OUTCOMES: Readonly<Record<Outcome, LegendEntry & { readonly became: string }>> = {
  in_time: { label: "in time", became: "in time", fill: COLORS.green },
  late: { label: "late", became: "settled late", fill: COLORS.orange },
  absent: { label: "absent", became: "not settled", fill: COLORS.vermilion },
  pending: { label: "pending", became: "still pending", fill: COLORS.sky },
  unknown: { label: "unknown", became: "of unknown outcome", fill: COLORS.grey },
};
const OUTCOME_NAMES = Object.keys(OUTCOMES) as Outcome[];

interface Bar extends Readonly<Record<Outcome, number>> {
  solver: string;
  won: number;
  row: SettlementOutcomesRow;
}

function createBars(rows: readonly SettlementOutcomesRow[]): Bar[] {
  return fillTexts(rows, ["solver"]).flatMap((row) => {
    const counts = { ...row, unknown: row.unknown ?? 0 };
    if (!OUTCOME_NAMES.every((outcome) => isCount(counts[outcome]))) return [];
    const { solver, in_time, late, absent, pending, unknown } = counts as Omit<Bar, "won" | "row">;
    const won = in_time + late + absent + pending + unknown;
    return [{ solver, in_time, late, absent, pending, unknown, won, row }];
  });
}

function createPanel(
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
  const scale = createLinearScale(sums, { label: "Winning solutions" });
  const tickFormat = (tick: number) =>
    !Number.isInteger(tick) ? "" : tick < 1e6 ? formatWhole(tick) : formatNumber(tick);
  const parts = bars.flatMap((bar, index) =>
    outcomes.filter((outcome) => bar[outcome] > 0).map((outcome) => {
      const { label, fill } = OUTCOMES[outcome];
      const [value, share] = [bar[outcome], formatPercent(bar[outcome] / bar.won)];
      const title = `${names.formatWithAddress(bar.solver)}\n` +
        `${label}: ${formatWhole(value)} of ${formatWhole(bar.won)} (${share})`;
      return { index, value, fill, title };
    })
  );
  return createListPanel({
    ...size,
    heading: look.heading,
    labels: names.formatLabels(bars.map(({ solver }) => solver)),
    axis: createFixedAxis({ ...scale, tickFormat }),
    marks: () => [drawStackedBars(parts, { className: look.className })],
    ends: sums.map((value) => ({ value, text: formatWhole(value) })),
    hasBaseline: true,
  });
}

function sumOutcomes(bars: readonly Bar[], column: Outcome | "won"): number {
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
export const settlementOutcomes: Draw<SettlementOutcomesRow, SettlementOutcomesOptions> =
  defineChart({
    chart: "settlementOutcomes",
    table: "leaderboard",
    columns: {
      ...declare("text", "solver"),
      ...declare("text?", "solver_name"),
      ...declare("number", "in_time", "late", "absent", "pending"),
      ...declare("number?", "unknown"),
    },
    options: {
      ...createListOptions("solver", "won", "in_time", "late", "absent", "pending"),
      by: String,
    },
    nameColumn: "solver",
    defaults: { by: "solver", sort: "-won", limit: 60 },
    select: (rows, { limit, sort }) => {
      const bars = createBars(rows);
      const names = readSolverNames(bars.map(({ row }) => row));
      const sortedBars = sortRows(bars, sort, { solver: ({ solver }) => names.format(solver) });
      const [shownBars, otherBars, won] = [
        sortedBars.slice(0, limit),
        sortedBars.slice(limit),
        sumOutcomes(bars, "won"),
      ];
      const drawnRows = won === 0 ? [] : shownBars.map(({ row }) => row);
      const leftOut = rows.length - bars.length;
      return { bars, names, shownBars, otherBars, won, leftOut, drawnRows };
    },
    empty: {
      title: "Outcomes of winning solutions",
      noRows: "No winning solutions in this range",
      noValues: "No winning solutions in this range",
    },
    panels: ({ shownBars, names, ...size }) => {
      const looks = [
        { heading: "All", outcomes: OUTCOME_NAMES, names, className: "outcome" },
        {
          heading: "Not in time, on its own scale",
          outcomes: OUTCOME_NAMES.slice(1),
          names,
          className: "not_in_time",
        },
      ].slice(0, shownBars.every((bar) => bar.in_time === bar.won) ? 1 : 2);
      const labels = names.formatLabels(shownBars.map(({ solver }) => solver));
      const lists = looks.map((look) => (list: ListSize) => createPanel(shownBars, look, list));
      return placeSideBySide(lists, { ...size, labels }, RIGHT_SHARE);
    },
    series: () => Object.values(OUTCOMES),
    legend: ({ shownBars }) =>
      OUTCOME_NAMES.filter((outcome) => shownBars.some((bar) => bar[outcome] > 0))
        .map((outcome) => OUTCOMES[outcome]),
    finding: ({ bars, won }) => {
      const total = (outcome: Outcome) => sumOutcomes(bars, outcome);
      const otherTexts = OUTCOME_NAMES.slice(1).filter((name) => total(name) > 0).map((name) =>
        `${formatWhole(total(name))} ${total(name) === 1 ? "was" : "were"} ${OUTCOMES[name].became}`
      );
      return [
        `${formatPart(total("in_time"), won)} winning solutions were settled in time`,
        otherTexts.length === 0
          ? "None was late or absent, and none is pending"
          : `Of the others, ${formatList(otherTexts)}`,
      ];
    },
    title: ({ bars, won }) => {
      const [inTime, wins] = [sumOutcomes(bars, "in_time"), count(won, "winning solution")];
      return `${formatWhole(inTime)} of ${wins} ${inTime === 1 ? "was" : "were"} settled in time`;
    },
    caption: ({ bars, otherBars, won, leftOut, by }) => [
      `n = ${count(won, "winning solution")} of ${count(bars.length, nameGroup(by))}`,
      otherBars.length > 0 &&
      `${count(otherBars.length, `more ${nameGroup(by)}`)} with ` +
        `${formatWhole(sumOutcomes(otherBars, "in_time"))} of ` +
        `${count(sumOutcomes(otherBars, "won"), "winning solution")} in time not shown`,
      leftOut > 0 && `${count(leftOut, nameGroup(by))} without counts left out`,
    ],
  });
