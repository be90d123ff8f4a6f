import * as Plot from "@observablehq/plot";
import { createBaseScale, createFixedAxis } from "../axes/axis_scale.ts";
import type { ListSize } from "../axes/row_axes.ts";
import {
  createListOptions,
  type ListChartOptions,
  type NamedRowOptions,
} from "../figure/chart_options.ts";
import type { Panel } from "../figure/panel.ts";
import { defineChart, type Draw } from "../figure/picture.ts";
import { COLORS } from "../looks.ts";
import { createListPanel, placeSideBySide } from "../marks/bars.ts";
import { declare, fillTexts, isCount, isNumber, sortRows } from "../rows.ts";
import { max, min, sum } from "../statistics.ts";
import { comparePortions, formatShare } from "../texts/claim_text.ts";
import { count, formatPart, formatWhole, pluralize } from "../texts/count_text.ts";
import { formatPercent, formatPercents } from "../texts/label_text.ts";
import { nameGroup, readSolverNames, type SolverNames } from "../texts/short_names.ts";

/** One solver's results over a set of auctions: columns of `leaderboard`. */
export interface SolverLeaderboardRow {
  /** Address or name of the solver. */
  solver: string;
  /** Name of the solver; `null` if unknown. */
  solver_name?: string | null;
  /** Auctions in which it proposed at least one solution. */
  auctions_bid: number;
  /** Auctions in which at least one of its solutions won. */
  auctions_won: number;
  /** `auctions_won / auctions_bid`, from 0 to 1. */
  win_rate: number | null;
  /** Lower end of the 95% Wilson interval of the win rate, from 0 to 1. */
  win_rate_low?: number | null;
  /** Upper end of the 95% Wilson interval of the win rate, from 0 to 1. */
  win_rate_high?: number | null;
  /** Its winning solutions' part of all winning scores, from 0 to 1. */
  score_share?: number | null;
  /** Winning solutions settled in time. */
  in_time?: number | null;
  /** Winning solutions settled late. */
  late?: number | null;
  /** Winning solutions that were not settled. */
  absent?: number | null;
  /** Winning solutions settled in time, of those in time, late or absent; from 0 to 1. */
  in_time_rate?: number | null;
  /** Lower end of the 95% Wilson interval of the in-time rate, from 0 to 1. */
  in_time_rate_low?: number | null;
  /** Upper end of the 95% Wilson interval of the in-time rate, from 0 to 1. */
  in_time_rate_high?: number | null;
}

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
  extends ListChartOptions<SolverLeaderboardSort>, NamedRowOptions {
  /**
   * Order of the solvers from top to bottom; `solver` by name where it is known.
   * @default {"-auctions_won"}
   */
  sort?: SolverLeaderboardSort | `-${SolverLeaderboardSort}`;
  /** Maximum number of solvers drawn. @default {60} */
  limit?: number;
}

