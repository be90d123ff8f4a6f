import type { SettlementAudit } from "../../metrics/mod.ts";
import { integer, text } from "../columns/columns.ts";
import type { Column } from "../columns/frame.ts";
import { solver } from "../columns/solver_names.ts";
import type { RecordKind } from "../columns/table_input.ts";

/** A row about a settlement that was audited. */
export interface AuditRow {
  /** The audit. */
  readonly audit: SettlementAudit;
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
  return a.audit.blockNumber - b.audit.blockNumber;
}
