import type { Competition } from "../../schemas/mod.ts";
import { ratio, ratioToNumber, sameHex } from "../../units/mod.ts";
import { integer, native, number } from "../columns/columns.ts";
import { buildFrame, type Frame, type Table } from "../columns/frame.ts";
import { solver, type SolverOptions } from "../columns/solver_names.ts";
import {
  COMPETITION_KIND,
  readRecords,
  SOLVER_OPTIONS,
  type TableInput,
} from "../columns/table_input.ts";

/** What one row is computed from. */
export interface ReferenceScoreFacts {
  /** Id of the auction. */
  readonly auctionId: number;
  /** Address of a solver that won in it. */
  readonly solver: string;
  /** Its reference score, in native atoms. */
  readonly referenceScore: bigint;
  /** Sum of the scores of all winning solutions of the auction, in native atoms. */
  readonly totalScore: bigint;
  /** Sum of the scores of its winning solutions. */
  readonly ownScore: bigint;
  /** Number of its winning solutions. */
  readonly wins: number;
}

function marginOf({ totalScore, referenceScore }: ReferenceScoreFacts): bigint {
  return totalScore - referenceScore;
}

/** One row per solver and auction; see {@linkcode referenceScoresTable}. */
export const REFERENCE_SCORES: Table<ReferenceScoreFacts> = {
  name: "reference_scores",
  grain: "One winning solver in one auction, however many of its solutions won",
  columns: [
    integer("auction_id", {
      source: "competition.auctionId",
      cell: ({ auctionId }) => auctionId,
    }),
    ...solver<ReferenceScoreFacts>("solver", {
      source: "key of competition.referenceScores",
      solver: (row) => row.solver,
    }),
    ...native<ReferenceScoreFacts>("reference_score", {
      source: "competition.referenceScores: what the auction would be worth without the solver",
      atoms: ({ referenceScore }) => referenceScore,
    }),
    ...native<ReferenceScoreFacts>("total_score", {
      source: "sum of the scores of all winning solutions",
      atoms: ({ totalScore }) => totalScore,
    }),
    ...native<ReferenceScoreFacts>("own_score", {
      source: "sum of the scores of the solver's winning solutions",
      atoms: ({ ownScore }) => ownScore,
    }),
    ...native<ReferenceScoreFacts>("margin", {
      source: "total_score - reference_score: what the auction would lose without the solver",
      atoms: marginOf,
    }),
    number("margin_share", {
      unit: "0 to 1",
      source: "margin / total_score; null where the total is 0",
      cell: (row) =>
        row.totalScore === 0n ? null : ratioToNumber(ratio(marginOf(row), row.totalScore)),
    }),
    integer("winning_solution_count", {
      unit: "solutions",
      source: "number of the solver's winning solutions",
      cell: ({ wins }) => wins,
    }),
  ],
};

const INPUT: TableInput<Competition, SolverOptions> = {
  table: "referenceScoresTable",
  records: COMPETITION_KIND,
  options: SOLVER_OPTIONS,
};

/**
 * One row per solver that won in an auction: auctions in the order given, solvers by score won.
 *
 * Each reference score appears only once, so the column can be summed.
 *
 * @param competitions Decoded competitions.
 * @param options Names of solvers.
 * @returns A frame with the columns of {@linkcode REFERENCE_SCORES}; no competitions give no rows.
 * @throws {InputError} If a record is not decoded or is of another kind, or an option is unknown.
 *
 * @example One winner, and 30 without it
 * ```ts
 * import { decodeCompetition } from "orderlens/schemas";
 * import { referenceScoresTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const solver = `0x${"ab".repeat(20)}`;
 * const competition = decodeCompetition({
 *   auctionId: 7,
 *   auctionStartBlock: 100,
 *   transactionHashes: [],
 *   referenceScores: { [solver]: "30" },
 *   auction: { orders: [], prices: {} },
 *   solutions: [{
 *     solverAddress: solver,
 *     score: "40",
 *     ranking: 1,
 *     clearingPrices: {},
 *     orders: [],
 *     isWinner: true,
 *     filteredOut: false,
 *   }],
 * });
 *
 * const [row] = referenceScoresTable([competition]).toRecords();
 * assertEquals([row?.total_score_atoms, row?.margin_atoms, row?.margin_share], ["40", "10", 0.25]);
 * ```
 */
export function referenceScoresTable(
  competitions: Iterable<Competition>,
  options: SolverOptions = {},
): Frame {
  const rows = readRecords(competitions, options, INPUT).flatMap(referenceScoresOf);
  return buildFrame(REFERENCE_SCORES, rows, options);
}

/** The reference scores of an auction, by score won. */
export function referenceScoresOf(
  { auctionId, referenceScores, solutions }: Competition,
): ReferenceScoreFacts[] {
  const winners = solutions.filter(({ isWinner }) => isWinner);
  const totalScore = winners.reduce((sum, { score }) => sum + score, 0n);
  const rows = Object.entries(referenceScores).map(([solver, referenceScore]) => {
    const own = winners.filter(({ solverAddress }) => sameHex(solverAddress, solver));
    const ownScore = own.reduce((sum, { score }) => sum + score, 0n);
    return { auctionId, solver, referenceScore, totalScore, ownScore, wins: own.length };
  });
  return rows.sort((a, b) => a.ownScore === b.ownScore ? 0 : a.ownScore > b.ownScore ? -1 : 1);
}
