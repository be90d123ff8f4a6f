import {
  type KnownTime,
  type MissedBaseline,
  missedBaselines,
  recognizeAuctionPath,
  type RecognizedPath,
} from "../../metrics/mod.ts";
import type { Competition, Order, Solution, SolutionOrder } from "../../schemas/mod.ts";
import { indexByUid } from "../../metrics/not_computable.ts";
import { auctionTimeColumns, gaps, native, text } from "../columns/columns.ts";
import { createAuctionRates, NATIVE_USD, type RatedRow } from "../columns/dollar_rates.ts";
import type { TokenAmounts } from "../columns/lookups.ts";
import {
  AUCTION_ID,
  AUCTION_PATH,
  BID_AMOUNTS,
  BID_COLUMNS,
  DEADLINE_BLOCK,
  FILTERED_OUT,
  type FilteredRow,
  readFilteredOut,
  SOLUTION_COLUMNS,
  SOLUTION_SCORE,
  SOLUTION_SIZE,
  SOLUTION_TRANSACTION,
  START_BLOCK,
} from "./auction_columns.ts";
import { defineTable, type Table, TO_AUCTION } from "../columns/table.ts";
import { indexTerms } from "../columns/instance_facts.ts";
import { computeOnce, type ReadRecords } from "../columns/records.ts";

/** A solution and its auction. */
export interface SolutionInAuction {
  /** The auction. */
  readonly competition: Competition;
  /** One of its solutions. */
  readonly solution: Solution;
}

/** The inputs of one row. */
interface SolutionFacts extends SolutionInAuction, FilteredRow, RatedRow {
  /** Pairs on which a filtered solution was unfair, or may have been. */
  readonly missed: readonly MissedBaseline[];
  /** Start of the auction; `null` if unknown. */
  readonly auctionAt: KnownTime | null;
  /** Path by which the auction was decided. */
  readonly path: RecognizedPath;
}

/** Formats the certain pairs, or if there are none, those of which at least one was missed. */
function formatMissedPair({ missed }: SolutionFacts, amounts: TokenAmounts): string | null {
  const certain = missed.filter(({ isCertain }) => isCertain);
  const [pairs, separator] = certain.length > 0 ? [certain, " and "] : [missed, " or "];
  const texts = pairs.map(({ sellToken, buyToken }) => amounts.pair(sellToken, buyToken));
  return texts.join(separator) || null;
}

/**
 * One row per solution of an auction: auctions in the order given, solutions by ranking.
 *
 * Scores are decimal text in native atoms and, for axes, `Float64` in native tokens.
 * `reference_score` belongs to the solver and repeats on each of its solutions: to sum it, use
 * `reference_scores`, which has it once per solver and auction.
 *
 * Why a solution was filtered out follows from the auction alone if only one of its pairs can have
 * been missed. Otherwise it follows from orders and their fee policies; without them, `missed_pair`
 * joins the possible pairs with "or".
 *
 * @example The ranking of one auction
 * ```ts
 * import { decodeCompetition } from "orderlens/schemas";
 * import { buildTable, SOLUTIONS } from "orderlens/tables";
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
 * const [row] = buildTable(SOLUTIONS, { competitions: [competition] }).toRecords();
 * assertEquals([row?.score_atoms, row?.score_native], ["1500000000000000000", 1.5]);
 * ```
 */
