import { fixedAxis, linearAxis } from "../axes/axis_scale.ts";
import type { ChartOptions } from "../figure/chart_options.ts";
import { type Draw, picture } from "../figure/picture.ts";
import { COLORS } from "../looks.ts";
import { dotNote, kindLegend, kindStrips } from "../marks/dot_strips.ts";
import { each, isCount, isNumber, rowsWithNumbers } from "../rows.ts";
import { max, median, sum } from "../statistics.ts";
import { shareText } from "../texts/claim_text.ts";
import { count } from "../texts/count_text.ts";
import { amountText, percentText } from "../texts/label_text.ts";
import { shortHex } from "../texts/short_names.ts";

/** How concentrated the volume of one window is: columns of `concentration`. */
export interface SolverConcentrationRow {
  /** What the windows are: `week`, `pair` or `size`. */
  windows: string;
  /** The window: first day of the week, sell and buy token, or a power of ten native tokens. */
  window_of: string;
  /** Fills of the window. */
  fills: number | null;
  /** So many solvers of equal size would be as concentrated; `null` without volume. */
  equal_solvers: number | null;
  /** Share of the largest solver, 0 to 1. */
  largest_share?: number | null;
  /** Fills of the window without a known solver or volume, which it leaves out. */
  unknown_count?: number | null;
}

/** The kinds of windows, from top to bottom. */
const KINDS = [
  { kind: "week", label: "week", plural: "weeks", fill: COLORS.blue },
  { kind: "pair", label: "directed pair", plural: "directed pairs", fill: COLORS.sky },
  { kind: "size", label: "size", plural: "sizes", fill: COLORS.green },
] as const;

function solversText(equal: number): string {
  const text = amountText(equal, 2);
  return `${text} equal ${text === "1" ? "solver" : "solvers"}`;
}

/**
 * Draws how concentrated volume is in the solvers that settled it: one dot per window, in a strip each for
 * accounting weeks, directed pairs and sizes, at how many solvers of equal size would be as
 * concentrated, the inverse of the Herfindahl-Hirschman index. At 1, one solver settled all.
 *
 * @param rows Rows or a frame. One row per window; without rows the figure says so. Windows without
 * volume are left out, and so are fills of unknown solver or volume; the caption says how many.
 * @returns The figure; its `rows` are the windows drawn.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example One week
 * ```ts
 * import { solverConcentration } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const chart = solverConcentration([
 *   { windows: "week", window_of: "2026-11-24", fills: 2, equal_solvers: 1.6 },
 * ]);
 *
 * assertMatch(chart.title, /1 week is as concentrated as with 1.6 equal solvers/);
 * ```
 */
export const solverConcentration: Draw<SolverConcentrationRow, ChartOptions> = picture({
  chart: "solverConcentration",
  table: "concentration",
  columns: {
    ...each("text", "windows", "window_of"),
    ...each("number", "fills", "equal_solvers"),
    ...each("number?", "largest_share", "unknown_count"),
  },
  options: {},
  select: (rows) => {
    const texts = ["windows", "window_of"] as const;
    const { rows: known } = rowsWithNumbers(rows, ["equal_solvers"], texts);
    const strips = KINDS.flatMap((one) => {
      const own = known.filter((row) => row.windows === one.kind && row.equal_solvers > 0);
      return own.length === 0
        ? []
        : [{ ...one, rows: own, middle: median(own.map((row) => row.equal_solvers))! }];
    });
    const drawn = strips.flatMap((strip) => strip.rows);
    return { drawn, leftOut: rows.length - drawn.length, unknown: countUnknown(rows), strips };
  },
  empty: {
    title: "How concentrated volume is in solvers",
    noRows: "No fills in this range",
    noValues: "No window of this range has fills of a known solver and volume",
  },
  axes: ({ drawn, strips }) => ({
    axis: fixedAxis(linearAxis(drawn.map((row) => row.equal_solvers!), {
      label: "As concentrated as so many equal solvers (solvers)",
    })),
    dots: strips.flatMap(({ fill, rows }, place) =>
      rows.map((row) => ({ place, x: row.equal_solvers, fill, title: tooltipOf(row) }))
    ),
  }),
  panels: ({ strips, dots, axis, ...size }) => {
    const labelled = strips.map(({ label, rows }) => ({ label: `by ${label}`, rows }));
    return [kindStrips(labelled, dots, { ...size, axis, noun: "window", className: "window" })];
  },
  series: () => kindLegend(KINDS),
  legend: ({ strips, dots }) => kindLegend(strips, dots),
  finding: ({ strips }) =>
    strips.map(({ label, plural, rows, middle }) => {
      const least = rows.reduce((a, b) => b.equal_solvers < a.equal_solvers ? b : a);
      const largest = isNumber(least.largest_share)
        ? `, where the largest settled ${shareText(least.largest_share, least.fills)}`
        : "";
      return rows.length === 1
        ? `In the one ${label}, volume is as concentrated as with ${solversText(middle)}${largest}`
        : `The median of ${count(rows.length, label, plural)} is ${solversText(middle)}, ` +
          `the least ${solversText(least.equal_solvers)}${largest}`;
    }),
  title: ({ strips: [first] }) => {
    const { rows, label, plural, middle } = first!;
    return `Volume of ${count(rows.length, label, plural)} is as concentrated as with ` +
      `${rows.length === 1 ? "" : "a median of "}${solversText(middle)}`;
  },
  caption: ({ drawn, leftOut, unknown }) => [
    `n = ${count(drawn.length, "window")}`,
    leftOut > 0 && `${count(leftOut, "window")} without volume left out`,
    unknown > 0 && `${count(unknown, "fill")} of unknown solver or volume left out`,
    drawn.length > 0 && `${dotNote(drawn.length, "window")}. 1 is one solver that settled all`,
  ],
});

/**
 * Fills that the windows leave out. Each kind of windows has all fills, or those of known time or size:
 * the largest count is of the most.
 */
function countUnknown(rows: readonly SolverConcentrationRow[]): number {
  const kinds = Map.groupBy(rows, ({ windows }) => windows).values();
  const counts = [...kinds].map((own) =>
    sum(own, ({ unknown_count: unknown }) => isCount(unknown) ? unknown : 0)
  );
  return max(counts) ?? 0;
}

function tooltipOf(row: SolverConcentrationRow): string {
  return [
    row.window_of.split(" ").map(shortHex).join(" → "),
    solversText(row.equal_solvers!),
    isNumber(row.largest_share) ? `the largest settled ${percentText(row.largest_share)}` : null,
    isNumber(row.fills) ? count(row.fills, "fill") : null,
  ].filter((line) => line !== null).join("\n");
}
