import {
  type AuctionRole,
  auctionRole,
  type Baseline,
  type RoleOptions,
} from "../../metrics/mod.ts";
import { byUid } from "../../metrics/by_uid.ts";
import { volumeFactorsOf } from "../../metrics/quotes/volume_factors.ts";
import { quoteOverLimitBps } from "../../metrics/slippage/quote_over_limit.ts";
import type { Competition, Order, SolutionOrder, Trade } from "../../schemas/mod.ts";
import { groupByHex, sameHex } from "../../units/mod.ts";
import { amount, flag, gaps, integer, number, text } from "../columns/columns.ts";
import { filledFraction, overLimitBps } from "../columns/fill_facts.ts";
import { ROLE_OPTIONS } from "../../metrics/orders/auction_role.ts";
import {
  FILTER_OPTIONS,
  FILTERED_OUT,
  filteredOutOf,
  type FilteredRow,
  type FilterOptions,
} from "./filter_column.ts";
import { buildFrame, type Column, type Frame, type Table } from "../columns/frame.ts";
import { pairColumn, surplusTokenColumn } from "../columns/order_columns.ts";
import { solver, type SolverOptions } from "../columns/solver_names.ts";
import { type SolutionInAuction, solutionRows } from "./solutions.ts";
import {
  COMPETITION_KIND,
  ORDER_KIND,
  readRecords,
  recordsRule,
  SOLVER_OPTIONS,
  type TableInput,
  TOKEN_OPTIONS,
  TRADE_KIND,
} from "../columns/table_input.ts";
import type { TokenOptions } from "../columns/token_amounts.ts";

/** What else is known, besides the auctions. */
export interface SolutionOrdersOptions
  extends TokenOptions, SolverOptions, RoleOptions, FilterOptions {
  /** Orders of the solutions, for limits and quotes. */
  orders?: Iterable<Order>;
  /** Fills of the orders: which bids were executed, and the fees that were shown. */
  trades?: Iterable<Trade>;
}

/** What one row is computed from. */
export interface SolutionOrderFacts extends SolutionInAuction, FilteredRow {
  /** One order in the solution. */
  readonly bid: SolutionOrder;
  /** The order itself, if it was passed. */
  readonly order: Order | undefined;
  /** Its fills, if trades were passed. */
  readonly fills: readonly Trade[] | undefined;
  /** Role of the order in the auction. */
  readonly role: AuctionRole;
}

/**
 * A winner was executed if its transaction filled the order; without a transaction this is unknown.
 */
function isExecuted({ solution, fills }: SolutionOrderFacts): boolean | null {
  if (!solution.isWinner) return false;
  const { txHash } = solution;
  if (fills === undefined || txHash === null || txHash === undefined) return null;
  return fills.some((fill) => fill.txHash !== null && sameHex(fill.txHash, txHash));
}

const QUOTES: readonly [baseline: Baseline, name: string, words: string][] = [
  ["gross", "gross", "the stored quote before any fee"],
  ["net", "net", "the quote less its network fee"],
  ["userShown", "user_shown", "the net quote less volume fees, as reported with the first fill"],
];

function quoteColumn([baseline, name, words]: (typeof QUOTES)[number]): Column<SolutionOrderFacts> {
  return number(`quote_${name}_over_limit_bps`, {
    unit: "basis points of the limit",
    source: `${words}, over the limit; the same on every row of the order`,
    cell: ({ order, fills }) =>
      order === undefined
        ? null
        : quoteOverLimitBps(order, baseline, volumeFactorsOf(fills?.[0]?.executedProtocolFees)),
  });
}

/** One row per order in a solution; see {@linkcode solutionOrdersTable}. */
export const SOLUTION_ORDERS: Table<SolutionOrderFacts> = {
  name: "solution_orders",
  grain: "One order in one solution of one auction: what one solver bid for it",
  columns: [
    integer("auction_id", {
      source: "competition.auctionId",
      cell: ({ competition }) => competition.auctionId,
    }),
    integer("ranking", {
      source: "solution.ranking: rank of the whole solution",
      cell: ({ solution }) => solution.ranking,
    }),
    ...solver<SolutionOrderFacts>("solver", {
      source: "solution.solverAddress",
      solver: ({ solution }) => solution.solverAddress,
    }),
    flag("is_winner", { source: "solution.isWinner", cell: ({ solution }) => solution.isWinner }),
    FILTERED_OUT,
    text("order_uid", { source: "solution.orders[].id", cell: ({ bid }) => bid.id }),
    text("sell_token", {
      source: "solution.orders[].sellToken",
      cell: ({ bid }) => bid.sellToken ?? null,
    }),
    text("buy_token", {
      source: "solution.orders[].buyToken",
      cell: ({ bid }) => bid.buyToken ?? null,
    }),
    pairColumn(({ bid }) => bid),
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
    flag("is_executed", {
      source: "whether solution.txHash filled the order; null for a winner if unknown",
      cell: isExecuted,
    }),
    text("kind", {
      source: "order.kind; null if the order was not passed",
      cell: ({ order }) => order?.kind ?? null,
    }),
    surplusTokenColumn(({ order }) => order),
    number("filled_fraction", {
      unit: "0 to 1",
      source: "share of the whole order that the bid executes",
      cell: ({ bid, order }) => order === undefined ? null : filledFraction(bid, order),
    }),
    number("over_limit_bps", {
      unit: "basis points of the limit, scaled to the bid",
      source: "surplusBpsOfLimit of the bid; 0 for a solver's liquidity",
      cell: ({ bid, order, role }) => order === undefined ? null : overLimitBps(bid, order, role),
    }),
    ...QUOTES.map(quoteColumn),
    gaps(
      "order if it was not passed (columns from kind on), fills of a winner if no trades were " +
        "passed, transaction if the winner names none (is_executed)",
      (row) => [
        row.order === undefined && "order",
        isExecuted(row) === null && (row.fills === undefined ? "fills" : "transaction"),
      ],
    ),
  ],
};

const INPUT: TableInput<Competition, SolutionOrdersOptions> = {
  table: "solutionOrdersTable",
  records: COMPETITION_KIND,
  options: {
    ...TOKEN_OPTIONS,
    ...SOLVER_OPTIONS,
    ...ROLE_OPTIONS,
    ...FILTER_OPTIONS,
    orders: recordsRule(ORDER_KIND),
    trades: recordsRule(TRADE_KIND),
  },
};

/**
 * One row per order in a solution: auctions in the order given, solutions by ranking.
 *
 * The value of a bid depends on its order, so the columns from `kind` on are `null` for orders that
 * were not passed.
 *
 * @param competitions Decoded competitions.
 * @param options Orders for limits and quotes, trades for what was executed.
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
  const orders = byUid<Order>(options.orders ?? []);
  const fills = options.trades === undefined
    ? undefined
    : groupByHex(options.trades, ({ orderUid }) => orderUid);
  const rows: SolutionOrderFacts[] = [];
  for (const { competition, solution } of solutionRows(all)) {
    for (const bid of solution.orders) {
      const uid = bid.id;
      const own = fills === undefined ? undefined : fills.get(uid) ?? [];
      rows.push({
        competition,
        solution,
        filteredOut: filteredOutOf({ competition, solution }, options),
        bid,
        order: orders.get(uid),
        fills: own,
        role: auctionRole({ uid }, competition.auction, options),
      });
    }
  }
  return buildFrame(SOLUTION_ORDERS, rows, options);
}
