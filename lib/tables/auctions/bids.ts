import { ROLE_OPTIONS } from "../../metrics/orders/auction_role.ts";
import { surplusToken } from "../../metrics/mod.ts";
import type { Competition } from "../../schemas/mod.ts";
import { amount, flag, gaps, number, text, time, worth } from "../columns/columns.ts";
import { filledFraction, volumeOf } from "../columns/fill_facts.ts";
import { buildFrame, type Column, type Frame, type Table } from "../columns/frame.ts";
import { pricedAtoms } from "../columns/native_worth.ts";
import { surplusTokenColumn } from "../columns/order_columns.ts";
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
import { TIME_OPTIONS, timeBasis } from "../columns/time_columns.ts";
import { type BidFacts, bidFacts, type BidsOptions } from "./bid_facts.ts";
import { FILTER_OPTIONS, FILTERED_OUT } from "./filter_column.ts";
import { AUCTION_ID, BID_COLUMNS, SOLUTION_COLUMNS, START_BLOCK } from "./competition_columns.ts";

const QUOTES: readonly [baseline: keyof BidFacts["quotes"], name: string, words: string][] = [
  ["gross", "gross", "the stored quote before any fee"],
  ["net", "net", "the quote less its network fee"],
  ["userShown", "user_shown", "the net quote less volume fees, as reported with the first fill"],
];

function quoteColumn([baseline, name, words]: (typeof QUOTES)[number]): Column<BidFacts> {
  return number(`quote_${name}_over_limit_bps`, {
    unit: "basis points of the limit",
    source: `${words}, over the limit; the same on every row of the order`,
    cell: ({ quotes }) => quotes[baseline],
  });
}

/** One row per order in a solution; see {@linkcode bidsTable}. */
export const BIDS: Table<BidFacts> = {
  name: "bids",
  grain: "One order in one solution of one auction: what one solver bid for it, and how it fared",
  columns: [
    AUCTION_ID,
    ...time<BidFacts>("auction_at", {
      source: "when the auction began, as outcomes has it",
      at: ({ auctionAt }) => auctionAt?.at,
    }),
    timeBasis<BidFacts>(({ auctionAt }) => [auctionAt]),
    START_BLOCK,
    ...SOLUTION_COLUMNS,
    FILTERED_OUT,
    ...BID_COLUMNS,
    text("kind", {
      source: "order.kind; null if the order was not passed",
      cell: ({ order }) => order?.kind ?? null,
    }),
    surplusTokenColumn(({ order }) => order),
    ...amount<BidFacts>("sell_amount", {
      of: "sell token",
      source: "solution.orders[].sellAmount: sold after all fees",
      atoms: ({ bid }) => bid.sellAmount,
      token: ({ bid }) => bid.sellToken,
    }),
    ...amount<BidFacts>("buy_amount", {
      of: "buy token",
      source: "solution.orders[].buyAmount: bought after all fees",
      atoms: ({ bid }) => bid.buyAmount,
      token: ({ bid }) => bid.buyToken,
    }),
    ...worth<BidFacts>("volume", {
      source: "what is sold at the native price of the auction; what is bought if the sell token " +
        "has no price",
      of: ({ bid: { sellToken, buyToken, ...bid }, prices }) =>
        sellToken === undefined || buyToken === undefined
          ? null
          : volumeOf(bid, { sellToken, buyToken }, prices),
    }),
    text("tx_hash", {
      source: "solution.txHash",
      cell: ({ solution }) => solution.txHash ?? null,
    }),
    flag("is_executed", {
      source: "whether solution.txHash filled the order; null for a winner if unknown",
      cell: ({ isExecuted }) => isExecuted,
    }),
    number("filled_fraction", {
      unit: "0 to 1",
      source: "share of the whole order that the bid executes",
      cell: ({ bid, order }) => order === undefined ? null : filledFraction(bid, order),
    }),
    ...amount<BidFacts>("surplus", {
      of: "surplus token",
      source:
        "settledSurplus of the bid; 0 for a solver's liquidity; null without its order or role",
      atoms: ({ surplus }) => surplus,
      token: ({ order }) => order && surplusToken(order),
    }),
    ...worth<BidFacts>("surplus_native", {
      source: "surplus at the native price of the auction",
      of: ({ surplus, order, prices }) =>
        order === undefined ? null : pricedAtoms(surplus, surplusToken(order), prices),
    }),
    number("over_limit_bps", {
      unit: "basis points of the limit, scaled to the bid",
      source: "surplusBpsOfLimit of the bid; 0 for a solver's liquidity",
      cell: ({ overLimit }) => overLimit,
    }),
    ...QUOTES.map(quoteColumn),
    number("behind_winner_bps", {
      unit: "basis points of the limit, negative = better",
      source:
        "over_limit_bps of the winning bid for the order - that of this bid; null where the " +
        "order did not win",
      cell: ({ overLimit, winnerOverLimit }) =>
        overLimit === null || winnerOverLimit === null ? null : winnerOverLimit - overLimit,
    }),
    ...amount<BidFacts>("left", {
      of: "surplus token",
      source:
        "leftOnTheTable: how much more the price of a bid that lost would have given for the " +
        "fill from its auction; negative if less",
      atoms: ({ left }) => left,
      token: ({ order }) => order && surplusToken(order),
    }),
    ...worth<BidFacts>("left_native", {
      source: "the same at the native price of the auction",
      of: ({ left, order, prices }) =>
        order === undefined ? null : pricedAtoms(left, surplusToken(order), prices),
    }),
    gaps(
      "order if it was not passed (columns that need its kind, limit or quote), fills of a winner " +
        "if no trades were passed, transaction if the winner names none (is_executed), auction_time " +
        "if `times` does not say when the auction began",
      ({ order, isExecuted, areFillsKnown, auctionAt }) => [
        order === undefined && "order",
        isExecuted === null && (areFillsKnown ? "transaction" : "fills"),
        auctionAt === null && "auction_time",
      ],
    ),
  ],
};

const INPUT: TableInput<Competition, BidsOptions> = {
  table: "bidsTable",
  records: COMPETITION_KIND,
  options: {
    ...TOKEN_OPTIONS,
    ...SOLVER_OPTIONS,
    ...TIME_OPTIONS,
    ...ROLE_OPTIONS,
    ...FILTER_OPTIONS,
    orders: recordsRule(ORDER_KIND),
    trades: recordsRule(TRADE_KIND),
  },
};

/**
 * One row per order in a solution: what one solver bid for it, whether that won and was executed, and
 * how far it was from the winner. Auctions in the order given, solutions by ranking.
 *
 * The value of a bid depends on its order, so the columns that need one are `null` for orders that
 * were not passed.
 *
 * @param competitions Decoded competitions.
 * @param options Orders for limits and quotes, trades for what was executed.
 * @returns A frame with the columns of {@linkcode BIDS}; no competitions give no rows.
 * @throws {InputError} If a record is not decoded or is of another kind, or an option is unknown.
 *
 * @example One bid
 * ```ts
 * import { decodeCompetition } from "orderlens/schemas";
 * import { bidsTable } from "orderlens/tables";
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
 * const [row] = bidsTable([competition]).toRecords();
 * assertEquals([row?.pair, row?.buy_amount_tokens], ["WETH → USDC", 2500]);
 * ```
 */
export function bidsTable(
  competitions: Iterable<Competition>,
  options: BidsOptions = {},
): Frame {
  const all = readRecords(competitions, options, INPUT);
  return buildFrame(BIDS, bidFacts(all, options), options);
}
