import type { Chart } from "../figure/chart.ts";
import { type ChartOptions, type ListChartOptions, listOptions } from "../figure/chart_options.ts";
import { countsOf, type Measure, measured, measurePanel, MEASURES } from "./leaderboard_panel.ts";
import type { ListSize } from "../axes/list_axis.ts";
import { max, sum } from "../numbers/statistics.ts";
import { type ChartInput, picture } from "../figure/picture.ts";
import { sideBySide } from "../marks/ranked_list.ts";
import type { Rows } from "../rows/row_kind.ts";
import { count, isNumber, rowsWithTexts, sortRows, wholeText } from "../rows/row_selection.ts";
import { type SolverNames, solverNames } from "../texts/solver_names.ts";
import { SOLVER_LEADERBOARD_ROWS, type SolverLeaderboardRow } from "./solver_leaderboard_row.ts";

/** Columns by which {@linkcode solverLeaderboard} sorts. */
export type SolverLeaderboardSort =
  | "solver"
  | "auctions_bid"
  | "auctions_won"
  | "win_rate"
  | "score_share"
  | "in_time_rate";

/** Options of {@linkcode solverLeaderboard}. */
export interface SolverLeaderboardOptions
  extends ChartOptions, ListChartOptions<SolverLeaderboardSort> {
  /**
   * Order of the solvers from top to bottom; `solver` by name where it is known.
   * @default {"-auctions_won"}
   */
  sort?: SolverLeaderboardSort | `-${SolverLeaderboardSort}`;
  /** Maximum number of solvers drawn. @default {60} */
  limit?: number;
}

const INPUT: ChartInput<SolverLeaderboardRow, SolverLeaderboardOptions> = {
  chart: "solverLeaderboard",
  rows: SOLVER_LEADERBOARD_ROWS,
  options: {
    ...listOptions(
      "solver",
      "auctions_bid",
      "auctions_won",
      "win_rate",
      "score_share",
      "in_time_rate",
    ),
  },
};

const draw = picture(INPUT, {
  defaults: { sort: "-auctions_won", limit: 60 },
  select: (rows, { limit, sort }) => {
    const texts = rowsWithTexts(rows, ["solver"]);
    const names = solverNames(texts);
    const sorted = sortRows(texts, sort, { solver: ({ solver }) => names.text(solver) });
    const shown = sorted.slice(0, limit);
    const known = MEASURES.filter((measure) => measured(shown, measure).length > 0);
    return { sorted, shown, names, known, drawn: known.length === 0 ? [] : shown };
  },
  empty: {
    title: "Solver leaderboard",
    noRows: "No solvers in this range",
    noValues: "No solver in this range has a known rate",
  },
  panels: ({ drawn, known, names, ...size }) =>
    sideBySide(
      known.map((measure) => (list: ListSize) => measurePanel(drawn, measure, { ...list, names })),
      { ...size, labels: names.labels(drawn.map((row) => row.solver)) },
    ),
  series: () =>
    MEASURES.map(({ heading, column, color }) => ({ label: heading, name: column, fill: color })),
  title: ({ sorted, names }) => titleOf(sorted, names),
  caption: ({ sorted, shown, known }) => [
    `n = ${count(sorted.length, "solver")}`,
    restNote(sorted.slice(shown.length)),
    ...MEASURES.map((measure) => unknownNote(shown, measure)),
    known.some(({ column }) => column !== "score_share") && "Lines: 95% Wilson intervals",
    known.length > 1 && "Each panel has its own scale",
  ],
});

/**
 * Draws solvers over a set of auctions, side by side: the win rate with its Wilson interval,
 * the share of the total score, and how much of what it won was settled in time.
 *
 * The axes of rates are cut where no interval reaches; they carry dots. Measures that no row has
 * are left out, and the caption says so.
 *
 * @param given Rows or a frame. One row per solver; without rows the figure says so.
 * @returns The figure; its `rows` are the solvers drawn, in order.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example Two solvers
 * ```ts
 * import { solverLeaderboard } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const chart = solverLeaderboard([
 *   { solver: "A", auctions_bid: 10, auctions_won: 8, win_rate: 0.8, win_rate_low: 0.49, win_rate_high: 0.94 },
 *   { solver: "B", auctions_bid: 4, auctions_won: 2, win_rate: 0.5, win_rate_low: 0.15, win_rate_high: 0.85 },
 * ]);
 *
 * assertMatch(chart.title, /A won the most auctions: 8 of 10/);
 * ```
 */
export function solverLeaderboard(
  given: Rows<SolverLeaderboardRow>,
  options: SolverLeaderboardOptions = {},
): Chart<SolverLeaderboardRow> {
  return draw(given, options);
}

function titleOf(rows: readonly SolverLeaderboardRow[], names: SolverNames): string {
  const most = max(rows.map((row) => row.auctions_won).filter(isNumber));
  const [best, ...tied] = rows.filter((row) => row.auctions_won === most);
  if (most === 0) return "No solver won an auction";
  if (best === undefined || most === undefined) {
    return "How often solvers won, and their share of the score";
  }
  return tied.length > 0
    ? `${names.label(best.solver)} and ${count(tied.length, "other")} won the most auctions, ` +
      `${wholeText(most)} each`
    : `${names.label(best.solver)} won the most auctions: ${
      countsOf(best) ?? wholeText(most)
    } it bid in`;
}

function restNote(rest: readonly SolverLeaderboardRow[]): string | null {
  if (rest.length === 0) return null;
  const won = sum(rest.map((row) => row.auctions_won).filter(isNumber));
  return `${count(rest.length, "more solver")} with ${count(won, "win")} not drawn`;
}

function unknownNote(drawn: readonly SolverLeaderboardRow[], measure: Measure): string | null {
  const unknown = drawn.length - measured(drawn, measure).length;
  if (unknown === 0 || drawn.length === 0) return null;
  const name = measure.heading.toLowerCase();
  return unknown === drawn.length
    ? `"${name}" is unknown for every solver`
    : `"${name}" is unknown for ${count(unknown, "solver")}`;
}
