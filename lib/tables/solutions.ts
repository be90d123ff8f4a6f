import type { Competition, Solution } from "../schemas/competition.ts";
import { atomsToNumber } from "../units/ratio_to_number.ts";
import { buildFrame, type Frame, type Table } from "./frame.ts";

const NATIVE_DECIMALS = 18;

/** What one row of the table is made from. */
export interface SolutionRow {
  /** The auction. */
  readonly competition: Competition;
  /** One of its solutions. */
  readonly solution: Solution;
}

function native(atoms: bigint | null | undefined): number | null {
  return atoms === null || atoms === undefined ? null : atomsToNumber(atoms, NATIVE_DECIMALS);
}

/** One row a solution of an auction; see {@linkcode solutionsTable}. */
export const SOLUTIONS: Table<SolutionRow> = {
  name: "solutions",
  grain: "One solution that a solver proposed in one auction",
  columns: [
    {
      name: "auction_id",
      dtype: "Int64",
      unit: null,
      source: "competition.auctionId",
      cell: ({ competition }) => competition.auctionId,
    },
    {
      name: "ranking",
      dtype: "Int64",
      unit: null,
      source: "solution.ranking",
      cell: ({ solution }) => solution.ranking,
    },
    {
      name: "solver",
      dtype: "String",
      unit: null,
      source: "solution.solverAddress",
      cell: ({ solution }) => solution.solverAddress,
    },
    {
      name: "is_winner",
      dtype: "Bool",
      unit: null,
      source: "solution.isWinner",
      cell: ({ solution }) => solution.isWinner,
    },
    {
      name: "filtered_out",
      dtype: "Bool",
      unit: null,
      source: "solution.filteredOut",
      cell: ({ solution }) => solution.filteredOut,
    },
    {
      name: "score",
      dtype: "String",
      unit: "native atoms",
      source: "solution.score",
      cell: ({ solution }) => solution.score.toString(),
    },
    {
      name: "score_native",
      dtype: "Float64",
      unit: "native tokens",
      source: "score / 10^18, for axes",
      cell: ({ solution }) => native(solution.score),
    },
    {
      name: "reference_score",
      dtype: "String",
      unit: "native atoms",
      source: "solution.referenceScore: of the solver, on each of its solutions",
      cell: ({ solution }) => solution.referenceScore?.toString() ?? null,
    },
    {
      name: "reference_score_native",
      dtype: "Float64",
      unit: "native tokens",
      source: "reference_score / 10^18, for axes",
      cell: ({ solution }) => native(solution.referenceScore),
    },
    {
      name: "order_count",
      dtype: "Int64",
      unit: "orders",
      source: "number of solution.orders",
      cell: ({ solution }) => solution.orders.length,
    },
    {
      name: "tx_hash",
      dtype: "String",
      unit: null,
      source: "solution.txHash",
      cell: ({ solution }) => solution.txHash ?? null,
    },
  ],
};

function* solutionRows(competitions: Iterable<Competition>): Generator<SolutionRow> {
  for (const competition of competitions) {
    const byRanking = competition.solutions.toSorted((a, b) => a.ranking - b.ranking);
    for (const solution of byRanking) yield { competition, solution };
  }
}

/**
 * One row a solution of an auction: auctions in the order given, solutions by ranking.
 *
 * Scores stand as decimal text in native atoms and, for axes, as `Float64` in native tokens.
 * `reference_score` belongs to the solver and repeats on each of its solutions: sum it once a solver
 * an auction.
 *
 * @param competitions Decoded competitions.
 * @returns A frame with the columns of {@linkcode SOLUTIONS}; no competitions give no rows.
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
