/** What one solver offered for the order in one auction: columns of `solutionOrdersTable`. */
export interface OrderBidRow {
  /** Id of the auction. */
  auction_id: number;
  /** Address or name of the solver. */
  solver: string;
  /** Place of its solution, from 1. */
  ranking: number;
  /** Whether the solution won. */
  is_winner: boolean;
  /** Whether the solution was filtered out as unfair to a pair. */
  filtered_out: boolean;
  /** Whether the bid became a fill; `null` or absent where that is not known. */
  is_executed?: boolean | null;
  /** How much better than the limit the bid is, in basis points of the limit. */
  over_limit_bps: number | null;
  /** The stored quote before any fee, in basis points over the limit; the same on every row. */
  quote_gross_over_limit_bps?: number | null;
  /** The quote less its network fee, in basis points over the limit; the same on every row. */
  quote_net_over_limit_bps?: number | null;
  /** What the trader was shown, in basis points over the limit; the same on every row. */
  quote_user_shown_over_limit_bps?: number | null;
}
