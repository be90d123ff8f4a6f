import type { SettlementAudit } from "../../metrics/mod.ts";
import { integer, solver, text } from "../columns/columns.ts";
import type { Column } from "../columns/frame.ts";
import type { RecordKind } from "../columns/table_input.ts";

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
