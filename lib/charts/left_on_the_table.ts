/** One execution of one order beside the best bid for it that was not executed. */
export interface LeftOnTheTableRow {
  /** UID of the order. */
  order_uid: string;
  /** Id of the auction. */
  auction_id: number;
  /** Directed pair as text, as `WETH → USDC`. */
  pair?: string | null;
  /** Address or name of the solver that was executed. */
  executed_solver: string;
  /** What was executed, in basis points over the limit. */
  executed_over_limit_bps: number | null;
  /** Address or name of the solver of the best other bid; `null` when there was no other. */
  best_unexecuted_solver: string | null;
  /** The best other bid, in basis points over the limit; `null` when there was no other. */
  best_unexecuted_over_limit_bps: number | null;
  /** Whether that bid's solution was filtered out as unfair to a pair. */
  best_unexecuted_filtered_out?: boolean | null;
  /** Best other bid less what was executed, in native tokens; negative where the executed was best. */
  left_native?: number | null;
}
