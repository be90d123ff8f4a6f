import {
  defineRule,
  type OptionRule,
  type OptionRules,
  wholeNumber,
} from "../../errors/option_rules.ts";
import type { ExcludedAuctions, QuoteReward, RewardRules } from "../../networks/network.ts";
import type { Order, Trade } from "../../schemas/mod.ts";
import { mulDivDown, type Ratio } from "../../units/mod.ts";
import type { RoleOptions } from "../orders/order_bids.ts";
import type { AtomInterval } from "../prices/price_interval.ts";
import { COW_PRICES, type CowPrice, type CowPrices } from "./cow_price.ts";
import type { ConsistencyShares } from "./consistency_shares.ts";
import type { OrderQuoteReward, QuoteRewardOptions } from "./quote_rewards.ts";
import {
  type AccountingPeriod,
  DAY,
  isFirstDay,
  REWARD_TIMES,
  type RewardTimes,
} from "./reward_times.ts";
import type { SettlementOutcomes, SolutionOutcome, SolverOutcomes } from "./settlement_outcomes.ts";

/** The cap that decided a reward; `"unknown"` if the bounds do not determine it. */
export type BindingCap = "none" | "upper" | "lower" | "unknown";

/** Effects of the caps on a reward. */
export interface CapEffects {
  /** The cap that decided. */
  readonly cap: BindingCap;
  /** `max(0, uncapped - upperCap)`: the amount that the upper cap withheld. */
  readonly upperCapCut: AtomInterval;
  /** `max(0, -lowerCap - uncapped)`: the amount that the lower cap spared the solver. */
  readonly lowerCapRelief: AtomInterval;
}

/** Computes the maximum reward: `floor(feeShare * protocolFee)`, or the fixed one of the rules. */
export function computeUpperCap({ low, high }: OpenInterval, rules: RewardRules): OpenInterval {
  const { feeShare, upperCapAtoms = 0n } = rules;
  if (feeShare === null) return { low: upperCapAtoms, high: upperCapAtoms };
  const cap = (fee: bigint) => mulDivDown(fee, feeShare.numerator, feeShare.denominator);
  return { low: cap(low), high: high === null ? null : cap(high) };
}

/** Computes the bounds of a reward, which increases with the first two and decreases with the lower cap. */
export function computePerformance(
  uncapped: AtomInterval,
  upperCap: OpenInterval,
  lowerCap: OpenInterval,
): AtomInterval {
  return {
    low: applyCaps(uncapped.low, upperCap.low, lowerCap.high),
    high: applyCaps(uncapped.high, upperCap.high, lowerCap.low),
  };
}

/** Limits a reward to its caps; `null` is no cap. */
function applyCaps(value: bigint, upper: bigint | null, lower: bigint | null): bigint {
  const limited = upper !== null && upper < value ? upper : value;
  return lower !== null && limited < -lower ? -lower : limited;
}

/**
 * Computes the effects of the caps. An upper cap is never below 0, so at most one of the two decides. If
 * everything is known, `performance = uncapped - upperCapCut + lowerCapRelief`.
 */
export function computeCapEffects(
  uncapped: AtomInterval,
  upperCap: OpenInterval,
  lowerCap: OpenInterval,
): CapEffects {
  const upperCapCut = {
    low: upperCap.high === null ? 0n : floorAtZero(uncapped.low - upperCap.high),
    high: floorAtZero(uncapped.high - upperCap.low),
  };
  const lowerCapRelief = {
    low: lowerCap.high === null ? 0n : floorAtZero(-lowerCap.high - uncapped.high),
    high: floorAtZero(-lowerCap.low - uncapped.low),
  };
  return { cap: determineBindingCap(upperCapCut, lowerCapRelief), upperCapCut, lowerCapRelief };
}

function determineBindingCap(cut: AtomInterval, relief: AtomInterval): BindingCap {
  if (cut.low > 0n) return "upper";
  if (relief.low > 0n) return "lower";
  return cut.high === 0n && relief.high === 0n ? "none" : "unknown";
}

/** Sums the unused part of the caps: more with both caps, less with the reward before them. */
export function sumBudget(
  rewards: readonly Pick<AuctionReward, "uncapped" | "upperCap" | "lowerCap">[],
): OpenInterval {
  let low = 0n;
  let high: bigint | null = 0n;
  for (const { uncapped, upperCap, lowerCap } of rewards) {
    low += upperCap.low - applyCaps(uncapped.high, upperCap.low, lowerCap.low);
    high = high === null || upperCap.high === null
      ? null
      : high + upperCap.high - applyCaps(uncapped.low, upperCap.high, lowerCap.high);
  }
  return { low, high };
}

/**
 * Returns the part of a reference score that counts: at most the total score. The greedy choice of winners, and
 * an order on the fast path, can leave a reference above it; a solver that settles is not charged then.
 *
 * @see {@link https://github.com/fhenneke/cow-competition-loo/blob/5f0a701/docs/rewards.md | the accounting's formula}
 */