/**
 * Draws solvers over a set of auctions, side by side: the win rate with its Wilson interval,
 * the share of the total score, and how much of what it won was settled in time.
 *
 * The axes of rates are cut where no interval reaches; they carry dots. Measures that no row has
 * are left out, and the caption says so.
 *
 * @param rows Rows or a frame. One row per solver; without rows the figure says so.
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
export const solverLeaderboard: Draw<SolverLeaderboardRow, SolverLeaderboardOptions> = defineChart({
  chart: "solverLeaderboard",
  table: "leaderboard",
  columns: {
    ...declare("text", "solver"),
    ...declare("text?", "solver_name"),
    ...declare("number", "auctions_bid", "auctions_won", "win_rate"),
    ...declare("number?", "win_rate_low", "win_rate_high", "score_share", "in_time_rate"),
    ...declare("number?", "in_time_rate_low", "in_time_rate_high", "in_time", "late", "absent"),
  },
  options: {
    ...createListOptions(
      ...["solver", "auctions_bid", "auctions_won"] as const,
      ...["win_rate", "score_share", "in_time_rate"] as const,
    ),
    by: String,
  },
  nameColumn: "solver",
  defaults: { by: "solver", sort: "-auctions_won", limit: 60 },
  select: (rows, { by, limit, sort }) => {
    const texts = fillTexts(rows, ["solver"]);
    const names = readSolverNames(texts);
    const solvers = sortRows(texts, sort, { solver: ({ solver }) => names.format(solver) });
    const [shownSolvers, otherSolvers] = [solvers.slice(0, limit), solvers.slice(limit)];
    const otherWins = sum(otherSolvers.map((row) => row.auctions_won).filter(isNumber));
    const measures = MEASURES.filter((measure) => listPoints(shownSolvers, measure).length > 0);
    const drawnRows = measures.length === 0 ? [] : shownSolvers;
    const noun = nameGroup(by);
    return { solvers, shownSolvers, otherSolvers, otherWins, names, noun, measures, drawnRows };
  },
  empty: {
    title: "Solver leaderboard",
    noRows: "No solvers in this range",
    noValues: "No solver in this range has a known rate",
  },
  panels: ({ drawnRows, measures, names, ...size }) =>
    placeSideBySide(
      measures.map((measure) => (list: ListSize) =>
        createMeasurePanel(drawnRows, measure, { ...list, names })
      ),
      { ...size, labels: names.formatLabels(drawnRows.map((row) => row.solver)) },
    ),
  series: () =>
    MEASURES.map(({ heading, column, color }) => ({ label: heading, name: column, fill: color })),
  finding: ({ solvers, names, noun }) => {
    const winners = solvers.filter((row) => isNumber(row.auctions_won) && row.auctions_won > 0);
    const byScore = solvers.filter((row) => isNumber(row.score_share))
      .toSorted((a, b) => b.score_share! - a.score_share!);
    const wins = sum(winners, (row) => row.auctions_won);
    const leader = byScore.at(0);
    return [
      `${formatPart(winners.length, solvers.length)} ${pluralize(noun)} won an auction`,
      leader &&
      `${names.formatLabel(leader.solver)} has the largest share of all winning scores, ` +
        formatShare(leader.score_share!, wins),
      describeSlowest(solvers, names),
    ];
  },
  title: ({ solvers, names, noun }) => {
    const maxWins = max(solvers.map((row) => row.auctions_won).filter(isNumber));
    const [best, ...tied] = solvers.filter((row) => row.auctions_won === maxWins);
    if (maxWins === 0) return `No ${noun} won an auction`;
    if (best === undefined || maxWins === undefined) {
      return `How often ${pluralize(noun)} won, and their share of the score`;
    }
    const name = names.formatLabel(best.solver);
    return tied.length > 0
      ? `${name} and ${count(tied.length, "other")} won the most auctions, ` +
        `${formatWhole(maxWins)} each`
      : `${name} won the most auctions: ${formatWins(best) ?? formatWhole(maxWins)} it bid in`;
  },
  caption: ({ solvers, shownSolvers, otherSolvers, otherWins, noun, measures }) => [
    `n = ${count(solvers.length, noun)}`,
    otherSolvers.length > 0 &&
    `${count(otherSolvers.length, `more ${noun}`)} with ${count(otherWins, "win")} not shown`,
    ...MEASURES.map((measure) => describeUnknown(shownSolvers, measure, noun)),
    measures.some(({ column }) => column !== "score_share") && "Lines: 95% Wilson intervals",
    measures.length > 1 && "Each panel has its own scale",
  ],
});

/** Says whether the slowest solver settles less of its wins in time than the others together. */
function describeSlowest(rows: Rows, names: SolverNames): string | null {
  const rated = rows.filter((row) => isNumber(row.in_time_rate));
  if (rated.length > 0 && rated.every((row) => row.in_time_rate === 1)) {
    return "Every win was settled in time";
  }
  const portions = rated.flatMap((row) => {
    const { in_time: inTime, late, absent } = row;
    if (
      ![inTime, late, absent].every((number) => isCount(number) && Number.isSafeInteger(number))
    ) {
      return [];
    }
    return [{ row, part: Number(inTime), whole: Number(inTime) + Number(late) + Number(absent) }];
  });
  const [slowest, ...otherPortions] = portions.toSorted((a, b) =>
    a.part / a.whole - b.part / b.whole
  );
  if (slowest === undefined || otherPortions.length === 0) return null;
  const together = {
    part: sum(otherPortions, ({ part }) => part),
    whole: sum(otherPortions, ({ whole }) => whole),
  };
  const { clause } = comparePortions(slowest, together, portions.length);
  const comparison = `${names.formatLabel(slowest.row.solver)} settled ` +
    `${formatPart(slowest.part, slowest.whole)} of its wins in time, the others ` +
    formatPart(together.part, together.whole);
  return `${comparison}: ${clause}`;
}

function describeUnknown(rows: Rows, measure: Measure, noun: string): string | null {
  const unknownCount = rows.length - listPoints(rows, measure).length;
  if (unknownCount === 0 || rows.length === 0) return null;
  const name = measure.heading.toLowerCase();
  return unknownCount === rows.length
    ? `"${name}" is unknown for every ${noun}`
    : `"${name}" is unknown for ${count(unknownCount, noun)}`;
}

