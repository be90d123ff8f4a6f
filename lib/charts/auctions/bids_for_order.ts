import { TEXT } from "../../errors/option_rules.ts";
import { bidsList } from "./bids_list.ts";
import { bidsOverAuctions } from "./bids_over_auctions.ts";
import type { Chart } from "../figure/chart.ts";
import { type ChartInput, readInput } from "../figure/chart_input.ts";
import { CHART_OPTIONS, type ChartOptions, LIMIT } from "../figure/chart_options.ts";
import { drawFigure, emptyFigure, type LegendEntry } from "../figure/figure.ts";
import {
  BID_LOOKS,
  bidLook,
  type BidReference,
  ORDER_BID_ROWS,
  type OrderBidRow,
  type PlacedBid,
} from "./order_bid.ts";
import type { Rows } from "../rows/row_kind.ts";
import { captionText, count, isNumber, rowsWithNumbers } from "../rows/row_selection.ts";
import { shortHex } from "../texts/short_hex.ts";
import { bpsText } from "../texts/signed_text.ts";

/** Options of {@linkcode bidsForOrder}. */
export interface BidsForOrderOptions extends ChartOptions {
  /** UID of the order, for the title. @default {"an order"} */
  orderUid?: string;
  /** Up to this many bids get one row each; more are drawn as dots over auctions. @default {40} */
  limit?: number;
}

const QUOTES = [
  ["gross quote", "quote_gross_over_limit_bps"],
  ["net quote", "quote_net_over_limit_bps"],
  ["quote as shown", "quote_user_shown_over_limit_bps"],
] as const;

const MOST_LISTED = 40;

/** The limit, and the quotes that are known. */
function referencesOf(rows: readonly OrderBidRow[]): BidReference[] {
  const quotes = QUOTES.flatMap(([name, column]) => {
    const bps = rows.map((row) => row[column]).find(isNumber);
    return bps === undefined ? [] : [{ name, bps }];
  });
  return [{ name: "limit", bps: 0 }, ...quotes];
}

/** Whether rows name different quotes, so that they are not bids for one order. */
function differInQuote(rows: readonly OrderBidRow[]): boolean {
  return QUOTES.some(([, column]) => {
    const known = rows.map((row) => row[column]).filter(isNumber);
    const [first = 0] = known;
    return known.some((bps) => Math.abs(bps - first) > 1e-6 * Math.max(1, Math.abs(first)));
  });
}

function titleOf(bids: readonly PlacedBid[], name: string): string {
  const auctions = new Set(bids.map((row) => row.auction_id)).size;
  const best = bids.reduce((most, row) => Math.max(most, row.over_limit_bps), -Infinity);
  return `Bids for ${name}: ${count(bids.length, "bid")} in ${count(auctions, "auction")}, ` +
    `the best ${bpsText(best)} over the limit`;
}

const INPUT: ChartInput<OrderBidRow, BidsForOrderOptions> = {
  chart: "bidsForOrder",
  rows: ORDER_BID_ROWS,
  options: {
    ...CHART_OPTIONS,
    orderUid: TEXT,
    limit: LIMIT,
  },
};

/**
 * Draws each solver's bid for one order in each auction, in basis points over its limit,
 * with lines for the limit and for the quotes that are known. Up to `limit` bids have a row each,
 * best first within their auction; more are dots over the auctions.
 *
 * A bid is the price of this order in a solution; the auction picks whole solutions, so the best
 * bid for one order may not win.
 *
 * @param given Rows or a frame. One row per bid; bids without a price are counted in the caption;
 * without rows the figure says so.
 * @returns The figure; its `rows` are the bids that are drawn.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example Two bids, of which the one that won was executed
 * ```ts
 * import { bidsForOrder } from "orderlens/charts";
 * import { assertEquals } from "@std/assert";
 *
 * const common = { auction_id: 7, filtered_out: false, quote_net_over_limit_bps: 45 };
 * const chart = bidsForOrder([
 *   { ...common, solver: "A", ranking: 1, is_winner: true, is_executed: true, over_limit_bps: 50 },
 *   { ...common, solver: "B", ranking: 2, is_winner: false, over_limit_bps: 40 },
 * ]);
 *
 * assertEquals(
 *   chart.title,
 *   "Bids for an order: 2 bids in 1 auction, the best +50.0 bps over the limit",
 * );
 * ```
 */
export function bidsForOrder(
  given: Rows<OrderBidRow>,
  options: BidsForOrderOptions = {},
): Chart<OrderBidRow> {
  const { rows, width } = readInput(given, options, INPUT);
  const { limit = MOST_LISTED } = options;
  const name = options.orderUid === undefined ? "an order" : `order ${shortHex(options.orderUid)}`;
  const { rows: kept, leftOut } = rowsWithNumbers(rows, ["over_limit_bps"]);
  const bids = kept.filter((row): row is PlacedBid => isNumber(row.over_limit_bps))
    .toSorted((a, b) => a.auction_id - b.auction_id || b.over_limit_bps - a.over_limit_bps);
  const notes = [
    `n = ${count(bids.length, "bid")}`,
    leftOut === 0 ? null : `${count(leftOut, "bid")} without a price left out`,
  ];
  if (bids.length === 0) {
    return emptyFigure({
      title: `Bids for ${name}`,
      reason: rows.length === 0 ? "No bids for this order" : "No bid for this order has a price",
      caption: captionText(notes, options.source),
      width,
    });
  }
  const references = referencesOf(bids);
  const draw = bids.length <= limit ? bidsList : bidsOverAuctions;
  const { panel, note } = draw(bids, { ...options, width, references });
  const looks = new Set(bids.map(bidLook));
  const legend: LegendEntry[] = Object.values(BID_LOOKS).filter((look) => looks.has(look))
    .map((look) => ({ ...look, shape: "dot" }));
  const caption = captionText([
    ...notes,
    note,
    differInQuote(bids) && "The rows have different quotes; the first is drawn",
    "Auctions pick whole solutions: the best bid for one order need not win",
  ], options.source);
  const title = titleOf(bids, name);
  return drawFigure({
    title,
    description: `${title}. ${caption}`,
    legend,
    panels: [panel],
    caption,
    width,
    rows: bids,
  });
}
