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
  NATIVE_OPTIONS,
  NATIVE_TOKENS,
  type NativeOptions,
} from "../figure/chart_options.ts";
import { COLORS } from "../figure/colors.ts";
import {
  areSingle,
  dotNote,
  dotStrips,
  medianLegend,
  STRIP_AREAS,
  stripAxis,
  type StripDot,
} from "../marks/dot_strips.ts";
import { drawFigure, emptyFigure } from "../figure/figure.ts";
import type { Panel } from "../figure/panel.ts";
import { listAxis } from "../axes/list_axis.ts";
import { median } from "../numbers/quantile.ts";
import type { RowKind } from "../rows/row_kind.ts";
import type { Rows } from "../rows/row_kind.ts";
import {
  captionText,
  count,
  isNumber,
  rowsWithNumbers,
  rowsWithTexts,
  sortRows,
} from "../rows/row_selection.ts";
import { shortHex } from "../texts/short_hex.ts";
import { shortNames } from "../texts/short_names.ts";
import { fixedAxis, type ValueAxis, valueAxis } from "../axes/value_axis.ts";

/** What one winning solver added to one auction: columns of `referenceScoresTable`. */
export interface WinMarginRow {
  /** Id of the auction. */
  auction_id: number;
  /** Address or name of the solver. */
  solver: string;
  /** Total score of the auction less the solver's reference score, in native tokens. */
  margin_native: number | null;
  /** The same as a part of the total score: 1 where no other solver could have traded. */
  margin_share: number | null;
}

/** The table these rows come from, and its columns. */
export const WIN_MARGIN_ROWS: RowKind<WinMarginRow> = {
  table: "referenceScoresTable",
  columns: {
    auction_id: "number",
    solver: "text",
    margin_native: "number",
    margin_share: "number",
  },
};

/** Columns by which {@linkcode winMargin} sorts solvers; `wins` is how many auctions each won. */
export type WinMarginSort = "solver" | "wins";

/** Options of {@linkcode winMargin}. */
export interface WinMarginOptions extends ChartOptions, NativeOptions, ListOptions<WinMarginSort> {
  /** Order of the solvers from top to bottom. @default {"-wins"} */
  sort?: WinMarginSort | `-${WinMarginSort}`;
  /** Maximum number of solvers drawn. @default {60} */
  limit?: number;
}

const MOST_SOLVERS = 60;
/** Narrower figures stack their panels. */
const SIDE_BY_SIDE = 600;
const INNER_MARGIN = 18;
const RIGHT_MARGIN = 20;

interface Strip {
  solver: string;
  wins: number;
  rows: readonly WinMarginRow[];
}

function dotsOf(
  strips: readonly Strip[],
  column: "margin_native" | "margin_share",
  fill: string,
): StripDot[] {
  return strips.flatMap(({ rows }, place) =>
    rows.flatMap((row) => {
      const x = row[column];
      return isNumber(x) ? [{ place, x, fill, title: tooltipOf(row) }] : [];
    })
  );
}

function tooltipOf(row: WinMarginRow): string {
  const { margin_native: native, margin_share: share } = row;
  return [
    shortHex(row.solver),
    `auction ${row.auction_id}`,
    isNumber(native) ? `margin ${axisText(native)}` : null,
    isNumber(share) ? `${percentText(share)} of the total score` : null,
  ].filter((line) => line !== null).join("\n");
}

interface StripsPanel {
  heading: string;
  dots: readonly StripDot[];
  axis: ValueAxis;
  labels: readonly string[];
  /** Whether the labels are drawn. */
  isFirst: boolean;
  className: string;
  width: number;
  height: number | undefined;
  marginLeft: number | undefined;
}

function stripsPanel(options: StripsPanel): Panel {
  const { heading, dots, axis, labels, isFirst, className, width, height } = options;
  const marginLeft = isFirst ? options.marginLeft : INNER_MARGIN;
  const { y, ...list } = stripAxis(labels, { width, height, marginLeft });
  const axisWidth = width - list.marginLeft - RIGHT_MARGIN;
  return {
    heading,
    share: width,
    plot: {
      ...list,
      marginRight: RIGHT_MARGIN,
      x: axis.scale,
      y: isFirst ? y : { ...y, axis: null },
      r: STRIP_AREAS,
      marks: [
        ...(axis.isLinear ? [Plot.ruleX([0], { stroke: COLORS.grey })] : []),
        ...dotStrips(dots, {
          axis,
          axisWidth,
          noun: "win",
          isSingle: areSingle(dots.length),
          className,
        }),
      ],
    },
  };
}

