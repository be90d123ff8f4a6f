import type { Competition, Solution } from "../schemas/mod.ts";
import { flag, integer, native, text } from "./columns.ts";
import { buildFrame, type Frame, type Table } from "./frame.ts";

/** What one row of the table is made from. */
export interface SolutionRow {
  /** The auction. */
  readonly competition: Competition;
  /** One of its solutions. */
  readonly solution: Solution;
}

/** One row a solution of an auction; see {@linkcode solutionsTable}. */
export const SOLUTIONS: Table<SolutionRow> = {
  name: "solutions",
  grain: "One solution that a solver proposed in one auction",
  columns: [
    integer("auction_id", {
      source: "competition.auctionId",
      cell: ({ competition }) => competition.auctionId,
    }),
    integer("ranking", {
      source: "solution.ranking: winners by score, then the other valid ones, then those filtered",
      cell: ({ solution }) => solution.ranking,
    }),
    text("solver", {
      source: "solution.solverAddress",
      cell: ({ solution }) => solution.solverAddress,
    }),
    flag("is_winner", {
      source: "solution.isWinner",
      cell: ({ solution }) => solution.isWinner,
    }),
    flag("filtered_out", {
      source: "solution.filteredOut",
      cell: ({ solution }) => solution.filteredOut,
    }),
    ...native<SolutionRow>("score", {
      source: "solution.score",
      atoms: ({ solution }) => solution.score,
    }),
    ...native<SolutionRow>("reference_score", {
      source: "solution.referenceScore: of the solver, on each of its solutions",
      atoms: ({ solution }) => solution.referenceScore,
    }),
    integer("order_count", {
      unit: "orders",
      source: "number of solution.orders",
      cell: ({ solution }) => solution.orders.length,
    }),
    text("tx_hash", {
      source: "solution.txHash; null until indexed, set for late settlements too",
      cell: ({ solution }) => solution.txHash ?? null,
    }),
    integer("auction_start_block", {
      source: "competition.auctionStartBlock",
      cell: ({ competition }) => competition.auctionStartBlock,
    }),
    integer("deadline_block", {
      source: "competition.auctionDeadlineBlock: the last block to settle in",
      cell: ({ competition }) => competition.auctionDeadlineBlock ?? null,
    }),
  ],
};

/** All solutions of some auctions, best place first. */
export function solutionRows(competitions: Iterable<Competition>): SolutionRow[] {
  const rows: SolutionRow[] = [];
  for (const competition of competitions) {
    const byRanking = competition.solutions.toSorted((a, b) => a.ranking - b.ranking);
    for (const solution of byRanking) rows.push({ competition, solution });
  }
  return rows;
}

/**
 * One row a solution of an auction: auctions in the order given, solutions by ranking.
 *
 * Scores stand as decimal text in native atoms and, for axes, as `Float64` in native tokens.
 * `reference_score` belongs to the solver and repeats on each of its solutions: to sum it, take
 * `referenceScoresTable`, which has it once a solver and auction.
 *
 * @param competitions Decoded competitions.
 * @returns A frame with the columns of {@linkcode SOLUTIONS}; no competitions give no rows.
 * @throws {InputError} If a record is not decoded.
 *
 * @example The ranking of one auction
 * ```ts
 * import { decodeCompetition } from "orderlens";
 * import { solutionsTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const competition = decodeCompetition({
 *   auctionId: 7,
 *   auctionStartBlock: 100,
 *   transactionHashes: [],
 *   referenceScores: {},
 *   auction: { orders: [], prices: {} },
 *   solutions: [{
 *     solverAddress: `0x${"ab".repeat(20)}`,
 *     score: "1500000000000000000",
 *     ranking: 1,
 *     clearingPrices: {},
 *     orders: [],
 *     isWinner: true,
 *     filteredOut: false,
 *   }],
 * });
 *
 * const [row] = solutionsTable([competition]).toRecords();
 * assertEquals([row?.score, row?.score_native], ["1500000000000000000", 1.5]);
 * ```
 */
export function solutionsTable(competitions: Iterable<Competition>): Frame {
  return buildFrame(SOLUTIONS, solutionRows(competitions));
}
