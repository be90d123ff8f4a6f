import {
  CONSISTENCY_BY_ORDER_SHARE_SINCE,
  type ConsistencyMetric,
  type QuoteReward,
  type RewardRules,
} from "../../networks/network.ts";
import { compareRatios, mulDivDown, nativeValue, sameHex } from "../../units/mod.ts";
import type { AtomInterval } from "../prices/price_interval.ts";
import { findCowPrice } from "./cow_price.ts";
import type { OrderQuoteReward } from "./quote_rewards.ts";
import type { AccountingPeriod } from "./reward_times.ts";
import type {
  AuctionReward,
  RewardGap,
  RewardsEstimate,
  SolverFacts,
  SolverWeek,
  WeeklyConsistency,
  WeeklyQuoteRewards,
  WeeklyRewardGap,
  WeeklyRewardOptions,
  WeeklySums,
} from "./reward_facts.ts";
import type { SettlementOutcomes } from "./settlement_outcomes.ts";
import { joinIntervals, joinOpenIntervals } from "./combine_rewards.ts";
import { addOpenInterval, sumIntervals } from "./estimate_rewards.ts";
import { findRulesInForce, type RulesInForce } from "../../networks/rules_in_force.ts";

/** Inputs shared by all solvers of one week. */
export interface WeekTerms {
  /** The week; `null` if unknown. */
  readonly week: AccountingPeriod | null;
  /** Its rules; `null` if unknown. */
  readonly rules: RewardRules | null;
  /** Whether these were certainly in force. */
  readonly areRulesCertain: boolean;
  /** Rewards and consistency by each set of rules that may have been in force; none without rules. */
  readonly estimates: readonly RewardsEstimate[];
  /** The estimate that contains all of them; `null` without rules. */
  readonly estimate: RewardsEstimate | null;
  /** The outcomes of its winning solutions. */
  readonly outcomes: SettlementOutcomes;
  /** One entry per executed order: whether its quote earned a reward. */
  readonly quotes: readonly OrderQuoteReward[];
  /** Options of the caller. */
  readonly options: WeeklyRewardOptions;
}

const NONE: AtomInterval = { low: 0n, high: 0n };

/** Sums rewards: the bounds of a sum are the sums of the bounds. */
export function sumRewards(rewards: readonly AuctionReward[]): WeeklySums {
  const sum = (readInterval: (reward: AuctionReward) => AtomInterval) =>
    sumIntervals(rewards, readInterval);
  return {
    protocolFee: rewards.map(({ protocolFee }) => protocolFee).reduce(addOpenInterval, NONE),
    uncapped: sum(({ uncapped }) => uncapped),
    upperCapCut: sum(({ upperCapCut }) => upperCapCut),
    lowerCapRelief: sum(({ lowerCapRelief }) => lowerCapRelief),
    performance: sum(({ performance }) => performance),
  };
}

/**
 * Bounds the solver's consistency reward, rounded down, over all rules that may have been in force;
 * between none and the whole budget if its share is unknown.
 */
export function combineConsistency(terms: WeekTerms, solver: string): WeeklyConsistency {
  const candidates = terms.estimates.map((estimate) => computeConsistency(estimate, terms, solver));
  const [first, ...otherCandidates] = candidates;
  if (first === undefined) return { share: null, reward: null, basis: null };
  if (otherCandidates.length === 0) return first;
  const rewards = candidates.map(({ reward }) => reward).filter((reward) => reward !== null);
  const isSame = otherCandidates.every((candidate) =>
    candidate.basis === first.basis &&
    (candidate.share === null || first.share === null
      ? candidate.share === first.share
      : compareRatios(candidate.share, first.share) === 0)
  );
  return {
    share: isSame ? first.share : null,
    reward: rewards.length < candidates.length ? null : joinOpenIntervals(rewards),
    basis: isSame ? first.basis : "budget",
  };
}

function computeConsistency(
  estimate: RewardsEstimate,
  terms: WeekTerms,
  solver: string,
): WeeklyConsistency {
  const { week, options } = terms;
  const metric = chooseMetric(estimate.rules, week);
  if (metric === "none") return { share: null, reward: NONE, basis: null };
  if (metric === "auctions") return { share: null, reward: null, basis: null };
  const passedBudget = week === null ? undefined : options.consistencyBudget?.get(week.firstDay);
  const budget = passedBudget === undefined
    ? estimate.consistencyBudget
    : { low: passedBudget, high: passedBudget };
  const { consistency } = estimate;
  const share = consistency?.solvers.find((entry) => sameHex(entry.solver, solver))?.share ?? null;
  if (consistency === null || consistency.ordersUnknown > 0 || hasOpenSettlement(terms)) {
    return { share, reward: { low: 0n, high: budget.high }, basis: "budget" };
  }
  if (share === null) return { share, reward: NONE, basis: metric };
  const takeShare = (atoms: bigint) => mulDivDown(atoms, share.numerator, share.denominator);
  const high = budget.high === null ? null : takeShare(budget.high);
  return { share, reward: { low: takeShare(budget.low), high }, basis: metric };
}

/**
 * Chooses the metric of consistency: that of the rules, otherwise `"auctions"` for weeks before order
 * shares counted, and `"order_share"` for later and unknown weeks.
 */
function chooseMetric(
  { hasConsistency, consistencyMetric }: RewardRules,
  week: AccountingPeriod | null,
): ConsistencyMetric {
  if (hasConsistency === false) return "none";
  if (consistencyMetric !== undefined) return consistencyMetric;
  const isBefore = week !== null && week.firstDay < CONSISTENCY_BY_ORDER_SHARE_SINCE;
  return isBefore ? "auctions" : "order_share";
}

