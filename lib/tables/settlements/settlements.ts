import type { SettlementAudit, SettlementDifference } from "../../metrics/mod.ts";
import { divideDown } from "../../units/mod.ts";
import { decimalText, flag, integer, native, solver, text } from "../columns/columns.ts";
import type { Column, Table } from "../columns/frame.ts";
import { type BuildTable, optionsOn, type RecordKind, tableOf } from "../columns/table_input.ts";
import type { SolverOptions } from "../columns/lookups.ts";

/** Which settlement a row is about, as far as it is known. */
export interface SettlementFacts extends Pick<SettlementAudit, "txHash" | "auctionId"> {
  /** Its block; `null` if unknown. */
  readonly blockNumber: number | null;
  /** Account that submitted it; `null` if unknown. */
  readonly solver: string | null;
}

/** A row about a settlement. */
export interface AuditRow {
  /** The audit, or what is known without one. */
  readonly audit: SettlementFacts;
}

/** What the tables of audits are built from. */
export const AUDIT_KIND: RecordKind<SettlementAudit> = {
  noun: "audits of settlements",
  fields: ["txHash", "imbalances", "differences"],
  from: "`auditSettlement` returns one; `auditRange` yields them as `audit`",
};

/** The columns that say which settlement a row is about. */
export function settlementColumns<Row extends AuditRow>(): Column<Row>[] {
  return [
    text("tx_hash", { source: "audit.txHash", cell: ({ audit }) => audit.txHash }),
    integer("block_number", {
      source: "audit.blockNumber",
      cell: ({ audit }) => audit.blockNumber,
    }),
    integer("auction_id", {
      source: "audit.auctionId: from the calldata, or the competition; null if neither has it",
      cell: ({ audit }) => audit.auctionId,
    }),
    ...solver<Row>("solver", { source: "audit.solver", solver: ({ audit }) => audit.solver }),
  ];
}

/** The order of settlements on the chain, as far as audits tell. */
export function byBlock(a: AuditRow, b: AuditRow): number {
  return (a.audit.blockNumber ?? 0) - (b.audit.blockNumber ?? 0);
}

/** What one row is computed from. */
export interface SettlementRow extends AuditRow {
  /** The audit; `null` if the transaction cannot be audited. */
  readonly whole: SettlementAudit | null;
  /** Why it cannot be audited; `null` if it is. */
  readonly why: string | null;
}

/** One row per audited settlement; see {@linkcode settlementsTable}. */
export const SETTLEMENTS: Table<SettlementRow> = {
  name: "settlements",
  grain: "One settlement transaction, audited unless `audit_reason` says why not",
  columns: [
    ...settlementColumns<SettlementRow>(),
    flag("succeeded", { source: "audit.succeeded", cell: ({ whole }) => whole?.succeeded ?? null }),
    integer("trade_count", {
      source: "trades of the settlement",
      cell: ({ whole }) => whole?.trades.length ?? null,
    }),
    text("gas_used", {
      unit: "gas units",
      source: "audit.gasUsed",
      cell: ({ whole }) => decimalText(whole?.gasUsed),
    }),
    text("effective_gas_price", {
      unit: "wei per gas unit",
      source: "audit.effectiveGasPrice; null if the node does not report it",
      cell: ({ whole }) => decimalText(whole?.effectiveGasPrice),
    }),
    ...native<SettlementRow>("gas_cost", {
      source: "gas_used * effective_gas_price, without what a rollup charges for data",
      atoms: ({ whole }) => whole?.gasCost,
    }),
    ...native<SettlementRow>("gas_cost_per_trade", {
      source: "gas_cost_atoms / trade_count, rounded down, as the service splits the gas of a " +
        "settlement; null without trades",
      atoms: ({ whole }) =>
        whole?.gasCost == null || whole.trades.length === 0
          ? null
          : divideDown(whole.gasCost, BigInt(whole.trades.length)),
    }),
    integer("difference_count", {
      source: "differences between the chain and the report",
      cell: ({ whole }) => whole?.differences.length ?? null,
    }),
    text("unverified", {
      source: "what was not compared or proved, joined by semicolons; null if everything was",
      cell: ({ whole }) => whole?.unverified.join("; ") || null,
    }),
    text("audit_reason", {
      source: "why the transaction cannot be audited; null if it was",
      cell: ({ why }) => why,
    }),
  ],
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
export const settlementsTable: BuildTable<SettlementAudit, SolverOptions> = tableOf({
  table: SETTLEMENTS,
  records: AUDIT_KIND,
  options: optionsOn("solvers"),
  rows: (audits) => audits.map((audit) => ({ audit, whole: audit, why: null })).sort(byBlock),
});

/** What one row is computed from. */
export interface DifferenceRow extends AuditRow {
  /** The difference. */
  readonly difference: SettlementDifference;
  /** Its place among the differences of the settlement, from 1. */
  readonly position: number;
}

/** One row per difference; see {@linkcode chainDifferencesTable}. */
export const CHAIN_DIFFERENCES: Table<DifferenceRow> = {
  name: "chain_differences",
  grain: "One difference between a settlement on the chain and what was reported about it",
  columns: [
    ...settlementColumns<DifferenceRow>(),
    integer("position", {
      source: "place of the difference in audit.differences, from 1",
      cell: ({ position }) => position,
    }),
    text("what", { source: "what differs", cell: ({ difference }) => difference.what }),
    text("order_uid", {
      source: "order concerned; null if it is the whole settlement",
      cell: ({ difference }) => difference.uid,
    }),
    text("on_chain", {
      source: "according to the chain",
      cell: ({ difference }) => difference.onChain,
    }),
    text("reported", {
      source: "according to the report",
      cell: ({ difference }) => difference.reported,
    }),
  ],
};

/**
 * One row per difference between settlements on the chain and what was reported, sorted by block.
 *
 * @param audits Audits, from `auditSettlement` or `auditRange`.
 * @param options Names of solvers.
 * @returns A frame with the columns of {@linkcode CHAIN_DIFFERENCES}; no differences give no rows.
 * @throws {InputError} If a record is no audit, or an option is unknown.
 *
 * @example No audits
 * ```ts
 * import { chainDifferencesTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(chainDifferencesTable([]).height, 0);
 * ```
 */
export const chainDifferencesTable: BuildTable<SettlementAudit, SolverOptions> = tableOf({
  table: CHAIN_DIFFERENCES,
  records: AUDIT_KIND,
  options: optionsOn("solvers"),
  rows: (audits) => audits.flatMap(differenceRows).sort(byBlock),
});

/** The rows of one settlement. */
export function differenceRows(audit: SettlementAudit): DifferenceRow[] {
  return audit.differences.map((difference, place) => ({ audit, difference, position: place + 1 }));
}
