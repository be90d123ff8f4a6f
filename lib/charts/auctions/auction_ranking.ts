import * as Plot from "@observablehq/plot";
import { fixedAxis, linearAxis, type ValueAxis, valueAxis } from "../axes/axis_scale.ts";
import { listAxis } from "../axes/row_axes.ts";
import {
  type ListChartOptions,
  listOptions,
  NATIVE_OPTIONS,
  type NativeOptions,
} from "../figure/chart_options.ts";
import type { Panel } from "../figure/panel.ts";
import { type Draw, picture } from "../figure/picture.ts";
import { COLORS } from "../looks.ts";
import { type EndNote, noteMargin, type RankedList, rankedList } from "../marks/bars.ts";
import { each, isNumber, type Known, rowsWithNumbers, sortRows } from "../rows.ts";
import { sum } from "../statistics.ts";
import { count, partText } from "../texts/count_text.ts";
import { alikeTexts, amountText, exactText, labelWidth } from "../texts/label_text.ts";
import { shortName, type SolverNames, solverNames } from "../texts/short_names.ts";

/** One solution of one auction; the columns of `solutions`, of which more may be there. */
export interface AuctionRankingRow {
  /** Id of the auction; all rows are of one. */
  auction_id: number;
  /** Place of the solution, from 1. */
  ranking: number;
  /** Address or name of the solver. */
  solver: string;
  /** Name of the solver; `null` if unknown. */
  solver_name?: string | null;
  /** Score, in native tokens. */
  score_native: number | null;
  /** Whether it won. */
  is_winner: boolean;
  /** Whether it was filtered out as unfair to a pair; `null` where that was not stored. */
  filtered_out: boolean | null;
  /** Reference score of the solver, in native tokens; `null` if it did not win. */
  reference_score_native?: number | null;
  /** `fast_path` if the quote of its only order decided the auction. */
  auction_path?: string | null;
  /** The directed pair whose baseline a filtered solution missed, as text. */
  missed_pair?: string | null;
}

