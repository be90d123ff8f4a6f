import type { KnownTime } from "../../metrics/mod.ts";
import type { Competition } from "../../schemas/mod.ts";
import { integer, text } from "../../tables/columns/columns.ts";
import { auctionTimeColumns } from "../../tables/columns/time_columns.ts";
import type { Table } from "../../tables/mod.ts";

/** An auction and when it began. */
export interface AuctionFacts {
  /** The auction. */
  readonly competition: Competition;
  /** When it began; `null` where nothing tells. */
  readonly auctionAt: KnownTime | null;
  /** Number of orders that it lists. */
  readonly orderCount: number;
}

/** One row per auction with solutions. */
export const AUCTIONS: Table<AuctionFacts> = {
  name: "auctions",
  grain: "One auction for which solvers proposed solutions",
  columns: [
    integer("auction_id", {
      source: "competition.auctionId",
      cell: ({ competition }) => competition.auctionId,
    }),
    ...auctionTimeColumns<AuctionFacts>(({ auctionAt }) => auctionAt),
    integer("auction_start_block", {
      source: "competition.auctionStartBlock",
      cell: ({ competition }) => competition.auctionStartBlock,
    }),
    integer("deadline_block", {
      source: "competition.auctionDeadlineBlock: the last block in which to settle",
      cell: ({ competition }) => competition.auctionDeadlineBlock ?? null,
    }),
    integer("order_count", {
      unit: "orders",
      source: "number of competition.auction.orders",
      cell: ({ orderCount }) => orderCount,
    }),
    integer("solution_count", {
      unit: "solutions",
      source: "number of competition.solutions",
      cell: ({ competition }) => competition.solutions.length,
    }),
    integer("winner_count", {
      unit: "solutions",
      source: "number of solutions with isWinner",
      cell: ({ competition }) => competition.solutions.filter((one) => one.isWinner).length,
    }),
    text("tx_hashes", {
      source: "competition.transactionHashes, sorted and joined by spaces; null without any",
      cell: ({ competition }) => competition.transactionHashes.toSorted().join(" ") || null,
    }),
  ],
};
