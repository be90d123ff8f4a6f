import {
  type AuctionRole,
  auctionRole,
  type KnownTime,
  leftOnTheTable,
  settledSurplus,
} from "../../metrics/mod.ts";
import { indexByUid } from "../../metrics/not_computable.ts";
import { listTransactions } from "../../metrics/orders/fills.ts";
import type { OrderPair } from "../../metrics/orders/fills.ts";
import { readVolumeFactors } from "../../metrics/quotes/quote_baseline.ts";
import { quoteOverLimitBps } from "../../metrics/slippage/slippage.ts";
import type { Competition, Order, SolutionOrder, Trade } from "../../schemas/mod.ts";
import { groupByHex, HexMap, type Ratio, sameHex } from "../../units/mod.ts";
import { subtractRatios } from "../../units/ratio.ts";
import { flag, gaps, number, text, time, timeBasis, toValue, value } from "../columns/columns.ts";
import {
  findPriceSides,
  findVolumeSide,
  priceSidesColumn,
  surplusAmount,
  surplusTokenColumn,
  surplusValue,
  toFilledFraction,
  toOverLimitBps,
} from "../columns/order_columns.ts";
import type { Column } from "../columns/frame.ts";
import {
  AUCTION_ID,
  BID_AMOUNTS,
  BID_COLUMNS,
  FILTERED_OUT,
  type FilteredRow,
  readFilteredOut,
  SOLUTION_COLUMNS,
  SOLUTION_TRANSACTION,
  START_BLOCK,
} from "./auction_columns.ts";
import { listSolutions, type SolutionInAuction } from "./solutions.ts";
import { defineTable, type Table, TO_AUCTION } from "../columns/table.ts";
import { readLimits, selectRoles } from "../columns/instance_facts.ts";
import { lookUp, type ReadRecords } from "../columns/records.ts";

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

/**
 * One row per order in a solution: what one solver bid for it, whether that won and was executed, and
 * how far it was from the winner. Auctions in the order given, solutions by ranking.
 *
 * The value of a bid depends on its order, so the columns that need one are `null` for orders that
 * were not passed. Limits of orders without a record, and owners whose orders capture surplus, are those
 * of the instance of the auction, if it was passed: `instance_orders` says so.
 *
 * @example One bid
 * ```ts
 * import { decodeCompetition } from "orderlens/schemas";
 * import { BIDS, buildTable } from "orderlens/tables";
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
 * const [row] = buildTable(BIDS, { competitions: [competition] }).toRecords();
 * assertEquals([row?.pair, row?.buy_amount_tokens], ["WETH → USDC", 2500]);
 * ```
 */
