import { each, type Known, type RowKind } from "../rows.ts";

/** One amount that one account sent to another: columns of `tokenFlowsTable`. */
export interface SettlementFlowRow {
  /** Hash of the settlement transaction. */
  tx_hash: string;
  /** Account that paid; `null` where the flow is not known. */
  sender: string | null;
  /** `contract` for the settlement contract, `trader`, `solver`, `wrapper`, `nobody` or `other`. */
  sender_role: string | null;
  /** Account that received. */
  receiver: string | null;
  /** What it is, as the sender's. */
  receiver_role: string | null;
  /** Symbol of the token, or its shortened address. */
  symbol: string | null;
  /** Address of the token, where several may have one symbol. */
  token?: string | null;
  /** Amount in atoms, as decimal text. */
  amount_atoms?: string | null;
  /** Amount in whole tokens; `null` if decimals are unknown. */
  amount_tokens: number | null;
  /** Why flows of the token are not known; `null` for a known flow. */
  flow_reason?: string | null;
}

/** The table these rows come from, and its columns. */
export const SETTLEMENT_FLOW_ROWS: RowKind<SettlementFlowRow> = {
  table: "tokenFlowsTable",
  columns: {
    ...each("text", "tx_hash", "sender", "sender_role", "receiver", "receiver_role", "symbol"),
    ...each("text?", "token", "amount_atoms", "flow_reason"),
    ...each("number", "amount_tokens"),
  },
};

/** A known flow. */
export interface DrawnFlow extends SettlementFlowRow {
  /** Account that paid. */
  sender: string;
  /** Account that received. */
  receiver: string;
}

/**
 * What one settlement left in the settlement contract of one token: columns of
 * `imbalanceValuesTable`.
 */
export interface SolverImbalancesRow {
  /** Hash of the settlement transaction; without one, the rows of a block are one settlement. */
  tx_hash?: string | null;
  /** Its block. */
  block_number: number;
  /** Address or name of the solver. */
  solver: string;
  /** Name of the solver; `null` if unknown. */
  solver_name?: string | null;
  /** Symbol of the token. */
  symbol?: string | null;
  /** Value that it left in the contract, in native tokens; negative if buffers paid. */
  net_value_native: number | null;
  /** Why the value is not known; `null` if it is. */
  value_reason?: string | null;
}

/** The table these rows come from, and its columns. */
export const SOLVER_IMBALANCES_ROWS: RowKind<SolverImbalancesRow> = {
  table: "imbalanceValuesTable",
  columns: {
    ...each("text?", "tx_hash", "solver_name", "symbol", "value_reason"),
    ...each("number", "block_number", "net_value_native"),
    ...each("text", "solver"),
  },
};

/** A row whose value is known. */
export type ValuedRow = Known<SolverImbalancesRow, "net_value_native">;
