import { type KnownTime, recognizeAuctionPath, type RecognizedPath } from "../../metrics/mod.ts";
import { indexByUid } from "../../metrics/not_computable.ts";
import type { Competition, Order, Solution } from "../../schemas/mod.ts";
import {
  AUCTION_ID,
  AUCTION_PATH,
  AUCTION_PATH_BASIS,
  DEADLINE_BLOCK,
  START_BLOCK,
} from "./auction_columns.ts";
import { listReferenceScores, type ReferenceScoreFacts } from "./settlement_attempts.ts";
import { auctionTimeColumns, integer, native, solver, text } from "../columns/columns.ts";
import { defineTable, type Table } from "../columns/table.ts";

/** An auction and when it began. */
interface AuctionFacts {
  /** The auction. */
  readonly competition: Competition;
  /** Start of the auction; `null` if unknown. */
  readonly auctionAt: KnownTime | null;
  /** Number of orders that it lists. */
  readonly orderCount: number;
  /** Whether the service stored which solutions it filtered out. */
  readonly isFilterStored: boolean;
  /** Path by which the auction was decided. */
  readonly path: RecognizedPath;
  /** Reference scores of the solvers that won. */
  readonly references: readonly ReferenceScoreFacts[];
}

function listWinners({ solutions }: Competition): Solution[] {
  return solutions.filter(({ isWinner }) => isWinner);
}

function findByRank({ solutions }: Competition, rank: number): Solution | undefined {
  return solutions.find(({ ranking }) => ranking === rank);
}

/** One row per auction with solutions. */
export const AUCTIONS: Table<"competitions"> = defineTable<AuctionFacts, "competitions">({
  name: "auctions",
  grain: "One auction for which solvers proposed solutions",
  kind: "record",
  of: ["competitions"],
  key: ["auction_id"],
  needs: ["times"],
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
      cell: ({ competition }) => competition.solutions.filter((score) => score.isWinner).length,
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
        new Set(listWinners(competition).map(({ solverAddress }) => solverAddress.toLowerCase()))
          .size,
    }),
    ...solver<AuctionFacts>("first_solver", {
      source: "solver of the solution that ranks first",
      solver: ({ competition }) => findByRank(competition, 1)?.solverAddress,
    }),
    ...native<AuctionFacts>("first_score", {
      source: "score of the solution that ranks first",
      atoms: ({ competition }) => findByRank(competition, 1)?.score,
    }),
    ...native<AuctionFacts>("second_score", {
      source: "score of the solution that ranks second; null if there is none",
      atoms: ({ competition }) => findByRank(competition, 2)?.score,
    }),
    ...native<AuctionFacts>("total_score", {
      source: "sum of the scores of all winning solutions; null without a winner",
      atoms: ({ competition }) => {
        const winners = listWinners(competition);
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
          : references.reduce((sum, score) => sum + score.totalScore - score.referenceScore, 0n),
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
  rows: (records) => {
    const { competitions, orderCounts, times, isFilterStored } = records;
    const orders = indexByUid<Order>(records.orders ?? []);
    return competitions.map((competition): AuctionFacts => {
      const { auctionId, auction } = competition;
      return {
        competition,
        auctionAt: times?.auction(auctionId) ?? null,
        orderCount: orderCounts?.get(auctionId) ?? auction.orders.length,
        isFilterStored: isFilterStored?.(auctionId) ?? true,
        path: recognizeAuctionPath(competition, { orders }),
        references: listReferenceScores(competition).filter(({ wins }) => wins > 0),
      };
    });
  },
});
