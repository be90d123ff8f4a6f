import type { Moment } from "../texts/moment.ts";
import type { RowKind } from "../rows/row_kind.ts";

/** What one solver earned in one accounting week: columns of `rewardsTable`. */
export interface SolverRewardsRow {
  /** Start of the accounting week; `null` where the time of the auctions is unknown. */
  week_start?: Moment | null;
  /** Address or name of the solver. */
  solver: string;
  /** Name of the solver; `null` if unknown. */
  solver_name?: string | null;
  /** Lower bound of its performance reward, in native tokens; negative where it pays. */
  performance_low_native: number | null;
  /** Lower bound of its consistency reward, in native tokens. */
  consistency_low_native: number | null;
  /** Lower bound of its rewards for quotes, in native tokens. */
  quote_reward_low_native: number | null;
  /** Lower bound of all three, in native tokens. */
  total_low_native: number | null;
  /** Upper bound of all three, in native tokens; `null` if nothing bounds it. */
  total_high_native: number | null;
}

/** The table these rows come from, and its columns. */
export const SOLVER_REWARDS_ROWS: RowKind<SolverRewardsRow> = {
  table: "rewardsTable",
  columns: {
    week_start: "moment?",
    solver: "text",
    solver_name: "text?",
    performance_low_native: "number",
    consistency_low_native: "number",
    quote_reward_low_native: "number",
    total_low_native: "number",
    total_high_native: "number",
  },
};
