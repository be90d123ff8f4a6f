import * as Plot from "@observablehq/plot";
import { type ListChartOptions, listOptions } from "../figure/chart_options.ts";
import type { Panel } from "../figure/panel.ts";
import { type Draw, picture } from "../figure/picture.ts";
import { COLORS, type LegendEntry } from "../looks.ts";
import { each, isCount, rowsWithTexts } from "../rows.ts";
import { max, sum } from "../statistics.ts";
import { count, partText, wholeText } from "../texts/count_text.ts";
import { axisText, labelWidth, percentText } from "../texts/label_text.ts";
import { shortName, type SolverNames, solverNames } from "../texts/short_names.ts";
import { type MatrixCell, type MatrixLayout, matrixLayout, REST } from "./matrix_layout.ts";

/** How one solver did on one directed pair of tokens: columns of `pairs`. */
export interface SolverMatrixRow {
  /** Address or name of the solver. */
  solver: string;
  /** Name of the solver; `null` if unknown. */
  solver_name?: string | null;
  /** Directed pair as text, such as `WETH → USDC`. */
  pair: string;
  /** Solutions that trade the pair. */
  bids: number | null;
  /** Of those, the ones that won. */
  wins: number | null;
}

/** What {@linkcode solverMatrix} sorts solvers and pairs by. */
export type SolverMatrixSort = "bids" | "wins" | "name";

/** Options of {@linkcode solverMatrix}. */
export interface SolverMatrixOptions extends ListChartOptions<SolverMatrixSort> {
  /** Order of the solvers and of the pairs. @default {"-wins"} */
  sort?: SolverMatrixSort | `-${SolverMatrixSort}`;
  /**
   * Maximum number with their own row; side by side, as many as fit. The rest are combined.
   * @default {60}
   */
  limit?: number;
}

/** From here on the largest of the words for thousands does not shorten a number. */
const MOST_COMPACT = 1e15;
const ROW_HEIGHT = 24;
const BOTTOM = 6;
/** Width that the sums of a rest may claim in every cell, in pixels. */
const MOST_TEXT = 64;

/** One hue: the larger the part of the bids that won, the stronger; none and all stand out. */
const SHADES = {
  none: { fill: "#f1f5f9", ink: COLORS.ink, label: "no bid won" },
  some: { fill: "#61a7d2", ink: COLORS.ink, label: "some bids won: the more, the stronger" },
  all: { fill: "#083e7c", ink: "white", label: "all bids won" },
} as const;
/** How strong the shade of the fewest wins is: seen beside that of none. */
const LEAST_SHADE = 0.25;

/** Cells by solver and pair; rows of the same two are added. */
function cellsOf(rows: readonly SolverMatrixRow[]): MatrixCell[] {
  const cells = new Map<string, MatrixCell>();
  for (const { solver, pair, bids, wins } of rows) {
    const key = JSON.stringify([solver, pair]);
    const cell = cells.get(key) ?? { solver, pair, bids: 0, wins: 0 };
    cell.bids += bids ?? 0;
    cell.wins += wins ?? 0;
    cells.set(key, cell);
  }
  return [...cells.values()];
}

function shadeOf({ bids, wins }: MatrixCell): (typeof SHADES)[keyof typeof SHADES] {
  return wins === 0 || bids === 0 ? SHADES.none : wins >= bids ? SHADES.all : SHADES.some;
}

/** How strong the shade of a cell is, from 0 to 1. */
function strengthOf(cell: MatrixCell): number {
  if (shadeOf(cell) !== SHADES.some) return 1;
  return LEAST_SHADE + (1 - LEAST_SHADE) * cell.wins / cell.bids;
}

/** Few solvers, as the beginning of a sentence. */
const SOLVERS: Readonly<Record<number, string>> = { 1: "The one solver", 2: "Both solvers" };

const COMPACT = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

function countText(number: number): string {
  return number >= MOST_COMPACT ? axisText(number) : COMPACT.format(number);
}

function cellText({ bids, wins }: MatrixCell): string {
  return `${countText(wins)}/${countText(bids)}`;
}

