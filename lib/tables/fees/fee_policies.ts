import type { DebugFeePolicy, DebugReport } from "../../schemas/mod.ts";
import { integer, number, text } from "../columns/columns.ts";
import { buildFrame, type Frame, type Table } from "../columns/frame.ts";
import { marketPositionColumn } from "../columns/order_columns.ts";
import { readRecords, REPORT_KIND, type TableInput } from "../columns/table_input.ts";

/** What one row is computed from. */
export interface FeePolicyFacts {
  /** The report. */
  readonly report: DebugReport;
  /** Id of the auction. */
  readonly auctionId: number;
  /** Position among the policies of the order in that auction, from 1. */
  readonly position: number;
  /** The policy. */
  readonly policy: DebugFeePolicy;
}

/** One row per policy; see {@linkcode feePoliciesTable}. */
export const FEE_POLICIES: Table<FeePolicyFacts> = {
  name: "fee_policies",
  grain: "One fee policy of one order in one auction, whether or not the order was settled",
  columns: [
    integer("auction_id", {
      source: "report.auctions[].id",
      cell: ({ auctionId }) => auctionId,
    }),
    text("order_uid", { source: "report.orderUid", cell: ({ report }) => report.orderUid }),
    integer("position", {
      source: "position in report.auctions[].feePolicies, from 1: the order in which they apply",
      cell: ({ position }) => position,
    }),
    text("policy_kind", {
      source: "policy.kind: surplus, volume or priceImprovement",
      cell: ({ policy }) => policy.kind,
    }),
    number("factor", {
      unit: "0 to 1",
      source: "policy.surplusFactor, volumeFactor or priceImprovementFactor",
      cell: ({ policy }) =>
        policy.surplusFactor ?? policy.volumeFactor ?? policy.priceImprovementFactor ?? null,
    }),
    number("max_volume_factor", {
      unit: "0 to 1",
      source: "policy.surplusMaxVolumeFactor or priceImprovementMaxVolumeFactor: the cap",
      cell: ({ policy }) =>
        policy.surplusMaxVolumeFactor ?? policy.priceImprovementMaxVolumeFactor ?? null,
    }),
    text("kind", { source: "report.order.kind", cell: ({ report }) => report.order.kind }),
    marketPositionColumn(({ report }) => report.order),
  ],
};

const INPUT: TableInput<DebugReport, Readonly<Record<string, never>>> = {
  table: "feePoliciesTable",
  records: REPORT_KIND,
  options: {},
};

/**
 * One row per policy: reports in the order given, auctions by id, policies in the order they apply.
 *
 * The service stores policies only for orders of winning solutions, so an auction without rows does
 * not show which policies were in force.
 *
 * @param reports Decoded debug reports.
 * @param options None; any is rejected, since it would be ignored.
 * @returns A frame with the columns of {@linkcode FEE_POLICIES}; no reports give no rows.
 * @throws {InputError} If a record is not decoded or is of another kind, or an option is passed.
 *
 * @example No reports
 * ```ts
 * import { feePoliciesTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(feePoliciesTable([]).height, 0);
 * ```
 */
export function feePoliciesTable(
  reports: Iterable<DebugReport>,
  options: Readonly<Record<string, never>> = {},
): Frame {
  const rows: FeePolicyFacts[] = [];
  for (const report of readRecords(reports, options, INPUT)) {
    for (const { id, feePolicies } of report.auctions) {
      for (const [index, policy] of feePolicies.entries()) {
        rows.push({ report, auctionId: id, position: index + 1, policy });
      }
    }
  }
  return buildFrame(FEE_POLICIES, rows);
}
