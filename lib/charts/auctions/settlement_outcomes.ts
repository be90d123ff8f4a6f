import * as Plot from "@observablehq/plot";
import { orderBy } from "../../errors/option_rules.ts";
import { axisText, percentText } from "../texts/axis_text.ts";
import { linearAxis } from "../axes/axis_scale.ts";
import type { Chart } from "../figure/chart.ts";
import { type ChartInput, readInput } from "../figure/chart_input.ts";
import {
  CHART_OPTIONS,
  type ChartOptions,
  LIMIT,
  type ListOptions,
} from "../figure/chart_options.ts";
import { COLORS } from "../figure/colors.ts";
import { drawFigure, emptyFigure, type LegendEntry } from "../figure/figure.ts";
import type { Panel } from "../figure/panel.ts";
import { endNotes, listAxis, NOTE_GAP } from "../axes/list_axis.ts";
import type { RowKind } from "../rows/row_kind.ts";
import type { Rows } from "../rows/row_kind.ts";
import {
  captionText,
  count,
  isCount,
  rowsWithTexts,
  sortRows,
  wholeText,
} from "../rows/row_selection.ts";
import { shortNames } from "../texts/short_names.ts";

/** What became of the winning solutions of one solver: columns of `solverLeaderboardTable`. */
export interface SettlementOutcomesRow {
  /** Address or name of the solver. */
  solver: string;
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

/** The table these rows come from, and its columns. */
export const SETTLEMENT_OUTCOMES_ROWS: RowKind<SettlementOutcomesRow> = {
  table: "solverLeaderboardTable",
  columns: {
    solver: "text",
    in_time: "number",
    late: "number",
    absent: "number",
    pending: "number",
    unknown: "number?",
  },
};

/** Columns by which {@linkcode settlementOutcomes} sorts; `won` is the sum of all outcomes. */
export type SettlementOutcomesSort = "solver" | "won" | "in_time" | "late" | "absent" | "pending";

/** Options of {@linkcode settlementOutcomes}. */
export interface SettlementOutcomesOptions
  extends ChartOptions, ListOptions<SettlementOutcomesSort> {
  /** Order of the solvers from top to bottom. @default {"-won"} */
  sort?: SettlementOutcomesSort | `-${SettlementOutcomesSort}`;
  /** Maximum number of solvers drawn. @default {60} */
  limit?: number;
}

const MOST_SOLVERS = 60;
/** Narrower figures stack their panels. */
const SIDE_BY_SIDE = 600;
const INNER_MARGIN = 18;

type Outcome = "in_time" | "late" | "absent" | "pending" | "unknown";

const OUTCOMES: Readonly<Record<Outcome, LegendEntry>> = {
  in_time: { label: "in time", fill: COLORS.green },
  late: { label: "late", fill: COLORS.orange },
  absent: { label: "absent", fill: COLORS.vermilion },
  pending: { label: "pending", fill: COLORS.sky },
  unknown: { label: "unknown", fill: COLORS.grey },
};
const IN_ORDER = Object.keys(OUTCOMES) as Outcome[];

/** What became of the wins of one solver. */
interface Bar {
  solver: string;
  won: number;
  counts: Readonly<Record<Outcome, number>>;
}

/** One outcome of one bar. */
interface Piece {
  place: number;
  from: number;
  to: number;
  fill: string;
  title: string;
}

/** `null` where one of its outcomes is not counted. */
function barOf(row: SettlementOutcomesRow): Bar | null {
  const counts = {} as Record<Outcome, number>;
  let won = 0;
  for (const outcome of IN_ORDER) {
    const number = outcome === "unknown" ? row.unknown ?? 0 : row[outcome];
    if (!isCount(number)) return null;
    counts[outcome] = number;
    won += number;
  }
  return { solver: row.solver, won, counts };
}

function piecesOf(bars: readonly Bar[], outcomes: readonly Outcome[]): Piece[] {
  return bars.flatMap(({ solver, won, counts }, place) => {
    let end = 0;
    return outcomes.filter((outcome) => counts[outcome] > 0).map((outcome) => {
      const from = end;
      end += counts[outcome];
      const { label, fill } = OUTCOMES[outcome];
      const share = percentText(counts[outcome] / won);
      const title = `${solver}\n${label}: ${wholeText(counts[outcome])} of ${
        wholeText(won)
      } (${share})`;
      return { place, from, to: end, fill, title };
    });
  });
}

function tickText(tick: number): string {
  return tick < 1e6 ? wholeText(tick) : axisText(tick);
}

interface PanelSize {
  width: number;
  height: number | undefined;
  labels: readonly string[] | null;
  marginLeft: number | undefined;
  heading: string;
  className: string;
}

function outcomePanel(
  bars: readonly Bar[],
  outcomes: readonly Outcome[],
  { labels, heading, className, ...size }: PanelSize,
): Panel {
  const pieces = piecesOf(bars, outcomes);
  const sums = bars.map(({ counts }) => outcomes.reduce((sum, one) => sum + counts[one], 0));
  const list = listAxis(labels ?? bars.map(() => ""), {
    ...size,
    ...(labels === null ? { marginLeft: INNER_MARGIN } : {}),
  });
  const axis = linearAxis(sums, { label: "Winning solutions" });
  const { apply: fraction } = Plot.scale({ x: { ...axis, range: [0, 1] } });
  const notes = sums.map((sum) => ({ end: fraction(sum), text: wholeText(sum) }));
  const { marginRight, texts } = endNotes(notes, { width: size.width, ...list });
  return {
    heading,
    share: size.width,
    plot: {
      ...list,
      marginRight,
      x: { ...axis, tickFormat: (tick: number) => Number.isInteger(tick) ? tickText(tick) : "" },
      y: labels === null ? { ...list.y, axis: null } : list.y,
      marks: [
        Plot.barX(pieces, {
          x1: "from",
          x2: "to",
          y: "place",
          fill: "fill",
          title: "title",
          className,
        }),
        Plot.text(texts, {
          x: (_: string, place: number) => sums[place]!,
          y: (_: string, place: number) => place,
          text: (note: string) => note,
          textAnchor: "start",
          dx: NOTE_GAP,
        }),
        Plot.ruleX([0]),
      ],
    },
  };
}

const INPUT: ChartInput<SettlementOutcomesRow, SettlementOutcomesOptions> = {
  chart: "settlementOutcomes",
  rows: SETTLEMENT_OUTCOMES_ROWS,
  options: {
    ...CHART_OPTIONS,
    sort: orderBy("solver", "won", "in_time", "late", "absent", "pending"),
    limit: LIMIT,
  },
};

/**
 * Draws the outcome of each solver's winning solutions: settled in time, late, not at all, or not
 * yet. Those not in time also have their own panel and axis, since they are few.
 *
 * @param given Rows or a frame. One row per solver; without rows the figure says so. Rows in which
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
export function settlementOutcomes(
  given: Rows<SettlementOutcomesRow>,
  options: SettlementOutcomesOptions = {},
): Chart<SettlementOutcomesRow> {
  const { rows, width } = readInput(given, options, INPUT);
  const { limit = MOST_SOLVERS } = options;
  const { sort = "-won", source } = options;
  const bars = rowsWithTexts(rows, ["solver"]).flatMap((row) => {
    const bar = barOf(row);
    return bar === null ? [] : [{ ...bar, ...bar.counts, row }];
  });
  const leftOut = rows.length - bars.length;
  const sorted = sortRows(bars, sort);
  const [won, inTime] = [sumOf(bars, "won"), sumOf(bars, "in_time")];
  const drawn = sorted.slice(0, limit);
  const rest = sorted.slice(limit);
  const caption = captionText([
    `n = ${count(won, "winning solution")} of ${count(bars.length, "solver")}`,
    rest.length > 0 &&
    `${count(rest.length, "more solver")} with ${wholeText(sumOf(rest, "in_time"))} of ` +
      `${count(sumOf(rest, "won"), "winning solution")} in time not drawn`,
    leftOut > 0 && `${count(leftOut, "solver")} without counts left out`,
  ], source);
  if (won === 0) {
    return emptyFigure({
      title: "What became of winning solutions",
      reason: "No winning solutions in this range",
      caption,
      width,
    });
  }
  const title = `${wholeText(inTime)} of ${count(won, "winning solution")} ` +
    `${inTime === 1 ? "was" : "were"} settled in time`;
  return drawFigure({
    title,
    description: `${title}. ${caption}`,
    legend: IN_ORDER.filter((outcome) => drawn.some((bar) => bar.counts[outcome] > 0))
      .map((outcome) => OUTCOMES[outcome]),
    panels: panelsOf(drawn, { ...options, width }),
    caption,
    width,
    rows: drawn.map((bar) => bar.row),
  });
}

function sumOf<Key extends string>(
  bars: readonly Readonly<Record<Key, number>>[],
  key: Key,
): number {
  return bars.reduce((sum, bar) => sum + bar[key], 0);
}

function panelsOf(
  bars: readonly Bar[],
  { width, height, marginLeft }: SettlementOutcomesOptions & { width: number },
): (Panel | Panel[])[] {
  const labels = shortNames(bars.map((bar) => bar.solver));
  const failed = IN_ORDER.slice(1);
  const size = { height, marginLeft, labels };
  const all = { ...size, heading: "All", className: "outcome" };
  const rest = { ...size, heading: "Not in time, on its own scale", className: "not_in_time" };
  if (bars.every((bar) => bar.counts.in_time === bar.won)) {
    return [outcomePanel(bars, IN_ORDER, { ...all, width })];
  }
  if (width < SIDE_BY_SIDE) {
    return [
      outcomePanel(bars, IN_ORDER, { ...all, width }),
      outcomePanel(bars, failed, { ...rest, width }),
    ];
  }
  const right = Math.floor(width * 0.36);
  const room = listAxis(labels, { width, marginLeft }).marginLeft;
  return [[
    outcomePanel(bars, IN_ORDER, { ...all, width: width - right, marginLeft: room }),
    outcomePanel(bars, failed, { ...rest, width: right, labels: null }),
  ]];
}
