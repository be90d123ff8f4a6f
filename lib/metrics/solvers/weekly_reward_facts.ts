import type { QuoteReward, RewardRules } from "../../networks/reward_rules.ts";
import type { Ratio } from "../../units/mod.ts";
import type { AtomInterval } from "../prices/atom_interval.ts";
import type { AccountingPeriod } from "./accounting_week.ts";
import type { RewardTimes } from "./auction_moments.ts";
import type { OrderQuoteReward, QuoteRewardOptions } from "./quote_rewards.ts";
import type { AuctionReward, OpenInterval, RewardOptions } from "./reward_facts.ts";
import type { SolutionOutcome, SolverOutcomes } from "./settlement_outcomes.ts";

/** Options of {@linkcode weeklyRewards}. */
export interface WeeklyRewardOptions extends Omit<RewardOptions, "rules">, QuoteRewardOptions {
  /**
   * Dated rules, such as `network(name).rewards`: the latest rules in force at its start apply to a
   * week.
   */
  readonly rules: readonly RewardRules[];
  /** The reward for a quote, such as `network(name).quoteReward`. @default {unknown} */
  readonly quoteReward?: QuoteReward | null | undefined;
  /** Times of the auctions. @default {unknown: all auctions count as one period} */
  readonly times?: RewardTimes;
  /**
   * Maximum time from an auction's time to its deadline block, in milliseconds; `0` if `times` are
   * those of the deadline blocks, by which the accounting assigns auctions to weeks.
   *
   * @default {60_000}
   */
  readonly deadlineMs?: number;
  /**
   * Native price of COW, in native atoms for 10^18 COW atoms, for all weeks or by the first day of
   * each: the accounting uses the average of its last 24 hours.
   *
   * @default {unknown: the reward for a quote is between 0 and its native amount}
   */
  readonly cowPrice?: bigint | ReadonlyMap<string, bigint>;
  /**
   * Native atoms that were distributed for consistency, by the first day of each week.
   *
   * @default {the upper caps minus the performance rewards of the auctions passed}
   */
  readonly consistencyBudget?: ReadonlyMap<string, bigint>;
}

/** What is missing in an estimate for one solver and week. */
export type WeeklyRewardGap =
  | "times"
  | "week"
  | "rules"
  | "reference_scores"
  | "settlements"
  | "trades"
  | "partner_fees"
  | "prices"
  | "orders"
  | "auctions"
  | "quote_rule"
  | "quote_reward"
  | "cow_price"
  | "consistency_metric";

/** An auction reward with the week that its auction belongs to. */
export interface DatedAuctionReward extends AuctionReward {
  /** The week; `null` if the time of the auction is unknown. */
  readonly week: AccountingPeriod | null;
  /** Whether the auction may belong to a later week. */
  readonly isWeekOpen: boolean;
  /** The rules used. */
  readonly rules: RewardRules;
}

/** The quote rewards of one solver in one week. */
export interface WeeklyQuoteRewards {
  /** Quotes that certainly earned a reward. */
  readonly earned: number;
  /** Quotes that possibly earned one. */
  readonly possible: number;
  /** The documented amounts; `null` if unknown. */
  readonly rules: QuoteReward | null;
  /** The reward for one quote; `null` if unknown. */
  readonly each: AtomInterval | null;
  /** The rewards for all of them. */
  readonly reward: OpenInterval | null;
}

/** The consistency reward of one solver in one week. */
export interface WeeklyConsistency {
  /**
   * Its share of the budget according to its bids, with unknown orders and settlements counted as
   * not executed; `null` without orders, or if there is nothing to distribute.
   */
  readonly share: Ratio | null;
  /** Its share in native atoms; `null` if another metric applied in that week. */
  readonly reward: OpenInterval | null;
  /**
   * What the amounts are based on: `"order_share"`; or only the `"budget"`, of which the solver's
   * share is between none and all, if an executed order or a settlement is unknown.
   */
  readonly basis: "order_share" | "budget" | null;
}

/** The rewards of one solver in one accounting week, as far as public data determine them. */
export interface SolverWeek {
  /** The week; `null` for auctions whose time is unknown. */
  readonly week: AccountingPeriod | null;
  /** Address of the solver, as first written. */
  readonly solver: string;
  /** Auctions it bid in. */
  readonly auctionsBid: number;
  /** Auctions it won. */
  readonly auctionsWon: number;
  /** What the auctions that it won would have lost without it, where their answers say so. */
  readonly margin: bigint;
  /** The outcomes of its winning solutions; `null` if it won nothing. */
  readonly outcomes: SolverOutcomes | null;
  /** Rules in force; `null` if unknown. */
  readonly rules: RewardRules | null;
  /** Its performance rewards, one per auction that it won and has a reference score in. */
  readonly rewards: readonly DatedAuctionReward[];
  /** Their sums; `null` if the rules are unknown. */
  readonly sums: WeeklySums | null;
  /** Its consistency reward. */
  readonly consistency: WeeklyConsistency;
  /** Its quote rewards. */
  readonly quotes: WeeklyQuoteRewards;
  /** Sum of performance, consistency and quotes; `null` if one of them is. */
  readonly total: OpenInterval | null;
  /** What is missing in the estimate, in the order of {@linkcode WeeklyRewardGap}. */
  readonly gaps: readonly WeeklyRewardGap[];
}

/** Sums over the auction rewards of one solver and week, in native atoms. */
export interface WeeklySums {
  /** Protocol fees that its upper caps follow from. */
  readonly protocolFee: OpenInterval;
  /** Rewards before the caps. */
  readonly uncapped: AtomInterval;
  /** What the upper caps withheld. */
  readonly upperCapCut: AtomInterval;
  /** What the lower caps spared the solver. */
  readonly lowerCapRelief: AtomInterval;
  /** Performance rewards. */
  readonly performance: AtomInterval;
}

/** The activity of one solver in one week. */
export interface SolverFacts {
  /** Address of the solver. */
  readonly solver: string;
  /** What the auctions that it won would have lost without it. */
  readonly margin: bigint;
  /** Auctions it bid in. */
  readonly auctionsBid: number;
  /** Whether one of those auctions may belong to a later week. */
  readonly isWeekOpen: boolean;
  /** Its winning solutions. */
  readonly won: readonly SolutionOutcome[];
  /** Its performance rewards. */
  readonly rewards: readonly DatedAuctionReward[];
  /** The quotes that it gave for executed orders. */
  readonly quotes: readonly OrderQuoteReward[];
}
