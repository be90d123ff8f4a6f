import * as Plot from "@observablehq/plot";
import { createDifferenceAxis, type DifferenceAxis } from "../axes/axis_scale.ts";
import { type ListSize, MAX_LABELS, TICK_LENGTH } from "../axes/row_axes.ts";
import { type ChartOptions, LIMIT } from "../figure/chart_options.ts";
import type { Panel } from "../figure/panel.ts";
import { defineChart, type Draw } from "../figure/picture.ts";
import { createNumberScale, createTimeScale } from "../general/time_plan.ts";
import { COLORS, type MarkLook } from "../looks.ts";
import { createListPanel } from "../marks/bars.ts";
import {
  createDotPanel,
  drawDots,
  drawEndLabels,
  drawReferences,
  type Reference,
  spreadLabels,
} from "../marks/dot_plot.ts";
import {
  declare,
  describeEarliest,
  filterOrder,
  isNumber,
  readSeconds,
  selectNumeric,
  type WithNumbers,
} from "../rows.ts";
import { extent, max } from "../statistics.ts";
import { count, formatPart, formatWhole } from "../texts/count_text.ts";
import {
  bpsText,
  fitText,
  formatBpsTogether,
  formatExact,
  measureLabel,
  measureLabelMargin,
} from "../texts/label_text.ts";
import { readSolverNames, shortenHex, type SolverNames } from "../texts/short_names.ts";

/** One solver's bid for the order in one auction: columns of `bids`. */
export interface OrderBidRow {
  /** UID of the order. */
  order_uid?: string | null;
  /** Id of the auction. */
  auction_id: number;
  /** Address or name of the solver. */
  solver: string;
  /** Name of the solver; `null` if unknown. */
  solver_name?: string | null;
  /** Place of its solution, from 1. */
  ranking: number;
  /** Start of the auction, in unix milliseconds; the earliest if `time_basis` is `bracketed`. */
  auction_at_ms?: number | null;
  /** Source of that time: `block` or `bracketed`; `null` if it is unknown. */
  time_basis?: string | null;
  /** Whether the solution won. */
  is_winner: boolean;
  /** Whether the solution was filtered out as unfair to a pair; `null` where that was not stored. */
  filtered_out: boolean | null;
  /** Whether the bid became a fill; `null` or absent where that is not known. */
  is_executed?: boolean | null;
  /** Improvement of the bid over the limit, in basis points of the limit. */
  over_limit_bps: number | null;
  /** The stored quote before any fee, in basis points over the limit; the same on every row. */
  quote_gross_over_limit_bps?: number | null;
  /** The quote less its network fee, in basis points over the limit; the same on every row. */
  quote_net_over_limit_bps?: number | null;
  /** The quote shown to the trader, in basis points over the limit; the same on every row. */
  quote_user_shown_over_limit_bps?: number | null;
}

/** Options of {@linkcode bidsForOrder}. */
export interface BidsForOrderOptions extends ChartOptions {
  /** UID of the order; bids for others are left out. @default {that of all rows} */
  orderUid?: string;
  /** Up to this many bids get one row each; more are drawn as dots over time. @default {40} */
  limit?: number;
}

type PlacedBid = WithNumbers<OrderBidRow, "over_limit_bps">;

/** Looks of bids, by outcome. */
const BID_LOOKS = {
  executed: { label: "bid that was executed", fill: COLORS.blue, stroke: COLORS.ink },
  winner: { label: "winner, not executed", fill: COLORS.sky, stroke: COLORS.blue },
  lost: { label: "did not win", fill: COLORS.grey, stroke: COLORS.muted },
  filtered: { label: "filtered out", fill: "white", stroke: COLORS.vermilion },
  unknown: { label: "winner", fill: COLORS.blue, stroke: COLORS.blue },
} as const satisfies Readonly<Record<string, MarkLook>>;

function pickLook(row: OrderBidRow): MarkLook {
  if (row.filtered_out) return BID_LOOKS.filtered;
  if (row.is_executed === true) return BID_LOOKS.executed;
  if (!row.is_winner) return BID_LOOKS.lost;
  return row.is_executed === false ? BID_LOOKS.winner : BID_LOOKS.unknown;
}

