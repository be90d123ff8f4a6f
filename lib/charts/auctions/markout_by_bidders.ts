import * as Plot from "@observablehq/plot";
import { valueAxis } from "../axes/axis_scale.ts";
import type { ChartOptions } from "../figure/chart_options.ts";
import { type Draw, picture } from "../figure/picture.ts";
import { COLORS, type LegendEntry } from "../looks.ts";
import { rankedList } from "../marks/bars.ts";
import { each, isCount, isNumber, type Known, rowsWithNumbers, sortRows } from "../rows.ts";
import { sum } from "../statistics.ts";
import { type Comparison, describeDifference } from "../texts/claim_text.ts";
import { count, wholeText } from "../texts/count_text.ts";
import { bpsText } from "../texts/label_text.ts";

/** What fills were worth that equally many solvers bid for: columns of `winners_curse`. */
export interface MarkoutByBiddersRow {
  /** Solvers that bid on the order; `null` for fills of which it is unknown. */
  bidder_count: number | null;
  /** Fills with both markouts. */
  fills: number;
  /** Fills without one of them, which the medians leave out. */
  unknown_count?: number | null;
  /** Median markout, in basis points; `null` without fills. */
  markout_bps: number | null;
  /** The same before protocol and partner fees. */
  solver_efficiency_bps: number | null;
  /** The latter less that of the fewest bidders. */
  curse_bps: number | null;
  /** Lower end of the 95% interval of that; `null` where either has too few fills. */
  curse_low_bps?: number | null;
  /** Upper end of it. */
  curse_high_bps?: number | null;
}

const BEFORE: LegendEntry = { label: "before fees", fill: COLORS.blue, shape: "dot" };
const AFTER: LegendEntry = { label: "after fees", fill: COLORS.sky, shape: "dot" };
const FEES: LegendEntry = { label: "fees", fill: "none", stroke: COLORS.orange, shape: "line" };

const biddersText = (bidders: number) => count(bidders, "bidder");

/**
 * Draws what fills turned out to be worth a while later, by how many solvers bid for them: the median
 * markout before and after fees, in basis points. Above zero the trader got more than the market paid
 * by then, at the expense of whoever settled: a winner's curse if it rises with the number of bidders,
 * the winner among them. The title says so only if the interval of the difference excludes none.
 *
 * @param rows Rows or a frame. One row per number of bidders; without rows the figure says so. Those
 * without markouts are left out, and so are fills without one or of an unknown number of bidders; the
 * caption says how many.
 * @returns The figure; its `rows` are those drawn, from the fewest bidders on.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example Winners with a second bidder paid 4 basis points more
 * ```ts
 * import { markoutByBidders } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const curse = { curse_bps: 4, curse_low_bps: 1, curse_high_bps: 7 };
 * const chart = markoutByBidders([
 *   { bidder_count: 1, fills: 90, markout_bps: -8, solver_efficiency_bps: -6, curse_bps: 0 },
 *   { bidder_count: 2, fills: 90, markout_bps: -4, solver_efficiency_bps: -2, ...curse },
 * ]);
 *
 * assertMatch(chart.title, /Winners among 2 bidders paid 4.0 bps more than those among 1/);
 * ```
 */
export const markoutByBidders: Draw<MarkoutByBiddersRow, ChartOptions> = picture({
  chart: "markoutByBidders",
  table: "winners_curse",
  columns: {
    ...each("number", "bidder_count", "fills", "markout_bps", "solver_efficiency_bps", "curse_bps"),
    ...each("number?", "unknown_count", "curse_low_bps", "curse_high_bps"),
  },
  options: {},
  select: (rows) => {
    const { rows: known } = rowsWithNumbers(rows, ["markout_bps", "solver_efficiency_bps"]);
    const drawn = sortRows(
      known.filter((row) => isCount(row.bidder_count) && isCount(row.fills)),
      "bidder_count",
    ) as readonly Drawn[];
    const others = rows.filter((row) =>
      !drawn.some(({ bidder_count: bidders }) => bidders === row.bidder_count)
    );
    return {
      drawn,
      leftOut: others.filter((row) => isCount(row.bidder_count)).length,
      lostFills: sum(rows, (row) => countOf(row.unknown_count)) +
        sum(others, (row) => countOf(row.fills)),
    };
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
    const said = ({ solver_efficiency_bps: bps }: Drawn) => bpsText(bps);
    const named = ({ bidder_count: bidders, fills }: Drawn) =>
      `${biddersText(bidders)} (n = ${wholeText(fills)})`;
    return [
      `Before fees, fills with ${named(fewest)} were a median ` +
      `${said(fewest)} against the market a while later` +
      (most === fewest
        ? ""
        : `, those with ${named(most)} ${said(most)}: ${compareEnds(drawn).clause}`),
    ];
  },
  title: ({ drawn }) => {
    const [fewest, most] = endsOf(drawn);
    if (most === fewest) return `All fills had ${biddersText(most.bidder_count)}`;
    const curse = most.solver_efficiency_bps - fewest.solver_efficiency_bps;
    const size = bpsText(Math.abs(curse)).replace("+", "");
    return compareEnds(drawn).isSeen
      ? `Winners among ${biddersText(most.bidder_count)} paid ${size} ` +
        `${curse < 0 ? "less" : "more"} than those among ${wholeText(fewest.bidder_count)}`
      : `No difference is seen between fills with ${wholeText(fewest.bidder_count)} and with ` +
        biddersText(most.bidder_count);
  },
  caption: ({ drawn, leftOut, lostFills, axis }) => [
    `n = ${count(sum(drawn, ({ fills }) => fills), "fill")}`,
    leftOut > 0 && `${count(leftOut, "number")} of bidders without markouts left out`,
    lostFills > 0 &&
    `${count(lostFills, "fill")} without a markout or of an unknown number of bidders left out`,
    axis?.note,
  ],
});

/** A row that is drawn. */
type Drawn = Known<
  MarkoutByBiddersRow,
  "bidder_count" | "markout_bps" | "solver_efficiency_bps"
>;

function countOf(value: number | null | undefined): number {
  return isCount(value) ? value : 0;
}

function titleOf(row: Drawn): string {
  return [
    `${biddersText(row.bidder_count)}, ${count(row.fills, "fill")}`,
    `before fees ${bpsText(row.solver_efficiency_bps)}`,
    `after fees ${bpsText(row.markout_bps)}`,
  ].join("\n");
}

/** Whether fills with the most bidders differ from those with the fewest. */
function compareEnds(rows: readonly Drawn[]): Comparison {
  const [fewest, most] = endsOf(rows);
  const { curse_low_bps: low, curse_high_bps: high } = most;
  return describeDifference(
    most.solver_efficiency_bps - fewest.solver_efficiency_bps,
    isNumber(low) && isNumber(high) ? { low, high } : null,
    bpsText,
  );
}

/** The rows with the fewest and with the most bidders. */
function endsOf<Row>(rows: readonly Row[]): readonly [Row, Row] {
  return [rows[0]!, rows.at(-1)!];
}
