import type { KnownTime } from "../../metrics/mod.ts";
import { indexByUid } from "../../metrics/not_computable.ts";
import { fillTime, indexAuctionsOfFills, matchIndexedTimes } from "../../metrics/orders/fills.ts";
import type { DebugReport, Order, Trade } from "../../schemas/mod.ts";
import { groupByHex, HexMap } from "../../units/mod.ts";
import { fillTimeColumns, gaps, integer, native, solver, text } from "../columns/columns.ts";
import { pairColumn, priceColumn, tokenColumns, tradedColumns } from "../columns/order_columns.ts";
import { findSettlingSolver } from "../columns/lookups.ts";
import { defineTable, type Table, TO_ORDER } from "../columns/table.ts";

/** The inputs of one row: a fill, its auction, its solver and its time. */
interface TradeFacts extends Trade {
  /** Auction it was settled from; `null` if no competition contains it. */
  readonly auctionId: number | null;
  /** Address of the solver; `null` if no competition names it. */
  readonly solver: string | null;
  /** Time of the fill; `null` if unknown. */
  readonly filledAt: KnownTime | null;
}

const { sold, bought } = tradedColumns<TradeFacts>((trade) => trade);

/**
 * One row per fill, in the order given. Quantities that need the order too (surplus, slippage, fees
 * by policy) are in `fills` and `fees`.
 *
 * @example 2 WETH sold for 5,000 USDC on mainnet
 * ```ts
 * import { decodeTrade } from "orderlens/schemas";
 * import { buildTable, TRADES } from "orderlens/tables";
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
 * const [row] = buildTable(TRADES, { trades: [trade], network: "mainnet" }).toRecords();
 * assertEquals([row?.pair, row?.buy_tokens_per_sell_token], ["WETH → USDC", 2500]);
 * ```
 */
export const TRADES: Table<"trades"> = defineTable<TradeFacts, "trades">({
  name: "trades",
  grain: "One fill of one order, identified by block_number and log_index",
  kind: "record",
  of: ["trades"],
  key: ["chain_id", "block_number", "log_index"],
  needs: ["orders", "trades", "reports", "times"],
  references: [TO_ORDER],
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
      source: "number of trade.executedProtocolFees; null in responses without them",
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
  rows: (records) => {
    const { trades, times } = records;
    const findAuction = indexAuctionsOfFills(records.competitions ?? []);
    const orders = indexByUid<Order>(records.orders ?? []);
    const indexedAt = findIndexedTimes(trades, records.debugReports ?? []);
    return trades.map((trade): TradeFacts => {
      const auction = findAuction(trade);
      return {
        ...trade,
        auctionId: auction?.auctionId ?? null,
        solver: findSettlingSolver(trade, auction),
        filledAt: fillTime(trade, {
          times,
          indexedAt: indexedAt.get(trade),
          order: orders.get(trade.orderUid),
        }),
      };
    });
  },
});

/** Finds the time at which the service indexed each fill, from the debug report of its order. */
function findIndexedTimes(
  trades: readonly Trade[],
  reports: Iterable<DebugReport>,
): Map<Trade, Temporal.Instant | null> {
  const reportByUid = new HexMap(Array.from(reports, (report) => [report.orderUid, report]));
  const timeByTrade = new Map<Trade, Temporal.Instant | null>();
  if (reportByUid.size === 0) return timeByTrade;
  for (const [uid, orderTrades] of groupByHex(trades, ({ orderUid }) => orderUid)) {
    const ascending = orderTrades.toSorted((a, b) =>
      a.blockNumber - b.blockNumber || a.logIndex - b.logIndex
    );
    const times = matchIndexedTimes(ascending, reportByUid.get(uid));
    for (const [index, trade] of ascending.entries()) timeByTrade.set(trade, times[index] ?? null);
  }
  return timeByTrade;
}
