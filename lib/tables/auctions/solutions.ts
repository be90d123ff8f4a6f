import {
  type KnownTime,
  type MissedBaseline,
  missedBaselines,
  policiesByAuction,
  type RoleOptions,
} from "../../metrics/mod.ts";
import type { Competition, DebugReport, Order, Solution, Trade } from "../../schemas/mod.ts";
import { HexMap } from "../../units/mod.ts";
import { gaps, native, text } from "../columns/columns.ts";
import { ROLE_OPTIONS } from "../../metrics/orders/auction_role.ts";
import {
  FILTER_OPTIONS,
  FILTERED_OUT,
  filteredOutOf,
  type FilteredRow,
  type FilterOptions,
} from "./filter_column.ts";
import { buildFrame, type Frame, type Table } from "../columns/frame.ts";
import type { SolverOptions } from "../columns/solver_names.ts";
import {
  COMPETITION_KIND,
  ORDER_KIND,
  readRecords,
  recordsRule,
  REPORT_KIND,
  SOLVER_OPTIONS,
  type TableInput,
  TOKEN_OPTIONS,
  TRADE_KIND,
} from "../columns/table_input.ts";
import { auctionTimeColumns, TIME_OPTIONS, type TimeOptions } from "../columns/time_columns.ts";
import type { TokenAmounts, TokenOptions } from "../columns/token_amounts.ts";
import {
  AUCTION_ID,
  DEADLINE_BLOCK,
  SOLUTION_COLUMNS,
  SOLUTION_SIZE,
  START_BLOCK,
} from "./competition_columns.ts";

/**
 * What else is known, besides the auctions: when they began, names of solvers, and what explains
 * filtering.
 */
export interface SolutionsOptions
  extends TokenOptions, SolverOptions, TimeOptions, RoleOptions, FilterOptions {
  /** Orders of the solutions, for their limits. */
  orders?: Iterable<Order>;
  /** Fills of the orders, for their fee policies. */
  trades?: Iterable<Trade>;
  /** Debug reports of the orders, for their fee policies too. */
  debugReports?: Iterable<DebugReport>;
}

/** A solution and its auction. */
export interface SolutionInAuction {
  /** The auction. */
  readonly competition: Competition;
  /** One of its solutions. */
  readonly solution: Solution;
}

/** What one row is computed from. */
export interface SolutionFacts extends SolutionInAuction, FilteredRow {
  /** Pairs on which a filtered solution was unfair, or may have been. */
  readonly missed: readonly MissedBaseline[];
  /** When the auction began; `null` if unknown. */
  readonly auctionAt: KnownTime | null;
}

/** The certain pairs; if there are none, those of which at least one was missed. */
function missedPair({ missed }: SolutionFacts, amounts: TokenAmounts): string | null {
  const certain = missed.filter(({ isCertain }) => isCertain);
  const [pairs, between] = certain.length > 0 ? [certain, " and "] : [missed, " or "];
  const texts = pairs.map(({ sellToken, buyToken }) => amounts.pair(sellToken, buyToken));
  return texts.join(between) || null;
}

/** One row per solution of an auction; see {@linkcode solutionsTable}. */
export const SOLUTIONS: Table<SolutionFacts> = {
  name: "solutions",
  grain: "One solution that a solver proposed in one auction",
  columns: [
    AUCTION_ID,
    ...auctionTimeColumns<SolutionFacts>(({ auctionAt }) => auctionAt),
    ...SOLUTION_COLUMNS,
    FILTERED_OUT,
    ...native<SolutionFacts>("score", {
      source: "solution.score",
      atoms: ({ solution }) => solution.score,
    }),
    ...native<SolutionFacts>("reference_score", {
      source: "solution.referenceScore: of the solver, on each of its solutions",
      atoms: ({ solution }) => solution.referenceScore,
    }),
    text("missed_pair", {
      source: "missedBaselines: pairs of a filtered solution on which another solution scores more",
      cell: missedPair,
    }),
    SOLUTION_SIZE,
    text("tx_hash", {
      source: "solution.txHash; null until indexed, also set for late settlements",
      cell: ({ solution }) => solution.txHash ?? null,
    }),
    START_BLOCK,
    DEADLINE_BLOCK,
    gaps(
      "auction_time if `times` does not say when the auction began",
      ({ auctionAt }) => [auctionAt === null && "auction_time"],
    ),
  ],
};

