import * as Plot from "@observablehq/plot";
import { percentText, percentTexts } from "../texts/axis_text.ts";
import { COLORS } from "../figure/colors.ts";
import { fixedAxis } from "../axes/value_axis.ts";
import type { ListSize } from "../axes/list_axis.ts";
import { max, min } from "../numbers/statistics.ts";
import type { Panel } from "../figure/panel.ts";
import { rankedList } from "../marks/ranked_list.ts";
import { isNumber, wholeText } from "../rows/row_selection.ts";
import type { SolverNames } from "../texts/solver_names.ts";
import type { SolverLeaderboardRow } from "./solver_leaderboard_row.ts";

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

function tooltipOf(
  { row, rate, low, high }: Measured,
  measure: Measure,
  names: SolverNames,
): string {
  const interval = low < high ? `, interval ${percentText(low)} to ${percentText(high)}` : "";
  const counts = countsOf(row);
  return `${names.withAddress(row.solver)}\n${measure.heading}: ${percentText(rate)}${interval}` +
    (counts === null ? "" : `\nwon ${counts} auctions`);
}

/** `8 of 10`, or `null` where one is not known. */
export function countsOf(
  { auctions_won: won, auctions_bid: bid }: SolverLeaderboardRow,
): string | null {
  return isNumber(won) && isNumber(bid) ? `${wholeText(won)} of ${wholeText(bid)}` : null;
}

/** From where to where the axis of a measure reaches; axes of rates are cut where no interval is. */
function domainOf(points: readonly Measured[], isShare: boolean): [number, number] {
  const [low, high] = [min(points.map(({ low }) => low)), max(points.map(({ high }) => high))];
  if (isShare) return [Math.min(0, low!), Math.max(0, high!) || 1];
  return [Math.min(0.9, Math.floor(10 * low!) / 10), Math.max(1, high!)];
}

/** Draws one measure of every solver: dots on their intervals, or bars for shares. */
export function measurePanel(
  rows: readonly SolverLeaderboardRow[],
  measure: Measure,
  { names, ...size }: ListSize & { names: SolverNames },
): Panel {
  const { column, color, heading } = measure;
  const points = measured(rows, measure);
  const isShare = column === "score_share";
  const texts = measure.notes(points.map(({ row }) => row));
  const title = (point: Measured) => tooltipOf(point, measure, names);
  const look = { x: "rate", y: "place", fill: color, title, className: column };
  return rankedList({
    ...size,
    heading,
    labels: names.labels(rows.map(({ solver }) => solver)),
    axis: fixedAxis({
      type: "linear",
      domain: domainOf(points, isShare),
      label: `${measure.label} →`,
      labelAnchor: "center",
      grid: true,
      ticks: 5,
      tickFormat: (share: number) => String(Number((share * 100).toPrecision(6))),
    }),
    marks: () => [
      Plot.ruleY(rows, {
        y: (_: unknown, place: number) => place,
        stroke: COLORS.grey,
        strokeOpacity: 0.35,
      }),
      ...(isShare ? [Plot.barX(points, look), Plot.ruleX([0])] : [
        Plot.ruleY(points, {
          x1: "low",
          x2: "high",
          y: "place",
          stroke: color,
          strokeWidth: 2,
          className: `${column}_interval`,
        }),
        Plot.dot(points, { ...look, r: 4.5 }),
      ]),
    ],
    ends: points.map(({ high, place }, at) => ({ value: high, text: texts[at]!, place })),
    endLook: { stroke: "white", fill: COLORS.ink },
  });
}
