import * as Plot from "@observablehq/plot";
import {
  createFixedAxis,
  createLinearScale,
  createValueAxis,
  type ValueAxis,
} from "../axes/axis_scale.ts";
import { createListAxis } from "../axes/row_axes.ts";
import {
  createListOptions,
  type ListChartOptions,
  NATIVE_OPTIONS,
  type NativeOptions,
} from "../figure/chart_options.ts";
import type { Panel } from "../figure/panel.ts";
import { defineChart, type Draw } from "../figure/picture.ts";
import { COLORS } from "../looks.ts";
import { createListPanel, type EndNote, type ListPanel, measureNoteMargin } from "../marks/bars.ts";
import { declare, isNumber, selectNumeric, sortRows, type WithNumbers } from "../rows.ts";
import { sum } from "../statistics.ts";
import { count, formatPart } from "../texts/count_text.ts";
import { formatAmount, formatExact, formatTogether, measureLabel } from "../texts/label_text.ts";
import { readSolverNames, shortenName, type SolverNames } from "../texts/short_names.ts";

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

function pickLook(row: AuctionRankingRow): (typeof LOOKS)[keyof typeof LOOKS] {
  return row.filtered_out ? LOOKS.filtered : row.is_winner ? LOOKS.winner : LOOKS.valid;
}

type ScoredRow = WithNumbers<AuctionRankingRow, "score_native">;

function formatLabels(rows: readonly AuctionRankingRow[], names: SolverNames): string[] {
  const labels = names.formatLabels(rows.map((row) => row.solver));
  return rows.map((row, index) => `${row.ranking}. ${labels[index]}`);
}

function formatTooltip(row: ScoredRow, names: SolverNames): string {
  const missed = row.filtered_out && row.missed_pair ? `\nmissed ${row.missed_pair}` : "";
  return `${names.formatWithAddress(row.solver)}\nranking ${row.ranking}, ` +
    `${pickLook(row).label}\n` +
    `score ${formatExact(row.score_native)}${missed}`;
}

/** Formats scores together; small ones each with 4 digits, where all would have an exponent. */
function formatScores(scores: readonly number[]): string[] {
  const texts = formatTogether(scores);
  const isSmall = scores.every((score) => Math.abs(score) < 1);
  return isSmall && texts.some((text) => /e−[4-9]$/.test(text))
    ? scores.map((score) => formatAmount(score))
    : texts;
}

/** Creates notes with the score of each row and the missed pair, for the ends of the marks. */
function createEndNotes(rows: readonly ScoredRow[], axis: ValueAxis): EndNote[] {
  const scores = formatScores(rows.map((row) => row.score_native));
  return rows.map(({ score_native: score, filtered_out: isFiltered, missed_pair: pair }, index) => {
    const short = scores[index]!;
    const text = isFiltered && pair ? `${short} missed ${shortenName(pair)}` : short;
    return { value: axis.isLinear ? Math.max(0, score) : score, text, short };
  });
}

/**
 * One axis for both panels, so that bars can be compared; where one is logarithmic, each its own.
 */
