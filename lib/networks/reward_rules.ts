import type { Ratio } from "../units/mod.ts";

/**
 * How a network rewards solvers for their bids, as documented in a given month.
 *
 * The performance reward of a solver in one auction is
 * `max(-lowerCapAtoms, min(feeShare * protocolFee, totalScore - referenceScore - missingScore))`.
 * Governance votes change these values: a result that uses them is an estimate as of `asOf`.
 *
 * @see {@link https://docs.cow.fi/cow-protocol/reference/core/auctions/rewards | the protocol's documentation}
 */
export interface RewardRules {
  /** The month in which the protocol's documentation stated these values, such as `2026-08`. */
  readonly asOf: string;
  /**
   * The day from which they apply, such as `2026-06-30`; `null` if the documentation does not state
   * it.
   */
  readonly since: string | null;
  /**
   * β: the share of a solver's protocol fees that caps its reward; a fraction of one.
   */
  readonly feeShare: Ratio;
  /** c_l: the maximum penalty of a solver in one auction, in native atoms, `> 0n`. */
  readonly lowerCapAtoms: bigint;
}

/**
 * Reward of a solver for the quote of an executed order: the smaller of two amounts.
 *
 * Paid for executed fill-or-kill market orders with a verified quote, if the quoting solver bid at
 * least as well as its quote and its bid was not filtered out.
 *
 * @see {@link https://github.com/cowprotocol/docs/blob/00b4a6dfa413a13af9467fc13f9f8cd8c9a7193c/docs/cow-protocol/reference/core/auctions/rewards.md | the protocol's documentation of 2025-11}
 */
export interface QuoteReward {
  /** The month in which the protocol's documentation stated these values, such as `2025-11`. */
  readonly asOf: string;
  /** The amount in the native token, in atoms. */
  readonly nativeAtoms: bigint;
  /** The amount in COW, which has 18 decimals, in atoms. */
  readonly cowAtoms: bigint;
}

/** Start of the accounting week of solver payments. */
export interface AccountingWeek {
  /** Weekday of the start, 1 for Monday to 7 for Sunday. */
  readonly isoWeekday: number;
  /** Time of day of the start, in UTC. */
  readonly utcTime: string;
}

/**
 * The accounting week of solver payments, on every network: it begins on Tuesday, 00:00 UTC.
 *
 * @see {@link https://docs.cow.fi/cow-protocol/reference/core/auctions/rewards | the protocol's documentation}
 */
export const ACCOUNTING_WEEK: AccountingWeek = Object.freeze({ isoWeekday: 2, utcTime: "00:00" });

/**
 * The first day on which the consistency budget was distributed by success rate times order share.
 *
 * @see {@link https://docs.cow.fi/cow-protocol/reference/core/auctions/rewards | the protocol's documentation}
 */
export const CONSISTENCY_BY_ORDER_SHARE_SINCE = "2026-06-30";
