import { type PairCoverage, solverStatistics } from "../../metrics/mod.ts";
import type { Competition } from "../../schemas/mod.ts";
import { integer, text } from "../columns/columns.ts";
import { buildFrame, type Frame, type Table } from "../columns/frame.ts";
import { pairColumn } from "../columns/order_columns.ts";
import {
  COMPETITION_KIND,
  readRecords,
  type TableInput,
  TOKEN_OPTIONS,
} from "../columns/table_input.ts";
import type { TokenOptions } from "../columns/token_amounts.ts";

/** What one row of the table is made from. */
export interface SolverPairFacts {
  /** Address of the solver. */
  readonly solver: string;
  /** Its bids on one directed pair. */
  readonly coverage: PairCoverage;
}

/** One row per solver and pair; see {@linkcode solverPairsTable}. */
export const SOLVER_PAIRS: Table<SolverPairFacts> = {
  name: "solver_pairs",
  grain: "One solver and one directed pair of tokens that it bid on, over all auctions given",
  columns: [
    text("solver", { source: "solution.solverAddress", cell: ({ solver }) => solver }),
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
      source: "those that won",
      cell: ({ coverage }) => coverage.wins,
    }),
  ],
};

const INPUT: TableInput<Competition, TokenOptions> = {
  table: "solverPairsTable",
  records: COMPETITION_KIND,
  options: TOKEN_OPTIONS,
};

/**
 * One row per solver and directed pair: solvers by score won, their pairs by bids.
 *
 * @param competitions Decoded competitions; each auction counts once.
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
  options: TokenOptions = {},
): Frame {
  const rows = solverStatistics(readRecords(competitions, options, INPUT)).solvers.flatMap((
    { solver, pairs },
  ) => pairs.map((coverage) => ({ solver, coverage })));
  return buildFrame(SOLVER_PAIRS, rows, options);
}