function hasOpenSettlement({ outcomes }: WeekTerms): boolean {
  return outcomes.solutions.some(({ result }) => result === "pending" || result === "unknown");
}

/**
 * Sums the rewards for the solver's quotes; unbounded if an executed order and its quoter are unknown.
 */
export function sumQuoteRewards(
  { options, quotes, week }: WeekTerms,
  solverQuotes: readonly OrderQuoteReward[],
): WeeklyQuoteRewards {
  const count = (verdict: OrderQuoteReward["verdict"]) =>
    solverQuotes.filter((quote) => quote.verdict === verdict).length;
  const [earned, possible] = [count("earned"), count("possible")];
  const { rule: rules, candidates } = chooseQuoteRules(options.quoteReward, week);
  const cowPrice = findCowPrice(options.cowPrice, week);
  const rewards = candidates.map((rule) => boundQuoteReward(rule, cowPrice));
  const each = rewards.length === 0 ? null : joinIntervals(rewards);
  const counts = { earned, possible, rules, cowPrice, each };
  if (each === null) return { ...counts, reward: null };
  const isOpen = quotes.some(({ verdict }) => verdict === "unknown");
  return {
    ...counts,
    reward: {
      low: BigInt(earned) * each.low,
      high: isOpen ? null : BigInt(earned + possible) * each.high,
    },
  };
}

/** Chooses the rewards for a quote that may have been in force in a week. */
export function chooseQuoteRules(
  quoteReward: WeeklyRewardOptions["quoteReward"],
  week: AccountingPeriod | null,
): RulesInForce<QuoteReward> {
  return findRulesInForce(quoteReward ?? [], week?.firstDay ?? null);
}

/** Bounds the reward: the smaller of the native amount and the COW amount at its price, rounded down. */
function boundQuoteReward(
  { nativeAtoms, cowAtoms }: QuoteReward,
  cowPrice: WeeklyQuoteRewards["cowPrice"],
): AtomInterval {
  if (cowPrice === null) return { low: 0n, high: nativeAtoms };
  const cow = nativeValue(cowAtoms, cowPrice.nativeAtoms);
  const reward = cow < nativeAtoms ? cow : nativeAtoms;
  return { low: reward, high: reward };
}

/** Adds the performance, consistency and quote rewards. */
export function sumTotal(
  sums: WeeklySums | null,
  { reward: consistency }: WeeklyConsistency,
  { reward: quotes }: WeeklyQuoteRewards,
): SolverWeek["total"] {
  if (sums === null || consistency === null || quotes === null) return null;
  return [consistency, quotes].reduce(addOpenInterval, sums.performance);
}

/** The gap of a week that a missing input of its auctions or of its consistency makes. */
export const GAP_OF_INPUT: Readonly<Record<RewardGap["what"], WeeklyRewardGap>> = {
  reference_score: "reference_scores",
  settlement: "settlements",
  protocol_fees: "trades",
  fee_partner: "partner_fees",
  price: "prices",
  penalty_cap: "penalty_caps",
  rules: "rules",
  consistency: "orders",
};

/** All gaps of a week, in the order in which they are listed. */
const ORDERED_GAPS: readonly WeeklyRewardGap[] = [
  "times",
  "week",
  "rules",
  "reference_scores",
  "settlements",
  "trades",
  "partner_fees",
  "prices",
  "penalty_caps",
  "orders",
  "auctions",
  "quote_rule",
  "quote_reward",
  "cow_price",
  "consistency_metric",
];

/**
 * Lists the gaps of one solver and week. Gaps of other solvers count too, unless the consistency budget
 * was passed, since it otherwise follows from the rewards of all.
 */
export function listGaps(terms: WeekTerms, facts: SolverFacts): WeeklyRewardGap[] {
  const { week, rules, areRulesCertain, estimate, quotes, options } = terms;
  const gaps = new Set<WeeklyRewardGap>();
  const note = (gap: WeeklyRewardGap, isMissing: boolean) => {
    if (isMissing) gaps.add(gap);
  };
  const countedQuotes = facts.quotes.filter(({ verdict }) => verdict !== "not_earned");
  const isBudgetGiven = week !== null && options.consistencyBudget?.has(week.firstDay) === true;
  const missingInputs = isBudgetGiven
    ? facts.rewards.flatMap((reward) => reward.missing)
    : (estimate?.unknown ?? []).map((gap) => gap.what);
  for (const input of missingInputs) if (input !== "consistency") gaps.add(GAP_OF_INPUT[input]);
  const auctionsWon = new Set(facts.won.map(({ auctionId }) => auctionId));
  note("times", week === null);
  note("week", facts.isWeekOpen);
  note("rules", rules === null || !areRulesCertain && (week !== null || rules.since === null));
  note("rules", facts.rewards.some(({ missing: rewardGaps }) => rewardGaps.includes("rules")));
  note("reference_scores", rules !== null && auctionsWon.size > facts.rewards.length);
  note("settlements", hasOpenSettlement(terms));
  note("orders", estimate?.consistency === null);
  note("orders", (estimate?.consistency?.ordersUnknown ?? 0) > 0);
  note("orders", quotes.some(({ verdict }) => verdict === "unknown"));
  note("auctions", countedQuotes.some(({ reason }) => reason === "bid_not_seen"));
  note("quote_rule", countedQuotes.some(({ reason }) => reason === "bid_below_gross_quote"));
  note("quote_reward", chooseQuoteRules(options.quoteReward, week).rule === null);
  note("cow_price", countedQuotes.length > 0 && findCowPrice(options.cowPrice, week) === null);
  note(
    "consistency_metric",
    terms.estimates.some((estimate) => chooseMetric(estimate.rules, week) === "auctions"),
  );
  return ORDERED_GAPS.filter((gap) => gaps.has(gap));
}
