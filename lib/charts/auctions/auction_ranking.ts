import * as Plot from "@observablehq/plot";
import { alikeTexts } from "../texts/alike_texts.ts";
import { AUCTION_RANKING_ROWS, type AuctionRankingRow } from "./auction_ranking_row.ts";
import {
  ALL_WINNERS,
  winnersLevels,
  winnersPanel,
  type WinnersParts,
  winnersParts,
} from "./auction_winners_panel.ts";
import { exactText } from "../texts/axis_text.ts";
import { linearAxis } from "../axes/axis_scale.ts";
import type { Chart } from "../figure/chart.ts";
import {
  type ChartOptions,
  type ListChartOptions,
  listOptions,
  NATIVE_OPTIONS,
  NATIVE_TOKENS,
  type NativeOptions,
} from "../figure/chart_options.ts";
import { COLORS } from "../figure/colors.ts";
import { type EndNote, noteMargin } from "../marks/end_notes.ts";
import { fixedAxis, type ValueAxis, valueAxis } from "../axes/value_axis.ts";
import { listAxis } from "../axes/list_axis.ts";
import { type ChartInput, picture } from "../figure/picture.ts";
import { rankedList } from "../marks/ranked_list.ts";
import type { Rows } from "../rows/row_kind.ts";
import {
  count,
  isNumber,
  rowsWithNumbers,
  rowsWithTexts,
  sortRows,
} from "../rows/row_selection.ts";
import { shortName } from "../texts/short_names.ts";
import { type SolverNames, solverNames } from "../texts/solver_names.ts";

/** Options of {@linkcode auctionRanking}. */
export interface AuctionRankingOptions
  extends ChartOptions, NativeOptions, ListChartOptions<"ranking" | "score_native" | "solver"> {
  /**
   * Order of the solutions from top to bottom; solvers by name where it is known.
   * @default {"ranking"}
   */
  sort?: "ranking" | "-ranking" | "score_native" | "-score_native" | "solver" | "-solver";
  /** Maximum number of solutions drawn. @default {60} */
  limit?: number;
}

const LOOKS = {
  winner: { label: "winner", fill: COLORS.blue, stroke: COLORS.blue },
  valid: { label: "valid, did not win", fill: COLORS.grey, stroke: COLORS.grey },
  filtered: { label: "filtered out", fill: "white", stroke: COLORS.vermilion },
} as const;

function lookOf(row: AuctionRankingRow): (typeof LOOKS)[keyof typeof LOOKS] {
  return row.filtered_out ? LOOKS.filtered : row.is_winner ? LOOKS.winner : LOOKS.valid;
}

interface Scored extends AuctionRankingRow {
  score_native: number;
}

function labelsOf(rows: readonly AuctionRankingRow[], names: SolverNames): string[] {
  const labels = names.labels(rows.map((row) => row.solver));
  return rows.map((row, at) => `${row.ranking}. ${labels[at]}`);
}

function tooltipOf(row: Scored, names: SolverNames): string {
  const missed = row.filtered_out && row.missed_pair ? `\nmissed ${row.missed_pair}` : "";
  return `${names.withAddress(row.solver)}\nranking ${row.ranking}, ${lookOf(row).label}\n` +
    `score ${exactText(row.score_native)}${missed}`;
}

/** The score of each row at the end of its mark, with the pair that was missed. */
function endsOf(rows: readonly Scored[], axis: ValueAxis): EndNote[] {
  const scores = alikeTexts(rows.map((row) => row.score_native));
  return rows.map(({ score_native: score, filtered_out: isFiltered, missed_pair: pair }, at) => {
    const short = scores[at]!;
    const text = isFiltered && pair ? `${short} missed ${shortName(pair)}` : short;
    return { value: axis.isLinear ? Math.max(0, score) : score, text, short };
  });
}

/**
 * One axis for both panels, so that bars can be compared; where one is logarithmic, each its own.
 */
function axesOf(scores: readonly number[], won: WinnersParts | null, label: string) {
  const ranked = valueAxis(scores, { label, noun: "score" });
  const levels = won === null ? [] : winnersLevels(won);
  const shared = fixedAxis(
    linearAxis(ranked.isLinear ? [...scores, ...levels] : levels, { label }),
  );
  return { ranked: ranked.isLinear ? shared : ranked, added: shared };
}

const INPUT: ChartInput<AuctionRankingRow, AuctionRankingOptions> = {
  chart: "auctionRanking",
  rows: AUCTION_RANKING_ROWS,
  options: { ...NATIVE_OPTIONS, ...listOptions("ranking", "score_native", "solver") },
};

