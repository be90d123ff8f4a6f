import type {
  DebugAuction,
  DebugReport,
  DebugTrade,
  Execution,
  OrderEvent,
} from "../../schemas/mod.ts";
import {
  amount,
  flag,
  integer,
  number,
  secondsBetween,
  solver,
  text,
  time,
} from "../columns/columns.ts";
import { surplusToken } from "../../metrics/mod.ts";
import { sameHex } from "../../units/mod.ts";
import {
  pairColumn,
  surplusTokenColumn,
  toFilledFraction,
  tradedColumns,
} from "../columns/order_columns.ts";
import { defineTable, type Table, TO_ORDER } from "../columns/table.ts";

/** The inputs of one row. */
interface OrderEventFacts {
  /** UID of the order. */
  readonly orderUid: string;
  /** Position among the order's events, from 1. */
  readonly position: number;
  /** The event. */
  readonly event: OrderEvent;
  /** The next event. */
  readonly next: OrderEvent | undefined;
}

/**
 * One row per event: reports in the order given, events oldest first.
 *
 * @example Nothing happened yet
 * ```ts
 * import { buildTable, ORDER_EVENTS } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const frame = buildTable(ORDER_EVENTS, { debugReports: [] });
 * assertEquals([frame.height, frame.columns.includes("seconds_to_next")], [0, true]);
 * ```
 */
export const ORDER_EVENTS: Table<"debugReports"> = defineTable<OrderEventFacts, "debugReports">({
  name: "order_events",
  grain: "One change in the life of one order; the service keeps them for 30 days",
  kind: "record",
  of: ["debugReports"],
  key: ["order_uid", "position"],
  needs: ["orders", "reports"],
  references: [TO_ORDER],
  columns: [
    text("order_uid", { source: "report.orderUid", cell: ({ orderUid }) => orderUid }),
    integer("position", {
      source: "position in report.events, from 1",
      cell: ({ position }) => position,
    }),
    text("label", { source: "event.label", cell: ({ event }) => event.label }),
    text("reason", {
      source: "event.reason, for filtered and invalid",
      cell: ({ event }) => event.reason ?? null,
    }),
    ...time<OrderEventFacts>("timestamp", {
      source: "event.timestamp: when it was stored; for traded, when it was indexed",
      instant: ({ event }) => event.timestamp,
    }),
    number("seconds_to_next", {
      unit: "seconds",
      source: "time in the state that the event started; null for the last event",
      cell: ({ event, next }) =>
        next === undefined ? null : secondsBetween(event.timestamp, next.timestamp),
    }),
  ],
  rows: ({ debugReports }) =>
    debugReports.flatMap(({ orderUid, events }) =>
      events.map((event, i) => ({ orderUid, position: i + 1, event, next: events[i + 1] }))
    ),
});

/** The inputs of one row. */
interface OrderAuctionFacts {
  /** UID of the order. */
  readonly orderUid: string;
  /** One auction that included it. */
  readonly auction: DebugAuction;
}

/**
 * One row per auction of an order: reports in the order given, auctions by id.
 *
 * @example No reports
 * ```ts
 * import { buildTable, ORDER_AUCTIONS } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(buildTable(ORDER_AUCTIONS, { debugReports: [] }).height, 0);
 * ```
 */
