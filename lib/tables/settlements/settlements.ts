import type { SettlementAudit, SettlementDifference } from "../../metrics/mod.ts";
import { divideDown } from "../../units/mod.ts";
import { flag, integer, native, solver, text, toDecimalText } from "../columns/columns.ts";
import type { Column } from "../columns/frame.ts";
import { defineTable, type Table } from "../columns/table.ts";
import type { AuditOutcome } from "../columns/records.ts";

/** The settlement of a row, where known. */
interface SettlementFacts extends Pick<SettlementAudit, "txHash" | "auctionId"> {
  /** Its block; `null` if unknown. */
  readonly blockNumber: number | null;
  /** Account that submitted it; `null` if unknown. */
  readonly solver: string | null;
}

/** A row about a settlement. */
export interface AuditRow {
  /** The audit, or the facts that are known without one. */
  readonly audit: SettlementFacts;
}

/** Reads the audits among the outcomes. */
export function readAudits(
  audits: readonly (SettlementAudit | AuditOutcome)[],
): SettlementAudit[] {
  return audits.flatMap((outcome) => "audit" in outcome ? outcome.audit ?? [] : outcome);
}

/** Counts the trades of a settlement; `null` if its calldata is unknown, since an audit then has none. */
export function countTrades({ isDecoded, trades }: SettlementAudit): number | null {
  return isDecoded ? trades.length : null;
}

/** Columns that identify the settlement of a row. */
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

/** The inputs of one row. */
interface SettlementRow extends AuditRow {
  /** The audit; `null` if the transaction cannot be audited. */
  readonly fullAudit: SettlementAudit | null;
  /** Reason why it was not audited; `null` if it was. */
  readonly reason: string | null;
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
export const SETTLEMENTS: Table<"audits"> = defineTable<SettlementRow, "audits">({
  name: "settlements",
  grain: "One settlement transaction, audited unless `audit_reason` says why not",
  kind: "record",
  of: ["audits"],
  key: ["chain_id", "tx_hash"],
  needs: ["settlements", "orders", "trades"],
  columns: [
    ...settlementColumns<SettlementRow>(),
    flag("succeeded", {
      source: "audit.succeeded",
      cell: ({ fullAudit }) => fullAudit?.succeeded ?? null,
    }),
    integer("trade_count", {
      source: "trades of the settlement; null if its calldata is unknown, as unverified says",
      cell: ({ fullAudit }) => fullAudit === null ? null : countTrades(fullAudit),
    }),
    text("gas_used", {
      unit: "gas units",
      source: "audit.gasUsed",
      cell: ({ fullAudit }) => toDecimalText(fullAudit?.gasUsed),
    }),
    text("effective_gas_price", {
      unit: "wei per gas unit",
      source: "audit.effectiveGasPrice; null if the node does not report it",
      cell: ({ fullAudit }) => toDecimalText(fullAudit?.effectiveGasPrice),
    }),
    ...native<SettlementRow>("gas_cost", {
      source: "gas_used * effective_gas_price, without what a rollup charges for data",
      atoms: ({ fullAudit }) => fullAudit?.gasCost,
    }),
    ...native<SettlementRow>("gas_cost_per_trade", {
      source: "gas_cost_atoms / trade_count, rounded down, as the service splits the gas of a " +
        "settlement; null without trades, or if their number is unknown",
      atoms: ({ fullAudit }) => {
        const tradeCount = fullAudit === null ? null : countTrades(fullAudit);
        return fullAudit?.gasCost == null || tradeCount === null || tradeCount === 0
          ? null
          : divideDown(fullAudit.gasCost, BigInt(tradeCount));
      },
    }),
    integer("difference_count", {
      source: "differences between the chain and the report",
      cell: ({ fullAudit }) => fullAudit?.differences.length ?? null,
    }),
    text("unverified", {
      source: "what was not compared or proved, joined by semicolons; null if everything was",
      cell: ({ fullAudit }) => fullAudit?.unverified.join("; ") || null,
    }),
    text("audit_reason", {
      source: "why the transaction cannot be audited; null if it was",
      cell: ({ reason }) => reason,
    }),
  ],
  rows: ({ audits }) => audits.map(toSettlementRow),
});

/** The inputs of one row. */
interface DifferenceRow extends AuditRow {
  /** The difference. */
  readonly difference: SettlementDifference;
  /** Position among the differences of the settlement, from 1. */
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
export const CHAIN_DIFFERENCES: Table<"audits"> = defineTable<DifferenceRow, "audits">({
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
      audit.differences.map((difference, index) => ({ audit, difference, position: index + 1 }))
    ),
});

/** Converts an outcome to a row; a transaction that cannot be audited has the reason. */
function toSettlementRow(outcome: SettlementAudit | AuditOutcome): SettlementRow {
  if (!("audit" in outcome)) return { audit: outcome, fullAudit: outcome, reason: null };
  const { txHash, auctionId, audit, why } = outcome;
  const nothing = { txHash, auctionId, blockNumber: null, solver: null };
  return { audit: audit ?? nothing, fullAudit: audit, reason: why };
}
