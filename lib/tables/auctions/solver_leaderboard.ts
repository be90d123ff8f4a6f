import {
  type Rate,
  type SettlementOptions,
  settlementOutcomes,
  type SolverOutcomes,
  type SolverStatistics,
  solverStatistics,
} from "../../metrics/mod.ts";
import type { Competition } from "../../schemas/mod.ts";
import { HexMap, sameHex } from "../../units/mod.ts";
import { gaps, integer, native, number, solver } from "../columns/columns.ts";
import type { Column, Table } from "../columns/frame.ts";
import type { SolverOptions } from "../columns/lookups.ts";
import {
  type BuildTable,
  COMPETITION_KIND,
  type FilterOptions,
  optionsOn,
  tableOf,
} from "../columns/table_input.ts";
import { findNetwork, outcomeColumns } from "./auction_columns.ts";

/** What else is known, besides the auctions: settlements, and names of solvers. */
export interface SolverLeaderboardTableOptions
  extends SettlementOptions, SolverOptions, FilterOptions {}

/** What one row is computed from. */
export interface SolverLeaderboardFacts {
  /** Statistics of the solver. */
  readonly statistics: SolverStatistics;
  /** Outcomes of its winning solutions; `null` if nothing was passed about settlements. */
  readonly outcomes: SolverOutcomes | null;
  /** Its filtered solutions; `null` if the service did not store it for all of its auctions. */
  readonly filteredCount: number | null;
}

function rateColumns(
  name: string,
  { source, rate }: { source: string; rate: (row: SolverLeaderboardFacts) => Rate | null },
): Column<SolverLeaderboardFacts>[] {
  return [
    number(name, {
      unit: "0 to 1",
      source,
      cell: (row) => rate(row)?.share ?? null,
    }),
    number(`${name}_low`, {
      unit: "0 to 1",
      source: `lower end of the Wilson interval of ${name}, 95%`,
      cell: (row) => rate(row)?.interval?.low ?? null,
    }),
    number(`${name}_high`, {
      unit: "0 to 1",
      source: `upper end of the Wilson interval of ${name}, 95%`,
      cell: (row) => rate(row)?.interval?.high ?? null,
    }),
  ];
}

/** One row per solver; see {@linkcode solverLeaderboardTable}. */
export const SOLVER_LEADERBOARD: Table<SolverLeaderboardFacts> = {
  name: "solver_leaderboard",
  grain: "One solver over all auctions passed",
  columns: [
    ...solver<SolverLeaderboardFacts>("solver", {
      source: "solution.solverAddress",
      solver: ({ statistics }) => statistics.solver,
    }),
    integer("bid_count", {
      unit: "solutions",
      source: "solutions it proposed",
      cell: ({ statistics }) => statistics.bids,
    }),
    integer("filtered_count", {
      unit: "solutions",
      source:
        "its solutions that were filtered out: as unfair, or without a score on the fast path; null where the service did not store it yet",
      cell: ({ filteredCount }) => filteredCount,
    }),
    integer("winning_count", {
      unit: "solutions",
      source: "its solutions that won; several can win one auction",
      cell: ({ statistics }) => statistics.winningBids,
    }),
    integer("auctions_bid", {
      unit: "auctions",
      source: "auctions in which it proposed a solution",
      cell: ({ statistics }) => statistics.winRate.trials,
    }),
    integer("auctions_won", {
      unit: "auctions",
      source: "auctions in which one of its solutions won",
      cell: ({ statistics }) => statistics.winRate.successes,
    }),
    ...rateColumns("win_rate", {
      source: "auctions_won / auctions_bid",
      rate: ({ statistics }) => statistics.winRate,
    }),
    ...native<SolverLeaderboardFacts>("score_won", {
      source: "sum of the scores of its winning solutions",
      atoms: ({ statistics }) => statistics.scoreWon,
    }),
    number("score_share", {
      unit: "0 to 1",
      source: "score_won / that of all solvers",
      cell: ({ statistics }) => statistics.scoreShare,
    }),
    ...native<SolverLeaderboardFacts>("reference_score_sum", {
      source: "sum of its reference scores, each once per auction",
      atoms: ({ statistics }) => statistics.referenceScoreSum,
    }),
    ...native<SolverLeaderboardFacts>("margin_sum", {
      source: "sum of total score - reference score over the auctions it won",
      atoms: ({ statistics }) => statistics.winMarginSum,
    }),
    integer("margin_auctions", {
      unit: "auctions",
      source: "auctions in margin_sum: those won whose response has its reference score",
      cell: ({ statistics }) => statistics.winMarginAuctions,
    }),
    integer("pair_count", {
      unit: "directed pairs",
      source: "directed pairs it bid on",
      cell: ({ statistics }) => statistics.pairs.length,
    }),
    ...rateColumns("in_time_rate", {
      source: "in_time / (in_time + late + absent); null without trades and reports",
      rate: ({ outcomes }) => outcomes?.successRate ?? null,
    }),
    ...outcomeColumns<SolverLeaderboardFacts>(({ outcomes }) => outcomes, {
      missing: null,
      note: "; null without trades and reports",
    }),
    gaps(
      "settlements if none of trades, debugReports and latestBlock was passed, which determine what " +
        "happened to the winning solutions",
      ({ outcomes }) => [outcomes === null && "settlements"],
    ),
  ],
};

