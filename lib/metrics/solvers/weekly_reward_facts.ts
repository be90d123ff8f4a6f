import type { QuoteReward, RewardRules } from "../../networks/reward_rules.ts";
import type { Ratio } from "../../units/mod.ts";
import type { AtomInterval } from "../prices/atom_interval.ts";
import type { AccountingPeriod } from "./accounting_week.ts";
import type { RewardTimes } from "./auction_moments.ts";
import type { OrderQuoteReward, QuoteRewardOptions } from "./quote_rewards.ts";
import type { AuctionReward, OpenInterval, RewardOptions } from "./reward_facts.ts";
import type { SolutionOutcome, SolverOutcomes } from "./settlement_outcomes.ts";

/** What {@linkcode weeklyRewards} works with. */
export interface WeeklyRewardOptions extends Omit<RewardOptions, "rules">, QuoteRewardOptions {
  /** Dated rules, such as `network(name).rewards`: of those begun, the latest applies to a week. */
  readonly rules: readonly RewardRules[];
  /** The reward for a quote, such as `network(name).quoteReward`. @default {none is known} */
  readonly quoteReward?: QuoteReward | null | undefined;
  /** When auctions were. @default {not known: all auctions are taken as one period} */
  readonly times?: RewardTimes;
  /**
   * How long after the auction's time its deadline block can be, in milliseconds; `0` if `times` are
   * those of the deadline blocks, by which the accounting assigns auctions to weeks.
   *
   * @default {60_000}
   */
  readonly deadlineMs?: number;
  /**
   * Native price of COW, in native atoms for 10^18 COW atoms, for all weeks or by the first day of
   * each: the accounting takes the average of its last 24 hours.
   *
   * @default {not known: the reward for a quote is between 0 and its native amount}
   */
  readonly cowPrice?: bigint | ReadonlyMap<string, bigint>;
  /**
   * Native atoms that were shared out for consistency, by the first day of each week.
   *
   * @default {what the caps leave over the performance rewards of the auctions given}
   */
  readonly consistencyBudget?: ReadonlyMap<string, bigint>;
}

/** What an estimate for one solver and week lacks. */
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
  /** The week; `null` where the time of the auction is not known. */
  readonly week: AccountingPeriod | null;
  /** Whether the auction may belong to a later week. */
  readonly isWeekOpen: boolean;
  /** The rules used. */
  readonly rules: RewardRules;
}

/** What the quotes of one solver earned in one week. */
export interface WeeklyQuoteRewards {
  /** Quotes that surely earned a reward. */
  readonly earned: number;
  /** Quotes that possibly earned one. */
  readonly possible: number;
  /** The documented amounts; `null` where none are known. */
  readonly rules: QuoteReward | null;
  /** The reward for one quote; `null` where it is not known. */
  readonly each: AtomInterval | null;
  /** The rewards for all of them. */
  readonly reward: OpenInterval | null;
}

/** What the consistency of one solver earned in one week. */
export interface WeeklyConsistency {
  /**
   * Its part of the budget as its bids tell it, where orders and settlements that are not known count
   * as not executed; `null` without orders, or where there is none to share.
   */
  readonly share: Ratio | null;
  /** Its part in native atoms; `null` where the metric of that week is another one. */
  readonly reward: OpenInterval | null;
  /**
   * What the amounts stand on: `"order_share"`; or the `"budget"` alone, of which the solver has none to
   * all, where an executed order or a settlement is not known.
   */
  readonly basis: "order_share" | "budget" | null;
}

/** The rewards of one solver in one accounting week, as far as public data tell them. */
export interface SolverWeek {
  /** The week; `null` for auctions whose time is not known. */
  readonly week: AccountingPeriod | null;
  /** Address of the solver, as first written. */
  readonly solver: string;
  /** Auctions it bid in. */
  readonly auctionsBid: number;
  /** Auctions it won. */
  readonly auctionsWon: number;
  /** What became of its winning solutions; `null` if it won nothing. */
  readonly outcomes: SolverOutcomes | null;
  /** Rules in force; `null` where none is known. */
  readonly rules: RewardRules | null;
  /** Its performance rewards, one per auction that it won and has a reference score in. */
  readonly rewards: readonly DatedAuctionReward[];
  /** Their sums; `null` where the rules are not known. */
  readonly sums: WeeklySums | null;
  /** Its consistency reward. */
  readonly consistency: WeeklyConsistency;
  /** Its quote rewards. */
  readonly quotes: WeeklyQuoteRewards;
  /** Performance, consistency and quotes together; `null` where one of them is. */
  readonly total: OpenInterval | null;
  /** What the estimate lacks, in the order of {@linkcode WeeklyRewardGap}. */
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
  /** What the lower caps spared it. */
  readonly lowerCapRelief: AtomInterval;
  /** Performance rewards. */
  readonly performance: AtomInterval;
}

/** What one solver did in one week. */
export interface SolverFacts {
  /** Address of the solver. */
  readonly solver: string;
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
