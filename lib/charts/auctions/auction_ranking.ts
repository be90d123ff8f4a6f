import * as Plot from "@observablehq/plot";
import { orderBy } from "../../errors/option_rules.ts";
import { alikeTexts } from "../texts/alike_texts.ts";
import { AUCTION_RANKING_ROWS, type AuctionRankingRow } from "./auction_ranking_row.ts";
import {
  ALL_WINNERS,
  winnersLevels,
  winnersPanel,
  type WinnersParts,
  winnersParts,
} from "./auction_winners_panel.ts";
import { linearAxis } from "../axes/axis_scale.ts";
import { exactText } from "../texts/axis_text.ts";
import type { Chart } from "../figure/chart.ts";
import { type ChartInput, readInput } from "../figure/chart_input.ts";
import {
  CHART_OPTIONS,
  type ChartOptions,
  LIMIT,
  type ListOptions,
  NATIVE_OPTIONS,
  NATIVE_TOKENS,
  type NativeOptions,
} from "../figure/chart_options.ts";
import { COLORS } from "../figure/colors.ts";
import { drawFigure, emptyFigure, type LegendEntry } from "../figure/figure.ts";
import { endNotes, listAxis, type ListSize, NOTE_GAP } from "../axes/list_axis.ts";
import type { Panel } from "../figure/panel.ts";
import type { Rows } from "../rows/row_kind.ts";
import {
  captionText,
  count,
  isNumber,
  rowsWithNumbers,
  rowsWithTexts,
  sortRows,
} from "../rows/row_selection.ts";
import { shortName, shortNames } from "../texts/short_names.ts";
import { fixedAxis, type ValueAxis, valueAxis } from "../axes/value_axis.ts";

/** Options of {@linkcode auctionRanking}. */
export interface AuctionRankingOptions
  extends ChartOptions, NativeOptions, ListOptions<"ranking" | "score_native" | "solver"> {
  /** Order of the solutions from top to bottom. @default {"ranking"} */
  sort?: "ranking" | "-ranking" | "score_native" | "-score_native" | "solver" | "-solver";
  /** Maximum number of solutions drawn. @default {60} */
  limit?: number;
}

const MOST_SOLUTIONS = 60;

type State = "winner" | "valid" | "filtered";

const STATES: Readonly<Record<State, LegendEntry>> = {
  winner: { label: "winner", fill: COLORS.blue, stroke: COLORS.blue },
  valid: { label: "valid, did not win", fill: COLORS.grey, stroke: COLORS.grey },
  filtered: { label: "filtered out", fill: "white", stroke: COLORS.vermilion },
};

function stateOf(row: AuctionRankingRow): State {
  return row.filtered_out ? "filtered" : row.is_winner ? "winner" : "valid";
}

interface Scored extends AuctionRankingRow {
  score_native: number;
}

function labelsOf(rows: readonly AuctionRankingRow[]): string[] {
  const names = shortNames(rows.map((row) => row.solver));
  return rows.map((row, at) => `${row.ranking}. ${names[at]}`);
}

function noteOf(row: Scored, score: string): string {
  const missed = row.filtered_out && row.missed_pair ? ` missed ${shortName(row.missed_pair)}` : "";
  return `${score}${missed}`;
}

function tooltipOf(row: Scored): string {
  const missed = row.filtered_out && row.missed_pair ? `\nmissed ${row.missed_pair}` : "";
  return `${row.solver}\nranking ${row.ranking}, ${STATES[stateOf(row)].label}\n` +
    `score ${exactText(row.score_native)}${missed}`;
}

interface ScoreEnd {
  value: number;
  /** The score, and the pair that was missed. */
  text: string;
  /** The score alone. */
  short: string;
}

/** Where the mark of each row ends, and what stands there. */
function endsOf(rows: readonly Scored[], axis: ValueAxis): ScoreEnd[] {
  const scores = alikeTexts(rows.map((row) => row.score_native));
  return rows.map((row, at) => ({
    value: axis.isLinear ? Math.max(0, row.score_native) : row.score_native,
    text: noteOf(row, scores[at] ?? ""),
    short: scores[at] ?? "",
  }));
}

function rankingPanel(
  rows: readonly Scored[],
  { axis, ends, marginRight, notes, ...size }: ListSize & {
    axis: ValueAxis;
    ends: readonly { value: number }[];
    marginRight: number;
    notes: readonly string[];
  },
): Panel {
  const list = listAxis(labelsOf(rows), size);
  const y = (_: unknown, place: number) => place;
  const shape = {
    x: (row: Scored) => axis.place(row.score_native),
    y,
    fill: (row: Scored) => STATES[stateOf(row)].fill,
    stroke: (row: Scored) => STATES[stateOf(row)].stroke,
    strokeWidth: 1.5,
    title: tooltipOf,
    className: "score",
  };
  return {
    heading: "Score by ranking",
    plot: {
      ...list,
      marginRight,
      x: axis.scale,
      marks: [
        axis.isLinear ? Plot.barX(rows, shape) : Plot.dot(rows, { ...shape, r: 5 }),
        Plot.text(notes, {
          x: (_: string, at: number) => axis.place(ends[at]!.value),
          y,
          text: (note: string) => note,
          textAnchor: "start",
          dx: NOTE_GAP,
        }),
        ...(axis.isLinear ? [Plot.ruleX([0])] : []),
      ],
    },
  };
}

