import { createPercentAxis, createValueAxis, type ValueAxis } from "../axes/axis_scale.ts";
import type { ListSize } from "../axes/row_axes.ts";
import {
  createListOptions,
  type ListChartOptions,
  NATIVE_OPTIONS,
  type NativeOptions,
} from "../figure/chart_options.ts";
import { defineChart, type Draw } from "../figure/picture.ts";
import { COLORS } from "../looks.ts";
import { createListPanel, placeSideBySide } from "../marks/bars.ts";
import {
  createMedianLegend,
  describeDots,
  drawDotStrips,
  type StripDot,
} from "../marks/dot_strips.ts";
import { declare, isNumber, selectNumeric, sortRows } from "../rows.ts";
import { median, sum } from "../statistics.ts";
import { formatShare } from "../texts/claim_text.ts";
import { count, formatPart, formatWhole } from "../texts/count_text.ts";
import { formatAmount, formatNumber, formatPercent } from "../texts/label_text.ts";
import { readSolverNames, type SolverNames } from "../texts/short_names.ts";

/** One winning solver's contribution to one auction: columns of `reference_scores`. */
export interface WinMarginRow {
  /** Id of the auction. */
  auction_id: number;
  /** Address or name of the solver. */
  solver: string;
  /** Name of the solver; `null` if unknown. */
  solver_name?: string | null;
  /** Total score of the auction less the solver's reference score, in native tokens. */
  margin_native: number | null;
  /** The margin as a part of the total score: 1 where no other solver could have traded. */
  margin_share: number | null;
}

/** Columns by which {@linkcode winMargin} sorts solvers; `wins` is how many auctions each won. */
export type WinMarginSort = "solver" | "wins";

/** Options of {@linkcode winMargin}. */
export interface WinMarginOptions extends NativeOptions, ListChartOptions<WinMarginSort> {
  /**
   * Order of the solvers from top to bottom; `solver` by name where it is known.
   * @default {"-wins"}
   */
  sort?: WinMarginSort | `-${WinMarginSort}`;
  /** Maximum number of solvers drawn. @default {60} */
  limit?: number;
}

function createDots(
  strips: readonly { readonly rows: readonly WinMarginRow[] }[],
  { column, names }: { column: "margin_native" | "margin_share"; names: SolverNames },
): StripDot[] {
  return strips.flatMap(({ rows }, index) =>
    rows.flatMap((row) => {
      const x = row[column];
      return isNumber(x) ? [{ index, x, fill: COLORS.blue, title: formatTooltip(row, names) }] : [];
    })
  );
}

function formatTooltip(row: WinMarginRow, names: SolverNames): string {
  const { margin_native: native, margin_share: share } = row;
  return [
    names.formatWithHex(row.solver),
    `auction ${row.auction_id}`,
    isNumber(native) ? `margin ${formatNumber(native)}` : null,
    isNumber(share) ? `${formatPercent(share)} of the total score` : null,
  ].filter((line) => line !== null).join("\n");
}

/** Below this share of the total score, a win is a close race. */
const CLOSE = 0.05;

/**
 * Draws the margin by which each solver won: total score less its reference score, one dot per
 * auction it won, in native tokens and beside it as a part of the auction's total score.
 *
 * Native amounts stand on a logarithmic axis where they differ a thousandfold. More than 1,500 wins
 * are drawn as dots sized by count.
 *
 * @param rows Rows or a frame. One row per winning solver and auction; without rows the figure
 * says so.
 * @returns The figure; its `rows` are the wins drawn.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example An auction that would have been worth a quarter less
 * ```ts
 * import { winMargin } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const chart = winMargin([
 *   { auction_id: 7, solver: "A", margin_native: 0.5, margin_share: 0.25 },
 * ], { nativeSymbol: "ETH" });
 *
 * assertMatch(chart.title, /median 0.5 ETH, 25% of the total score/);
 * ```
 */
