import * as Plot from "@observablehq/plot";
import { percentText } from "./axis_text.ts";
import { largest } from "./axis_scale.ts";
import type { Chart } from "./chart.ts";
import {
  type ChartOptions,
  checkedLimit,
  checkedWidth,
  type ListOptions,
} from "./chart_options.ts";
import { COLORS } from "./colors.ts";
import { drawFigure, emptyFigure, type Panel } from "./figure.ts";
import { endNotes, listAxis, NOTE_GAP } from "./list_axis.ts";
import {
  captionText,
  count,
  isNumber,
  rowsWithTexts,
  sortRows,
  wholeText,
} from "./row_selection.ts";
import { shortName, shortNames } from "./short_names.ts";

/** How one solver did over a set of auctions: columns of `solverLeaderboardTable`. */
export interface SolverLeaderboardRow {
  /** Address or name of the solver. */
  solver: string;
  /** Auctions in which it proposed at least one solution. */
  auctions_bid: number;
  /** Auctions in which at least one of its solutions won. */
  auctions_won: number;
  /** `auctions_won / auctions_bid`, from 0 to 1. */
  win_rate: number | null;
  /** Lower end of the 95 % Wilson interval of the win rate, from 0 to 1. */
  win_rate_low?: number | null;
  /** Upper end of the 95 % Wilson interval of the win rate, from 0 to 1. */
  win_rate_high?: number | null;
  /** Its winning solutions' part of all winning scores, from 0 to 1. */
  score_share?: number | null;
  /** Winning solutions settled in time, of those in time, late or absent; from 0 to 1. */
  in_time_rate?: number | null;
  /** Lower end of the 95 % Wilson interval of the in-time rate, from 0 to 1. */
  in_time_rate_low?: number | null;
  /** Upper end of the 95 % Wilson interval of the in-time rate, from 0 to 1. */
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
export interface SolverLeaderboardOptions extends ChartOptions, ListOptions<SolverLeaderboardSort> {
  /** Order of the solvers from top to bottom. @default {"-auctions_won"} */
  sort?: SolverLeaderboardSort | `-${SolverLeaderboardSort}`;
  /** How many solvers are drawn at most. @default {60} */
  limit?: number;
}

const MOST_SOLVERS = 60;
/** Narrower figures have their panels one under the other. */
const SIDE_BY_SIDE = 600;

/** One measure of the leaderboard. */
interface Measure {
  column: "win_rate" | "score_share" | "in_time_rate";
  heading: string;
  label: string;
  color: string;
  note: (row: SolverLeaderboardRow) => string;
}

const MEASURES: readonly Measure[] = [
  {
    column: "win_rate",
    heading: "Win rate",
    label: "Auctions won of bid in (%)",
    color: COLORS.blue,
    note: (row) => countsOf(row) ?? percentText(row.win_rate ?? NaN),
  },
  {
    column: "score_share",
    heading: "Share of total score",
    label: "Of all winning scores (%)",
    color: COLORS.sky,
    note: (row) => percentText(row.score_share ?? NaN),
  },
  {
    column: "in_time_rate",
    heading: "Settled in time",
    label: "Of winning solutions (%)",
    color: COLORS.green,
    note: (row) => percentText(row.in_time_rate ?? NaN),
  },
];

/** A row whose measure is known, at its place in the list. */
interface Measured {
  row: SolverLeaderboardRow;
  place: number;
  rate: number;
  /** Ends of its interval; both the rate where none is known. */
  low: number;
  high: number;
}

function measured(rows: readonly SolverLeaderboardRow[], { column }: Measure): Measured[] {
  const found: Measured[] = [];
  for (const [place, row] of rows.entries()) {
    const rate = row[column];
    if (!isNumber(rate)) continue;
    const [low, high] = column === "score_share"
      ? [rate, rate]
      : [row[`${column}_low`], row[`${column}_high`]];
    found.push({
      row,
      place,
      rate,
      low: isNumber(low) ? Math.min(low, rate) : rate,
      high: isNumber(high) ? Math.max(high, rate) : rate,
    });
  }
  return found;
}

function tooltipOf({ row, rate, low, high }: Measured, measure: Measure): string {
  const interval = low < high ? `, interval ${percentText(low)} to ${percentText(high)}` : "";
  const counts = countsOf(row);
  return `${row.solver}\n${measure.heading}: ${percentText(rate)}${interval}` +
    (counts === null ? "" : `\nwon ${counts} auctions`);
}

/** `8 of 10`, or `null` where one is not known. */
function countsOf({ auctions_won: won, auctions_bid: bid }: SolverLeaderboardRow): string | null {
  return isNumber(won) && isNumber(bid) ? `${wholeText(won)} of ${wholeText(bid)}` : null;
}

interface PanelSize {
  width: number;
  height: number | undefined;
  /** Labels of the list, or `null` where the panel left of this one has them. */
  labels: readonly string[] | null;
  marginLeft: number | undefined;
}

function measurePanel(
  rows: readonly SolverLeaderboardRow[],
  measure: Measure,
  { labels, ...size }: PanelSize,
): Panel {
  const points = measured(rows, measure);
  const isShare = measure.column === "score_share";
  const lows = points.map(({ low }) => low);
  const from = isShare
    ? Math.min(0, ...lows)
    : Math.min(0.9, Math.floor(10 * Math.min(...lows)) / 10);
  const to = isShare
    ? Math.max(0, ...points.map(({ high }) => high)) || 1
    : Math.max(1, ...points.map(({ high }) => high));
  const list = listAxis(labels ?? rows.map(() => ""), {
    ...size,
    ...(labels === null ? { marginLeft: INNER_MARGIN } : {}),
  });
  const notes = points.map(({ row, high }) => ({
    end: (high - from) / (to - from),
    text: measure.note(row),
  }));
  const { marginRight, texts } = endNotes(notes, { width: size.width, ...list });
  const tooltip = (point: Measured) => tooltipOf(point, measure);
  return {
    heading: measure.heading,
    share: size.width,
    plot: {
      ...list,
      marginRight,
      x: {
        type: "linear",
        domain: [from, to],
        label: `${measure.label} →`,
        labelAnchor: "center",
        grid: true,
        ticks: 5,
        tickFormat: (share: number) => String(Number((share * 100).toPrecision(6))),
      },
      y: labels === null ? { ...list.y, axis: null } : list.y,
      marks: [
        Plot.ruleY(rows, {
          y: (_: unknown, place: number) => place,
          stroke: COLORS.grey,
          strokeOpacity: 0.35,
        }),
        ...(isShare
          ? [
            Plot.barX(points, {
              x: "rate",
              y: "place",
              fill: measure.color,
              title: tooltip,
              className: measure.column,
            }),
            Plot.ruleX([0]),
          ]
          : [
            Plot.ruleY(points, {
              x1: "low",
              x2: "high",
              y: "place",
              stroke: measure.color,
              strokeWidth: 2,
              className: `${measure.column}_interval`,
            }),
            Plot.dot(points, {
              x: "rate",
              y: "place",
              r: 4.5,
              fill: measure.color,
              title: tooltip,
              className: measure.column,
            }),
          ]),
        Plot.text(texts, {
          x: (_: string, at: number) => points[at]!.high,
          y: (_: string, at: number) => points[at]!.place,
          text: (note: string) => note,
          textAnchor: "start",
          dx: NOTE_GAP,
          stroke: "white",
          fill: COLORS.ink,
        }),
      ],
    },
  };
}

/** Room left of a panel whose rows are labelled by the one beside it. */
const INNER_MARGIN = 18;

function panelsOf(
  rows: readonly SolverLeaderboardRow[],
  known: readonly Measure[],
  options: SolverLeaderboardOptions & { width: number },
): Figure["panels"] {
  const { width, height, marginLeft } = options;
  const labels = shortNames(rows.map((row) => row.solver));
  if (width < SIDE_BY_SIDE) {
    return known.map((measure) =>
      measurePanel(rows, measure, { width, height, labels, marginLeft })
    );
  }
  const room = listAxis(labels, { width, marginLeft }).marginLeft;
  const each = Math.floor((width - room) / known.length);
  return [known.map((measure, index) =>
    measurePanel(rows, measure, {
      width: index === 0 ? width - (known.length - 1) * each : each,
      height,
      labels: index === 0 ? labels : null,
      marginLeft: room,
    })
  )];
}

type Figure = Parameters<typeof drawFigure>[0];

/**
 * Draws how solvers did over a set of auctions, side by side: the win rate with its Wilson interval,
 * the share of the total score, and how much of what it won was settled in time.
 *
 * The axes of rates are cut where no interval reaches; they carry dots. Measures that no row has are
 * left out, and the caption says so.
 *
 * @param rows One row a solver; none draws a figure that says so.
 * @returns The figure; its `rows` are the solvers drawn, in order.
 * @throws {InputError} If an option is out of its range.
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
 * assertMatch(chart.title, /A won most auctions, 8 of 10/);
 * ```
 */
export function solverLeaderboard(
  rows: readonly SolverLeaderboardRow[],
  options: SolverLeaderboardOptions = {},
): Chart<SolverLeaderboardRow> {
  const width = checkedWidth(options);
  const limit = checkedLimit(options.limit, MOST_SOLVERS);
  const { sort = "-auctions_won", source } = options;
  const sorted = sortRows(rowsWithTexts(rows, ["solver"]), sort);
  const drawn = sorted.slice(0, limit);
  const known = MEASURES.filter((measure) => measured(drawn, measure).length > 0);
  const caption = captionText([
    `n = ${count(rows.length, "solver")}`,
    restNote(sorted.slice(limit)),
    ...MEASURES.map((measure) => unknownNote(drawn, measure)),
    known.some(({ column }) => column !== "score_share") && "Lines: 95 % Wilson intervals",
  ], source);
  if (known.length === 0) {
    const title = "How solvers did";
    const reason = rows.length === 0
      ? "No solvers in this range"
      : "No solver in this range has a known rate";
    return emptyFigure({ title, reason, caption, width });
  }
  const title = titleOf(sorted);
  return drawFigure({
    title,
    description: `${title}. ${caption}`,
    panels: panelsOf(drawn, known, { ...options, width }),
    caption,
    width,
    rows: drawn,
  });
}

function titleOf(rows: readonly SolverLeaderboardRow[]): string {
  const most = largest(rows.map((row) => row.auctions_won).filter(isNumber));
  const [best, ...tied] = rows.filter((row) => row.auctions_won === most);
  if (best === undefined) return "How often solvers won, and what they were worth";
  return tied.length > 0
    ? `${shortName(best.solver)} and ${count(tied.length, "other")} won most auctions, ` +
      `${wholeText(most)} each`
    : `${shortName(best.solver)} won most auctions, ${countsOf(best) ?? wholeText(most)} it bid in`;
}

function restNote(rest: readonly SolverLeaderboardRow[]): string | null {
  if (rest.length === 0) return null;
  const won = rest.reduce(
    (sum, row) => isNumber(row.auctions_won) ? sum + row.auctions_won : sum,
    0,
  );
  return `${count(rest.length, "more solver")} with ${count(won, "win")} not drawn`;
}

function unknownNote(drawn: readonly SolverLeaderboardRow[], measure: Measure): string | null {
  const unknown = drawn.length - measured(drawn, measure).length;
  if (unknown === 0 || drawn.length === 0) return null;
  const name = measure.heading.toLowerCase();
  return unknown === drawn.length
    ? `"${name}" is not known of any solver`
    : `"${name}" is not known of ${count(unknown, "solver")}`;
}