/** Options of {@linkcode auctionRanking}. */
export interface AuctionRankingOptions
  extends NativeOptions, ListChartOptions<"ranking" | "score_native" | "solver"> {
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

type Scored = Known<AuctionRankingRow, "score_native">;

function labelsOf(rows: readonly AuctionRankingRow[], names: SolverNames): string[] {
  const labels = names.labels(rows.map((row) => row.solver));
  return rows.map((row, at) => `${row.ranking}. ${labels[at]}`);
}

function tooltipOf(row: Scored, names: SolverNames): string {
  const missed = row.filtered_out && row.missed_pair ? `\nmissed ${row.missed_pair}` : "";
  return `${names.withAddress(row.solver)}\nranking ${row.ranking}, ${lookOf(row).label}\n` +
    `score ${exactText(row.score_native)}${missed}`;
}

/** Scores alike; small ones each with 4 digits, where all would have an exponent. */
function scoreTexts(scores: readonly number[]): string[] {
  const texts = alikeTexts(scores);
  const isSmall = scores.every((score) => Math.abs(score) < 1);
  return isSmall && texts.some((text) => /e−[4-9]$/.test(text))
    ? scores.map((score) => amountText(score))
    : texts;
}

/** The score of each row at the end of its mark, with the pair that was missed. */
function endsOf(rows: readonly Scored[], axis: ValueAxis): EndNote[] {
  const scores = scoreTexts(rows.map((row) => row.score_native));
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
  const segments = won === null ? [] : [...won.stacked, ...won.margins];
  const levels = segments.flatMap(({ from, to }) => [from, to]);
  const shared = fixedAxis(
    linearAxis(ranked.isLinear ? [...scores, ...levels] : levels, { label }),
  );
  return { ranked: ranked.isLinear ? shared : ranked, added: shared };
}

/**
 * Draws the ranking of one auction: scores by ranking from zero (as dots on a
 * logarithmic axis where they differ a thousandfold), winners solid, filtered ones hollow with the
 * pair whose baseline they missed; below them the winners laid end to end to the total score, and
 * for each winning solver the total score less its reference score, which is what it added.
 *
 * @param rows Rows or a frame. Solutions of one auction, in any order; without rows the figure
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
export const auctionRanking: Draw<AuctionRankingRow, AuctionRankingOptions> = picture({
  chart: "auctionRanking",
  table: "solutions",
  columns: {
    ...each("number", "auction_id", "ranking", "score_native"),
    ...each("text", "solver"),
    ...each("text?", "solver_name", "missed_pair", "auction_path"),
    ...each("flag", "is_winner", "filtered_out"),
    ...each("number?", "reference_score_native"),
  },
  options: { ...NATIVE_OPTIONS, ...listOptions("ranking", "score_native", "solver") },
  defaults: { sort: "ranking", limit: 60 },
  select: (rows, { limit, sort }) => {
    const id = rows[0]?.auction_id;
    const own = rows.filter((row) => Object.is(row.auction_id, id));
    const { rows: scored, note } = rowsWithNumbers(own, ["score_native"], ["solver"]);
    const names = solverNames(scored);
    const all = sortRows(scored, sort, { solver: (row) => names.text(row.solver) });
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
  finding: ({ all, winners, names, nativeSymbol: native }) => {
    const best = all.reduce((a, b) => b.score_native > a.score_native ? b : a);
    const filtered = all.filter((row) => row.filtered_out).length;
    const solvers = new Set(winners.map(({ solver }) => solver)).size;
    const became = best.filtered_out ? "was filtered out" : best.is_winner ? "won" : "did not win";
    return [
      winners.length === 0
        ? "Nobody won"
        : `${count(solvers, "solver")} won, with a total score of ` +
          `${amountText(sum(winners, (row) => row.score_native))} ${native}`,
      `The highest score was ${amountText(best.score_native)} ${native}, by ` +
      `${names.label(best.solver)}; that solution ${became}`,
      filtered > 0 && `${partText(filtered, all.length)} solutions were filtered out ` +
        (best.auction_path === FAST_PATH ? "as below the order's limit" : "as unfair"),
      best.auction_path === FAST_PATH &&
      "The auction is on the fast path: its order's quote decided",
    ];
  },
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

const MOST_SOLVERS = 20;

/** The path of auctions that a quote decides. */
const FAST_PATH = "fast_path";

/** Label of the winners laid end to end. */
const ALL_WINNERS = "all winners";

/** What the panel of winners shows, before it is known how wide it is. */
type WinnersParts = NonNullable<ReturnType<typeof winnersParts>>;

/** The winners laid end to end, and under them what each winning solver added to the total. */
function winnersParts(winners: readonly Scored[], names: SolverNames) {
  if (winners.length === 0) return null;
  const total = sum(winners, (row) => row.score_native);
  const solvers = [...new Set(winners.map(({ solver }) => solver))];
  const short = names.labels(solvers);
  const labelOf = (solver: string) => short[solvers.indexOf(solver)]!;
  const added = referencesOf(winners);
  const shown = added.slice(0, MOST_SOLVERS);
  const margins = shown.map(([solver, reference], at) =>
    marginOf(names.withAddress(solver), [reference, total], at + 1)
  );
  const texts = scoreTexts([total, ...shown.map(([, reference]) => total - reference)]);
  const ends = [Math.max(0, total), ...margins.map(({ from, to }) => Math.max(from, to))];
  const missing = solvers.length - added.length;
  const what = added.length === 0
    ? "; no reference scores are known"
    : ", and what each winning solver added: total − reference score" +
      (shown.length < added.length ? `; ${shown.length} of ${added.length} winning solvers` : "") +
      (missing === 0 ? "" : ` (unknown for ${missing})`);
  return {
    heading: `Total score ${texts[0]}${what}`,
    labels: [ALL_WINNERS, ...shown.map(([solver]) => labelOf(solver))],
    stacked: winnersEndToEnd(winners, { labelOf, names }),
    margins,
    ends: ends.map((value, at) => ({ value, text: texts[at]! })),
  };
}

/** Draws the panel of winners. */
function winnersPanel(
  { heading, labels, stacked, margins, ends }: WinnersParts,
  size: Omit<RankedList, "labels" | "marks"> & { axis: ValueAxis },
): Panel {
  const { axis } = size;
  type Segment = typeof stacked[number];
  const lengthOf = ({ from, to }: Segment) => axis.fraction(to) - axis.fraction(from);
  return rankedList({
    ...size,
    heading,
    labels,
    marks: ({ axisWidth }) => [
      Plot.barX([...stacked, ...margins], {
        x1: "from",
        x2: "to",
        y: "place",
        fill: "fill",
        stroke: "white",
        title: "title",
        className: "share",
      }),
      Plot.text(stacked.filter((one) => labelWidth(one.label) + 6 < lengthOf(one) * axisWidth), {
        x: (one: Segment) => (one.from + one.to) / 2,
        y: "place",
        text: "label",
        fill: "ink",
      }),
    ],
    ends,
    hasBaseline: true,
  });
}

/** Reference scores of the winning solvers, where known, in the order of their first win. */
function referencesOf(winners: readonly Scored[]) {
  const known = winners.filter((row) => isNumber(row.reference_score_native));
  return [...Map.groupBy(known, ({ solver }) => solver)]
    .map(([solver, [first]]) => [solver, first!.reference_score_native!] as const);
}

function winnersEndToEnd(
  winners: readonly Scored[],
  { labelOf, names }: { labelOf: (solver: string) => string; names: SolverNames },
) {
  let end = 0;
  return winners.map((row, index) => {
    const from = end;
    end += row.score_native;
    const [fill, ink] = index % 2 === 0 ? [COLORS.blue, "white"] : [COLORS.sky, COLORS.ink];
    const title = `${names.withAddress(row.solver)}\n` +
      `ranking ${row.ranking}, score ${exactText(row.score_native)}`;
    return { place: 0, from, to: end, fill, ink, label: labelOf(row.solver), title };
  });
}

function marginOf(solver: string, [from, to]: readonly [number, number], place: number) {
  const fill = to < from ? COLORS.vermilion : COLORS.green;
  const title = `${solver}\ntotal ${exactText(to)} − reference score ${exactText(from)} = ` +
    exactText(to - from);
  return { place, from, to, fill, ink: COLORS.ink, label: "", title };
}