function tooltipOf(
  cell: MatrixCell,
  { labels, heads, down, across }: MatrixLayout,
  names: SolverNames,
): string {
  const rest = { [down]: labels.at(-1), [across]: heads.at(-1) };
  const solver = cell.solver === REST ? rest["solver"] : names.withAddress(cell.solver);
  const pair = cell.pair === REST ? rest["pair"] : cell.pair;

  const rate = cell.bids > 0 ? ` (${percentText(cell.wins / cell.bids)})` : "";
  return `${solver}\n${pair}\nwon ${wholeText(cell.wins)} of ${wholeText(cell.bids)} bids${rate}`;
}

function matrixPanel(
  cells: readonly MatrixCell[],
  layout: MatrixLayout,
  { width, height, names }: { width: number; height?: number | undefined; names: SolverNames },
): Panel {
  const { lines, labels, columns, heads, isSlanted, marginLeft, marginTop, cellWidth } = layout;
  const columnPlaces = new Map(columns.map((column, place) => [column.name, place]));
  const linePlaces = new Map(lines.map((line, place) => [line.name, place]));
  const x = (cell: MatrixCell) => columnPlaces.get(cell[layout.across]);
  const y = (cell: MatrixCell) => linePlaces.get(cell[layout.down]);
  const band = { type: "band", label: null, round: false, padding: 0.06 } as const;
  return {
    plot: {
      height: height ?? Math.ceil(marginTop + lines.length * ROW_HEIGHT + BOTTOM),
      marginLeft,
      marginTop,
      marginBottom: BOTTOM,
      marginRight: width - marginLeft - cellWidth * columns.length,
      x: {
        ...band,
        axis: "top",
        domain: columns.map((_, place) => place),
        tickFormat: (place: number) => heads[place] ?? "",
        tickSize: isSlanted ? 4 : 0,
        ...(isSlanted ? { tickRotate: -45 } : {}),
      },
      y: {
        ...band,
        domain: lines.map((_, place) => place),
        tickFormat: (place: number) => labels[place] ?? "",
        tickSize: 0,
      },
      marks: [
        Plot.cell(cells, {
          x,
          y,
          fill: (cell: MatrixCell) => shadeOf(cell).fill,
          fillOpacity: { value: strengthOf, scale: null },
          title: (cell: MatrixCell) => tooltipOf(cell, layout, names),
          className: "pair",
        }),
        Plot.text(cells, {
          x,
          y,
          text: cellText,
          fill: (cell: MatrixCell) => shadeOf(cell).ink,
          pointerEvents: "none",
        }),
      ],
    },
  };
}

const LEGEND: readonly LegendEntry[] = Object.values(SHADES)
  .map(({ fill, label }) => ({ fill, label, stroke: COLORS.grey }));

/** The cells of a layout: those that have no line or no column of their own are added up. */
function shownCells(cells: readonly MatrixCell[], { lines, columns, down, across }: MatrixLayout) {
  const kept = {
    [down]: new Set(lines.map(({ name }) => name)),
    [across]: new Set(columns.map(({ name }) => name)),
  };
  return cellsOf(cells.map(({ solver, pair, bids, wins }) => ({
    solver: kept["solver"]!.has(solver) ? solver : REST,
    pair: kept["pair"]!.has(pair) ? pair : REST,
    bids,
    wins,
  })));
}

/**
 * Draws which solvers bid on which directed pairs, and how often its solutions win there: wins and
 * bids are printed in each cell, in a stronger shade where more bids win; a blank means that the solver never
 * bid on the pair.
 *
 * Whichever there are more of, solvers or pairs, run from top to bottom; the others run side by
 * side, as many as fit, most wins first. The rest share a last row and a last column, so the chart
 * includes every bid; the caption counts them.
 *
 * @param rows Rows or a frame. One row per solver and pair; without rows the figure says so. Rows
 * of the same solver and pair are added.
 * @returns The figure; its `rows` are all those with counts.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example One solver, two pairs
 * ```ts
 * import { solverMatrix } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const chart = solverMatrix([
 *   { solver: "A", pair: "WETH → USDC", bids: 4, wins: 3 },
 *   { solver: "A", pair: "USDC → WETH", bids: 2, wins: 0 },
 * ]);
 *
 * assertMatch(chart.svg, />3\/4</);
 * ```
 */