const draw = picture(INPUT, {
  defaults: { sort: "ranking", limit: 60, nativeSymbol: NATIVE_TOKENS },
  select: (rows, { limit, sort }) => {
    const id = rows[0]?.auction_id;
    const own = rows.filter((row) => Object.is(row.auction_id, id));
    const { rows: scored, note } = rowsWithNumbers(rowsWithTexts(own, ["solver"]), [
      "score_native",
    ]);
    const names = solverNames(scored);
    const all = sortRows(scored, sort, {
      solver: (row) => names.text(row.solver),
    }) as readonly Scored[];
    const winners = all.filter((row) => row.is_winner);
    return {
      all,
      drawn: all.slice(0, limit),
      winners,
      names,
      won: winnersParts(winners, names),
      note,
      others: rows.length - own.length,
      what: `Ranking of ${isNumber(id) ? `auction ${id}` : "an auction"}`,
    };
  },
  empty: ({ what }) => ({
    title: what,
    noRows: "No solutions in this auction",
    noValues: "No solution in this auction has a score",
  }),
  axes: ({ drawn, won, nativeSymbol }) =>
    axesOf(drawn.map((row) => row.score_native), won, `Score (${nativeSymbol})`),
  panels: ({ drawn, winners, names, won, ranked, added, width, height, ...options }) => {
    const labels = [...labelsOf([...drawn, ...winners], names), ALL_WINNERS];
    const { marginLeft = listAxis(labels, { width }).marginLeft } = options;
    const ends = endsOf(drawn, ranked);
    const marginRight = Math.max(
      noteMargin(ends, { axis: ranked, width, marginLeft }),
      noteMargin(won?.ends ?? [], { axis: added, width, marginLeft }),
    );
    const size = { width, marginLeft, marginRight };
    const shape = {
      x: (row: Scored) => ranked.place(row.score_native),
      y: (_: unknown, place: number) => place,
      fill: (row: Scored) => lookOf(row).fill,
      stroke: (row: Scored) => lookOf(row).stroke,
      strokeWidth: 1.5,
      title: (row: Scored) => tooltipOf(row, names),
      className: "score",
    };
    const ranking = rankedList({
      ...size,
      height,
      heading: "Score by ranking",
      labels: labelsOf(drawn, names),
      axis: ranked,
      marks:
        () => [ranked.isLinear ? Plot.barX(drawn, shape) : Plot.dot(drawn, { ...shape, r: 5 })],
      ends,
      hasBaseline: ranked.isLinear,
    });
    return won === null ? [ranking] : [ranking, winnersPanel(won, { ...size, axis: added })];
  },
  series: () => Object.values(LOOKS),
  legend: ({ drawn }) =>
    Object.values(LOOKS).filter((look) => drawn.some((row) => lookOf(row) === look)),
  title: ({ what }) => `${what}: who won, and by how much`,
  caption: ({ all, drawn, winners, won, note, others, ranked }) => [
    `n = ${count(all.length, "solution")}: ${winners.length} won, ` +
    `${all.filter((row) => row.filtered_out).length} filtered out`,
    all.length > drawn.length && `${count(all.length - drawn.length, "more solution")} not drawn`,
    note,
    others > 0 && `${count(others, "row")} of other auctions left out`,
    ranked?.note,
    won !== null && ranked?.isLinear === false && "The two panels have different scales",
  ],
  describe: ({ winners, names }, caption) => {
    const [best] = winners.toSorted((a, b) => a.ranking - b.ranking);
    return `${caption}. ` +
      (best === undefined
        ? "Nobody won."
        : `The best winner is ${names.withAddress(best.solver)}.`);
  },
});

/**
 * Draws the ranking of one auction: scores by ranking from zero (as dots on a
 * logarithmic axis where they differ a thousandfold), winners solid, filtered ones hollow with the
 * pair whose baseline they missed; below them the winners laid end to end to the total score, and
 * for each winning solver the total score less its reference score, which is what it added.
 *
 * @param given Rows or a frame. Solutions of one auction, in any order; without rows the figure
 * says so. Rows of another auction than the first row's and rows without a score are left out, and
 * the caption says so.
 * @returns The figure; scores in native tokens.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example A winner and a filtered solution
 * ```ts
 * import { auctionRanking } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const chart = auctionRanking([
 *   { auction_id: 7, ranking: 1, solver: "A", score_native: 2, is_winner: true, filtered_out: false },
 *   { auction_id: 7, ranking: 2, solver: "B", score_native: 3, is_winner: false, filtered_out: true },
 * ]);
 *
 * assertMatch(chart.svg, /Ranking of auction 7/);
 * ```
 */
export function auctionRanking(
  given: Rows<AuctionRankingRow>,
  options: AuctionRankingOptions = {},
): Chart<AuctionRankingRow> {
  return draw(given, options);
}
