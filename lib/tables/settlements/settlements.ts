import type { SettlementAudit, SettlementDifference } from "../../metrics/mod.ts";
import { divideDown } from "../../units/mod.ts";
import { decimalText, flag, integer, native, solver, text } from "../columns/columns.ts";
import type { Column } from "../columns/frame.ts";
import { type Table, table } from "../columns/table.ts";
import type { AuditOutcome } from "../columns/records.ts";

/** Which settlement a row is about, as far as it is known. */
interface SettlementFacts extends Pick<SettlementAudit, "txHash" | "auctionId"> {
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

/** The audits among what was compared with the chain. */
export function readAudits(
  audits: readonly (SettlementAudit | AuditOutcome)[],
): SettlementAudit[] {
  return audits.flatMap((one) => "audit" in one ? one.audit ?? [] : one);
}

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

/** What one row is computed from. */
interface SettlementRow extends AuditRow {
  /** The audit; `null` if the transaction cannot be audited. */
  readonly whole: SettlementAudit | null;
  /** Why it cannot be audited; `null` if it is. */
  readonly why: string | null;
}

/**
 * One row per audited settlement, sorted by block: solver, gas, and how many differences from the
 * report there are.
 *
 * @example No audits
 * ```ts
 * import { buildTable, SETTLEMENTS } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(buildTable(SETTLEMENTS, { audits: [] }).height, 0);
 * ```
 */
export const SETTLEMENTS: Table<"audits"> = table<SettlementRow, "audits">({
  name: "settlements",
  grain: "One settlement transaction, audited unless `audit_reason` says why not",
  kind: "record",
  of: ["audits"],
  key: ["chain_id", "tx_hash"],
  needs: ["settlements", "orders", "trades"],
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
  rows: ({ audits }) => audits.map(settlementRow),
});

/** What one row is computed from. */
interface DifferenceRow extends AuditRow {
  /** The difference. */
  readonly difference: SettlementDifference;
  /** Its place among the differences of the settlement, from 1. */
  readonly position: number;
}

/**
 * One row per difference between settlements on the chain and what was reported, sorted by block.
 *
 * @example No audits
 * ```ts
 * import { buildTable, CHAIN_DIFFERENCES } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(buildTable(CHAIN_DIFFERENCES, { audits: [] }).height, 0);
 * ```
 */
export const CHAIN_DIFFERENCES: Table<"audits"> = table<DifferenceRow, "audits">({
  name: "chain_differences",
  grain: "One difference between a settlement on the chain and what was reported about it",
  kind: "record",
  of: ["audits"],
  key: ["chain_id", "tx_hash", "position"],
  needs: ["settlements", "orders", "trades"],
  references: [{ columns: ["chain_id", "tx_hash"], to: "settlements" }],
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
  rows: ({ audits }) =>
    readAudits(audits).flatMap((audit) =>
      audit.differences.map((difference, place) => ({ audit, difference, position: place + 1 }))
    ),
});

/** A transaction that cannot be audited has a row with the reason. */
function settlementRow(one: SettlementAudit | AuditOutcome): SettlementRow {
  if (!("audit" in one)) return { audit: one, whole: one, why: null };
  const { txHash, auctionId, audit, why } = one;
  const nothing = { txHash, auctionId, blockNumber: null, solver: null };
  return { audit: audit ?? nothing, whole: audit, why };
}
