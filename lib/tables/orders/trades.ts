import type { KnownTime } from "../../metrics/mod.ts";
import { byUid } from "../../metrics/not_computable.ts";
import { fillTime, indexAuctionsOfFills, indexedTimes } from "../../metrics/orders/fills.ts";
import type { Competition, DebugReport, Order, Trade } from "../../schemas/mod.ts";
import { groupByHex, HexMap } from "../../units/mod.ts";
import {
  fillTimeColumns,
  gaps,
  integer,
  native,
  solver,
  text,
  type TimeOptions,
} from "../columns/columns.ts";
import type { Table } from "../columns/frame.ts";
import { pairColumn, priceColumn, tokenColumns, tradedAmounts } from "../columns/order_columns.ts";
import { settledBy, type SolverOptions, type TokenOptions } from "../columns/lookups.ts";
import { type BuildTable, optionsOn, tableOf, TRADE_KIND } from "../columns/table_input.ts";

/** What else is known, besides the trades. */
export interface TradesOptions extends TokenOptions, SolverOptions, TimeOptions {
  /** Auctions that the fills may be from, for their ids and solvers. */
  competitions?: Iterable<Competition>;
  /** Orders of the trades: a fill lies between creation and expiry, where only an interval is known. */
  orders?: Iterable<Order>;
  /** Debug reports of the orders, which say when fills were indexed. */
  debugReports?: Iterable<DebugReport>;
}

/** What one row is computed from: a fill, its auction, its solver and its time. */
export interface TradeFacts extends Trade {
  /** Auction it was settled from; `null` if no competition contains it. */
  readonly auctionId: number | null;
  /** Address of the solver; `null` if no competition names it. */
  readonly solver: string | null;
  /** When the fill happened; `null` if unknown. */
  readonly filledAt: KnownTime | null;
}

const { sold, bought } = tradedAmounts<TradeFacts>((trade) => trade);

/** One row per fill; see {@linkcode tradesTable}. */
export const TRADES: Table<TradeFacts> = {
  name: "trades",
  grain: "One fill of one order, identified by block_number and log_index",
  columns: [
    integer("block_number", {
      source: "trade.blockNumber: of the settlement",
      cell: (trade) => trade.blockNumber,
    }),
    integer("log_index", {
      source: "trade.logIndex: of the event in its block",
      cell: (trade) => trade.logIndex,
    }),
    ...fillTimeColumns<TradeFacts>(({ filledAt }) => filledAt),
    text("tx_hash", {
      source: "trade.txHash; null until it is indexed",
      cell: (trade) => trade.txHash,
    }),
    integer("auction_id", {
      source: "auction whose competition names tx_hash; null if none that was passed does",
      cell: ({ auctionId }) => auctionId,
    }),
    text("order_uid", { source: "trade.orderUid", cell: (trade) => trade.orderUid }),
    text("owner", { source: "trade.owner", cell: (trade) => trade.owner }),
    ...solver<TradeFacts>("solver", {
      source: "solver of the winning solution that names tx_hash, or has the order",
      solver: (trade) => trade.solver,
    }),
    ...tokenColumns<TradeFacts>("trade", (trade) => trade),
    pairColumn((trade) => trade),
    ...sold("sell_amount", {
      source: "trade.sellAmount: all fees included",
      atoms: (trade) => trade.sellAmount,
    }),
    ...sold("sell_amount_before_fees", {
      source: "trade.sellAmountBeforeFees: without the legacy signed fee",
      atoms: (trade) => trade.sellAmountBeforeFees,
    }),
    ...bought("buy_amount", {
      source: "trade.buyAmount: after all fees",
      atoms: (trade) => trade.buyAmount,
    }),
    priceColumn("buy_tokens_per_sell_token"),
    integer("protocol_fee_count", {
      unit: "fees",
      source: "number of trade.executedProtocolFees; null in answers without them",
      cell: (trade) => trade.executedProtocolFees?.length ?? null,
    }),
    ...native<TradeFacts>("gas_cost", {
      source: "trade.gasCost: gas paid for the fill",
      atoms: (trade) => trade.gasCost,
    }),
    ...native<TradeFacts>("penalty_cap", {
      source: "trade.penaltyCapNative: cap on the penalty for not settling it, of orders with caps",
      atoms: (trade) => trade.penaltyCapNative,
    }),
    gaps(
      "solver if no competition that was passed contains the settlement, fill_time if " +
        "`times` does not say when the fill happened",
      ({ solver, filledAt }) => [
        solver === null && "solver",
        filledAt === null && "fill_time",
      ],
    ),
  ],
};

/**
 * One row per fill, in the order given. Quantities that need the order too (surplus, slippage, fees
 * by policy) are in `fillsTable` and `feesTable`.
 *
 * @param trades Decoded trades.
 * @param options Competitions for auctions and solvers, names of solvers, times of blocks for the
 * times of fills.
 * @returns A frame with the columns of {@linkcode TRADES}; no trades give no rows.
 * @throws {InputError} If a record is not decoded or is of another kind, or an option is unknown.
 *
 * @example 2 WETH sold for 5,000 USDC on mainnet
 * ```ts
 * import { decodeTrade } from "orderlens/schemas";
 * import { tradesTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const trade = decodeTrade({
 *   blockNumber: 23_000_000,
 *   logIndex: 5,
 *   orderUid: `0x${"01".repeat(56)}`,
 *   owner: `0x${"02".repeat(20)}`,
 *   sellToken: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
 *   buyToken: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
 *   sellAmount: "2000000000000000000",
 *   sellAmountBeforeFees: "2000000000000000000",
 *   buyAmount: "5000000000",
 *   txHash: null,
 * });
 *
 * const [row] = tradesTable([trade], { network: "mainnet" }).toRecords();
 * assertEquals([row?.pair, row?.buy_tokens_per_sell_token], ["WETH → USDC", 2500]);
 * ```
 */
export const tradesTable: BuildTable<Trade, TradesOptions> = tableOf({
  table: TRADES,
  records: TRADE_KIND,
  options: optionsOn("tokens", "solvers", "times", "competitions", "orders", "debugReports"),
  rows: (all, options) => {
    const findAuction = indexAuctionsOfFills(options.competitions ?? []);
    const orders = byUid<Order>(options.orders ?? []);
    const indexedAt = indexedBy(all, options.debugReports ?? []);
    return all.map((trade): TradeFacts => {
      const auction = findAuction(trade);
      return {
        ...trade,
        auctionId: auction?.auctionId ?? null,
        solver: settledBy(trade, auction),
        filledAt: fillTime(trade, {
          times: options.times,
          indexedAt: indexedAt.get(trade),
          order: orders.get(trade.orderUid),
        }),
      };
    });
  },
});

/** When the service indexed each fill, by the debug report of its order. */
function indexedBy(
  trades: readonly Trade[],
  reports: Iterable<DebugReport>,
): Map<Trade, Temporal.Instant | null> {
  const reportOf = new HexMap(Array.from(reports, (one) => [one.orderUid, one]));
  const indexed = new Map<Trade, Temporal.Instant | null>();
  if (reportOf.size === 0) return indexed;
  for (const [uid, own] of groupByHex(trades, ({ orderUid }) => orderUid)) {
    const ascending = own.toSorted((a, b) =>
      a.blockNumber - b.blockNumber || a.logIndex - b.logIndex
    );
    const times = indexedTimes(ascending, reportOf.get(uid));
    for (const [index, trade] of ascending.entries()) indexed.set(trade, times[index] ?? null);
  }
  return indexed;
}
