import * as Plot from "@observablehq/plot";
import { axisText, shortName } from "./axis_text.ts";
import type { Chart } from "./chart.ts";
import { COLORS } from "./colors.ts";
import { drawFigure, labelWidth, type LegendEntry, type Panel } from "./figure.ts";

/** One solution of one auction; the columns of `solutionsTable`, of which more may be there. */
export interface AuctionRankingRow {
  /** Id of the auction; all rows are of one. */
  auction_id: number;
  /** Place of the solution, from 1. */
  ranking: number;
  /** Address or name of the solver. */
  solver: string;
  /** Score, in native tokens. */
  score_native: number;
  /** Whether it won. */
  is_winner: boolean;
  /** Whether it was filtered out as unfair to a pair. */
  filtered_out: boolean;
  /** Reference score of the solver, in native tokens; `null` when it did not win. */
  reference_score_native?: number | null;
  /** The directed pair whose baseline a filtered solution missed, as text. */
  missed_pair?: string | null;
}

/** Options of {@linkcode auctionRanking}. */
export interface AuctionRankingOptions {
  /** Width of the figure, in pixels. @default {760} */
  width?: number;
  /** Symbol of the native token, for axes. @default {"native tokens"} */
  nativeSymbol?: string;
  /** Where the data comes from, for the caption. */
  source?: string;
}

/** From this ratio of largest to smallest score on, bars from zero would show one score only. */
const LOG_FROM_RATIO = 1_000;
const ROW_HEIGHT = 22;
const TICK_ROOM = 14;
const NOTE_GAP = 8;
const MAX_NOTE_ROOM = 300;

const LEGEND: readonly LegendEntry[] = [
  { label: "winner", fill: COLORS.blue },
  { label: "valid, did not win", fill: COLORS.grey },
  { label: "filtered out", fill: "none", stroke: COLORS.vermilion },
];

function fillOf(row: AuctionRankingRow): string {
  return row.filtered_out ? "white" : row.is_winner ? COLORS.blue : COLORS.grey;
}

function strokeOf(row: AuctionRankingRow): string {
  return row.filtered_out ? COLORS.vermilion : row.is_winner ? COLORS.blue : COLORS.grey;
}

function labelOf(row: AuctionRankingRow): string {
  return `${row.ranking}. ${shortName(row.solver)}`;
}

function noteOf(row: AuctionRankingRow): string {
  const missed = row.filtered_out && row.missed_pair ? ` missed ${row.missed_pair}` : "";
  return `${axisText(row.score_native)}${missed}`;
}

function tooltipOf(row: AuctionRankingRow): string {
  const state = row.filtered_out ? "filtered out" : row.is_winner ? "winner" : "did not win";
  return `${row.solver}\nranking ${row.ranking}, ${state}\nscore ${row.score_native}`;
}

function rankingPanel(rows: readonly AuctionRankingRow[], native: string): Panel {
  const positive = rows.map((row) => row.score_native).filter((score) => score > 0);
  const isLog = positive.length > 1 &&
    Math.max(...positive) / Math.min(...positive) >= LOG_FROM_RATIO;
  const smallest = Math.min(...positive);
  const x = (row: AuctionRankingRow) =>
    isLog && row.score_native <= 0 ? smallest / 2 : row.score_native;
  const shape = {
    x,
    y: labelOf,
    fill: fillOf,
    stroke: strokeOf,
    strokeWidth: 1.5,
    title: tooltipOf,
  };
  return {
    heading: "Score by ranking",
    plot: {
      height: rows.length * ROW_HEIGHT + 60,
      marginLeft: roomFor(rows.map(labelOf)),
      marginRight: roomFor(rows.map(noteOf)) + NOTE_GAP,
      marginTop: 10,
      marginBottom: 44,
      x: {
        type: isLog ? "log" : "linear",
        label: `Score (${native}${isLog ? ", logarithmic" : ""}) →`,
        labelAnchor: "center",
        grid: true,
        tickFormat: axisText,
        ticks: 6,
        ...(isLog ? {} : { zero: true }),
      },
      y: { type: "band", label: null, domain: rows.map(labelOf), padding: 0.25 },
      marks: [
        isLog
          ? Plot.dot(rows, { ...shape, r: 5, className: "score" })
          : Plot.barX(rows, { ...shape, className: "score" }),
        Plot.text(rows, { x, y: labelOf, text: noteOf, textAnchor: "start", dx: NOTE_GAP }),
        ...(isLog ? [] : [Plot.ruleX([0])]),
      ],
    },
  };
}

