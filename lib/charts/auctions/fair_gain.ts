import { valueAxis } from "../axes/axis_scale.ts";
import type { ChartOptions } from "../figure/chart_options.ts";
import { type Draw, picture } from "../figure/picture.ts";
import { COLORS } from "../looks.ts";
import { dotNote, kindLegend, kindStrips } from "../marks/dot_strips.ts";
import { each, isNumber, rowsWithNumbers } from "../rows.ts";
import { median, sum } from "../statistics.ts";
import { shareText } from "../texts/claim_text.ts";
import { count, partText } from "../texts/count_text.ts";
import { bpsText } from "../texts/label_text.ts";
import { solverNames } from "../texts/short_names.ts";

/** What one order got over its best single-pair bid: columns of `fair_gain`. */
export interface FairGainRow {
  /** Id of the auction. */
  auction_id: number;
  /** UID of the order. */
  order_uid: string;
  /** Address or name of the solver that won it. */
  solver: string;
  /** Name of the solver; `null` if unknown. */
  solver_name?: string | null;
  /** Whether the winning solution is a batch of two or more directed pairs. */
  is_batch: boolean;
  /** What it gives over that bid, in basis points; `null` without such a bid. */
  gain_bps: number | null;
  /** Solutions of the auction, on one of its rows. */
  solution_count?: number | null;
  /** Solutions that were filtered out, on the same row. */
  filtered_count?: number | null;
  /** Score of its winners, in native tokens, on the same row. */
  total_score_native?: number | null;
  /** `fast_path` if the quote of its only order decided the auction, by no benchmark. */
  auction_path?: string | null;
  /** Score that fairness cost, in native tokens, on the same row. */
  lost_score_native?: number | null;
}

/** The two ways in which an order can win, from top to bottom. */
const WAYS = [
  { isBatch: true, label: "in a batch", fill: COLORS.blue },
  { isBatch: false, label: "alone", fill: COLORS.sky },
] as const;

/** The sum of a column that stands on one row of each auction; `null` if none has it. */
function sumOf(
  rows: readonly FairGainRow[],
  column: "solution_count" | "filtered_count" | "total_score_native" | "lost_score_native",
): number | null {
  const known = rows.map((row) => row[column]).filter(isNumber);
  return known.length === 0 ? null : sum(known);
}

/** What the filter took, as sentences. */
function costOf(rows: readonly FairGainRow[]): (string | false)[] {
  const [solutions, filtered] = [sumOf(rows, "solution_count"), sumOf(rows, "filtered_count")];
  const [total, lost] = [sumOf(rows, "total_score_native"), sumOf(rows, "lost_score_native")];
  const auctions = rows.filter((row) => isNumber(row.total_score_native)).length;
  return [
    solutions !== null && filtered !== null &&
    `${partText(filtered, solutions)} solutions were filtered out as unfair`,
    total !== null && lost !== null && total > 0 &&
    `Without the filter, winners would have scored ` +
      `${shareText(Math.abs(lost) / total, auctions, lost < 0 ? "less" : "more")}`,
  ];
}

/**
 * Draws what orders got over their best single-pair bid, the benchmark of a fair combinatorial auction:
 * one dot per order, in a strip of those that won in a batch of two or more pairs, and in one of those
 * that won alone, most of which are their own benchmark.
 *
 * More than 1,500 orders are drawn as dots sized by count.
 *
 * @param rows Rows or a frame. One row per order of a winning solution; without rows the figure says so.
 * Orders without a single-pair bid, and those on the fast path, where the quote decides and not the best
 * bid, are left out, and the caption says so; so are those of which `is_batch` does not tell the strip.
 * @returns The figure; its `rows` are the orders drawn.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 * @see {@link https://arxiv.org/abs/2408.12225 | Canidio and Henneke, Fair combinatorial auction for blockchain trade intents}
 *
 * @example A batch that gave 25 bps more
 * ```ts
 * import { fairGain } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const chart = fairGain([
 *   { auction_id: 7, order_uid: "0x01", solver: "A", is_batch: true, gain_bps: 25 },
 * ]);
 *
 * assertMatch(chart.title, /1 order in batches: median \+25.0 bps over the best single-pair bid/);
 * ```
 */