export const BIDS: Table<"competitions"> = defineTable<BidFacts, "competitions">({
  name: "bids",
  grain: "One order in one solution of one auction: what one solver bid for it, and how it fared",
  kind: "derived",
  of: ["competitions"],
  key: ["auction_id", "ranking", "order_uid"],
  needs: ["orders", "trades", "times"],
  references: [TO_AUCTION, { columns: ["auction_id", "ranking"], to: "outcomes" }],
  columns: [
    AUCTION_ID,
    ...time<BidFacts>("auction_at", {
      source: "when the auction began, as outcomes has it",
      instant: ({ auctionAt }) => auctionAt?.at,
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
    ...BID_AMOUNTS,
    ...value<BidFacts>("volume", {
      source: "what is sold at the native price of the auction; what is bought if the sell token " +
        "has no price",
      amount: ({ bid: { sellToken, buyToken, ...bid }, prices }) =>
        sellToken === undefined || buyToken === undefined
          ? null
          : findVolumeSide(bid, { sellToken, buyToken }, prices),
    }),
    priceSidesColumn<BidFacts>(({ bid: { sellToken, buyToken, ...bid }, prices }) =>
      sellToken === undefined || buyToken === undefined
        ? null
        : findPriceSides(bid, { sellToken, buyToken }, prices)
    ),
    SOLUTION_TRANSACTION,
    flag("is_executed", {
      source: "whether solution.txHash filled the order; null for a winner if unknown",
      cell: ({ isExecuted }) => isExecuted,
    }),
    number("filled_fraction", {
      unit: "0 to 1",
      source: "share of the whole order that the bid executes",
      cell: ({ bid, order }) => order === undefined ? null : toFilledFraction(bid, order),
    }),
    ...surplusAmount<BidFacts>("surplus", {
      source:
        "settledSurplus of the bid; 0 for a solver's liquidity; null without its order or role",
      atoms: ({ surplus }) => surplus,
    }),
    ...surplusValue<BidFacts>("surplus_native", {
      source: "surplus at the native price of the auction",
      atoms: ({ surplus }) => surplus,
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
        "over_limit_bps of the winning bid for the order - that of this bid, both exact; null " +
        "where the order did not win",
      cell: ({ overLimit, winnerOverLimit }) =>
        overLimit === null || winnerOverLimit === null
          ? null
          : subtractRatios(winnerOverLimit, overLimit),
    }),
    ...surplusAmount<BidFacts>("left", {
      source:
        "leftOnTheTable: how much more the price of a bid that lost would have given for the " +
        "fill from its auction; negative if less",
      atoms: ({ leftAtoms }) => leftAtoms,
    }),
    ...surplusValue<BidFacts>("left_native", {
      source: "the same at the native price of the auction",
      atoms: ({ leftAtoms }) => leftAtoms,
    }),
    gaps(
      "order if it was not passed (columns that need its kind, limit or quote), fills of a winner " +
        "if no trades were passed, transaction if the winner names none (is_executed), auction_time " +
        "if `times` does not say when the auction began",
      ({ record, isExecuted, areFillsKnown, auctionAt }) => [
        record === undefined && "order",
        isExecuted === null && (areFillsKnown ? "transaction" : "fills"),
        auctionAt === null && "auction_time",
      ],
    ),
  ],
  rows: findBids,
});

/** The inputs of one row. */
interface BidFacts extends SolutionInAuction, FilteredRow {
  /** One order in the solution. */
  readonly bid: SolutionOrder;
  /** Start of the auction; `null` if unknown. */
  readonly auctionAt: KnownTime | null;
  /** Native prices of the auction, by address. */
  readonly prices: HexMap<bigint>;
  /** The order itself, if it was passed. */
  readonly record: Order | undefined;
  /** Its terms, of the record, otherwise of the instance of the auction. */
  readonly order: OrderPair | undefined;
  /** Role of the order in the auction. */
  readonly role: AuctionRole;
  /** Whether the transaction of the solution filled the order; `null` if unknown. */
  readonly isExecuted: boolean | null;
  /** Whether fills were passed. */
  readonly areFillsKnown: boolean;
  /** Surplus of the bid over its limit, in atoms; `null` if unknown. */
  readonly surplus: bigint | null;
  /** Surplus in exact basis points of the limit. */
  readonly overLimit: Ratio | null;
  /** `overLimit` of the winning bid for the order; `null` without one. */
  readonly winnerOverLimit: Ratio | null;
  /** Excess of the stored quote over the limit, by baseline. */
  readonly quotes: Readonly<Record<"gross" | "net" | "userShown", number | null>>;
  /** Additional amount for the fill at the price of a losing bid; `null` without a fill. */
  readonly leftAtoms: bigint | null;
}

/** Finds every order in every solution. */
function findBids(
  records: ReadRecords & { readonly competitions: readonly Competition[] },
): BidFacts[] {
  const orders = indexByUid<Order>(lookUp(records, "orders") ?? []);
  const trades = lookUp(records, "trades");
  const fills = trades && groupByHex(trades, ({ orderUid }) => orderUid);
  const quotes = new Map<Order, BidFacts["quotes"]>();
  return records.competitions.flatMap((competition) => {
    const prices = new HexMap(Object.entries(competition.auction.prices));
    const transactions = new Set(listTransactions(competition).map((hash) => hash.toLowerCase()));
    const limits = readLimits(records, competition.auctionId);
    const roles = selectRoles(records, competition.auctionId);
    const winners = new HexMap<Ratio | null>();
    const bids = listSolutions([competition]).flatMap(({ solution }) => {
      const filteredOut = readFilteredOut({ competition, solution }, records);
      return solution.orders.map((bid) => {
        const { id } = bid;
        const record = orders.get(id);
        const order = record ?? limits?.get(id);
        const orderFills = fills && (fills.get(id) ?? []);
        const role = auctionRole({ uid: id }, competition.auction, roles);
        const overLimit = order === undefined ? null : toOverLimitBps(bid, order, role);
        if (solution.isWinner) winners.set(id, overLimit);
        return {
          competition,
          solution,
          filteredOut,
          bid,
          auctionAt: records.times?.auction(competition.auctionId) ?? null,
          prices,
          record,
          order,
          role,
          isExecuted: isExecuted(solution, orderFills),
          areFillsKnown: fills !== undefined,
          surplus: order === undefined ? null : toValue(settledSurplus(bid, order, role)),
          overLimit,
          quotes: measureQuotes(record, orderFills, quotes),
          leftAtoms: order === undefined || solution.isWinner ? null : calculateLeftAtoms(
            bid,
            order,
            orderFills?.find(({ txHash }) =>
              txHash !== null && transactions.has(txHash.toLowerCase())
            ),
          ),
        };
      });
    });
    return bids.map((row): BidFacts => ({
      ...row,
      winnerOverLimit: winners.get(row.bid.id) ?? null,
    }));
  });
}

/**
 * A winner was executed if its transaction filled the order; without a transaction this is unknown.
 */
function isExecuted(
  { isWinner, txHash }: SolutionInAuction["solution"],
  fills: readonly Trade[] | undefined,
): boolean | null {
  if (!isWinner) return false;
  if (fills === undefined || txHash === null || txHash === undefined) return null;
  return fills.some((fill) => fill.txHash !== null && sameHex(fill.txHash, txHash));
}

/** Measures the quote of an order against its limit, once for all of its bids. */
function measureQuotes(
  order: Order | undefined,
  fills: readonly Trade[] | undefined,
  cache: Map<Order, BidFacts["quotes"]>,
): BidFacts["quotes"] {
  if (order === undefined) return { gross: null, net: null, userShown: null };
  let quotes = cache.get(order);
  if (quotes === undefined) {
    const factors = readVolumeFactors(fills?.[0]?.executedProtocolFees);
    quotes = {
      gross: quoteOverLimitBps(order, "gross", factors),
      net: quoteOverLimitBps(order, "net", factors),
      userShown: quoteOverLimitBps(order, "userShown", factors),
    };
    cache.set(order, quotes);
  }
  return quotes;
}

function calculateLeftAtoms(
  { sellAmount, buyAmount }: SolutionOrder,
  order: OrderPair,
  fill: Trade | undefined,
): bigint | null {
  if (fill === undefined) return null;
  const bid = { auctionId: 0, ranking: 0, solver: "", score: 0n, isWinner: false };
  const bids = [{ ...bid, filteredOut: false, sellAmount, buyAmount }];
  return leftOnTheTable(fill, order, { auctionId: 0, bids })?.atoms ?? null;
}
