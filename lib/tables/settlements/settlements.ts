import type { SettlementAudit } from "../../metrics/mod.ts";
import { decimalText, flag, integer, native, text } from "../columns/columns.ts";
import { buildFrame, type Frame, type Table } from "../columns/frame.ts";
import type { SolverOptions } from "../columns/solver_names.ts";
import { readRecords, SOLVER_OPTIONS, type TableInput } from "../columns/table_input.ts";
import { AUDIT_KIND, type AuditRow, byBlock, settlementColumns } from "./audit_columns.ts";

/** One row per audited settlement; see {@linkcode settlementsTable}. */
export const SETTLEMENTS: Table<AuditRow> = {
  name: "settlements",
  grain: "One settlement transaction that was audited",
  columns: [
    ...settlementColumns<AuditRow>(),
    flag("succeeded", { source: "audit.succeeded", cell: ({ audit }) => audit.succeeded }),
    integer("trade_count", {
      source: "trades of the settlement",
      cell: ({ audit }) => audit.trades.length,
    }),
    text("gas_used", {
      unit: "gas units",
      source: "audit.gasUsed",
      cell: ({ audit }) => decimalText(audit.gasUsed),
    }),
    text("effective_gas_price", {
      unit: "wei per gas unit",
      source: "audit.effectiveGasPrice; null if the node does not report it",
      cell: ({ audit }) => decimalText(audit.effectiveGasPrice),
    }),
    ...native<AuditRow>("gas_cost", {
      source: "gas_used * effective_gas_price, without what a rollup charges for data",
      atoms: ({ audit }) => audit.gasCost,
    }),
    integer("difference_count", {
      source: "differences between the chain and the report",
      cell: ({ audit }) => audit.differences.length,
    }),
    text("unverified", {
      source: "what was not compared or proved, joined by semicolons; null if everything was",
      cell: ({ audit }) => audit.unverified.join("; ") || null,
    }),
  ],
};

const INPUT: TableInput<SettlementAudit, SolverOptions> = {
  table: "settlementsTable",
  records: AUDIT_KIND,
  options: SOLVER_OPTIONS,
};

/**
 * One row per audited settlement, sorted by block: solver, gas, and how many differences from the
 * report there are.
 *
 * @param audits Audits, from `auditSettlement` or `auditRange`.
 * @param options Names of solvers.
 * @returns A frame with the columns of {@linkcode SETTLEMENTS}; no audits give no rows.
 * @throws {InputError} If a record is no audit, or an option is unknown.
 *
 * @example No audits
 * ```ts
 * import { settlementsTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(settlementsTable([]).height, 0);
 * ```
 */
export function settlementsTable(
  audits: Iterable<SettlementAudit>,
  options: SolverOptions = {},
): Frame {
  const rows = readRecords(audits, options, INPUT).map((audit) => ({ audit }));
  return buildFrame(SETTLEMENTS, rows.sort(byBlock), options);
}
