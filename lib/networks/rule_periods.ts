import { formatAtoms, formatPercent, type Ratio } from "../units/mod.ts";
import type { DatedRule, NetworkName, QuoteReward, RewardRules } from "./network.ts";
import { NETWORKS } from "./networks.ts";
import { pickDating } from "./reward_history.ts";
import { PARTNER_SHARES, SERVICE_FEES, type ServiceFee } from "./payments.ts";
import { ONE_WINNER_UNTIL, type RuleSet } from "./rule_sets.ts";

/** The rules of auctions and rewards that were in force from a day on, as far as sources date them. */
export interface DatedRuleSet extends RuleSet {
  /** The day, such as `2026-06-30`. */
  readonly name: string;
  /** The reward for a quote; `null` if no source states it. */
  readonly quoteReward: QuoteReward | null;
}

/** A part of the rules that changes on its own. */
export type RulePart =
  | "winners"
  | "upper cap"
  | "lower cap"
  | "reference score"
  | "in time"
  | "consistency"
  | "quote reward"
  | "deadline"
  | "partner fees kept"
  | "service fee";

/** One part of the rules from its first day until it changed. */
export interface RulePeriod extends DatedRule {
  /** The part. */
  readonly part: RulePart;
  /** The rule in a few words, such as `50% of fees`. */
  readonly value: string;
  /** The first day of the next rule; `null` for the newest. */
  readonly until: string | null;
}

/**
 * Lists the rules of a network by their first day, oldest first: one set for each day on which the rules
 * of auctions, of performance, of consistency or of quotes changed.
 *
 * Unlike {@linkcode ruleSets}, which has what governance voted for, each set has all rules of its days,
 * with what is not known about them. To apply one to another week, pass its `rewards` as `rules` alone.
 *
 * @param name A network; `sepolia` has no rewards, and no sets.
 * @see {@link https://github.com/cowprotocol/solver-rewards | the accounting's code, whose changes date the rules}
 *
 * @example The rules that paid a quote with 0.0007 ether first
 * ```ts
 * import { listDatedRuleSets } from "orderlens/networks";
 * import { assertEquals } from "@std/assert";
 *
 * const sets = listDatedRuleSets("mainnet");
 * const [first] = sets.filter(({ quoteReward }) => quoteReward?.nativeAtoms === 7n * 10n ** 14n);
 *
 * assertEquals([first?.name, first?.auction.fairness], ["2025-08-12", true]);
 * assertEquals(first?.rewards.upperCapAtoms, 12n * 10n ** 15n);
 * ```
 */
export function listDatedRuleSets(name: NetworkName): DatedRuleSet[] {
  const { rewards, quoteRewards } = NETWORKS[name];
  const begin = rewards[0]?.since ?? null;
  if (begin === null) return [];
  const days = new Set([...rewards, ...quoteRewards].flatMap(({ since }) => since ?? []));
  return [...days].filter((day) => day >= begin).sort().map((since) => ({
    name: since,
    auction: since < ONE_WINNER_UNTIL ? { fairness: false, maxWinners: 1 } : { fairness: true },
    rewards: findLatest(rewards, since)!,
    quoteReward: findLatest(quoteRewards, since) ?? null,
  }));
}

function findLatest<Rule extends Partial<DatedRule>>(rules: readonly Rule[], day: string) {
  return rules.findLast(({ since }) => since !== null && since !== undefined && since <= day);
}

/**
 * Lists the history of a network's rules, part by part, for a picture or a table: each period has its
 * value in a few words, its first day with the certainty and the source of it, and the day of the next.
 *
 * The parts are the choice of winners; the caps of performance; whether a reference score counts at most
 * as the total; until when a settlement is in time; how consistency is shared; the reward for a quote;
 * blocks until the deadline; the share of partner fees that the service keeps, and its fee on
 * rewards. The periods of a part follow one another without gaps. The history begins with the formula
 * of {@linkcode RewardRules}; the payments' own parts may be older.
 *
 * @param name A network; for `sepolia`, which has no rewards, the list is empty.
 * @see {@link https://github.com/cowprotocol/solver-rewards | the accounting's code, whose changes date the rules}
 *
 * @example The upper caps of mainnet
 * ```ts
 * import { listRulePeriods } from "orderlens/networks";
 * import { assertEquals } from "@std/assert";
 *
 * const caps = listRulePeriods("mainnet").filter(({ part }) => part === "upper cap");
 *
 * assertEquals(caps.map(({ since, value }) => [since, value]), [
 *   ["2024-07-16", "0.012 ETH"],
 *   ["2025-11-25", "100% of fees"],
 *   ["2026-04-14", "50% of fees"],
 * ]);
 * ```
 */
