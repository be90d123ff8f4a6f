import {
  type AuctionRole,
  auctionRole,
  type KnownTime,
  leftOnTheTable,
  type RoleOptions,
  settledSurplus,
} from "../../metrics/mod.ts";
import { byUid } from "../../metrics/by_uid.ts";
import { transactionsOf } from "../../metrics/orders/attribute_fills.ts";
import { volumeFactorsOf } from "../../metrics/quotes/volume_factors.ts";
import { quoteOverLimitBps } from "../../metrics/slippage/quote_over_limit.ts";
import type { Competition, Order, SolutionOrder, Trade } from "../../schemas/mod.ts";
import { groupByHex, HexMap, sameHex } from "../../units/mod.ts";
import { overLimitBps, valueOf } from "../columns/fill_facts.ts";
import type { SolverOptions } from "../columns/solver_names.ts";
import type { TimeOptions } from "../columns/time_columns.ts";
import type { TokenOptions } from "../columns/token_amounts.ts";
import { filteredOutOf, type FilteredRow, type FilterOptions } from "./filter_column.ts";
import { type SolutionInAuction, solutionRows } from "./solutions.ts";

/** What else is known, besides the auctions. */
export interface BidsOptions
  extends TokenOptions, SolverOptions, TimeOptions, RoleOptions, FilterOptions {
  /** Orders of the solutions, for limits and quotes. */
  orders?: Iterable<Order>;
  /** Fills of the orders: which bids were executed, and the fees that were shown. */
  trades?: Iterable<Trade>;
}

/** What one row is computed from. */
export interface BidFacts extends SolutionInAuction, FilteredRow {
  /** One order in the solution. */
  readonly bid: SolutionOrder;
  /** When the auction began; `null` if unknown. */
  readonly auctionAt: KnownTime | null;
  /** Native prices of the auction, by address. */
  readonly prices: HexMap<bigint>;
  /** The order itself, if it was passed. */
  readonly order: Order | undefined;
  /** Role of the order in the auction. */
  readonly role: AuctionRole;
  /** Whether the transaction of the solution filled the order; `null` if unknown. */
  readonly isExecuted: boolean | null;
  /** Whether fills were passed. */
  readonly areFillsKnown: boolean;
  /** How much better than its limit the bid is, in atoms; `null` if unknown. */
  readonly surplus: bigint | null;
  /** The same in basis points of the limit. */
  readonly overLimit: number | null;
  /** That of the winning bid for the order; `null` without one. */
  readonly winnerOverLimit: number | null;
  /** How far the stored quote is over the limit, by baseline. */
  readonly quotes: Readonly<Record<"gross" | "net" | "userShown", number | null>>;
  /** What the price of a losing bid would have given more for the fill; `null` without a fill. */
  readonly left: bigint | null;
}

/** Every order in every solution, judged once. */
export function bidFacts(all: readonly Competition[], options: BidsOptions): BidFacts[] {
  const orders = byUid<Order>(options.orders ?? []);
  const fills = options.trades && groupByHex(options.trades, ({ orderUid }) => orderUid);
  const quotes = new Map<Order, BidFacts["quotes"]>();
  return all.flatMap((competition) => {
    const prices = new HexMap(Object.entries(competition.auction.prices));
    const transactions = new Set(transactionsOf(competition).map((hash) => hash.toLowerCase()));
    const winners = new HexMap<number | null>();
    const bids = solutionRows([competition]).flatMap(({ solution }) => {
      const filteredOut = filteredOutOf({ competition, solution }, options);
      return solution.orders.map((bid) => {
        const { id } = bid;
        const order = orders.get(id);
        const own = fills && (fills.get(id) ?? []);
        const role = auctionRole({ uid: id }, competition.auction, options);
        const overLimit = order === undefined ? null : overLimitBps(bid, order, role);
        if (solution.isWinner) winners.set(id, overLimit);
        return {
          competition,
          solution,
          filteredOut,
          bid,
          auctionAt: options.times?.auction(competition.auctionId) ?? null,
          prices,
          order,
          role,
          isExecuted: isExecuted(solution, own),
          areFillsKnown: fills !== undefined,
          surplus: order === undefined ? null : valueOf(settledSurplus(bid, order, role)),
          overLimit,
          quotes: quotesOf(order, own, quotes),
          left: order === undefined || solution.isWinner ? null : leftBy(
            bid,
            order,
            own?.find(({ txHash }) => txHash !== null && transactions.has(txHash.toLowerCase())),
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

/** How far the quote of an order is over its limit, computed once for all of its bids. */
function quotesOf(
  order: Order | undefined,
  fills: readonly Trade[] | undefined,
  known: Map<Order, BidFacts["quotes"]>,
): BidFacts["quotes"] {
  if (order === undefined) return { gross: null, net: null, userShown: null };
  let quotes = known.get(order);
  if (quotes === undefined) {
    const factors = volumeFactorsOf(fills?.[0]?.executedProtocolFees);
    quotes = {
      gross: quoteOverLimitBps(order, "gross", factors),
      net: quoteOverLimitBps(order, "net", factors),
      userShown: quoteOverLimitBps(order, "userShown", factors),
    };
    known.set(order, quotes);
  }
  return quotes;
}

function leftBy(
  { sellAmount, buyAmount }: SolutionOrder,
  order: Order,
  fill: Trade | undefined,
): bigint | null {
  if (fill === undefined) return null;
  const bid = { auctionId: 0, ranking: 0, solver: "", score: 0n, isWinner: false };
  const bids = [{ ...bid, filteredOut: false, sellAmount, buyAmount }];
  return leftOnTheTable(fill, order, { auctionId: 0, bids })?.atoms ?? null;
}
