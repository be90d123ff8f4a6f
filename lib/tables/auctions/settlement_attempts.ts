import { listOwnAttempts } from "../../metrics/orders/lifecycle_facts.ts";
import type { Competition, SettlementAttempt } from "../../schemas/mod.ts";
import { ratio, sameHex } from "../../units/mod.ts";
import {
  flag,
  integer,
  native,
  number,
  secondsBetween,
  solver,
  text,
  time,
} from "../columns/columns.ts";
import { createAuctionRates, NATIVE_USD, type RatedRow } from "../columns/dollar_rates.ts";
import { defineTable, type Table, TO_AUCTION } from "../columns/table.ts";

/** The inputs of one row. */
interface SettlementAttemptFacts {
  /** Id of the auction. */
  readonly auctionId: number;
  /** The attempt. */
  readonly attempt: SettlementAttempt;
  /** Whether the winning solution contains an order whose report was passed. */
  holdsGivenOrder: boolean;
}

/**
 * One row per settlement attempt, sorted by auction, then by start. Every report of an auction
 * repeats an attempt; the table lists it once.
 *
 * A report lists the attempts of the whole auction. In those that tried to settle its own order,
 * `holds_given_order` is true.
 *
 * @example No attempts
 * ```ts
 * import { buildTable, SETTLEMENT_ATTEMPTS } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(buildTable(SETTLEMENT_ATTEMPTS, { debugReports: [] }).height, 0);
 * ```
 */
export const SETTLEMENT_ATTEMPTS: Table<"debugReports"> = defineTable<
  SettlementAttemptFacts,
  "debugReports"
>({
  name: "settlement_attempts",
  grain: "One attempt to settle one winning solution of one auction",
  kind: "record",
  of: ["debugReports"],
  key: ["auction_id", "start_timestamp_ms", "ranking", "solver"],
  isSorted: () => true,
  columns: [
    integer("auction_id", {
      source: "report.auctions[].id",
      cell: ({ auctionId }) => auctionId,
    }),
    integer("ranking", {
      source: "attempt.solutionUid + 1: rank of the solution, from 1",
      cell: ({ attempt }) => attempt.solutionUid + 1,
    }),
    ...solver<SettlementAttemptFacts>("solver", {
      source: "attempt.solver",
      solver: ({ attempt }) => attempt.solver,
    }),
    ...time<SettlementAttemptFacts>("start_timestamp", {
      source: "attempt.startTimestamp",
      instant: ({ attempt }) => attempt.startTimestamp,
    }),
    ...time<SettlementAttemptFacts>("end_timestamp", {
      source: "attempt.endTimestamp; null while pending",
      instant: ({ attempt }) => attempt.endTimestamp,
    }),
    number("duration_seconds", {
      unit: "seconds",
      source: "end_timestamp - start_timestamp; null while pending",
      cell: ({ attempt: { startTimestamp, endTimestamp } }) =>
        endTimestamp == null ? null : secondsBetween(startTimestamp, endTimestamp),
    }),
    integer("start_block", {
      source: "attempt.startBlock",
      cell: ({ attempt }) => attempt.startBlock,
    }),
    integer("end_block", {
      source: "attempt.endBlock; null while pending",
      cell: ({ attempt }) => attempt.endBlock ?? null,
    }),
    integer("deadline_block", {
      source: "attempt.deadlineBlock: the last block in which to settle",
      cell: ({ attempt }) => attempt.deadlineBlock,
    }),
    text("outcome", {
      source: "attempt.outcome: success, timeout or driver failed: <text>; null while pending",
      cell: ({ attempt }) => attempt.outcome ?? null,
    }),
    flag("holds_given_order", {
      source: "whether the winning solution contains an order whose report was passed",
      cell: ({ holdsGivenOrder }) => holdsGivenOrder,
    }),
  ],
  rows: ({ debugReports }) => {
    const rows = new Map<string, SettlementAttemptFacts>();
    for (const { auctions } of debugReports) {
      for (const auction of auctions) {
        const { id } = auction;
        const ownAttempts = new Set(listOwnAttempts(auction));
        for (const attempt of auction.settlementAttempts) {
          const { solver, solutionUid, startTimestamp } = attempt;
          const key = `${id} ${solutionUid} ${solver.toLowerCase()} ${startTimestamp}`;
          const row = rows.get(key) ?? { auctionId: id, attempt, holdsGivenOrder: false };
          row.holdsGivenOrder ||= ownAttempts.has(attempt);
          rows.set(key, row);
        }
      }
    }
    return [...rows.values()].sort(compareAttempts);
  },
});

function compareAttempts(a: SettlementAttemptFacts, b: SettlementAttemptFacts): number {
  return a.auctionId - b.auctionId ||
    Temporal.Instant.compare(a.attempt.startTimestamp, b.attempt.startTimestamp) ||
    a.attempt.solutionUid - b.attempt.solutionUid;
}

/** The inputs of one row. */
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

function calculateMargin({ totalScore, referenceScore }: ReferenceScoreFacts): bigint {
  return totalScore - referenceScore;
}

/**
 * One row per solver that won in an auction: auctions in the order given, solvers by score won.
 *
 * Each reference score appears only once, so the column can be summed.
 *
 * @example One winner, and 30 without it
 * ```ts
 * import { decodeCompetition } from "orderlens/schemas";
 * import { buildTable, REFERENCE_SCORES } from "orderlens/tables";
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
 * const [row] = buildTable(REFERENCE_SCORES, { competitions: [competition] }).toRecords();
 * assertEquals([row?.total_score_atoms, row?.margin_atoms, row?.margin_share], ["40", "10", 0.25]);
 * ```
 */
export const REFERENCE_SCORES: Table<"competitions"> = defineTable<
  ReferenceScoreFacts & RatedRow,
  "competitions"
>({
  name: "reference_scores",
  grain: "One winning solver in one auction, however many of its solutions won",
  kind: "record",
  of: ["competitions"],
  key: ["auction_id", "solver"],
  needs: [],
  references: [TO_AUCTION],
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
      atoms: calculateMargin,
    }),
    number("margin_share", {
      unit: "0 to 1",
      source: "margin / total_score; null where the total is 0",
      cell: (row) => row.totalScore === 0n ? null : ratio(calculateMargin(row), row.totalScore),
    }),
    integer("winning_solution_count", {
      unit: "solutions",
      source: "number of the solver's winning solutions",
      cell: ({ wins }) => wins,
    }),
    NATIVE_USD,
  ],
  rows: (records) => {
    const findRate = createAuctionRates(records);
    return records.competitions.flatMap((competition) =>
      listReferenceScores(competition).map((row) => (
        { ...row, dollarRate: findRate(competition) }
      ))
    );
  },
});

/** Lists the reference scores of an auction, by score won. */
export function listReferenceScores(
  { auctionId, referenceScores, solutions }: Competition,
): ReferenceScoreFacts[] {
  const winners = solutions.filter(({ isWinner }) => isWinner);
  const totalScore = winners.reduce((sum, { score }) => sum + score, 0n);
  const rows = Object.entries(referenceScores).map(([solver, referenceScore]) => {
    const solverWins = winners.filter(({ solverAddress }) => sameHex(solverAddress, solver));
    const ownScore = solverWins.reduce((sum, { score }) => sum + score, 0n);
    return { auctionId, solver, referenceScore, totalScore, ownScore, wins: solverWins.length };
  });
  return rows.sort((a, b) => a.ownScore === b.ownScore ? 0 : a.ownScore > b.ownScore ? -1 : 1);
}