export const solverMatrix: Draw<SolverMatrixRow, SolverMatrixOptions> = picture({
  chart: "solverMatrix",
  table: "pairs",
  columns: {
    ...each("text", "solver", "pair"),
    ...each("text?", "solver_name"),
    ...each("number", "bids", "wins"),
  },
  options: listOptions("bids", "wins", "name"),
  defaults: { sort: "-wins", limit: 60 },
  select: (rows, options) => {
    const drawn = rowsWithTexts(rows, ["solver", "pair"])
      .filter((row) => isCount(row.bids) && isCount(row.wins));
    const names = solverNames(drawn);
    const all = cellsOf(drawn);
    const layout = matrixLayout(all, { ...options, names, textWidth: widestText(all) });
    const cells = shownCells(all, layout);
    return { drawn, all, names, layout, cells, leftOut: rows.length - drawn.length };
  },
  empty: {
    title: "Which solvers bid on which pairs",
    noRows: "No bids in this range",
    noValues: "No row in this range has its counts",
  },
  panels: ({ cells, layout, ...size }) => [matrixPanel(cells, layout, size)],
  legend: ({ cells }) => {
    const fills = new Set<string>(cells.map((cell) => shadeOf(cell).fill));
    return LEGEND.filter(({ fill }) => fills.has(fill));
  },
  series: () => LEGEND,
  finding: ({ all, names }) => {
    const solvers = new Set(all.map(({ solver }) => solver)).size;
    const pairs = Map.groupBy(all, ({ pair }) => pair);
    const most = all.reduce((a, b) => b.wins > a.wins ? b : a, all[0]!);
    const contested = [...pairs.values()].filter((cells) => cells.length === solvers).length;
    return [
      `${SOLVERS[solvers] ?? `All ${wholeText(solvers)} solvers`} bid on ` +
      `${partText(contested, pairs.size)} directed pairs`,
      most.wins > 0 &&
      `The most wins are those of ${names.label(most.solver)} on ${shortName(most.pair)}: ` +
        `${partText(most.wins, most.bids)} bids`,
    ];
  },
  title: ({ all, names }) => {
    const pairs = new Set(all.map(({ pair }) => pair)).size;
    const always = all.filter(({ bids, wins }) => bids > 0 && wins === bids);
    const [best] = [...Map.groupBy(always, ({ solver }) => solver)]
      .toSorted(([, a], [, b]) => b.length - a.length);
    return best === undefined
      ? `${wholeText(sumOf(all, "wins"))} of ${count(sumOf(all, "bids"), "bid")} on ` +
        `${count(pairs, "pair")} won`
      : `${names.label(best[0])} won every bid on ${wholeText(best[1].length)} of ` +
        count(pairs, "pair");
  },
  caption: ({ all, layout: { rest, lines, columns }, cells, leftOut }) => {
    const solvers = new Set(all.map((cell) => cell.solver)).size;
    const pairs = new Set(all.map((cell) => cell.pair)).size;
    return [
      `n = ${count(sumOf(all, "bids"), "bid")} of ${count(solvers, "solver")} on ` +
      count(pairs, "directed pair"),
      ...rest,
      leftOut > 0 && `${count(leftOut, "row")} without counts left out`,
      cells.length > 0 && "Each cell: winning solutions / all solutions with an order in the pair",
      cells.length < lines.length * columns.length && "Blank: no bids",
    ];
  },
});

function sumOf(cells: readonly MatrixCell[], column: "bids" | "wins"): number {
  return sum(cells, (cell) => cell[column]);
}

/** Width of the widest text that a cell may have, in pixels: those of a rest are sums. */
function widestText(cells: readonly MatrixCell[]): number {
  const sums = { solver: "", pair: "", bids: sumOf(cells, "bids"), wins: sumOf(cells, "wins") };
  const own = max([0, ...cells.map((cell) => labelWidth(cellText(cell)))]);
  return Math.max(own, Math.min(labelWidth(cellText(sums)), MOST_TEXT));
}
