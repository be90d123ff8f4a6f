import { exactText } from "../texts/axis_text.ts";
import { COLORS } from "../figure/colors.ts";
import type { RowKind } from "../rows/row_kind.ts";
import { secondsFrom } from "../rows/row_time.ts";
import type { SolverNames } from "../texts/solver_names.ts";

/** What one solver offered for the order in one auction: columns of `bidsTable`. */
export interface OrderBidRow {
  /** Id of the auction. */
  auction_id: number;
  /** Address or name of the solver. */
  solver: string;
  /** Name of the solver; `null` if unknown. */
  solver_name?: string | null;
  /** Place of its solution, from 1. */
  ranking: number;
  /** When the auction began, in unix milliseconds; the earliest if `time_basis` is `bracketed`. */
  auction_at_ms?: number | null;
  /** How that time is known: `block` or `bracketed`; `null` if it is not. */
  time_basis?: string | null;
  /** Whether the solution won. */
  is_winner: boolean;
  /** Whether the solution was filtered out as unfair to a pair; `null` where that was not stored. */
  filtered_out: boolean | null;
  /** Whether the bid became a fill; `null` or absent where that is not known. */
  is_executed?: boolean | null;
  /** How much better than the limit the bid is, in basis points of the limit. */
  over_limit_bps: number | null;
  /** The stored quote before any fee, in basis points over the limit; the same on every row. */
  quote_gross_over_limit_bps?: number | null;
  /** The quote less its network fee, in basis points over the limit; the same on every row. */
  quote_net_over_limit_bps?: number | null;
  /** What the trader was shown, in basis points over the limit; the same on every row. */
  quote_user_shown_over_limit_bps?: number | null;
}

/** The table these rows come from, and its columns. */
export const ORDER_BID_ROWS: RowKind<OrderBidRow> = {
  table: "bidsTable",
  columns: {
    auction_id: "number",
    solver: "text",
    solver_name: "text?",
    ranking: "number",
    auction_at_ms: "number?",
    time_basis: "text?",
    is_winner: "flag",
    filtered_out: "flag",
    is_executed: "flag?",
    over_limit_bps: "number",
    quote_gross_over_limit_bps: "number?",
    quote_net_over_limit_bps: "number?",
    quote_user_shown_over_limit_bps: "number?",
  },
};

/** When the auctions of bids began, by id, in seconds since 1970. */
export function auctionTimesOf(bids: readonly OrderBidRow[]): Map<number, number> {
  return new Map(bids.flatMap(({ auction_id: id, auction_at_ms: at }): [number, number][] => {
    const seconds = secondsFrom(at);
    return seconds === null ? [] : [[id, seconds]];
  }));
}

/** A bid that can be drawn. */
export interface PlacedBid extends OrderBidRow {
  /** How much better than the limit the bid is, in basis points of the limit. */
  over_limit_bps: number;
}

/** How a bid looks, by what became of its solution. */
export interface BidLook {
  /** What became of it. */
  label: string;
  /** Fill of its mark. */
  fill: string;
  /** Stroke of its mark. */
  stroke: string;
}

/** What may become of a bid, and how it looks then. */
export const BID_LOOKS = {
  executed: { label: "bid that was executed", fill: COLORS.blue, stroke: COLORS.ink },
  winner: { label: "winner, not executed", fill: COLORS.sky, stroke: COLORS.blue },
  lost: { label: "did not win", fill: COLORS.grey, stroke: COLORS.muted },
  filtered: { label: "filtered out", fill: "white", stroke: COLORS.vermilion },
  unknown: { label: "winner", fill: COLORS.blue, stroke: COLORS.blue },
} as const satisfies Readonly<Record<string, BidLook>>;

/** How a bid looks. */
export function bidLook(row: OrderBidRow): BidLook {
  if (row.filtered_out) return BID_LOOKS.filtered;
  if (row.is_executed === true) return BID_LOOKS.executed;
  if (!row.is_winner) return BID_LOOKS.lost;
  return row.is_executed === false ? BID_LOOKS.winner : BID_LOOKS.unknown;
}

/** What the tooltip of a bid says. */
export function bidTooltip(row: PlacedBid, names: SolverNames): string {
  return `${names.withHex(row.solver)}, auction ${row.auction_id}\n` +
    `ranking ${row.ranking}, ${bidLook(row).label}\n${
      exactText(row.over_limit_bps)
    } bps over the limit`;
}
