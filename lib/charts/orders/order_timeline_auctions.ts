import { COLORS } from "../figure/chart_options.ts";
import { count, isNumber } from "../rows.ts";
import { extent } from "../statistics.ts";
import type { OrderTimelineAuction } from "./order_rows.ts";

/** An auction that had the order in it, or several at one place. */
export interface AuctionDot {
  /** Its lane, by what became of the order in it. */
  lane: string;
  /** Where it stands along the axis. */
  at: number;
  /** Colour of the dot. */
  color: string;
  /** What its tooltip says. */
  title: string;
}

/** Lanes of auctions by what became of the order, from top to bottom. */
export const AUCTION_LANES = {
  silent: "auction without a bid",
  bid: "auction with bids, lost",
  won: "auction won",
  unknown: "auction",
} as const;

const COLOR_OF: Readonly<Record<string, string>> = {
  [AUCTION_LANES.silent]: COLORS.grey,
  [AUCTION_LANES.bid]: COLORS.orange,
  [AUCTION_LANES.won]: COLORS.blue,
  [AUCTION_LANES.unknown]: COLORS.muted,
};
/** Auctions nearer to each other than this part of the axis are one dot. */
const CELLS = 200;

function laneOf({ bid_count: bids, is_won: isWon }: OrderTimelineAuction): string {
  if (isWon === true) return AUCTION_LANES.won;
  if (bids === 0) return AUCTION_LANES.silent;
  return isNumber(bids) && bids > 0 ? AUCTION_LANES.bid : AUCTION_LANES.unknown;
}

/** One dot per auction, or a dot for those at one place of a lane. */
export function auctionDots(
  auctions: readonly { readonly row: OrderTimelineAuction; readonly at: number }[],
  [low, high]: readonly [number, number],
): AuctionDot[] {
  const cellOf = ({ row, at }: { row: OrderTimelineAuction; at: number }) =>
    `${laneOf(row)} ${Math.round((at - low) / (high - low || 1) * CELLS)}`;
  return [...Map.groupBy(auctions, cellOf).values()].map((members) => {
    const [first] = members;
    const lane = laneOf(first!.row);
    const title = members.length === 1
      ? auctionTooltip(first!.row)
      : manyTooltip(members.map(({ row }) => row), lane);
    return { lane, at: first!.at, color: COLOR_OF[lane] ?? COLORS.muted, title };
  });
}

/** Radius of the dots, in pixels. */
export function auctionRadius(dots: readonly AuctionDot[]): number {
  return dots.length > 60 ? 2.5 : 4;
}

function auctionTooltip(row: OrderTimelineAuction): string {
  const deadline = isNumber(row.deadline_block) ? `, to settle until ${row.deadline_block}` : "";
  const bids = isNumber(row.bid_count) ? `\n${count(row.bid_count, "bid")} for the order` : "";
  return `auction ${row.auction_id}\nblock ${row.block_number}${deadline}${bids}`;
}

function manyTooltip(rows: readonly OrderTimelineAuction[], lane: string): string {
  const [first, last] = extent(rows.map((row) => row.auction_id));
  return `${count(rows.length, "auction")} (${lane})\nfrom ${first} to ${last}`;
}
