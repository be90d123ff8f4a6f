import type { Competition, SolutionOrder } from "../../schemas/mod.ts";
import { amount, text } from "../columns/columns.ts";
import {
  FILTER_OPTIONS,
  FILTERED_OUT,
  filteredOutOf,
  type FilteredRow,
  type FilterOptions,
} from "./filter_column.ts";
import { buildFrame, type Frame, type Table } from "../columns/frame.ts";
import type { SolverOptions } from "../columns/solver_names.ts";
import { type SolutionInAuction, solutionRows } from "./solutions.ts";
import {
  COMPETITION_KIND,
  readRecords,
  SOLVER_OPTIONS,
  type TableInput,
  TOKEN_OPTIONS,
} from "../columns/table_input.ts";
import type { TokenOptions } from "../columns/token_amounts.ts";
import { AUCTION_ID, BID_COLUMNS, SOLUTION_COLUMNS } from "./competition_columns.ts";

/** What else is known, besides the auctions. */
export interface SolutionOrdersOptions extends TokenOptions, SolverOptions, FilterOptions {}

/** What one row is computed from. */
export interface SolutionOrderFacts extends SolutionInAuction, FilteredRow {
  /** One order in the solution. */
  readonly bid: SolutionOrder;
}

/** One row per order in a solution; see {@linkcode solutionOrdersTable}. */
export const SOLUTION_ORDERS: Table<SolutionOrderFacts> = {
  name: "solution_orders",
  grain: "One order in one solution of one auction: what one solver bid for it",
  columns: [
    AUCTION_ID,
    ...SOLUTION_COLUMNS,
    FILTERED_OUT,
    ...BID_COLUMNS,
    ...amount<SolutionOrderFacts>("sell_amount", {
      of: "sell token",
      source: "solution.orders[].sellAmount: sold after all fees",
      atoms: ({ bid }) => bid.sellAmount,
      token: ({ bid }) => bid.sellToken,
    }),
    ...amount<SolutionOrderFacts>("buy_amount", {
      of: "buy token",
      source: "solution.orders[].buyAmount: bought after all fees",
      atoms: ({ bid }) => bid.buyAmount,
      token: ({ bid }) => bid.buyToken,
    }),
    text("tx_hash", {
      source: "solution.txHash",
      cell: ({ solution }) => solution.txHash ?? null,
    }),
  ],
};

const INPUT: TableInput<Competition, SolutionOrdersOptions> = {
  table: "solutionOrdersTable",
  records: COMPETITION_KIND,
  options: {
    ...TOKEN_OPTIONS,
    ...SOLVER_OPTIONS,
    ...FILTER_OPTIONS,
  },
};

/**
 * One row per order in a solution: auctions in the order given, solutions by ranking.
 *
 * What a bid is worth to its order, and how it fared, is in `bidsTable`.
 *
 * @param competitions Decoded competitions.
 * @param options Decimals and symbols of tokens, names of solvers.
 * @returns A frame with the columns of {@linkcode SOLUTION_ORDERS}; no competitions give no rows.
 * @throws {InputError} If a record is not decoded or is of another kind, or an option is unknown.
 *
 * @example One bid
 * ```ts
 * import { decodeCompetition } from "orderlens/schemas";
 * import { solutionOrdersTable } from "orderlens/tables";
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
 * const [row] = solutionOrdersTable([competition]).toRecords();
 * assertEquals([row?.pair, row?.buy_amount_tokens], ["WETH → USDC", 2500]);
 * ```
 */
export function solutionOrdersTable(
  competitions: Iterable<Competition>,
  options: SolutionOrdersOptions = {},
): Frame {
  const all = readRecords(competitions, options, INPUT);
  const rows = solutionRows(all).flatMap((row): SolutionOrderFacts[] => {
    const filteredOut = filteredOutOf(row, options);
    return row.solution.orders.map((bid) => ({ ...row, filteredOut, bid }));
  });
  return buildFrame(SOLUTION_ORDERS, rows, options);
}
