import * as Plot from "@observablehq/plot";
import { percentText, percentTexts } from "../texts/axis_text.ts";
import { COLORS } from "../figure/colors.ts";
import { endNotes, listAxis, NOTE_GAP } from "../axes/list_axis.ts";
import type { Panel } from "../figure/panel.ts";
import { isNumber, wholeText } from "../rows/row_selection.ts";
import type { SolverLeaderboardRow } from "./solver_leaderboard_row.ts";

/** Room left of a panel whose rows are labelled by the one beside it. */
const INNER_MARGIN = 18;

/** One measure of the leaderboard. */
export interface Measure {
  /** Column with the rate; its interval is in those with `_low` and `_high` after it. */
  column: "win_rate" | "score_share" | "in_time_rate";
  /** What the panel is called. */
  heading: string;
  /** Label of the axis. */
  label: string;
  /** Colour of the marks. */
  color: string;
  /** What stands beside the marks of some rows. */
  notes: (rows: readonly SolverLeaderboardRow[]) => string[];
}

/** What the leaderboard shows, from left to right. */
export const MEASURES: readonly Measure[] = [
  {
    column: "win_rate",
    heading: "Win rate",
    label: "% of auctions bid in",
    color: COLORS.blue,
    notes: (rows) => rows.map((row) => countsOf(row) ?? percentText(row.win_rate ?? NaN)),
  },
  {
    column: "score_share",
    heading: "Share of total score",
    label: "% of all winning scores",
    color: COLORS.sky,
    notes: (rows) => percentTexts(rows.map((row) => row.score_share ?? NaN)),
  },
  {
    column: "in_time_rate",
    heading: "Settled in time",
    label: "% of winning solutions",
    color: COLORS.green,
    notes: (rows) => percentTexts(rows.map((row) => row.in_time_rate ?? NaN)),
  },
];

/** A row whose measure is known, at its place in the list. */
export interface Measured {
  /** The row. */
  row: SolverLeaderboardRow;
  /** Place in the list, from 0. */
  place: number;
  /** The measure, from 0 to 1. */
  rate: number;
  /** Lower end of its interval; the rate where none is known. */
  low: number;
  /** Upper end of its interval; the rate where none is known. */
  high: number;
}

/** The rows whose measure is known. */
export function measured(rows: readonly SolverLeaderboardRow[], { column }: Measure): Measured[] {
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
export function countsOf(
  { auctions_won: won, auctions_bid: bid }: SolverLeaderboardRow,
): string | null {
  return isNumber(won) && isNumber(bid) ? `${wholeText(won)} of ${wholeText(bid)}` : null;
}

/** How a panel is set. */
export interface MeasureSize {
  /** Width of the panel, in pixels. */
  width: number;
  /** Height of the panel, in pixels. @default {what the rows need} */
  height: number | undefined;
  /** Labels of the list, or `null` where the panel left of this one has them. */
  labels: readonly string[] | null;
  /** Room for labels, in pixels. @default {what they need} */
  marginLeft: number | undefined;
}

/** Draws one measure of every solver: dots on their intervals, or bars for shares. */
export function measurePanel(
  rows: readonly SolverLeaderboardRow[],
  measure: Measure,
  { labels, ...size }: MeasureSize,
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
  const ownTexts = measure.notes(points.map(({ row }) => row));
  const notes = points.map(({ high }, at) => ({
    end: (high - from) / (to - from),
    text: ownTexts[at] ?? "",
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
