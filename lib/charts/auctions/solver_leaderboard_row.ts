import type { RowKind } from "../rows/row_kind.ts";

/** How one solver did over a set of auctions: columns of `solverLeaderboardTable`. */
export interface SolverLeaderboardRow {
  /** Address or name of the solver. */
  solver: string;
  /** Name of the solver; `null` if unknown. */
  solver_name?: string | null;
  /** Auctions in which it proposed at least one solution. */
  auctions_bid: number;
  /** Auctions in which at least one of its solutions won. */
  auctions_won: number;
  /** `auctions_won / auctions_bid`, from 0 to 1. */
  win_rate: number | null;
  /** Lower end of the 95% Wilson interval of the win rate, from 0 to 1. */
  win_rate_low?: number | null;
  /** Upper end of the 95% Wilson interval of the win rate, from 0 to 1. */
  win_rate_high?: number | null;
  /** Its winning solutions' part of all winning scores, from 0 to 1. */
  score_share?: number | null;
  /** Winning solutions settled in time, of those in time, late or absent; from 0 to 1. */
  in_time_rate?: number | null;
  /** Lower end of the 95% Wilson interval of the in-time rate, from 0 to 1. */
  in_time_rate_low?: number | null;
  /** Upper end of the 95% Wilson interval of the in-time rate, from 0 to 1. */
  in_time_rate_high?: number | null;
}

/** The table these rows come from, and its columns. */
export const SOLVER_LEADERBOARD_ROWS: RowKind<SolverLeaderboardRow> = {
  table: "solverLeaderboardTable",
  columns: {
    solver: "text",
    solver_name: "text?",
    auctions_bid: "number",
    auctions_won: "number",
    win_rate: "number",
    win_rate_low: "number?",
    win_rate_high: "number?",
    score_share: "number?",
    in_time_rate: "number?",
    in_time_rate_low: "number?",
    in_time_rate_high: "number?",
  },
};