/**
 * One row per solver over many auctions, by descending score won.
 *
 * @param competitions Decoded competitions; each auction counts once.
 * @param options Trades and debug reports, for the columns about settlements, which are otherwise
 * `null`; names of solvers.
 * @returns A frame with the columns of {@linkcode SOLVER_LEADERBOARD}; no competitions give no
 * rows.
 * @throws {InputError} If a record is not decoded or is of another kind, or an option is unknown.
 *
 * @example One auction, one solver
 * ```ts
 * import { decodeCompetition } from "orderlens/schemas";
 * import { solverLeaderboardTable } from "orderlens/tables";
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
 *     orders: [],
 *     isWinner: true,
 *     filteredOut: false,
 *   }],
 * });
 *
 * const [row] = solverLeaderboardTable([competition]).toRecords();
 * assertEquals([row?.auctions_won, row?.win_rate, row?.score_share], [1, 1, 1]);
 * ```
 */
export const solverLeaderboardTable: BuildTable<Competition, SolverLeaderboardTableOptions> =
  tableOf({
    table: SOLVER_LEADERBOARD,
    records: COMPETITION_KIND,
    options: optionsOn("solvers", "settlements", "filter"),
    rows: (all, options) => {
      const { solvers: _, network, isFilterStored = () => true, ...evidence } = options;
      const unfiltered = all.filter(({ auctionId }) => !isFilterStored(auctionId));
      const unknown = new HexMap(
        unfiltered.flatMap(({ solutions }) =>
          solutions.map(({ solverAddress }) => [solverAddress, true] as const)
        ),
      );
      const hasEvidence = Object.values(evidence).some((one) => one !== undefined);
      const deadlineBlocks = findNetwork(network)?.deadlines[0]?.blocks;
      const outcomes = hasEvidence
        ? settlementOutcomes(all, { deadlineBlocks, ...evidence }).solvers
        : [];
      return solverStatistics(all).solvers.map((statistics) => ({
        statistics,
        outcomes: hasEvidence ? outcomesOf(statistics.solver, outcomes) : null,
        filteredCount: unknown.has(statistics.solver) ? null : statistics.filteredBids,
      }));
    },
  });

/** The columns are empty for a solver that won nothing. */
function outcomesOf(solver: string, outcomes: readonly SolverOutcomes[]): SolverOutcomes {
  return outcomes.find((one) => sameHex(one.solver, solver)) ?? {
    solver,
    won: 0,
    inTime: 0,
    late: 0,
    absent: 0,
    pending: 0,
    unknown: 0,
    successRate: { successes: 0, trials: 0, share: null, interval: null },
  };
}