export const fairGain: Draw<FairGainRow, ChartOptions> = picture({
  chart: "fairGain",
  table: "fair_gain",
  columns: {
    ...each("number", "auction_id", "gain_bps"),
    ...each("text", "order_uid", "solver"),
    ...each("text?", "solver_name", "auction_path"),
    ...each("flag", "is_batch"),
    ...each("number?", "solution_count", "filtered_count", "total_score_native"),
    ...each("number?", "lost_score_native"),
  },
  options: {},
  select: (all) => {
    const rows = all.filter((row) => row.auction_path !== "fast_path");
    const { rows: drawn, leftOut } = rowsWithNumbers(rows, ["gain_bps"], ["solver"]);
    const strips = WAYS.flatMap((way) => {
      const own = drawn.filter(({ is_batch }) => is_batch === way.isBatch);
      return own.length === 0 ? [] : [{ ...way, rows: own }];
    });
    const batches = (strips.find(({ isBatch }) => isBatch)?.rows ?? []).map((row) => row.gain_bps!);
    const fast = all.length - rows.length;
    const shown = strips.flatMap((strip) => strip.rows);
    const unplaced = drawn.length - shown.length;
    return { rows, drawn: shown, fast, leftOut, unplaced, strips, batches };
  },
  empty: {
    title: "What orders get over their best single-pair bid",
    noRows: "No orders won in this range",
    noValues: "No order that won in this range had a single-pair bid",
  },
  axes: ({ drawn, strips }) => {
    const names = solverNames(drawn);
    return {
      axis: valueAxis(drawn.map((row) => row.gain_bps!), {
        label: "Gain over the best single-pair bid (bps)",
        noun: "gain",
      }),
      dots: strips.flatMap(({ fill, rows }, place) =>
        rows.map((row) => ({
          place,
          x: row.gain_bps!,
          fill,
          title: `${names.withHex(row.solver)}\nauction ${row.auction_id}\n` +
            `${row.order_uid}\n${bpsText(row.gain_bps!)}`,
        }))
      ),
    };
  },
  panels: ({ strips, dots, axis, ...size }) => [
    kindStrips(strips, dots, { ...size, axis, noun: "order", className: "gain" }),
  ],
  series: () => kindLegend(WAYS),
  legend: ({ strips, dots }) => kindLegend(strips, dots),
  finding: ({ rows, drawn, batches }) => {
    const gains = drawn.map((row) => row.gain_bps!);
    const worse = gains.filter((gain) => gain < 0).length;
    return [
      batches.length === 0
        ? `No order in a batch had a single-pair bid`
        : `${count(batches.length, "order")} in batches got a median ` +
          `${bpsText(median(batches)!)} over their best single-pair bid`,
      worse === 0
        ? `None of ${count(gains.length, "order")} got less than that bid`
        : `${partText(worse, gains.length)} orders got less than that bid`,
      ...costOf(rows),
    ];
  },
  title: ({ drawn, batches }) => {
    const [gains, how] = batches.length > 0
      ? [batches, "in batches"]
      : [drawn.map((row) => row.gain_bps!), "won alone"];
    const middle = bpsText(median(gains)!);
    return `${count(gains.length, "order")} ${how}: median ${middle} over the best single-pair bid`;
  },
  caption: ({ drawn, fast, leftOut, unplaced, axis }) => [
    `n = ${count(drawn.length, "order")} in ` +
    count(new Set(drawn.map((row) => row.auction_id)).size, "auction"),
    leftOut > 0 && `${count(leftOut, "order")} without a single-pair bid left out`,
    unplaced > 0 &&
    `${count(unplaced, "order")} that may have won in a batch or alone left out`,
    fast > 0 && `${count(fast, "order")} on the fast path left out`,
    axis?.note,
    drawn.length > 0 && dotNote(drawn.length, "order"),
  ],
});