/** Room for the widest of some labels beside the plot. */
function roomFor(labels: readonly string[]): number {
  return Math.min(MAX_NOTE_ROOM, Math.max(0, ...labels.map(labelWidth)) + TICK_ROOM);
}

interface Segment {
  row: string;
  from: number;
  to: number;
  fill: string;
  text: string;
}

/** The winners laid end to end, and under them what each winning solver added to the total. */
function winnersPanel(rows: readonly AuctionRankingRow[], native: string): Panel | undefined {
  const winners = rows.filter((row) => row.is_winner);
  if (winners.length === 0) return undefined;
  const total = winners.reduce((sum, row) => sum + row.score_native, 0);
  const segments: Segment[] = [];
  let end = 0;
  for (const [index, row] of winners.entries()) {
    segments.push({
      row: "all winners",
      from: end,
      to: end + row.score_native,
      fill: index % 2 === 0 ? COLORS.blue : COLORS.sky,
      text: `${shortName(row.solver)}: ${axisText(row.score_native)}`,
    });
    end += row.score_native;
  }
  const solvers = new Map(winners.map((row) => [row.solver, row.reference_score_native ?? null]));
  for (const [solver, reference] of solvers) {
    if (reference === null) continue;
    segments.push({
      row: `added by ${shortName(solver)}`,
      from: Math.min(reference, total),
      to: total,
      fill: COLORS.green,
      text: `total − reference score = ${axisText(total - reference)}`,
    });
  }
  const names = [...new Set(segments.map((one) => one.row))];
  return {
    heading: `Total score ${axisText(total)}, and total − reference score of each winning solver`,
    plot: {
      height: names.length * (ROW_HEIGHT + 4) + 60,
      marginLeft: roomFor(names),
      marginRight: roomFor(segments.map((one) => axisText(one.to - one.from))) + NOTE_GAP,
      marginTop: 10,
      marginBottom: 44,
      x: {
        label: `Score (${native}) →`,
        labelAnchor: "center",
        grid: true,
        zero: true,
        ticks: 6,
        tickFormat: axisText,
      },
      y: { type: "band", label: null, domain: names, padding: 0.25 },
      marks: [
        Plot.barX(segments, {
          x1: "from",
          x2: "to",
          y: "row",
          fill: "fill",
          stroke: "white",
          title: (one: Segment) => `${one.row}\n${one.text}`,
          className: "share",
        }),
        Plot.text(segments.filter((one) => one.row !== "all winners"), {
          x: "to",
          y: "row",
          text: (one: Segment) => axisText(one.to - one.from),
          textAnchor: "start",
          dx: NOTE_GAP,
        }),
        Plot.ruleX([0]),
      ],
    },
  };
}

function captionOf(rows: readonly AuctionRankingRow[], source: string | undefined): string {
  const count = (test: (row: AuctionRankingRow) => boolean) => rows.filter(test).length;
  const winners = count((row) => row.is_winner);
  const filtered = count((row) => row.filtered_out);
  return `n = ${rows.length} solutions: ${winners} won, ${filtered} filtered out` +
    (source === undefined ? "" : `. Source: ${source}`);
}

/**
 * Draws how the solutions of one auction rank: scores by ranking from zero (as dots on a logarithmic
 * axis where they differ a thousandfold), winners solid, filtered ones hollow; below them the
 * winners laid end to end to the total score, and what each winning solver added to it.
 *
 * @param rows Solutions of one auction, in any order; none draws a figure that says so.
 * @returns The figure; scores in native tokens.
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
  rows: readonly AuctionRankingRow[],
  options: AuctionRankingOptions = {},
): Chart<AuctionRankingRow> {
  const { width = 760, nativeSymbol: native = "native tokens", source } = options;
  const sorted = rows.toSorted((a, b) => a.ranking - b.ranking);
  const [first] = sorted;
  if (first === undefined) {
    return drawFigure({
      title: "Ranking of an auction: no solutions in this auction",
      description: "There is nothing to draw: the auction has no solutions.",
      panels: [],
      caption: captionOf(sorted, source),
      width,
      rows: sorted,
    });
  }
  const best = sorted.find((row) => row.is_winner);
  const second = winnersPanel(sorted, native);
  return drawFigure({
    title: `Ranking of auction ${first.auction_id}: who won, and by how much`,
    description: `${captionOf(sorted, source)}. ` +
      (best === undefined ? "Nobody won." : `The best winner is ${best.solver}.`),
    legend: LEGEND,
    panels: second === undefined
      ? [rankingPanel(sorted, native)]
      : [rankingPanel(sorted, native), second],
    caption: captionOf(sorted, source),
    width,
    rows: sorted,
  });
}