function legendOf(rows: readonly Scored[]): LegendEntry[] {
  const states = new Set(rows.map(stateOf));
  return (["winner", "valid", "filtered"] as const).filter((one) => states.has(one))
    .map((one) => STATES[one]);
}

const INPUT: ChartInput<AuctionRankingRow, AuctionRankingOptions> = {
  chart: "auctionRanking",
  rows: AUCTION_RANKING_ROWS,
  options: {
    ...CHART_OPTIONS,
    ...NATIVE_OPTIONS,
    sort: orderBy("ranking", "score_native", "solver"),
    limit: LIMIT,
  },
};

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
  const { rows, width } = readInput(given, options, INPUT);
  const { limit = MOST_SOLUTIONS } = options;
  const { nativeSymbol: native = NATIVE_TOKENS, source, sort = "ranking" } = options;
  const auctionId = rows[0]?.auction_id;
  const ofAuction = rowsWithTexts(
    rows.filter((row) => Object.is(row.auction_id, auctionId)),
    ["solver"],
  );
  const { rows: scored, note } = rowsWithNumbers(ofAuction, ["score_native"]);
  const all = sortRows(scored, sort) as readonly Scored[];
  const drawn = all.slice(0, limit);
  const scores = drawn.map((row) => row.score_native);
  const label = `Score (${native})`;
  const ranked = valueAxis(scores, { label, noun: "score" });
  const filtered = all.filter((row) => row.filtered_out).length;
  const winners = all.filter((row) => row.is_winner);
  const won = winnersParts(winners);
  const caption = captionText([
    `n = ${count(all.length, "solution")}: ${winners.length} won, ${filtered} filtered out`,
    all.length > drawn.length && `${count(all.length - drawn.length, "more solution")} not drawn`,
    note,
    rows.length > ofAuction.length &&
    `${count(rows.length - ofAuction.length, "row")} of other auctions left out`,
    ranked.note,
    won !== null && !ranked.isLinear && "The two panels have different scales",
  ], source);
  const ranking = `Ranking of ${isNumber(auctionId) ? `auction ${auctionId}` : "an auction"}`;
  if (all.length === 0) {
    const reason = rows.length === 0
      ? "No solutions in this auction"
      : "No solution in this auction has a score";
    return emptyFigure({ title: ranking, reason, caption, width });
  }
  const best = winners.toSorted((a, b) => a.ranking - b.ranking)[0];
  const { height } = options;
  const labels = labelsOf([...drawn, ...winners]);
  const { marginLeft = listAxis([...labels, ALL_WINNERS], { width }).marginLeft } = options;
  const axes = sharedAxes(ranked, { scores, won, label });
  const ends = endsOf(drawn, axes.ranked);
  const room = { width, marginLeft };
  const ofRanking = ends.map(({ value, ...note }) => ({
    end: axes.ranked.fraction(value),
    ...note,
  }));
  const ofWinners = (won?.ends ?? []).map(({ value, text }) => ({
    end: axes.won.fraction(value),
    text,
  }));
  const { marginRight, texts } = endNotes([...ofRanking, ...ofWinners], room);
  return drawFigure({
    title: `${ranking}: who won, and by how much`,
    description: `${caption}. ` +
      (best === undefined ? "Nobody won." : `The best winner is ${best.solver}.`),
    legend: legendOf(drawn),
    panels: [
      rankingPanel(drawn, {
        ...room,
        height,
        axis: axes.ranked,
        ends,
        marginRight,
        notes: texts.slice(0, drawn.length),
      }),
      ...(won === null ? [] : [winnersPanel(won, {
        ...room,
        axis: axes.won,
        marginRight,
        notes: texts.slice(drawn.length),
      })]),
    ],
    caption,
    width,
    rows: drawn,
  });
}

/**
 * One axis for both panels, so that bars can be compared; where one is logarithmic, each its own.
 */
function sharedAxes(
  ranked: ValueAxis,
  { scores, won, label }: { scores: readonly number[]; won: WinnersParts | null; label: string },
): { ranked: ValueAxis; won: ValueAxis } {
  const levels = won === null ? [] : winnersLevels(won);
  const shared = fixedAxis(
    linearAxis(ranked.isLinear ? [...scores, ...levels] : levels, { label }),
  );
  return { ranked: ranked.isLinear ? shared : ranked, won: shared };
}
