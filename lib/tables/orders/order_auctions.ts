import type { DebugAuction, DebugReport } from "../../schemas/mod.ts";
import { flag, integer, text } from "../columns/columns.ts";
import { buildFrame, type Frame, type Table } from "../columns/frame.ts";
import { readRecords, REPORT_KIND, type TableInput } from "../columns/table_input.ts";

/** What one row is computed from. */
export interface OrderAuctionFacts {
  /** UID of the order. */
  readonly orderUid: string;
  /** One auction that included it. */
  readonly auction: DebugAuction;
}

/** One row per auction of an order; see {@linkcode orderAuctionsTable}. */
export const ORDER_AUCTIONS: Table<OrderAuctionFacts> = {
  name: "order_auctions",
  grain: "One auction that included one order",
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
};

const INPUT: TableInput<DebugReport, Readonly<Record<string, never>>> = {
  table: "orderAuctionsTable",
  records: REPORT_KIND,
  options: {},
};

/**
 * One row per auction of an order: reports in the order given, auctions by id.
 *
 * @param reports Decoded debug reports.
 * @param options None; any is rejected, since it would be ignored.
 * @returns A frame with the columns of {@linkcode ORDER_AUCTIONS}; no reports give no rows.
 * @throws {InputError} If a record is not decoded or is of another kind, or an option is passed.
 *
 * @example No reports
 * ```ts
 * import { orderAuctionsTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(orderAuctionsTable([]).height, 0);
 * ```
 */
export function orderAuctionsTable(
  reports: Iterable<DebugReport>,
  options: Readonly<Record<string, never>> = {},
): Frame {
  const rows: OrderAuctionFacts[] = [];
  for (const { orderUid, auctions } of readRecords(reports, options, INPUT)) {
    for (const auction of auctions) rows.push({ orderUid, auction });
  }
  return buildFrame(ORDER_AUCTIONS, rows);
}