function createAxes(scores: readonly number[], won: WinnersLayout | null, label: string) {
  const ranked = createValueAxis(scores, { label, noun: "score" });
  const segments = won === null ? [] : [...won.stacked, ...won.margins];
  const levels = segments.flatMap(({ from, to }) => [from, to]);
  const shared = createFixedAxis(
    createLinearScale(ranked.isLinear ? [...scores, ...levels] : levels, { label }),
  );
  return { ranked: ranked.isLinear ? shared : ranked, winnersAxis: shared };
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
export const auctionRanking: Draw<AuctionRankingRow, AuctionRankingOptions> = defineChart({
  chart: "auctionRanking",
  table: "solutions",
  columns: {
    ...declare("number", "auction_id", "ranking", "score_native"),
    ...declare("text", "solver"),
    ...declare("text?", "solver_name", "missed_pair", "auction_path"),
    ...declare("flag", "is_winner", "filtered_out"),
    ...declare("number?", "reference_score_native"),
  },
  options: { ...NATIVE_OPTIONS, ...createListOptions("ranking", "score_native", "solver") },
  defaults: { sort: "ranking", limit: 60 },
  select: (rows, { limit, sort }) => {
    const id = rows[0]?.auction_id;
    const auctionRows = rows.filter((row) => Object.is(row.auction_id, id));
    const { rows: scored, note } = selectNumeric(auctionRows, ["score_native"], ["solver"]);
    const names = readSolverNames(scored);
    const solutions = sortRows(scored, sort, { solver: (row) => names.format(row.solver) });
    const winners = solutions.filter((row) => row.is_winner);
    return {
      solutions,
      drawnRows: solutions.slice(0, limit),
      winners,
      names,
      won: layOutWinners(winners, names),
      note,
      otherCount: rows.length - auctionRows.length,
      subject: `Ranking of ${isNumber(id) ? `auction ${id}` : "an auction"}`,
    };
  },
  empty: ({ subject }) => ({
    title: subject,
    noRows: "No solutions in this auction",
    noValues: "No solution in this auction has a score",
  }),
  axes: ({ drawnRows, won, nativeSymbol }) =>
    createAxes(drawnRows.map((row) => row.score_native), won, `Score (${nativeSymbol})`),
  panels: ({ drawnRows, winners, names, won, ranked, winnersAxis, width, height, ...options }) => {
    const labels = [...formatLabels([...drawnRows, ...winners], names), ALL_WINNERS];
    const { marginLeft = createListAxis(labels, { width }).marginLeft } = options;
    const ends = createEndNotes(drawnRows, ranked);
    const marginRight = Math.max(
      measureNoteMargin(ends, { axis: ranked, width, marginLeft }),
      measureNoteMargin(won?.ends ?? [], { axis: winnersAxis, width, marginLeft }),
    );
    const size = { width, marginLeft, marginRight };
    const shape = {
      x: (row: ScoredRow) => ranked.clamp(row.score_native),
      y: (_: unknown, index: number) => index,
      fill: (row: ScoredRow) => pickLook(row).fill,
      stroke: (row: ScoredRow) => pickLook(row).stroke,
      strokeWidth: 1.5,
      title: (row: ScoredRow) => formatTooltip(row, names),
      className: "score",
    };
    const ranking = createListPanel({
      ...size,
      height,
      heading: "Score by ranking",
      labels: formatLabels(drawnRows, names),
      axis: ranked,
      marks: () => [
        ranked.isLinear ? Plot.barX(drawnRows, shape) : Plot.dot(drawnRows, { ...shape, r: 5 }),
      ],
      ends,
      hasBaseline: ranked.isLinear,
    });
    return won === null
      ? [ranking]
      : [ranking, createWinnersPanel(won, { ...size, axis: winnersAxis })];
  },
  series: () => [...Object.values(LOOKS), ...Object.values(MARGINS)],
  legend: ({ drawnRows, won }) => [
    ...Object.values(LOOKS).filter((look) => drawnRows.some((row) => pickLook(row) === look)),
    ...Object.values(MARGINS).filter(({ fill }) => won?.margins.some((bar) => bar.fill === fill)),
  ],
  finding: ({ solutions, winners, names, nativeSymbol: native }) => {
    const best = solutions.reduce((a, b) => b.score_native > a.score_native ? b : a);
    const filtered = solutions.filter((row) => row.filtered_out).length;
    const solvers = new Set(winners.map(({ solver }) => solver)).size;
    const became = best.filtered_out ? "was filtered out" : best.is_winner ? "won" : "did not win";
    return [
      winners.length === 0
        ? "Nobody won"
        : `${count(solvers, "solver")} won, with a total score of ` +
          `${formatAmount(sum(winners, (row) => row.score_native))} ${native}`,
      `The highest score was ${formatAmount(best.score_native)} ${native}, by ` +
      `${names.formatLabel(best.solver)}; that solution ${became}`,
      filtered > 0 && `${formatPart(filtered, solutions.length)} solutions were filtered out ` +
        (best.auction_path === FAST_PATH ? "for a price below the order's limit" : "as unfair"),
      best.auction_path === FAST_PATH &&
      "The auction is on the fast path: its order's quote decided",
    ];
  },
  title: ({ subject }) => `${subject}: who won, and by how much`,
  caption: ({ solutions, drawnRows, winners, won, note, otherCount, ranked }) => [
    `n = ${count(solutions.length, "solution")}: ${winners.length} won, ` +
    `${solutions.filter((row) => row.filtered_out).length} filtered out`,
    solutions.length > drawnRows.length &&
    `${count(solutions.length - drawnRows.length, "more solution")} not shown`,
    note,
    otherCount > 0 && `${count(otherCount, "row")} of other auctions left out`,
    ranked?.note,
    won !== null && ranked?.isLinear === false && "The two panels have different scales",
  ],
  describe: ({ winners, names }, caption) => {
    const [best] = winners.toSorted((a, b) => a.ranking - b.ranking);
    return `${caption}. ` +
      (best === undefined
        ? "Nobody won."
        : `The best winner is ${names.formatWithAddress(best.solver)}.`);
  },
});

const MAX_SOLVERS = 20;

/** Path of auctions that a quote decides. */
const FAST_PATH = "fast_path";

const ALL_WINNERS = "all winners";

const MARGINS = {
  added: { label: "added by a winning solver", name: "added", fill: COLORS.green },
  lowered: { label: "lowered by a winning solver", name: "lowered", fill: COLORS.purple },
} as const;

/** Content of the winners' panel, before its width is known. */
type WinnersLayout = NonNullable<ReturnType<typeof layOutWinners>>;

/** Lays the winners end to end, and under them each winning solver's addition to the total. */
function layOutWinners(winners: readonly ScoredRow[], names: SolverNames) {
  if (winners.length === 0) return null;
  const total = sum(winners, (row) => row.score_native);
  const solvers = [...new Set(winners.map(({ solver }) => solver))];
  const short = names.formatLabels(solvers);
  const formatLabel = (solver: string) => short[solvers.indexOf(solver)]!;
  const references = listReferenceScores(winners);
  const shownReferences = references.slice(0, MAX_SOLVERS);
  const margins = shownReferences.map(([solver, reference], index) =>
    createMargin(names.formatWithAddress(solver), [reference, total], index + 1)
  );
  const texts = formatScores([total, ...shownReferences.map(([, reference]) => total - reference)]);
  const ends = [Math.max(0, total), ...margins.map(({ from, to }) => Math.max(from, to))];
  const unknownCount = solvers.length - references.length;
  const explanation = references.length === 0
    ? "; no reference scores are known"
    : ", and what each winning solver added: total − reference score" +
      (shownReferences.length < references.length
        ? `; ${shownReferences.length} of ${references.length} winning solvers`
        : "") +
      (unknownCount === 0 ? "" : ` (unknown for ${unknownCount})`);
  return {
    heading: `Total score ${texts[0]}${explanation}`,
    labels: [ALL_WINNERS, ...shownReferences.map(([solver]) => formatLabel(solver))],
    stacked: stackWinners(winners, { formatLabel, names }),
    margins,
    ends: ends.map((value, index) => ({ value, text: texts[index]! })),
  };
}

function createWinnersPanel(
  { heading, labels, stacked, margins, ends }: WinnersLayout,
  size: Omit<ListPanel, "labels" | "marks"> & { axis: ValueAxis },
): Panel {
  const { axis } = size;
  type Segment = typeof stacked[number];
  const measureSegment = ({ from, to }: Segment) => axis.fraction(to) - axis.fraction(from);
  return createListPanel({
    ...size,
    heading,
    labels,
    marks: ({ axisWidth }) => [
      Plot.barX([...stacked, ...margins], {
        x1: "from",
        x2: "to",
        y: "index",
        fill: "fill",
        stroke: "white",
        title: "title",
        className: "share",
      }),
      Plot.text(
        stacked.filter((segment) =>
          measureLabel(segment.label) + 6 < measureSegment(segment) * axisWidth
        ),
        {
          x: (segment: Segment) => (segment.from + segment.to) / 2,
          y: "index",
          text: "label",
          fill: "ink",
        },
      ),
    ],
    ends,
    hasBaseline: true,
  });
}

/** Lists known reference scores of the winning solvers, in the order of their first win. */
function listReferenceScores(winners: readonly ScoredRow[]) {
  const rated = winners.filter((row) => isNumber(row.reference_score_native));
  return [...Map.groupBy(rated, ({ solver }) => solver)]
    .map(([solver, [first]]) => [solver, first!.reference_score_native!] as const);
}

function stackWinners(
  winners: readonly ScoredRow[],
  { formatLabel, names }: { formatLabel: (solver: string) => string; names: SolverNames },
) {
  let end = 0;
  return winners.map((row, index) => {
    const from = end;
    end += row.score_native;
    const [fill, ink] = index % 2 === 0 ? [COLORS.blue, "white"] : [COLORS.sky, COLORS.ink];
    const title = `${names.formatWithAddress(row.solver)}\n` +
      `ranking ${row.ranking}, score ${formatExact(row.score_native)}`;
    return { index: 0, from, to: end, fill, ink, label: formatLabel(row.solver), title };
  });
}

function createMargin(solver: string, [from, to]: readonly [number, number], index: number) {
  const { fill } = to < from ? MARGINS.lowered : MARGINS.added;
  const title = `${solver}\ntotal ${formatExact(to)} − reference score ${formatExact(from)} = ` +
    formatExact(to - from);
  return { index, from, to, fill, ink: COLORS.ink, label: "", title };
}