export const winMargin: Draw<WinMarginRow, WinMarginOptions> = defineChart({
  chart: "winMargin",
  table: "reference_scores",
  columns: {
    ...declare("number", "auction_id", "margin_native", "margin_share"),
    ...declare("text", "solver"),
    ...declare("text?", "solver_name"),
  },
  options: { ...NATIVE_OPTIONS, ...createListOptions("solver", "wins") },
  defaults: { sort: "-wins", limit: 60 },
  select: (rows, { limit, sort }) => {
    const { rows: wins, note } = selectNumeric(rows, ["margin_native"], ["solver"]);
    const strips = [...Map.groupBy(wins, (row) => row.solver)]
      .map(([solver, rows]) => ({ solver, wins: rows.length, rows }));
    const names = readSolverNames(wins);
    const sortedStrips = sortRows(strips, sort, { solver: ({ solver }) => names.format(solver) });
    const [shownStrips, otherStrips] = [sortedStrips.slice(0, limit), sortedStrips.slice(limit)];
    return {
      wins,
      names,
      note,
      shownStrips,
      otherStrips,
      margins: wins.map((row) => row.margin_native).filter(isNumber),
      shares: wins.map((row) => row.margin_share).filter(isNumber),
      drawnRows: shownStrips.flatMap((strip) => strip.rows),
    };
  },
  empty: {
    title: "Winning margins",
    noRows: "No wins in this range",
    noValues: "No win in this range has a known margin",
  },
  axes: ({ margins, shownStrips, names, nativeSymbol }) => ({
    axis: createValueAxis(margins, {
      label: `Total − reference score (${nativeSymbol})`,
      noun: "margin",
    }),
    natives: createDots(shownStrips, { column: "margin_native", names }),
  }),
  panels: ({ shownStrips, names, natives, axis, ...size }) => {
    const shares = createDots(shownStrips, { column: "margin_share", names });
    const labels = names.formatLabels(shownStrips.map((strip) => strip.solver));
    const createStrips =
      (heading: string, dots: readonly StripDot[], axis: ValueAxis, className: string) =>
      (list: ListSize) =>
        createListPanel({
          ...list,
          heading,
          labels,
          axis,
          isStrips: true,
          ...(className === "margin"
            ? { column: shownStrips.map(({ wins }) => `n = ${formatWhole(wins)}`) }
            : { marginRight: 20 }),
          marks: ({ axisWidth }) =>
            drawDotStrips(dots, { axis, axisWidth, noun: "win", className }),
        });
    const amount = createStrips("Amount", natives, axis, "margin");
    if (shares.length === 0) return [amount({ ...size, width: size.width })];
    const share = createStrips(
      "Share of the auction's total score",
      shares,
      createPercentAxis([...shares.map((dot) => dot.x), 1], "% of the total score"),
      "margin_share",
    );
    return placeSideBySide([amount, share], { ...size, labels });
  },
  legend: ({ natives }) => createMedianLegend(natives),
  finding: ({ margins, shares, nativeSymbol }) => {
    const [alone, close] = [
      shares.filter((share) => share >= 1).length,
      shares.filter((share) => share >= 0 && share < CLOSE).length,
    ];
    const negativeCount = margins.filter((margin) => margin < 0).length;
    return [
      `The median winner added ${formatAmount(median(margins)!)} ${nativeSymbol}` +
      (shares.length === 0
        ? ""
        : `, ${formatShare(median(shares)!, shares.length, "of the total score")}`),
      shares.length > 0 && `In ${formatPart(alone, shares.length)} wins, the winner added all of ` +
        "the score: nobody else could have won",
      shares.length > 0 &&
      `In ${formatPart(close, shares.length)}, it added less than 5%: a close race`,
      negativeCount > 0 &&
      `In ${formatPart(negativeCount, margins.length)}, the others would have scored more: ` +
        "these wins are on the fast path, where the quote decides, or trade several pairs",
    ];
  },
  title: ({ margins, shares, nativeSymbol }) => {
    const share = median(shares);
    return `What winners added to their auctions: median ${formatNumber(median(margins)!)} ` +
      nativeSymbol +
      (share === undefined ? "" : `, ${formatShare(share, shares.length, "of the total score")}`);
  },
  caption: ({ wins, shownStrips, otherStrips, shares, note, axis }) => [
    `n = ${count(wins.length, "win")} of ` +
    `${count(shownStrips.length + otherStrips.length, "solver")} in ` +
    count(new Set(wins.map((row) => row.auction_id)).size, "auction"),
    otherStrips.length > 0 && `${count(otherStrips.length, "more solver")} with ` +
      `${count(sum(otherStrips, (strip) => strip.wins), "win")} not shown`,
    note,
    shares.length < wins.length && `${count(wins.length - shares.length, "win")} without a share`,
    axis?.note,
    wins.length > 0 && describeDots(wins.length, "win"),
  ],
});