export function listRulePeriods(name: NetworkName): RulePeriod[] {
  const { rewards, quoteRewards, deadlines, nativeToken: { decimals, symbol } } = NETWORKS[name];
  const begin = rewards[0]?.since ?? null;
  if (begin === null) return [];
  const amount = (atoms: bigint) => formatAtoms(atoms, decimals, { symbol });
  const winners = listDatedRuleSets(name).map(({ auction, rewards }) => ({ ...rewards, auction }));
  const periods = [
    ...findPeriods("winners", winners, ({ auction }) => auction.fairness ? "several, fair" : "one"),
    ...findPeriods(
      "upper cap",
      rewards,
      ({ feeShare, upperCapAtoms = 0n }) =>
        feeShare === null ? amount(upperCapAtoms) : `${formatWhole(feeShare)} of fees`,
    ),
    ...findPeriods(
      "lower cap",
      rewards,
      ({ lowerCapAtoms, hasOrderCaps }) =>
        amount(lowerCapAtoms) + (hasOrderCaps === null ? " or by order" : ""),
    ),
    ...findPeriods(
      "reference score",
      rewards,
      ({ limitsReference }) => limitsReference === null ? "limit unknown" : "at most the total",
    ),
    ...findPeriods(
      "in time",
      rewards,
      ({ graceBlocks = 0 }) => graceBlocks === 0 ? "by the deadline" : `${graceBlocks} block later`,
    ),
    ...findPeriods("consistency", rewards, formatConsistency),
    ...findPeriods(
      "quote reward",
      toDated(quoteRewards),
      ({ nativeAtoms, needsBid = true }) => amount(nativeAtoms) + (needsBid ? ", with a bid" : ""),
    ),
    ...findPeriods("deadline", deadlines, ({ blocks }) => `${blocks} blocks`),
    ...findPeriods("partner fees kept", PARTNER_SHARES, ({ share }) => formatWhole(share)),
    ...findPeriods("service fee", SERVICE_FEES, formatServiceFee),
  ];
  // The rules of partner and service fees are older than some networks.
  return periods.filter(({ until }) => until === null || until > begin);
}

/** Finds the periods of one part: rules with the same value are one period. */
function findPeriods<Rule extends DatedRule>(
  part: RulePart,
  rules: readonly Rule[],
  format: (rule: Rule) => string,
): RulePeriod[] {
  const changes = rules.filter((rule, index) =>
    index === 0 || format(rule) !== format(rules[index - 1]!)
  );
  return changes.map((rule, index) => {
    const { since, ...dating } = pickDating(rule);
    const until = changes[index + 1]?.since ?? null;
    return { part, value: format(rule), since, until, ...dating };
  });
}

function toDated(rules: readonly QuoteReward[]): (QuoteReward & DatedRule)[] {
  return rules.map((rule) => ({ ...rule, since: rule.since ?? null }));
}

function formatWhole(share: Ratio): string {
  return formatPercent(share, { digits: 0, rounding: "halfEven" });
}

const METRICS = {
  none: "none",
  auctions: "by auctions",
  executed_orders: "by executed orders",
  order_share: "by order shares",
} as const;

function formatConsistency({ hasConsistency, consistencyMetric = "order_share" }: RewardRules) {
  return METRICS[hasConsistency === false ? "none" : consistencyMetric];
}

const SPARED = {
  none: "",
  performance: ", not of penalties",
  performance_and_consistency: ", not of a negative sum",
} as const;

function formatServiceFee({ share, spares }: ServiceFee): string {
  return formatWhole(share) + SPARED[spares];
}
