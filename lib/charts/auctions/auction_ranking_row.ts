import type { RowKind } from "../rows/row_kind.ts";

/** One solution of one auction; the columns of `solutionsTable`, of which more may be there. */
export interface AuctionRankingRow {
  /** Id of the auction; all rows are of one. */
  auction_id: number;
  /** Place of the solution, from 1. */
  ranking: number;
  /** Address or name of the solver. */
  solver: string;
  /** Name of the solver; `null` if unknown. */
  solver_name?: string | null;
  /** Score, in native tokens. */
  score_native: number | null;
  /** Whether it won. */
  is_winner: boolean;
  /** Whether it was filtered out as unfair to a pair; `null` where that was not stored. */
  filtered_out: boolean | null;
  /** Reference score of the solver, in native tokens; `null` if it did not win. */
  reference_score_native?: number | null;
  /** The directed pair whose baseline a filtered solution missed, as text. */
  missed_pair?: string | null;
}

/** The table these rows come from, and its columns. */
export const AUCTION_RANKING_ROWS: RowKind<AuctionRankingRow> = {
  table: "solutionsTable",
  columns: {
    auction_id: "number",
    ranking: "number",
    solver: "text",
    solver_name: "text?",
    score_native: "number",
    is_winner: "flag",
    filtered_out: "flag",
    reference_score_native: "number?",
    missed_pair: "text?",
  },
};