export function limitReference(referenceScore: bigint, totalScore: bigint): bigint {
  return referenceScore < totalScore ? referenceScore : totalScore;
}

export function floorAtZero(atoms: bigint): bigint {
  return atoms > 0n ? atoms : 0n;
}

/** Options of a rewards estimate. */
export interface RewardOptions extends RoleOptions {
  /** The rules in force: one of `network(name).rewards`. */
  readonly rules: RewardRules;
  /** The outcomes of the winning solutions of the same auctions. */
  readonly outcomes: SettlementOutcomes;
  /** Trades of their settlements, for the protocol fees that limit rewards. */
  readonly trades?: Iterable<Trade>;
  /** Orders of those trades: app data for partner fees, limits for consistency. */
  readonly orders?: Iterable<Order>;
}

/** Bounds of an amount. */
export interface OpenInterval {
  /** The smallest possible value. */
  readonly low: bigint;
  /** The largest possible value; `null` if unbounded. */
  readonly high: bigint | null;
}

/** The performance reward of one solver for one auction, with its inputs. */
export interface AuctionReward extends CapEffects {
  /** Id of the auction. */
  readonly auctionId: number;
  /** Address of the solver. */
  readonly solver: string;
  /** Sum of the scores of all winning solutions of the auction. */
  readonly totalScore: bigint;
  /** The solver's reference score, as reported. */
  readonly referenceScore: bigint;
  /** Scores of its winning solutions that were not settled in time. */
  readonly missingScore: AtomInterval;
  /** `totalScore - min(totalScore, referenceScore) - missingScore`. */
  readonly uncapped: AtomInterval;
  /** Protocol fees of its executed trades without partner fees, at the auction's native prices. */
  readonly protocolFee: OpenInterval;
  /** `floor(feeShare * protocolFee)`, or the fixed cap of the rules: the maximum reward. */
  readonly upperCap: OpenInterval;
  /**
   * The maximum penalty: that of the rules, or the sum of the caps of the orders that it won and did
   * not settle. An order that was never settled has a cap that no response names; without a trade, the
   * sum is unbounded.
   */
  readonly lowerCap: OpenInterval;
  /** The reward; negative if the solver pays. Both bounds are equal if everything is known. */
  readonly performance: AtomInterval;
  /** The inputs that an exact number lacks; empty if everything is known. */
  readonly missing: readonly RewardGap["what"][];
}

/** The rewards of one solver over a set of auctions. */
export interface SolverReward {
  /** Address of the solver, as first written. */
  readonly solver: string;
  /** Number of auctions that it won and has a reward for. */
  readonly auctions: number;
  /** Sum of its performance rewards, in native atoms. */
  readonly performance: AtomInterval;
  /**
   * Its share of the consistency budget; `null` without orders, or if there is nothing to
   * distribute.
   */
  readonly consistencyShare: Ratio | null;
}

/** Something missing in an estimate, and how often. */
export interface RewardGap {
  /** The missing input. */
  readonly what:
    | "reference_score"
    | "settlement"
    | "protocol_fees"
    | "fee_partner"
    | "price"
    | "penalty_cap"
    | "rules"
    | "consistency";
  /** Number of rewards, or of orders for `consistency`, that lack it. */
  readonly count: number;
  /** The consequence, as a sentence. */
  readonly effect: string;
}

/** The number of records that an estimate was computed from. */
export interface RewardInputs {
  /** Auctions. */
  readonly auctions: number;
  /** Winning solutions whose outcome is known: in time, late or absent. */
  readonly settlementsKnown: number;
  /** All winning solutions. */
  readonly settlements: number;
  /** Trades passed. */
  readonly trades: number;
  /** Orders passed. */
  readonly orders: number;
}

/** Rewards where public data determine them; an estimate, not the payments. */
export interface RewardsEstimate {
  /** Always `"estimate"`: rules change by vote, and payments are made from data that is not public. */
  readonly kind: "estimate";
  /** The rules used. */
  readonly rules: RewardRules;
  /** The number of records it was computed from. */
  readonly inputs: RewardInputs;
  /** One for each solver and auction that it won, in the order of the auctions given. */
  readonly rewards: readonly AuctionReward[];
  /** One for each solver with a reward or a share, largest performance first. */
  readonly solvers: readonly SolverReward[];
  /**
   * Sum of the upper caps minus the performance rewards, penalties included: the consistency
   * budget, in native atoms.
   */
  readonly consistencyBudget: OpenInterval;
  /** Distribution of that budget; `null` without orders. */
  readonly consistency: ConsistencyShares | null;
  /** The unknown inputs. */
  readonly unknown: readonly RewardGap[];
}