function formatTooltip(row: PlacedBid, names: SolverNames): string {
  return `${names.formatWithHex(row.solver)}, auction ${row.auction_id}\n` +
    `ranking ${row.ranking}, ${pickLook(row).label}\n` +
    `${formatExact(row.over_limit_bps)} bps over the limit`;
}

const QUOTES = [
  ["gross quote", "quote_gross_over_limit_bps"],
  ["net quote", "quote_net_over_limit_bps"],
  ["quote as shown", "quote_user_shown_over_limit_bps"],
] as const;

function listReferences(rows: readonly OrderBidRow[]): Reference[] {
  const quotes = QUOTES.flatMap(([text, column]) => {
    const value = rows.map((row) => row[column]).find(isNumber);
    return value === undefined ? [] : [{ text, value, dash: "5 3" }];
  });
  return [{ text: "limit", value: 0, dash: "none" }, ...quotes].map((reference) => ({
    ...reference,
    title: `${reference.text}: ${bpsText(reference.value)} over the limit`,
  }));
}

function nameOrders(rows: readonly OrderBidRow[], uid: string | undefined): string {
  const [only = uid, ...otherUids] = new Set(rows.flatMap((row) => row.order_uid ?? []));
  if (otherUids.length > 0) return `${formatWhole(otherUids.length + 1)} orders`;
  return only === undefined ? "an order" : `order ${shortenHex(only)}`;
}

/** Whether rows name different quotes, and so are bids for different orders. */
function hasDifferentQuotes(rows: readonly OrderBidRow[]): boolean {
  return QUOTES.some(([, column]) => {
    const quotes = rows.map((row) => row[column]).filter(isNumber);
    const [first = 0] = quotes;
    return quotes.some((bps) => Math.abs(bps - first) > 1e-6 * Math.max(1, Math.abs(first)));
  });
}

/**
 * Draws each solver's bid for one order in each auction, in basis points over its limit,
 * with lines for the limit and for the quotes that are known. Up to `limit` bids have a row each,
 * best first within their auction; more are dots over the times of their auctions
 * (`auction_at_ms`), or over their ids where the time of none is known.
 *
 * A bid is the price of this order in a solution; the auction picks whole solutions, so the best
 * bid for one order may not win.
 *
 * @param rows Rows or a frame. One row per bid; bids without a price are counted in the caption;
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
 *   "Bids for an order: 2 bids in auction 7, the best +50.0 bps over the limit",
 * );
 * ```
 */