const INPUT: ChartInput<WinMarginRow, WinMarginOptions> = {
  chart: "winMargin",
  rows: WIN_MARGIN_ROWS,
  options: {
    ...CHART_OPTIONS,
    ...NATIVE_OPTIONS,
    sort: orderBy("solver", "wins"),
    limit: LIMIT,
  },
};

/**
 * Draws the margin by which each solver won: total score less its reference score, one dot per
 * auction it won, in native tokens and beside it as a part of the auction's total score.
 *
 * Native amounts stand on a logarithmic axis where they differ a thousandfold. More than 1,500 wins
 * are drawn as dots sized by count.
 *
 * @param given Rows or a frame. One row per winning solver and auction; without rows the figure
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
export function winMargin(
  given: Rows<WinMarginRow>,
  options: WinMarginOptions = {},
): Chart<WinMarginRow> {
  const { rows, width } = readInput(given, options, INPUT);
  const { limit = MOST_SOLVERS } = options;
  const { nativeSymbol: native = NATIVE_TOKENS, source, sort = "-wins" } = options;
  const { rows: known, note } = rowsWithNumbers(rowsWithTexts(rows, ["solver"]), [
    "margin_native",
  ]);
  const strips = [...Map.groupBy(known, (row) => row.solver)]
    .map(([solver, wins]): Strip => ({ solver, wins: wins.length, rows: wins }));
  const sorted = sortRows(strips, sort);
  const [drawn, rest] = [sorted.slice(0, limit), sorted.slice(limit)];
  const auctions = new Set(known.map((row) => row.auction_id)).size;
  const axis = valueAxis(known.flatMap((row) => row.margin_native ?? []), {
    label: `Total − reference score (${native})`,
    noun: "margin",
  });
  const shares = known.map((row) => row.margin_share).filter(isNumber);
  const caption = captionText([
    `n = ${count(known.length, "win")} of ${count(strips.length, "solver")} in ` +
    count(auctions, "auction"),
    restNote(rest),
    note,
    shares.length < known.length && `${count(known.length - shares.length, "win")} without a share`,
    axis.note,
    known.length > 0 && dotNote(known.length, "win"),
  ], source);
  const middle = median(known.flatMap((row) => row.margin_native ?? []));
  if (middle === null) {
    return emptyFigure({
      title: "Winning margins",
      reason: rows.length === 0
        ? "No wins in this range"
        : "No win in this range has a known margin",
      caption,
      width,
    });
  }
  const middleShare = median(shares);
  const natives = dotsOf(drawn, "margin_native", COLORS.blue);
  const title = `What winners added to their auctions: median ${axisText(middle)} ${native}` +
    (middleShare === null ? "" : `, ${percentText(middleShare)} of the total score`);
  return drawFigure({
    title,
    description: `${title}. ${caption}`,
    legend: medianLegend(natives),
    panels: panelsOf(drawn, axis, { ...options, width }),
    caption,
    width,
    rows: drawn.flatMap((strip) => strip.rows),
  });
}

function restNote(rest: readonly Strip[]): string | null {
  if (rest.length === 0) return null;
  const wins = rest.reduce((sum, strip) => sum + strip.wins, 0);
  return `${count(rest.length, "more solver")} with ${count(wins, "win")} not drawn`;
}

function panelsOf(
  strips: readonly Strip[],
  axis: ValueAxis,
  { width, height, marginLeft }: WinMarginOptions & { width: number },
): (Panel | Panel[])[] {
  const labels = shortNames(strips.map((strip) => strip.solver));
  const room = listAxis(labels, { width, marginLeft }).marginLeft;
  const natives = dotsOf(strips, "margin_native", COLORS.blue);
  const shares = dotsOf(strips, "margin_share", COLORS.blue);
  const isWide = width >= SIDE_BY_SIDE && shares.length > 0;
  const right = isWide ? Math.floor((width - room) / 2) : 0;
  const size = { labels, height, marginLeft: room };
  const amount = stripsPanel({
    ...size,
    heading: "Amount",
    dots: natives,
    axis,
    isFirst: true,
    className: "margin",
    width: width - right,
  });
  if (shares.length === 0) return [amount];
  const share = stripsPanel({
    ...size,
    heading: "Share of the auction's total score",
    dots: shares,
    axis: percentAxis(shares.map((dot) => dot.x)),
    isFirst: !isWide,
    className: "margin_share",
    width: isWide ? right : width,
  });
  return isWide ? [[amount, share]] : [amount, share];
}

/** A linear axis of shares, labelled in percent, that shows 0 and 1. */
function percentAxis(shares: readonly number[]): ValueAxis {
  return fixedAxis({
    ...linearAxis([...shares, 1], { label: "% of the total score" }),
    tickFormat: (share: number) => axisText(Number((share * 100).toPrecision(6))),
  });
}