type Rows = readonly SolverLeaderboardRow[];

const MEASURES = [
  {
    column: "win_rate",
    heading: "Win rate",
    label: "% of auctions bid in",
    color: COLORS.blue,
    notes: (rows: Rows) => rows.map((row) => formatWins(row) ?? formatPercent(row.win_rate ?? NaN)),
  },
  {
    column: "score_share",
    heading: "Share of total score",
    label: "% of all winning scores",
    color: COLORS.sky,
    notes: (rows: Rows) => formatPercents(rows.map((row) => row.score_share ?? NaN)),
  },
  {
    column: "in_time_rate",
    heading: "Settled in time",
    label: "% of winning solutions",
    color: COLORS.green,
    notes: (rows: Rows) => formatPercents(rows.map((row) => row.in_time_rate ?? NaN)),
  },
] as const;

type Measure = typeof MEASURES[number];

function listPoints(rows: Rows, { column }: Measure) {
  return rows.flatMap((row, index) => {
    const rate = row[column];
    if (!isNumber(rate)) return [];
    const [low, high] = column === "score_share"
      ? [rate, rate]
      : [row[`${column}_low`], row[`${column}_high`]];
    return {
      row,
      index,
      rate,
      low: isNumber(low) ? Math.min(low, rate) : rate,
      high: isNumber(high) ? Math.max(high, rate) : rate,
    };
  });
}

type MeasuredPoint = ReturnType<typeof listPoints>[number];

function formatTooltip(
  { row, rate, low, high }: MeasuredPoint,
  measure: Measure,
  names: SolverNames,
): string {
  const interval = low < high ? `, interval ${formatPercent(low)} to ${formatPercent(high)}` : "";
  const counts = formatWins(row);
  return `${names.formatWithAddress(row.solver)}\n${measure.heading}: ` +
    `${formatPercent(rate)}${interval}` +
    (counts === null ? "" : `\nwon ${counts} auctions`);
}

/** Formats `8 of 10`; `null` if a number is unknown. */
function formatWins({ auctions_won: won, auctions_bid: bid }: SolverLeaderboardRow): string | null {
  return isNumber(won) && isNumber(bid) ? `${formatWhole(won)} of ${formatWhole(bid)}` : null;
}

/** Returns the range of a measure's axis, which is cut for rates where no interval reaches. */
function findDomain(points: readonly MeasuredPoint[], isShare: boolean): [number, number] {
  const [low, high] = [min(points.map(({ low }) => low)), max(points.map(({ high }) => high))];
  if (isShare) return [Math.min(0, low!), Math.max(0, high!) || 1];
  return [Math.min(0.9, Math.floor(10 * low!) / 10), Math.max(1, high!)];
}

/** Draws one measure of every solver: dots on their intervals, or bars for shares. */
function createMeasurePanel(
  rows: Rows,
  measure: Measure,
  { names, ...size }: ListSize & { names: SolverNames },
): Panel {
  const { column, color, heading } = measure;
  const points = listPoints(rows, measure);
  const isShare = column === "score_share";
  const texts = measure.notes(points.map(({ row }) => row));
  const title = (point: MeasuredPoint) => formatTooltip(point, measure, names);
  const look = { x: "rate", y: "index", fill: color, title, className: column };
  return createListPanel({
    ...size,
    heading,
    labels: names.formatLabels(rows.map(({ solver }) => solver)),
    axis: createFixedAxis({
      type: "linear",
      domain: findDomain(points, isShare),
      ...createBaseScale({ label: measure.label }),
      ticks: 5,
      tickFormat: (share: number) => String(Number((share * 100).toPrecision(6))),
    }),
    marks: () => [
      Plot.ruleY(rows, {
        y: (_: unknown, index: number) => index,
        stroke: COLORS.grey,
        strokeOpacity: 0.35,
      }),
      ...(isShare ? [Plot.barX(points, look), Plot.ruleX([0])] : [
        Plot.ruleY(points, {
          x1: "low",
          x2: "high",
          y: "index",
          stroke: color,
          strokeWidth: 2,
          className: `${column}_interval`,
        }),
        Plot.dot(points, { ...look, r: 4.5 }),
      ]),
    ],
    ends: points.map(({ high, index }, textIndex) => ({
      value: high,
      text: texts[textIndex]!,
      index,
    })),
    endLook: { stroke: "white", fill: COLORS.ink },
  });
}