export const ORDER_AUCTIONS: Table<"debugReports"> = defineTable<OrderAuctionFacts, "debugReports">(
  {
    name: "order_auctions",
    grain: "One auction that included one order",
    kind: "record",
    of: ["debugReports"],
    key: ["order_uid", "auction_id"],
    columns: [
      text("order_uid", { source: "report.orderUid", cell: ({ orderUid }) => orderUid }),
      integer("auction_id", { source: "report.auctions[].id", cell: ({ auction }) => auction.id }),
      integer("block_number", {
        source: "report.auctions[].block: the block at which the auction started",
        cell: ({ auction }) => auction.block,
      }),
      integer("deadline_block", {
        source: "report.auctions[].deadline: the last block in which to settle",
        cell: ({ auction }) => auction.deadline,
      }),
      integer("bid_count", {
        unit: "solutions",
        source: "number of report.auctions[].proposedSolutions, which all execute the order",
        cell: ({ auction }) => auction.proposedSolutions.length,
      }),
      flag("is_won", {
        source: "whether one of them won",
        cell: ({ auction }) => auction.proposedSolutions.some(({ isWinner }) => isWinner),
      }),
      integer("policy_count", {
        unit: "policies",
        source: "number of report.auctions[].feePolicies; 0 if no solution with the order won",
        cell: ({ auction }) => auction.feePolicies.length,
      }),
      integer("execution_count", {
        unit: "executions",
        source: "number of report.auctions[].executions",
        cell: ({ auction }) => auction.executions.length,
      }),
    ],
    rows: ({ debugReports }) =>
      debugReports.flatMap(({ orderUid, auctions }) =>
        auctions.map((auction) => ({ orderUid, auction }))
      ),
  },
);

/** The inputs of one row. */
interface ExecutionFacts {
  /** The report. */
  readonly report: DebugReport;
  /** The auction. */
  readonly auction: DebugAuction;
  /** The execution. */
  readonly execution: Execution;
  /** Its fill, if the report lists it. */
  readonly trade: DebugTrade | undefined;
}

/** Finds the native price of a token in the auction; `null` if there is none, or it is not whole. */
function findNativePrice({ auction }: ExecutionFacts, token: string): string | null {
  const [, price] = Object.entries(auction.nativePrices)
    .find(([address]) => sameHex(address, token)) ?? [];
  return typeof price === "bigint" ? String(price) : null;
}

function sumProtocolFees({ execution, report }: ExecutionFacts): bigint | null {
  const token = surplusToken(report.order);
  let total = 0n;
  for (const fee of execution.protocolFees) {
    if (!sameHex(fee.token, token)) return null;
    total += fee.amount;
  }
  return total;
}

const traded = tradedColumns<ExecutionFacts>(({ report }) => report.order);

/**
 * One row per execution: reports in the order given, auctions by id.
 *
 * @example No reports
 * ```ts
 * import { buildTable, EXECUTIONS } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(buildTable(EXECUTIONS, { debugReports: [] }).height, 0);
 * ```
 */
export const EXECUTIONS: Table<"debugReports"> = defineTable<ExecutionFacts, "debugReports">({
  name: "executions",
  grain: "One execution of one order that reached the chain, with the fees the service recorded",
  kind: "record",
  of: ["debugReports"],
  key: ["order_uid", "auction_id", "block_number"],
  needs: ["orders", "reports"],
  references: [TO_ORDER],
  mayRepeat: true,
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
    ...traded.sold("sell_amount", {
      source: "sellAmount of the fill: all fees included",
      atoms: ({ trade }) => trade?.sellAmount,
    }),
    ...traded.bought("buy_amount", {
      source: "buyAmount of the fill: after all fees",
      atoms: ({ trade }) => trade?.buyAmount,
    }),
    number("filled_fraction", {
      unit: "0 to 1",
      source: "share of the whole order that the fill executed",
      cell: ({ trade, report }) =>
        trade === undefined ? null : toFilledFraction(trade, report.order),
    }),
    ...amount<ExecutionFacts>("executed_fee", {
      role: "fee token",
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
      role: "surplus token",
      source: "sum of execution.protocolFees; null if one is not in the surplus token",
      atoms: sumProtocolFees,
      token: ({ report }) => surplusToken(report.order),
    }),
    surplusTokenColumn(({ report }) => report.order),
    text("sell_native_price", {
      unit: "native atoms for 10^18 token atoms",
      source: "report.auctions[].nativePrices of the sell token; null if it is not a whole number",
      cell: (row) => findNativePrice(row, row.report.order.sellToken),
    }),
    text("buy_native_price", {
      unit: "native atoms for 10^18 token atoms",
      source: "report.auctions[].nativePrices of the buy token; null if it is not a whole number",
      cell: (row) => findNativePrice(row, row.report.order.buyToken),
    }),
  ],
  rows: ({ debugReports }) =>
    debugReports.flatMap((report) =>
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