/** All solutions of some auctions, best rank first. */
export function solutionRows(competitions: Iterable<Competition>): SolutionInAuction[] {
  const rows: SolutionInAuction[] = [];
  for (const competition of competitions) {
    const byRanking = competition.solutions.toSorted((a, b) => a.ranking - b.ranking);
    for (const solution of byRanking) rows.push({ competition, solution });
  }
  return rows;
}

const INPUT: TableInput<Competition, SolutionsOptions> = {
  table: "solutionsTable",
  records: COMPETITION_KIND,
  options: {
    ...TOKEN_OPTIONS,
    ...SOLVER_OPTIONS,
    ...TIME_OPTIONS,
    ...ROLE_OPTIONS,
    ...FILTER_OPTIONS,
    orders: recordsRule(ORDER_KIND),
    trades: recordsRule(TRADE_KIND),
    debugReports: recordsRule(REPORT_KIND),
  },
};

/**
 * One row per solution of an auction: auctions in the order given, solutions by ranking.
 *
 * Scores are decimal text in native atoms and, for axes, `Float64` in native tokens.
 * `reference_score` belongs to the solver and repeats on each of its solutions: to sum it, use
 * `referenceScoresTable`, which has it once per solver and auction.
 *
 * Why a solution was filtered out follows from the auction alone if only one of its pairs can have
 * been missed. Otherwise it follows from orders and their fee policies; without them, `missed_pair`
 * joins the possible pairs with "or".
 *
 * @param competitions Decoded competitions.
 * @param options Times of auctions; orders, trades and debug reports for `missed_pair` only.
 * @returns A frame with the columns of {@linkcode SOLUTIONS}; no competitions give no rows.
 * @throws {InputError} If a record is not decoded or is of another kind, or an option is unknown.
 *
 * @example The ranking of one auction
 * ```ts
 * import { decodeCompetition } from "orderlens/schemas";
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
 * assertEquals([row?.score_atoms, row?.score_native], ["1500000000000000000", 1.5]);
 * ```
 */
export function solutionsTable(
  competitions: Iterable<Competition>,
  options: SolutionsOptions = {},
): Frame {
  const all = readRecords(competitions, options, INPUT);
  const missed = missedBySolution(all, options);
  const rows = solutionRows(all).map((row) => ({
    ...row,
    filteredOut: filteredOutOf(row, options),
    missed: missed.get(row.solution) ?? [],
    auctionAt: options.times?.auction(row.competition.auctionId) ?? null,
  }));
  return buildFrame(SOLUTIONS, rows, options);
}

function missedBySolution(
  competitions: readonly Competition[],
  options: SolutionsOptions,
): Map<Solution, MissedBaseline[]> {
  const { orders = [], trades = [], debugReports = [], surplusCapturingJitOrderOwners } = options;
  const known = new HexMap(Array.from(orders, (order) => [order.uid, order]));
  const policies = policiesByAuction({ trades, debugReports, competitions });
  const missed = new Map<Solution, MissedBaseline[]>();
  for (const competition of competitions) {
    const terms = {
      orders: known,
      policies: policies.get(competition.auctionId),
      surplusCapturingJitOrderOwners,
    };
    for (const one of missedBaselines(competition, terms)) {
      const solution = competition.solutions[one.index]!;
      missed.set(solution, [...missed.get(solution) ?? [], one]);
    }
  }
  return missed;
}
