import { isNotComputable, type SettlementAudit, type TokenImbalance } from "../../metrics/mod.ts";
import { amount, integer, text } from "../columns/columns.ts";
import { buildFrame, type Frame, type Table } from "../columns/frame.ts";
import type { SolverOptions } from "../columns/solver_names.ts";
import {
  readRecords,
  SOLVER_OPTIONS,
  type TableInput,
  TOKEN_OPTIONS,
} from "../columns/table_input.ts";
import type { TokenOptions } from "../columns/token_amounts.ts";
import { AUDIT_KIND, type AuditRow, byBlock, settlementColumns } from "./audit_columns.ts";

/** What one row is computed from. */
export interface ImbalanceRow extends AuditRow {
  /** Its place among the tokens of the settlement, from 1. */
  readonly position: number;
  /** The token; `null` if no token's imbalance is known. */
  readonly token: string | null;
  /** Its imbalance; `null` if unknown. */
  readonly imbalance: TokenImbalance | null;
  /** Why it is unknown. */
  readonly why: string | null;
}

/** One row per settlement and token; see {@linkcode imbalancesTable}. */
export const IMBALANCES: Table<ImbalanceRow> = {
  name: "imbalances",
  grain: "One token that a settlement moved into or out of the settlement contract",
  columns: [
    ...settlementColumns<ImbalanceRow>(),
    integer("position", {
      source: "place of the token among those of the settlement, from 1",
      cell: ({ position }) => position,
    }),
    text("token", {
      source: "the token; null if the source does not have the settlement's logs",
      cell: ({ token }) => token,
    }),
    ...amount<ImbalanceRow>("in_amount", {
      of: "token",
      source: "received by the settlement contract",
      atoms: ({ imbalance }) => imbalance?.inAtoms,
      token: ({ token }) => token,
    }),
    ...amount<ImbalanceRow>("out_amount", {
      of: "token",
      source: "paid by the settlement contract",
      atoms: ({ imbalance }) => imbalance?.outAtoms,
      token: ({ token }) => token,
    }),
    ...amount<ImbalanceRow>("net_amount", {
      of: "token",
      source: "in_amount - out_amount; negative if the contract's buffers paid",
      atoms: ({ imbalance }) => imbalance?.netAtoms,
      token: ({ token }) => token,
    }),
    text("imbalance_reason", {
      source: "why the imbalance is unknown; null if it is known",
      cell: ({ why }) => why,
    }),
  ],
};

/** Options of {@linkcode imbalancesTable}. */
export interface ImbalancesOptions extends SolverOptions, TokenOptions {}

const INPUT: TableInput<SettlementAudit, ImbalancesOptions> = {
  table: "imbalancesTable",
  records: AUDIT_KIND,
  options: { ...SOLVER_OPTIONS, ...TOKEN_OPTIONS },
};

/**
 * One row per settlement and token that went into or out of the settlement contract, sorted by
 * block. What is unknown has a row with the reason.
 *
 * @param audits Audits, from `auditSettlement` or `auditRange`.
 * @param options Decimals of tokens and names of solvers.
 * @returns A frame with the columns of {@linkcode IMBALANCES}; no audits give no rows.
 * @throws {InputError} If a record is no audit, or an option is unknown.
 *
 * @example No audits
 * ```ts
 * import { imbalancesTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(imbalancesTable([]).height, 0);
 * ```
 */
export function imbalancesTable(
  audits: Iterable<SettlementAudit>,
  options: ImbalancesOptions = {},
): Frame {
  const rows = readRecords(audits, options, INPUT).flatMap(imbalanceRows);
  return buildFrame(IMBALANCES, rows.sort(byBlock), options);
}

/** The rows of one settlement. */
export function imbalanceRows(audit: SettlementAudit): ImbalanceRow[] {
  return tokensOf(audit).map((row, place) => ({ audit, ...row, position: place + 1 }));
}

function tokensOf({ imbalances }: SettlementAudit): Omit<ImbalanceRow, "audit" | "position">[] {
  if (isNotComputable(imbalances)) {
    return [{ token: null, imbalance: null, why: imbalances.reason }];
  }
  return [
    ...imbalances.tokens.map((one) => ({ token: one.token, imbalance: one, why: null })),
    ...imbalances.unknown.map(({ token, why }) => ({ token, imbalance: null, why })),
  ];
}
