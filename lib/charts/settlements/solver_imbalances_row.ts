import type { RowKind } from "../rows/row_kind.ts";

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
    tx_hash: "text?",
    block_number: "number",
    solver: "text",
    solver_name: "text?",
    symbol: "text?",
    net_value_native: "number",
    value_reason: "text?",
  },
};

/** A row whose value is known. */
export interface ValuedRow extends SolverImbalancesRow {
  /** Value that it left in the contract, in native tokens. */
  net_value_native: number;
}
