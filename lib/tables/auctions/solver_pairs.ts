import { type KnownTime, type PairCoverage, solverStatistics } from "../../metrics/mod.ts";
import type { Competition } from "../../schemas/mod.ts";
import { gaps, integer, native, text } from "../columns/columns.ts";
import { buildFrame, type Frame, type Table } from "../columns/frame.ts";
import { pairColumn } from "../columns/order_columns.ts";
import { solver, type SolverOptions } from "../columns/solver_names.ts";
import {
  COMPETITION_KIND,
  readRecords,
  SOLVER_OPTIONS,
  type TableInput,
  TOKEN_OPTIONS,
} from "../columns/table_input.ts";
import {
  TIME_OPTIONS,
  timeBasis,
  timeInInterval,
  type TimeOptions,
} from "../columns/time_columns.ts";
import type { TokenOptions } from "../columns/token_amounts.ts";

/** What one row is computed from. */
export interface SolverPairFacts {
  /** Address of the solver. */
  readonly solver: string;
  /** Its bids on one directed pair. */
  readonly coverage: PairCoverage;
  /** When the first auction with such a bid began; `null` if unknown. */
  readonly firstAt: KnownTime | null;
  /** When the last one began; `null` if unknown. */
  readonly lastAt: KnownTime | null;
}

/** One row per solver and pair; see {@linkcode solverPairsTable}. */
export const SOLVER_PAIRS: Table<SolverPairFacts> = {
  name: "solver_pairs",
  grain: "One solver and one directed pair of tokens that it bid on, over all auctions passed",
  columns: [
    ...solver<SolverPairFacts>("solver", {
      source: "solution.solverAddress",
      solver: (row) => row.solver,
    }),
    text("sell_token", {
      source: "solution.orders[].sellToken",
      cell: ({ coverage }) => coverage.sellToken,
    }),
    text("buy_token", {
      source: "solution.orders[].buyToken",
      cell: ({ coverage }) => coverage.buyToken,
    }),
    pairColumn(({ coverage }) => coverage),
    integer("bids", {
      unit: "solutions",
      source: "solutions of the solver with an order of the pair",
      cell: ({ coverage }) => coverage.bids,
    }),
    integer("wins", {
      unit: "solutions",
      source: "winning solutions among them",
      cell: ({ coverage }) => coverage.wins,
    }),
    ...native<SolverPairFacts>("volume", {
      source: "orders of the pair in winning solutions, settled or not: sell_amount at the " +
        "native price of the auction; buy_amount if the sell token has no price",
      atoms: ({ coverage }) => coverage.volumeWon,
    }),
    integer("first_auction_id", {
      source: "first auction in which it bid on the pair",
      cell: ({ coverage }) => coverage.firstAuctionId,
    }),
    integer("first_start_block", {
      source: "auction_start_block of that auction",
      cell: ({ coverage }) => coverage.firstStartBlock,
    }),
    ...timeInInterval<SolverPairFacts>("first_auction_at", {
      interval: "first_auction_time",
      source: "when that auction began: timestamp of its start block",
      of: ({ firstAt }) => firstAt,
    }),
    integer("last_auction_id", {
      source: "last auction in which it bid on the pair",
      cell: ({ coverage }) => coverage.lastAuctionId,
    }),
    integer("last_start_block", {
      source: "auction_start_block of that auction",
      cell: ({ coverage }) => coverage.lastStartBlock,
    }),
    ...timeInInterval<SolverPairFacts>("last_auction_at", {
      interval: "last_auction_time",
      source: "when that auction began: timestamp of its start block",
      of: ({ lastAt }) => lastAt,
    }),
    timeBasis<SolverPairFacts>(({ firstAt, lastAt }) => [firstAt, lastAt]),
    gaps(
      "price if an order of a winning solution has no native price for either token (volume is " +
        "then null), auction_time if `times` does not say when the auctions began",
      ({ coverage, firstAt, lastAt }) => [
        coverage.volumeWon === null && "price",
        (firstAt === null || lastAt === null) && "auction_time",
      ],
    ),
  ],
};

/** What else is known, besides the auctions: tokens, names of solvers, times. */
export interface SolverPairsOptions extends TokenOptions, SolverOptions, TimeOptions {}

const INPUT: TableInput<Competition, SolverPairsOptions> = {
  table: "solverPairsTable",
  records: COMPETITION_KIND,
  options: { ...TOKEN_OPTIONS, ...SOLVER_OPTIONS, ...TIME_OPTIONS },
};

/**
 * One row per solver and directed pair: solvers by score won, their pairs by number of bids.
 *
 * @param competitions Decoded competitions; each auction counts once.
 * @param options Decimals and symbols of tokens, names of solvers, times of auctions.
 * @returns A frame with the columns of {@linkcode SOLVER_PAIRS}; no competitions give no rows.
 * @throws {InputError} If a record is not decoded or is of another kind, or an option is unknown.
 *
 * @example No auctions
 * ```ts
 * import { solverPairsTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(solverPairsTable([]).height, 0);
 * ```
 */
export function solverPairsTable(
  competitions: Iterable<Competition>,
  options: SolverPairsOptions = {},
): Frame {
  const { solvers } = solverStatistics(readRecords(competitions, options, INPUT));
  const beganAt = (id: number) => options.times?.auction(id) ?? null;
  const rows = solvers.flatMap(({ solver, pairs }) =>
    pairs.map((coverage): SolverPairFacts => ({
      solver,
      coverage,
      firstAt: beganAt(coverage.firstAuctionId),
      lastAt: beganAt(coverage.lastAuctionId),
    }))
  );
  return buildFrame(SOLVER_PAIRS, rows, options);
}