export const bidsForOrder: Draw<OrderBidRow, BidsForOrderOptions> = defineChart({
  chart: "bidsForOrder",
  table: "bids",
  columns: {
    ...declare("text?", "order_uid", "solver_name", "time_basis"),
    ...declare("number", "auction_id", "ranking", "over_limit_bps"),
    ...declare("text", "solver"),
    ...declare(
      "number?",
      "auction_at_ms",
      "quote_gross_over_limit_bps",
      "quote_net_over_limit_bps",
    ),
    ...declare("number?", "quote_user_shown_over_limit_bps"),
    ...declare("flag", "is_winner", "filtered_out"),
    ...declare("flag?", "is_executed"),
  },
  options: { orderUid: String, limit: LIMIT },
  defaults: { limit: 40 },
  select: (allRows, { orderUid, limit }) => {
    const rows = orderUid === undefined ? allRows : filterOrder(allRows, orderUid);
    const { rows: pricedRows, leftOut } = selectNumeric(rows, ["over_limit_bps"]);
    const bids = pricedRows
      .toSorted((a, b) => a.auction_id - b.auction_id || b.over_limit_bps - a.over_limit_bps);
    const subject = `Bids for ${nameOrders(rows, orderUid)}`;
    const isList = bids.length <= limit;
    const timed = isList ? [] : bids.flatMap(({ auction_id: id, auction_at_ms: startMs }) => {
      const seconds = readSeconds(startMs);
      return seconds === null ? [] : [[id, seconds] as const];
    });
    const times: ReadonlyMap<number, number> = new Map(timed);
    const drawnRows = times.size === 0 ? bids : bids.filter((bid) => times.has(bid.auction_id));
    const untimed = bids.length - drawnRows.length;
    const names = readSolverNames(drawnRows);
    return { drawnRows, leftOut, untimed, isList, times, subject, names };
  },
  empty: ({ subject }) => ({
    title: subject,
    noRows: "No bids for this order",
    noValues: "No bid for this order has a price",
  }),
  axes: ({ drawnRows }) => {
    const references = listReferences(drawnRows);
    const values = drawnRows.map((bid) => bid.over_limit_bps);
    return {
      references,
      axis: createDifferenceAxis([...values, ...references.map(({ value }) => value)], "bps"),
    };
  },
  panels: ({ drawnRows, isList, ...options }) => [
    (isList ? createBidsList : createBidsPlot)(drawnRows, options),
  ],
  series: () => Object.values(BID_LOOKS),
  legend: ({ drawnRows }) => {
    const looks = new Set(drawnRows.map(pickLook));
    return Object.values(BID_LOOKS).filter((look) => looks.has(look))
      .map((look) => ({ ...look, shape: "dot" }));
  },
  finding: ({ drawnRows, names }) => {
    const best = drawnRows.reduce((a, b) => b.over_limit_bps > a.over_limit_bps ? b : a);
    const filtered = drawnRows.filter((bid) => bid.filtered_out).length;
    const solvers = new Set(drawnRows.map(({ solver }) => solver)).size;
    const isKnown = ([, column]: typeof QUOTES[number]) =>
      drawnRows.some((bid) => isNumber(bid[column]));
    const [name, column] = QUOTES.findLast(isKnown) ?? QUOTES[0];
    const leads = drawnRows.flatMap(({ over_limit_bps: bps, [column]: quote }) =>
      isNumber(quote) ? bps - quote : []
    );
    const betterCount = leads.filter((bps) => bps > 0).length;
    return [
      `${count(solvers, "solver")} made ${count(drawnRows.length, "bid")}` +
      (filtered === 0 ? "" : `; ${formatWhole(filtered)} in solutions that were filtered out`),
      `The best was ${bpsText(best.over_limit_bps)} over the limit, by ` +
      `${names.formatLabel(best.solver)} (${pickLook(best).label})`,
      leads.length > 0 &&
      `${formatPart(betterCount, leads.length)} bids were better than the ${name}`,
    ];
  },
  title: ({ subject, drawnRows }) => {
    const ids = new Set(drawnRows.map((row) => row.auction_id));
    const best = max(drawnRows.map((row) => row.over_limit_bps))!;
    return `${subject}: ${count(drawnRows.length, "bid")} in ` +
      `${ids.size === 1 ? `auction ${[...ids][0]}` : count(ids.size, "auction")}, ` +
      `the best ${bpsText(best)} over the limit`;
  },
  caption: ({ drawnRows, leftOut, untimed, times, axis }) => [
    `n = ${count(drawnRows.length, "bid")}`,
    leftOut > 0 && `${count(leftOut, "bid")} without a price left out`,
    untimed > 0 && `${count(untimed, "bid")} in auctions without a known time left out`,
    times.size > 0 && describeEarliest(drawnRows, "bid"),
    axis?.note,
    hasDifferentQuotes(drawnRows) && "The rows have different quotes; only the first is shown",
    drawnRows.length > 0 &&
    "Auctions pick whole solutions, so the best bid for one order may lose",
  ],
});

const LINE = 13;
/** Margins of a panel of dots, in pixels. */
const [TOP, BOTTOM] = [28, 44];

/** Minimum length of an axis of times, in seconds. */
const MIN_SPAN = 60;

/** Creates the scale of the auctions: their times, or their ids if no time is known. */
function createAuctionScale(places: readonly number[], isTime: boolean): Plot.ScaleOptions {
  const [low = 0, high = 0] = extent(places);
  const pad = Math.max(0, (isTime ? MIN_SPAN : 2) - (high - low)) / 2;
  const domain = [low - pad, high + pad] as const;
  return isTime
    ? createTimeScale(domain, "Start of the auction")
    : createNumberScale(domain, "Auction", "auction_id");
}