/** Options of {@linkcode weeklyRewards}. */
export interface WeeklyRewardOptions
  extends Omit<RewardOptions, "rules">, Omit<QuoteRewardOptions, "needsBid"> {
  /**
   * Dated rules, such as `network(name).rewards`: the latest rules in force at its start apply to a
   * week, and where several may have been, rewards have bounds that hold all. One that is passed
   * alone, not in an array, applies to every week.
   */
  readonly rules: readonly RewardRules[] | RewardRules;
  /**
   * Dated rewards for a quote, such as `network(name).quoteRewards`; one alone applies to every week.
   *
   * @default {unknown}
   */
  readonly quoteReward?: readonly QuoteReward[] | QuoteReward | null | undefined;
  /** Auctions that the accounting multiplied by 0: `network(name).excludedAuctions`. @default {none} */
  readonly excludedAuctions?: readonly ExcludedAuctions[] | undefined;
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
   * Native atoms for one COW in every week, or a record with a source for each week: the accounting
   * uses the average of its last 24 hours.
   *
   * @default {unknown: the reward for a quote is between 0 and its native amount}
   */
  readonly cowPrice?: CowPrices;
  /**
   * Native atoms that were distributed for consistency, by the first day of each week.
   *
   * @default {the upper caps minus the performance rewards of the auctions passed}
   */
  readonly consistencyBudget?: ReadonlyMap<string, bigint>;
}

/** An input that an estimate for one solver and week lacks. */
export type WeeklyRewardGap =
  | "times"
  | "week"
  | "rules"
  | "reference_scores"
  | "settlements"
  | "trades"
  | "partner_fees"
  | "prices"
  | "penalty_caps"
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
  /** The price of COW; `null` if none was passed for the week. */
  readonly cowPrice: CowPrice & { readonly nativeAtoms: bigint } | null;
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
   * Basis of the amounts: the metric, `"order_share"` or `"executed_orders"`; or only the
   * `"budget"`, of which the solver's share is between none and all, if an executed order, a settlement
   * or the metric is unknown.
   */
  readonly basis: "order_share" | "executed_orders" | "budget" | null;
}

/** The rewards of one solver in one accounting week, where public data determine them. */
export interface SolverWeek {
  /** The week; `null` for auctions whose time is unknown. */
  readonly week: AccountingPeriod | null;
  /** Address of the solver, as first written. */
  readonly solver: string;
  /** Auctions it bid in. */
  readonly auctionsBid: number;
  /** Auctions it won. */
  readonly auctionsWon: number;
  /** Loss of the auctions that it won, had it not bid, where their responses state it. */
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
  /** The inputs that the estimate lacks, in the order of {@linkcode WeeklyRewardGap}. */
  readonly gaps: readonly WeeklyRewardGap[];
}

/** Sums over the auction rewards of one solver and week, in native atoms. */
export interface WeeklySums {
  /** Protocol fees that its upper caps follow from. */
  readonly protocolFee: OpenInterval;
  /** Rewards before the caps. */
  readonly uncapped: AtomInterval;
  /** Amount that the upper caps withheld. */
  readonly upperCapCut: AtomInterval;
  /** Amount that the lower caps spared the solver. */
  readonly lowerCapRelief: AtomInterval;
  /** Performance rewards. */
  readonly performance: AtomInterval;
}

/** The activity of one solver in one week. */
export interface SolverFacts {
  /** Address of the solver. */
  readonly solver: string;
  /** Loss of the auctions that it won, had it not bid. */
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

/** Allowed values of reward rules. */
export const RULES: OptionRule<readonly RewardRules[] | RewardRules> = defineRule(
  "an array of reward rules, such as `network(name).rewards`, or one of them",
  (value) =>
    [value].flat().every((ruleSet) => {
      const { feeShare, upperCapAtoms, lowerCapAtoms } = Object(ruleSet);
      return (feeShare === null ? upperCapAtoms : feeShare) !== undefined &&
        lowerCapAtoms !== undefined;
    }),
);

function isMapByDay(value: unknown): boolean {
  return value instanceof Map &&
    value.entries().every(([day, atoms]) =>
      isFirstDay(day) && typeof atoms === "bigint" && atoms >= 0n
    );
}

/** Allowed values of the options about weeks and prices. */
export const WEEK_OPTIONS: OptionRules<
  Omit<WeeklyRewardOptions, keyof RewardOptions | "debugReports">
> = {
  quoteReward: defineRule(
    "rewards for quotes, such as `network(name).quoteRewards`, or one of them",
    (value) =>
      [value].flat().every((reward) =>
        reward === null || "nativeAtoms" in Object(reward) && "cowAtoms" in Object(reward)
      ),
  ),
  excludedAuctions: defineRule(
    "an array of excluded auctions, such as `network(name).excludedAuctions`,",
    (value) => Array.isArray(value) && value.every((exclusion) => DAY.test(Object(exclusion).week)),
  ),
  times: REWARD_TIMES,
  deadlineMs: wholeNumber(0),
  cowPrice: COW_PRICES,
  consistencyBudget: defineRule(
    "a Map of native atoms of at least 0 by first day, a Tuesday such as 2026-11-17,",
    isMapByDay,
  ),
  areAllAuctions: Boolean,
};
