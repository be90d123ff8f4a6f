import { percentAxis } from "../axes/axis_scale.ts";
import { type ChartOptions, LIMIT } from "../figure/chart_options.ts";
import { type Draw, picture } from "../figure/picture.ts";
import { COLORS, type LegendEntry } from "../looks.ts";
import { rankedList, stackedBars } from "../marks/bars.ts";
import { each, isCount, rowsWithNumbers } from "../rows.ts";
import { sum } from "../statistics.ts";
import { shareText } from "../texts/claim_text.ts";
import { count, partText, wholeText } from "../texts/count_text.ts";
import { percentText } from "../texts/label_text.ts";
import { shortHex, shortNames } from "../texts/short_names.ts";

/** How much of a token one settlement bought and sold: columns of `cow_shares`. */
export interface CowShareByTokenRow {
  /** Address of the token. */
  token: string;
  /** Its symbol, or its shortened address. */
  symbol?: string | null;
  /** What the settlement's orders bought of it, in whole tokens; `null` if decimals are unknown. */
  bought_tokens: number | null;
  /** The smaller of what they bought and sold of it, in whole tokens. */
  matched_tokens: number | null;
}

/** Whether a row may be of a token that was bought, but does not say how much of it. */
function isUnknown(
  { bought_tokens: bought, matched_tokens: matched }: CowShareByTokenRow,
): boolean {
  return !isCount(bought) || (bought > 0 && !isCount(matched));
}

/** Options of {@linkcode cowShareByToken}. */
export interface CowShareByTokenOptions extends ChartOptions {
  /** Maximum number of tokens drawn. @default {20} */
  limit?: number;
}

const MATCHED: LegendEntry = { label: "also sold by traders", fill: COLORS.green };

/**
 * Draws how much of what settlements bought of each token for traders their other orders sold: the
 * largest part that can have gone from trader to trader, largest first.
 *
 * It is an upper bound: what went through pools is only in transfers.
 *
 * @param rows Rows or a frame. One row per settlement and token; without rows the figure says so. Rows
 * that bought none, or of unknown decimals, are left out, and the caption counts the latter.
 * @returns The figure; its `rows` are those of the tokens drawn.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example A fifth of a token
 * ```ts
 * import { cowShareByToken } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const chart = cowShareByToken([
 *   { token: "0x01", symbol: "WETH", bought_tokens: 4, matched_tokens: 0 },
 *   { token: "0x01", symbol: "WETH", bought_tokens: 1, matched_tokens: 1 },
 * ]);
 *
 * assertMatch(chart.title, /In 1 of 2 \(50%\) cases, traders also sold what a settlement bought/);
 * ```
 */
export const cowShareByToken: Draw<CowShareByTokenRow, CowShareByTokenOptions> = picture({
  chart: "cowShareByToken",
  table: "cow_shares",
  columns: {
    ...each("text", "token"),
    ...each("text?", "symbol"),
    ...each("number", "bought_tokens", "matched_tokens"),
  },
  options: { limit: LIMIT },
  defaults: { limit: 20 },
  select: (rows, { limit }) => {
    const numbers = ["bought_tokens", "matched_tokens"] as const;
    const { rows: known } = rowsWithNumbers(rows, numbers, ["token"]);
    const bought = known.filter((row) => row.bought_tokens > 0 && isCount(row.matched_tokens));
    const bars = [...Map.groupBy(bought, ({ token }) => token)].map(([token, own]) => ({
      token,
      symbol: own.find(({ symbol }) => symbol)?.symbol ?? token,
      rows: own,
      matched: own.filter((row) => row.matched_tokens > 0).length,
      share: Math.min(
        1,
        sum(own, (row) => row.matched_tokens) / sum(own, (row) => row.bought_tokens),
      ),
    })).sort((a, b) => b.share - a.share || b.rows.length - a.rows.length);
    const shown = bars.slice(0, limit);
    return {
      bars,
      shown,
      drawn: shown.flatMap((bar) => bar.rows),
      bought: bought.length,
      matched: sum(bars, (bar) => bar.matched),
      unknown: rows.filter(isUnknown).length,
    };
  },
  empty: {
    title: "What traders may have bought from traders",
    noRows: "No settlements in this range",
    noValues: "No settlement in this range bought a token of known decimals",
  },
  axes: ({ shown }) => ({
    axis: percentAxis(shown.map(({ share }) => share), "Of what was bought, also sold (%)"),
  }),
  panels: ({ shown, axis, ...size }) => [
    rankedList({
      ...size,
      labels: shortNames(shown.map(({ symbol }) => String(symbol))),
      axis,
      column: shown.map(({ matched, rows }) =>
        `${wholeText(matched)} of ${wholeText(rows.length)}`
      ),
      hasBaseline: true,
      marks: () => [
        stackedBars(
          shown.map(({ token, symbol, matched, rows, share }, place) => ({
            place,
            value: share,
            fill: MATCHED.fill,
            title: `${symbol} (${shortHex(token)})\n${percentText(share)} of what was bought\n` +
              `in ${partText(matched, rows.length)} settlements that bought it`,
          })),
          { className: "matched" },
        ),
      ],
    }),
  ],
  legend: () => [MATCHED],
  finding: ({ shown: [most], bought, matched }) => [
    `Settlements bought a token for traders ${count(bought, "time")}, and their orders also sold ` +
    `it in ${partText(matched, bought)}`,
    matched > 0 && most !== undefined &&
    `The most is of ${most.symbol}: other traders sold at most ` +
      `${shareText(most.share, most.rows.length, "of what was bought of it")}`,
  ],
  title: ({ bought, matched }) =>
    `In ${partText(matched, bought)} cases, traders also sold what a settlement bought`,
  caption: ({ bars, shown, bought, unknown }) => [
    `n = ${count(bought, "token")} of settlements`,
    shown.length > 0 && "An upper bound: what went through pools is only in transfers",
    bars.length > shown.length && `${count(bars.length - shown.length, "more token")} not drawn`,
    unknown > 0 && `${wholeText(unknown)} of unknown decimals left out`,
  ],
});