/** Draws bids as dots over the times of their auctions, or over their ids if no time is known. */
function createBidsPlot(
  bids: readonly PlacedBid[],
  { references, axis, names, times, height = 360, marginLeft }: BidsOptions,
): Panel {
  const dots = bids.map((row) => ({
    row,
    x: times.size === 0 ? row.auction_id : times.get(row.auction_id) ?? NaN,
    y: row.over_limit_bps,
    color: pickLook(row).fill,
    outline: pickLook(row).stroke,
    title: formatTooltip(row, names),
  }));
  const labels = spreadLabels(
    references.map(({ text, value }) => ({ text, y: axis.fraction(value) })),
    { gap: LINE / (height - TOP - BOTTOM), max: 1 },
  ).map((label) => ({ ...label, y: axis.valueAt(label.y) }));
  return createDotPanel({
    height,
    marginLeft,
    marginTop: TOP,
    marginBottom: BOTTOM,
    marginRight: measureLabelMargin(references.map(({ text }) => text)),
    x: { ...createAuctionScale(dots.map(({ x }) => x), times.size > 0), grid: true, inset: 8 },
    y: { ...axis.scale, label: "↑ Bid over the limit (bps), better" },
    marks: [
      ...references.map(({ value, title, dash }) =>
        Plot.ruleY([value], {
          y: axis.clamp,
          stroke: COLORS.ink,
          strokeDasharray: dash,
          title: () => title,
          className: "reference",
        })
      ),
      ...drawDots(dots, { noun: "bid", y: axis }),
      drawEndLabels(labels, {}),
    ],
  });
}

interface BidsOptions extends ListSize {
  axis: DifferenceAxis;
  references: readonly Reference[];
  names: SolverNames;
  /** Starts of auctions by id, in seconds since 1970; empty if no time is known. */
  times: ReadonlyMap<number, number>;
}

const SHADE = "#f3f5f7";

/** Lists the rows of every second auction, which are shaded. */
function listShadedRows(bids: readonly PlacedBid[]): number[] {
  let isShaded = true;
  return bids.flatMap((bid, index) => {
    if (bids[index - 1]?.auction_id !== bid.auction_id) isShaded = !isShaded;
    return isShaded ? [index] : [];
  });
}

/**
 * Labels the first bid of each auction with its id, which is never cut, unless there is one auction,
 * which the title names.
 */
function formatLabels(bids: readonly PlacedBid[], names: SolverNames, room: number): string[] {
  const isOneAuction = bids[0]?.auction_id === bids.at(-1)?.auction_id;
  return bids.map(({ auction_id: id, solver }, index) => {
    const name = names.formatLabel(solver);
    if (isOneAuction || bids[index - 1]?.auction_id === id) return name;
    const label = `auction ${id}: ${name}`;
    const start = `${id}: `;
    return measureLabel(label) <= room ? label : start + fitText(name, room - measureLabel(start));
  });
}

/** Draws bids as a list: auctions from top to bottom, the best bid of each first. */
function createBidsList(
  bids: readonly PlacedBid[],
  { references, axis, names, ...size }: BidsOptions,
): Panel {
  const [low, high] = axis.domain;
  const y = (_: unknown, index: number) => index;
  const pickStroke = (bid: PlacedBid) => pickLook(bid).stroke;
  return createListPanel({
    ...size,
    marginTop: references.length * LINE + 8,
    labels: formatLabels(bids, names, (size.marginLeft ?? size.width * MAX_LABELS) - TICK_LENGTH),
    axis,
    label: "Bid over the limit (bps), better →",
    marks: (room) => [
      Plot.barX(listShadedRows(bids), {
        x1: () => low,
        x2: () => high,
        y: (index: number) => index,
        fill: SHADE,
        insetTop: -3,
        insetBottom: -3,
      }),
      ...drawReferences(references, { ...room, axis, heights: [2, LINE] }, {
        line: { className: "reference" },
      }),
      Plot.ruleY(bids, {
        x1: () => axis.clamp(0),
        x2: (bid: PlacedBid) => axis.clamp(bid.over_limit_bps),
        y,
        stroke: pickStroke,
        strokeWidth: 1.5,
      }),
      Plot.dot(bids, {
        x: (bid: PlacedBid) => axis.clamp(bid.over_limit_bps),
        y,
        r: 5,
        fill: (bid: PlacedBid) => pickLook(bid).fill,
        stroke: pickStroke,
        strokeWidth: 1.5,
        title: (bid: PlacedBid) => formatTooltip(bid, names),
        className: "bid",
      }),
    ],
    column: formatBpsTogether(bids.map((bid) => bid.over_limit_bps)),
  });
}