export const SOLUTIONS: Table<"competitions"> = defineTable<SolutionFacts, "competitions">({
  name: "solutions",
  grain: "One solution that a solver proposed in one auction",
  kind: "record",
  of: ["competitions"],
  key: ["auction_id", "ranking"],
  needs: ["blocks"],
  references: [TO_AUCTION],
  columns: [
    AUCTION_ID,
    ...auctionTimeColumns<SolutionFacts>(({ auctionAt }) => auctionAt),
    ...SOLUTION_COLUMNS,
    FILTERED_OUT,
    ...SOLUTION_SCORE,
    ...native<SolutionFacts>("reference_score", {
      source: "solution.referenceScore: of the solver, on each of its solutions",
      atoms: ({ solution }) => solution.referenceScore,
    }),
    NATIVE_USD,
    text("missed_pair", {
      source: "missedBaselines: pairs of a filtered solution on which another solution scores more",
      cell: formatMissedPair,
    }),
    SOLUTION_SIZE,
    text("tx_hash", {
      source: "solution.txHash; null until indexed, also set for late settlements",
      cell: ({ solution }) => solution.txHash ?? null,
    }),
    START_BLOCK,
    DEADLINE_BLOCK,
    AUCTION_PATH,
    gaps(
      "auction_time if `times` does not say when the auction began",
      ({ auctionAt }) => [auctionAt === null && "auction_time"],
    ),
  ],
  rows: (records) => {
    const { competitions, times } = records;
    const missed = groupMissedBaselines(records);
    const findRate = createAuctionRates(records);
    const orders = indexByUid<Order>(records.orders ?? []);
    const paths = new Map(
      competitions.map((auction) => [auction, recognizeAuctionPath(auction, { orders })]),
    );
    return listSolutions(competitions).map((row) => ({
      ...row,
      path: paths.get(row.competition)!,
      dollarRate: findRate(row.competition),
      filteredOut: readFilteredOut(row, records),
      missed: missed.get(row.solution) ?? [],
      auctionAt: times?.auction(row.competition.auctionId) ?? null,
    }));
  },
});

/** Lists the solutions of auctions, best rank first. */
export function listSolutions(competitions: Iterable<Competition>): SolutionInAuction[] {
  const rows: SolutionInAuction[] = [];
  for (const competition of competitions) {
    const byRanking = competition.solutions.toSorted((a, b) => a.ranking - b.ranking);
    for (const solution of byRanking) rows.push({ competition, solution });
  }
  return rows;
}

function groupMissedBaselines(records: ReadRecords): Map<Solution, MissedBaseline[]> {
  const findTerms = computeOnce(records, indexTerms);
  const missed = new Map<Solution, MissedBaseline[]>();
  for (const competition of records.competitions ?? []) {
    for (const baseline of missedBaselines(competition, findTerms(competition.auctionId))) {
      const solution = competition.solutions[baseline.index]!;
      missed.set(solution, [...missed.get(solution) ?? [], baseline]);
    }
  }
  return missed;
}

/** The inputs of one row. */
interface SolutionOrderFacts extends SolutionInAuction, FilteredRow {
  /** One order in the solution. */
  readonly bid: SolutionOrder;
}

/**
 * One row per order in a solution: auctions in the order given, solutions by ranking.
 *
 * What a bid is worth to its order, and how it fared, is in `bids`.
 *
 * @example One bid
 * ```ts
 * import { decodeCompetition } from "orderlens/schemas";
 * import { buildTable, SOLUTION_ORDERS } from "orderlens/tables";
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
 *     score: "40",
 *     ranking: 1,
 *     clearingPrices: {},
 *     orders: [{
 *       id: `0x${"01".repeat(56)}`,
 *       sellToken: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
 *       buyToken: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
 *       sellAmount: "1000000000000000000",
 *       buyAmount: "2500000000",
 *     }],
 *     isWinner: true,
 *     filteredOut: false,
 *   }],
 * });
 *
 * const [row] = buildTable(SOLUTION_ORDERS, { competitions: [competition] }).toRecords();
 * assertEquals([row?.pair, row?.buy_amount_tokens], ["WETH → USDC", 2500]);
 * ```
 */
export const SOLUTION_ORDERS: Table<"competitions"> = defineTable<
  SolutionOrderFacts,
  "competitions"
>({
  name: "solution_orders",
  grain: "One order in one solution of one auction: what one solver bid for it",
  kind: "record",
  of: ["competitions"],
  key: ["auction_id", "ranking", "order_uid"],
  needs: [],
  references: [TO_AUCTION, { columns: ["auction_id", "ranking"], to: "solutions" }],
  columns: [
    AUCTION_ID,
    ...SOLUTION_COLUMNS,
    FILTERED_OUT,
    ...BID_COLUMNS,
    ...BID_AMOUNTS,
    SOLUTION_TRANSACTION,
  ],
  rows: (records) =>
    listSolutions(records.competitions).flatMap((row): SolutionOrderFacts[] => {
      const filteredOut = readFilteredOut(row, records);
      return row.solution.orders.map((bid) => ({ ...row, filteredOut, bid }));
    }),
});
