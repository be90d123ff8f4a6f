import { COLORS } from "../figure/colors.ts";
import type { RowKind } from "../rows/row_kind.ts";
import { isNumber } from "../rows/row_selection.ts";
import { shortHex } from "../texts/short_hex.ts";
import { SolverNames } from "../texts/solver_names.ts";
import { bpsText, signedText } from "../texts/signed_text.ts";

/**
 * One execution of one order beside the best bid for it that was not executed: columns of
 * `bestOtherBidsTable`.
 */
export interface LeftOnTheTableRow {
  /** UID of the order. */
  order_uid: string;
  /** Id of the auction. */
  auction_id: number;
  /** Directed pair as text, such as `WETH → USDC`. */
  pair?: string | null;
  /** Address or name of the solver that was executed. */
  executed_solver: string;
  /** Name of that solver; `null` if unknown. */
  executed_solver_name?: string | null;
  /** What was executed, in basis points over the limit. */
  executed_over_limit_bps: number | null;
  /** Address or name of the solver of the best other bid; `null` when there was no other. */
  best_unexecuted_solver: string | null;
  /** Name of that solver; `null` if unknown. */
  best_unexecuted_solver_name?: string | null;
  /** The best other bid, in basis points over the limit; `null` when there was no other. */
  best_unexecuted_over_limit_bps: number | null;
  /** Whether that bid's solution was filtered out as unfair to a pair. */
  best_unexecuted_filtered_out?: boolean | null;
  /**
   * Best other bid less what was executed, in native tokens; negative where the executed was best.
   */
  left_native?: number | null;
}

/** The table these rows come from, and its columns. */
export const LEFT_ON_THE_TABLE_ROWS: RowKind<LeftOnTheTableRow> = {
  table: "bestOtherBidsTable",
  columns: {
    order_uid: "text",
    auction_id: "number",
    pair: "text?",
    executed_solver: "text",
    executed_solver_name: "text?",
    executed_over_limit_bps: "number",
    best_unexecuted_solver: "text",
    best_unexecuted_solver_name: "text?",
    best_unexecuted_over_limit_bps: "number",
    best_unexecuted_filtered_out: "flag?",
    left_native: "number?",
  },
};

/** An execution whose two bids are known. */
export interface ComparedRow extends LeftOnTheTableRow {
  /** What was executed, in basis points over the limit. */
  executed_over_limit_bps: number;
  /** The best other bid, in basis points over the limit. */
  best_unexecuted_over_limit_bps: number;
}

/** How the best other bid looks. */
export const OTHER_BID = {
  better: { label: "other bid was better", color: COLORS.orange },
  filtered: { label: "other bid was better, but filtered out", color: COLORS.vermilion },
  worse: { label: "executed bid was the best", color: COLORS.blue },
} as const;

/** What the tooltip of an execution says. */
export function executionTooltip(row: ComparedRow, names: SolverNames): string {
  const native = isNumber(row.left_native) ? `, ${signedText(row.left_native)} native tokens` : "";
  return `order ${shortHex(row.order_uid)}${row.pair ? `, ${row.pair}` : ""}\n` +
    `auction ${row.auction_id}\n` +
    `executed ${bpsText(row.executed_over_limit_bps)} by ${names.withHex(row.executed_solver)}\n` +
    `best other ${bpsText(row.best_unexecuted_over_limit_bps)} by ` +
    `${names.withHex(row.best_unexecuted_solver ?? "an unknown solver")}\n` +
    `difference ${bpsText(leftBps(row))}${native}`;
}

/** What the solvers of some executions are called. */
export function executionNames(rows: readonly LeftOnTheTableRow[]): SolverNames {
  return new SolverNames(rows.flatMap((row) => [
    [row.executed_solver, row.executed_solver_name] as const,
    [row.best_unexecuted_solver, row.best_unexecuted_solver_name] as const,
  ]));
}

/** Best other bid less the executed one, in basis points of the limit. */
export function leftBps(row: ComparedRow): number {
  return row.best_unexecuted_over_limit_bps - row.executed_over_limit_bps;
}

/** Which of the looks the best other bid of an execution has. */
export function otherBid(row: ComparedRow): (typeof OTHER_BID)[keyof typeof OTHER_BID] {
  if (leftBps(row) <= 0) return OTHER_BID.worse;
  return row.best_unexecuted_filtered_out === true ? OTHER_BID.filtered : OTHER_BID.better;
}
