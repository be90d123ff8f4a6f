import { surplusToken } from "../../metrics/mod.ts";
import type { DebugAuction, DebugReport, DebugTrade, Execution } from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";
import { amount, integer, number, solver, text } from "../columns/columns.ts";
import { filledFraction, pairColumn, surplusTokenColumn } from "../columns/order_records.ts";
import type { Table } from "../columns/frame.ts";
import type { SolverOptions, TokenOptions } from "../columns/lookups.ts";
import { type BuildTable, optionsOn, REPORT_KIND, tableOf } from "../columns/table_input.ts";

/** What else is known about executions. */
export interface ExecutionsOptions extends TokenOptions, SolverOptions {}

/** What one row is computed from. */
export interface ExecutionFacts {
  /** The report. */
  readonly report: DebugReport;
  /** The auction. */
  readonly auction: DebugAuction;
  /** The execution. */
  readonly execution: Execution;
  /** Its fill, if the report lists it. */
  readonly trade: DebugTrade | undefined;
}

/** The native price of a token in the auction; `null` if there is none, or it is not whole. */
function nativePrice({ auction }: ExecutionFacts, token: string): string | null {
  const [, price] = Object.entries(auction.nativePrices)
    .find(([address]) => sameHex(address, token)) ?? [];
  return typeof price === "bigint" ? String(price) : null;
}

function protocolFeeTotal({ execution, report }: ExecutionFacts): bigint | null {
  const token = surplusToken(report.order);
  let total = 0n;
  for (const fee of execution.protocolFees) {
    if (!sameHex(fee.token, token)) return null;
    total += fee.amount;
  }
  return total;
}

/** One row per execution; see {@linkcode executionsTable}. */
export const EXECUTIONS: Table<ExecutionFacts> = {
  name: "executions",
  grain: "One execution of one order that reached the chain, with the fees the service recorded",
  columns: [
    text("order_uid", { source: "report.orderUid", cell: ({ report }) => report.orderUid }),
    integer("auction_id", {
      source: "report.auctions[].id",
      cell: ({ auction }) => auction.id,
    }),
    integer("block_number", {
      source: "execution.blockNumber: of the settlement",
      cell: ({ execution }) => execution.blockNumber,
    }),
    integer("log_index", {
      source: "logIndex of the fill among report.trades",
      cell: ({ trade }) => trade?.logIndex ?? null,
    }),
    text("tx_hash", {
      source: "txHash of the fill among report.trades",
      cell: ({ trade }) => trade?.txHash ?? null,
    }),
    ...solver<ExecutionFacts>("solver", {
      source: "solver of the winning solution among report.auctions[].proposedSolutions",
      solver: ({ auction }) => auction.proposedSolutions.find(({ isWinner }) => isWinner)?.solver,
    }),
    text("kind", { source: "report.order.kind", cell: ({ report }) => report.order.kind }),
    pairColumn(({ report: { order } }) => order),
    ...amount<ExecutionFacts>("sell_amount", {
      of: "sell token",
      source: "sellAmount of the fill: all fees included",
      atoms: ({ trade }) => trade?.sellAmount,
      token: ({ report }) => report.order.sellToken,
    }),
    ...amount<ExecutionFacts>("buy_amount", {
      of: "buy token",
      source: "buyAmount of the fill: after all fees",
      atoms: ({ trade }) => trade?.buyAmount,
      token: ({ report }) => report.order.buyToken,
    }),
    number("filled_fraction", {
      unit: "0 to 1",
      source: "share of the whole order that the fill executed",
      cell: ({ trade, report }) => trade === undefined ? null : filledFraction(trade, report.order),
    }),
    ...amount<ExecutionFacts>("executed_fee", {
      of: "fee token",
      source: "execution.executedFee: network and protocol fees together",
      atoms: ({ execution }) => execution.executedFee,
      token: ({ execution }) => execution.executedFeeToken,
    }),
    text("fee_token", {
      source: "execution.executedFeeToken: the sell token today",
      cell: ({ execution }) => execution.executedFeeToken,
    }),
    integer("protocol_fee_count", {
      unit: "fees",
      source: "number of execution.protocolFees",
      cell: ({ execution }) => execution.protocolFees.length,
    }),
    ...amount<ExecutionFacts>("protocol_fee_total", {
      of: "surplus token",
      source: "sum of execution.protocolFees; null if one is not in the surplus token",
      atoms: protocolFeeTotal,
      token: ({ report }) => surplusToken(report.order),
    }),
    surplusTokenColumn(({ report }) => report.order),
    text("sell_native_price", {
      unit: "native atoms for 10^18 token atoms",
      source: "report.auctions[].nativePrices of the sell token; null if it is not a whole number",
      cell: (row) => nativePrice(row, row.report.order.sellToken),
    }),
    text("buy_native_price", {
      unit: "native atoms for 10^18 token atoms",
      source: "report.auctions[].nativePrices of the buy token; null if it is not a whole number",
      cell: (row) => nativePrice(row, row.report.order.buyToken),
    }),
  ],
};

/**
 * One row per execution: reports in the order given, auctions by id.
 *
 * @param reports Decoded debug reports.
 * @returns A frame with the columns of {@linkcode EXECUTIONS}; no reports give no rows.
 * @throws {InputError} If a record is not decoded or is of another kind, or an option is unknown.
 *
 * @example No reports
 * ```ts
 * import { executionsTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(executionsTable([]).height, 0);
 * ```
 */
export const executionsTable: BuildTable<DebugReport, ExecutionsOptions> = tableOf({
  table: EXECUTIONS,
  records: REPORT_KIND,
  options: optionsOn("tokens", "solvers"),
  rows: (reports) =>
    reports.flatMap((report) =>
      report.auctions.flatMap((auction) =>
        auction.executions.map((execution) => {
          const trade = report.trades.find(({ auctionId, blockNumber }) =>
            auctionId === auction.id && blockNumber === execution.blockNumber
          );
          return { report, auction, execution, trade };
        })
      )
    ),
});
