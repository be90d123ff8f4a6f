import type { KnownTime, RecognizedPath } from "../../metrics/mod.ts";
import type { Competition, Solution } from "../../schemas/mod.ts";
import {
  AUCTION_ID,
  AUCTION_PATH,
  AUCTION_PATH_BASIS,
  DEADLINE_BLOCK,
  START_BLOCK,
} from "../../tables/auctions/auction_columns.ts";
import {
  type ReferenceScoreFacts,
  referenceScoresOf,
} from "../../tables/auctions/settlement_attempts.ts";
import {
  auctionTimeColumns,
  integer,
  native,
  solver,
  text,
  time,
} from "../../tables/columns/columns.ts";
import type { Table } from "../../tables/mod.ts";

/** An auction and when it began. */
interface AuctionFacts {
  /** The auction. */
  readonly competition: Competition;
  /** When it began; `null` where nothing tells. */
  readonly auctionAt: KnownTime | null;
  /** Number of orders that it lists. */
  readonly orderCount: number;
  /** Whether the service stored which solutions it filtered out. */
  readonly isFilterStored: boolean;
  /** How the auction was decided. */
  readonly path: RecognizedPath;
  /** Reference scores of the solvers that won. */
  readonly references: readonly ReferenceScoreFacts[];
}

/** What is known of an auction besides its answer. */
export function auctionFacts(
  competition: Competition,
  known: Pick<AuctionFacts, "auctionAt" | "orderCount" | "isFilterStored" | "path">,
): AuctionFacts {
  const references = referenceScoresOf(competition).filter(({ wins }) => wins > 0);
  return { ...known, competition, references };
}

function winnersOf({ solutions }: Competition): Solution[] {
  return solutions.filter(({ isWinner }) => isWinner);
}

function rankedIn({ solutions }: Competition, rank: number): Solution | undefined {
  return solutions.find(({ ranking }) => ranking === rank);
}

/** One row per auction with solutions. */
export const AUCTIONS: Table<AuctionFacts> = {
  name: "auctions",
  grain: "One auction for which solvers proposed solutions",
  columns: [
    AUCTION_ID,
    ...auctionTimeColumns<AuctionFacts>(({ auctionAt }) => auctionAt),
    START_BLOCK,
    DEADLINE_BLOCK,
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
    integer("filtered_count", {
      unit: "solutions",
      source:
        "number of solutions that were filtered out; null where the service did not store it yet",
      cell: ({ competition, isFilterStored }) =>
        isFilterStored
          ? competition.solutions.filter(({ filteredOut }) => filteredOut).length
          : null,
    }),
    integer("winning_solver_count", {
      unit: "solvers",
      source: "number of solvers with a winning solution",
      cell: ({ competition }) =>
        new Set(winnersOf(competition).map(({ solverAddress }) => solverAddress.toLowerCase()))
          .size,
    }),
    ...solver<AuctionFacts>("first_solver", {
      source: "solver of the solution that ranks first",
      solver: ({ competition }) => rankedIn(competition, 1)?.solverAddress,
    }),
    ...native<AuctionFacts>("first_score", {
      source: "score of the solution that ranks first",
      atoms: ({ competition }) => rankedIn(competition, 1)?.score,
    }),
    ...native<AuctionFacts>("second_score", {
      source: "score of the solution that ranks second; null if there is none",
      atoms: ({ competition }) => rankedIn(competition, 2)?.score,
    }),
    ...native<AuctionFacts>("total_score", {
      source: "sum of the scores of all winning solutions; null without a winner",
      atoms: ({ competition }) => {
        const winners = winnersOf(competition);
        return winners.length === 0 ? null : winners.reduce((sum, { score }) => sum + score, 0n);
      },
    }),
    ...native<AuctionFacts>("reference_score_sum", {
      source: "sum of the reference scores of the winning solvers; null if there is none",
      atoms: ({ references }) =>
        references.length === 0
          ? null
          : references.reduce((sum, { referenceScore }) => sum + referenceScore, 0n),
    }),
    ...native<AuctionFacts>("margin_sum", {
      source: "sum of total score - reference score over those solvers",
      atoms: ({ references }) =>
        references.length === 0
          ? null
          : references.reduce((sum, one) => sum + one.totalScore - one.referenceScore, 0n),
    }),
    integer("margin_count", {
      unit: "solvers",
      source: "number of winning solvers with a reference score",
      cell: ({ references }) => references.length,
    }),
    text("tx_hashes", {
      source: "competition.transactionHashes, sorted and joined by spaces; null without any",
      cell: ({ competition }) => competition.transactionHashes.toSorted().join(" ") || null,
    }),
    AUCTION_PATH,
    AUCTION_PATH_BASIS,
  ],
};

/** A document and its hash. */
export interface AppDataFacts {
  /** The hash that orders name. */
  readonly hash: string;
  /** The document, as it was hashed. */
  readonly document: string;
}

/** One row per app data document of the shard's orders. */
export const APP_DATA: Table<AppDataFacts> = {
  name: "app_data",
  grain: "One app data document that orders of the file name",
  columns: [
    text("app_data_hash", { source: "order.appData", cell: ({ hash }) => hash }),
    text("document", {
      source: "order.fullAppData, or the answer of app_data/{hash}: the text that was hashed",
      cell: ({ document }) => document,
    }),
  ],
};

/** A block and when it was produced. */
export interface BlockFacts {
  /** Its number. */
  readonly number: number;
  /** Its timestamp. */
  readonly at: Temporal.Instant;
}

/** One row per block in which an auction started or a fill was settled. */
export const BLOCKS: Table<BlockFacts> = {
  name: "blocks",
  grain: "One block in which an auction of the dataset started or one of its fills was settled",
  columns: [
    integer("block_number", { source: "number of the block", cell: ({ number }) => number }),
    ...time<BlockFacts>("timestamp", {
      source: "timestamp of the block, from a node, in whole seconds",
      at: ({ at }) => at,
    }),
  ],
};

/** Consecutive auctions that list an order. */
export interface OrderListingFacts {
  /** UID of the order. */
  readonly uid: string;
  /** The first of the auctions. */
  readonly first: number;
  /** The last of them. */
  readonly last: number;
  /** How many they are. */
  readonly count: number;
}

/** One row per order and interval of auctions that list it. */
export const ORDER_LISTINGS: Table<OrderListingFacts> = {
  name: "order_listings",
  grain: "One order and an interval of auctions that all list it; intervals end with the file",
  columns: [
    text("order_uid", { source: "competition.auction.orders", cell: ({ uid }) => uid }),
    integer("first_auction_id", {
      source: "first auction of the interval",
      cell: ({ first }) => first,
    }),
    integer("last_auction_id", {
      source: "last auction of the interval",
      cell: ({ last }) => last,
    }),
    integer("auction_count", {
      unit: "auctions",
      source: "number of auctions in the interval; ids without an auction do not end it",
      cell: ({ count }) => count,
    }),
  ],
};
