import * as Plot from "@observablehq/plot";
import { valueAxis } from "../axes/axis_scale.ts";
import type { ChartOptions } from "../figure/chart_options.ts";
import { type Draw, picture } from "../figure/picture.ts";
import { COLORS, type LegendEntry } from "../looks.ts";
import { rankedList } from "../marks/bars.ts";
import { each, isCount, type Known, rowsWithNumbers, sortRows } from "../rows.ts";
import { sum } from "../statistics.ts";
import { count, wholeText } from "../texts/count_text.ts";
import { bpsText } from "../texts/label_text.ts";

/** What fills were worth that equally many solvers bid for: columns of `winnersCurseTable`. */
export interface MarkoutByBiddersRow {
  /** Solvers that bid on the order. */
  bidder_count: number;
  /** Fills. */
  fills: number;
  /** Median markout, in basis points; `null` without fills. */
  markout_bps: number | null;
  /** The same before protocol and partner fees. */
  solver_efficiency_bps: number | null;
  /** The latter less that of the fewest bidders. */
  curse_bps: number | null;
}

const BEFORE: LegendEntry = { label: "before fees", fill: COLORS.blue, shape: "dot" };
const AFTER: LegendEntry = { label: "after fees", fill: COLORS.sky, shape: "dot" };
const FEES: LegendEntry = { label: "fees", fill: "none", stroke: COLORS.orange, shape: "line" };

const biddersText = (bidders: number) => count(bidders, "bidder");

/**
 * Draws what fills turned out to be worth a while later, by how many solvers bid for them: the median
 * markout before and after fees, in basis points. Above zero the trader got more than the market paid
 * by then, at the expense of whoever settled: a winner's curse if it rises with the number of bidders.
 *
 * @param rows Rows or a frame. One row per number of bidders; without rows the figure says so. Those
 * without markouts are left out, and the caption says so.
 * @returns The figure; its `rows` are those drawn, from the fewest bidders on.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example Two bidders paid 4 basis points more
 * ```ts
 * import { markoutByBidders } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const chart = markoutByBidders([
 *   { bidder_count: 1, fills: 9, markout_bps: -8, solver_efficiency_bps: -6, curse_bps: 0 },
 *   { bidder_count: 2, fills: 9, markout_bps: -4, solver_efficiency_bps: -2, curse_bps: 4 },
 * ]);
 *
 * assertMatch(chart.title, /Winners against 2 bidders paid 4.0 bps more than those against 1/);
 * ```
 */
export const markoutByBidders: Draw<MarkoutByBiddersRow, ChartOptions> = picture({
  chart: "markoutByBidders",
  table: "winnersCurseTable",
  columns: each(
    "number",
    "bidder_count",
    "fills",
    "markout_bps",
    "solver_efficiency_bps",
    "curse_bps",
  ),
  options: {},
  select: (rows) => {
    const { rows: known } = rowsWithNumbers(rows, ["markout_bps", "solver_efficiency_bps"]);
    const drawn = sortRows(
      known.filter((row) => isCount(row.bidder_count) && isCount(row.fills)),
      "bidder_count",
    ) as readonly Drawn[];
    return { drawn, leftOut: rows.length - drawn.length };
  },
  empty: {
    title: "What winners paid, by how many solvers bid",
    noRows: "No fills in this range",
    noValues: "No fill in this range has a known number of bidders and later prices",
  },
  axes: ({ drawn }) => ({
    axis: valueAxis(
      drawn.flatMap((row) => [row.markout_bps, row.solver_efficiency_bps]),
      { label: "Median markout, above 0 better for the trader (bps)", noun: "median" },
    ),
  }),
  panels: ({ drawn, axis, ...size }) => [
    rankedList({
      ...size,
      labels: drawn.map((row) => biddersText(row.bidder_count)),
      axis,
      column: drawn.map(({ fills }) => `n = ${wholeText(fills)}`),
      marks: () => {
        const own = { y: (_: Drawn, place: number) => place, title: titleOf };
        const [before, after] = [
          (row: Drawn) => axis.place(row.solver_efficiency_bps),
          (row: Drawn) => axis.place(row.markout_bps),
        ];
        const line = { stroke: FEES.stroke!, strokeWidth: 3, className: "fees" };
        return [
          Plot.ruleY(drawn, { ...own, ...line, x1: before, x2: after }),
          Plot.dot(drawn, { ...own, x: before, r: 5, fill: BEFORE.fill, className: "before" }),
          Plot.dot(drawn, { ...own, x: after, r: 5, fill: AFTER.fill, className: "after" }),
        ];
      },
    }),
  ],
  legend: () => [BEFORE, AFTER, FEES],
  finding: ({ drawn }) => {
    const [fewest, most] = endsOf(drawn);
    return [
      `Before fees, fills with ${biddersText(fewest.bidder_count)} were a median ` +
      `${bpsText(fewest.solver_efficiency_bps)} against the market a while later` +
      (most === fewest
        ? ""
        : `, those with ${biddersText(most.bidder_count)} ${bpsText(most.solver_efficiency_bps)}`),
      most !== fewest &&
      `Who won ${paidText(drawn)} who won against ${wholeText(fewest.bidder_count)}`,
    ];
  },
  title: ({ drawn }) => {
    const [fewest, most] = endsOf(drawn);
    return most === fewest
      ? `All fills had ${biddersText(most.bidder_count)}`
      : `Winners ${paidText(drawn)} those against ${wholeText(fewest.bidder_count)}`;
  },
  caption: ({ drawn, leftOut, axis }) => [
    `n = ${count(sum(drawn, ({ fills }) => fills), "fill")}`,
    leftOut > 0 && `${count(leftOut, "number")} of bidders without markouts left out`,
    axis?.note,
  ],
});

/** A row that is drawn. */
type Drawn = Known<MarkoutByBiddersRow, "markout_bps" | "solver_efficiency_bps">;

function titleOf(row: Drawn): string {
  return [
    `${biddersText(row.bidder_count)}, ${count(row.fills, "fill")}`,
    `before fees ${bpsText(row.solver_efficiency_bps)}`,
    `after fees ${bpsText(row.markout_bps)}`,
  ].join("\n");
}

/** What winners against the most bidders paid, compared with those against the fewest. */
function paidText(rows: readonly Drawn[]): string {
  const [fewest, most] = endsOf(rows);
  const curse = most.solver_efficiency_bps - fewest.solver_efficiency_bps;
  const size = bpsText(Math.abs(curse)).replace("+", "");
  const bidders = biddersText(most.bidder_count);
  return `against ${bidders} paid ${size} ${curse < 0 ? "less" : "more"} than`;
}

/** The rows with the fewest and with the most bidders. */
function endsOf<Row>(rows: readonly Row[]): readonly [Row, Row] {
  return [rows[0]!, rows.at(-1)!];
}
