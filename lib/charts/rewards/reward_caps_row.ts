import type { RowKind } from "../rows/row_kind.ts";
import type { Moment } from "../texts/moment.ts";

/** What the caps changed of one solver's rewards in one week: columns of `rewardsTable`. */
export interface RewardCapsRow {
  /** Start of the accounting week; `null` where the time of the auctions is unknown. */
  week_start?: Moment | null;
  /** Address or name of the solver. */
  solver: string;
  /** Name of the solver; `null` if unknown. */
  solver_name?: string | null;
  /** Auctions whose rewards are in the sums. */
  rewarded_auctions?: number | null;
  /** Lower bound of the rewards before the caps, in native tokens. */
  uncapped_low_native: number | null;
  /** Lower bound of what upper caps withheld, in native tokens. */
  upper_cap_cut_low_native: number | null;
  /** Lower bound of what lower caps spared the solver, in native tokens. */
  lower_cap_relief_low_native: number | null;
  /** Upper bound of what lower caps spared the solver, in native tokens. */
  lower_cap_relief_high_native?: number | null;
  /** Lower bound of the performance reward, in native tokens. */
  performance_low_native: number | null;
  /** Upper bound of the performance reward, in native tokens. */
  performance_high_native?: number | null;
  /** Auctions in which the upper cap decided. */
  upper_capped_count?: number | null;
  /** Auctions in which the lower cap decided. */
  lower_capped_count?: number | null;
}

/** The table these rows come from, and its columns. */
export const REWARD_CAPS_ROWS: RowKind<RewardCapsRow> = {
  table: "rewardsTable",
  columns: {
    week_start: "moment?",
    solver: "text",
    solver_name: "text?",
    rewarded_auctions: "number?",
    uncapped_low_native: "number",
    upper_cap_cut_low_native: "number",
    lower_cap_relief_low_native: "number",
    lower_cap_relief_high_native: "number?",
    performance_low_native: "number",
    performance_high_native: "number?",
    upper_capped_count: "number?",
    lower_capped_count: "number?",
  },
};

/** A row whose four sums are known. */
export interface CappedRow extends RewardCapsRow {
  /** Lower bound of the rewards before the caps, in native tokens. */
  uncapped_low_native: number;
  /** Lower bound of what upper caps withheld, in native tokens. */
  upper_cap_cut_low_native: number;
  /** Lower bound of what lower caps spared the solver, in native tokens. */
  lower_cap_relief_low_native: number;
  /** Lower bound of the performance reward, in native tokens. */
  performance_low_native: number;
}
