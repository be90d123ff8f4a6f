import { accountingWeek } from "../../metrics/mod.ts";
import { findRulesInForce } from "../../networks/rules_in_force.ts";
import type {
  ConsistencyMetric,
  NetworkName,
  QuoteReward,
  RewardRules,
  RuleSureness,
} from "../../networks/network.ts";
import { NETWORKS } from "../../networks/networks.ts";
import { WEEK_MS } from "../../units/instant.ts";
import { formatAtoms, ratioToNumber } from "../../units/mod.ts";
import type { DatasetManifest } from "../layout/manifest.ts";
import { findRuleNetwork } from "../shards/table_context.ts";
import type { TimeSpan } from "../state/citation.ts";

/** One set of rules that may have been in force while a dataset was made. */
export interface DescribedRuleSet {
  /** Its first day, as well as it is known; `null` if no source states one. */
  readonly since: string | null;
  /** First and last day of the span in which that lies; `null` if it is the day. */
  readonly span: readonly [earliest: string, latest: string] | null;
  /** Certainty of the day: A, B or C; `null` if unknown. */
  readonly sure: RuleSureness | null;
  /** Its source; `null` if it has none. */
  readonly source: string | null;
  /** The caps and amounts, in words. */
  readonly text: string;
}

/** The dated rules that reward the solvers of a dataset. */
export interface DescribedRules {
  /** The network whose rules these are. */
  readonly network: NetworkName;
  /** Those that may have been in force in the weeks of the dataset, oldest first. */
  readonly sets: readonly DescribedRuleSet[];
}

/**
 * Describes the rules that may have been in force between two times; all of the network if these are
 * unknown.
 *
 * @returns `null` for a deployment that is no public network, if its publisher named none.
 */
export function describeRules(
  { source, about }: Pick<DatasetManifest, "source" | "about">,
  span: TimeSpan | null,
): DescribedRules | null {
  const name = findRuleNetwork(source, about);
  if (name === undefined) return null;
  const { rewards, quoteRewards, nativeToken: { symbol } } = NETWORKS[name];
  const weeks = listWeeks(span);
  const inForce = new Set(weeks.flatMap((day) => findRulesInForce(rewards, day).candidates));
  const sets = rewards.filter((rules) => inForce.has(rules)).map((rules): DescribedRuleSet => ({
    since: rules.since,
    span: rules.span ?? null,
    sure: rules.sure ?? null,
    source: rules.source ?? null,
    text: formatRules(rules, findRulesInForce(quoteRewards, rules.since).rule, symbol),
  }));
  return { network: name, sets };
}

/** Lists the first days of the weeks of a span; `null` alone for an unknown one. */
function listWeeks(span: TimeSpan | null): (string | null)[] {
  if (span === null) return [null];
  const [from, to] = [span.from, span.to].map((time) =>
    accountingWeek(Temporal.Instant.from(time)).startMs
  ) as [number, number];
  return Array.from(
    { length: (to - from) / WEEK_MS + 1 },
    (_, week) => accountingWeek(from + week * WEEK_MS).firstDay,
  );
}

const METRICS: Readonly<Record<ConsistencyMetric, string>> = {
  none: "no rewards for consistency",
  auctions: "consistency by auctions",
  executed_orders: "consistency by executed orders",
  order_share: "consistency by order share",
};

function formatRules(rules: RewardRules, quote: QuoteReward | null, symbol: string): string {
  const formatAmount = (atoms: bigint) => formatAtoms(atoms, 18, { symbol });
  const { feeShare, upperCapAtoms = 0n, lowerCapAtoms, consistencyMetric = "order_share" } = rules;
  const { graceBlocks = 0, limitsReference, hasOrderCaps } = rules;
  return [
    feeShare === null
      ? `rewards up to ${formatAmount(upperCapAtoms)} an auction`
      : `rewards up to ${100 * ratioToNumber(feeShare)}% of protocol fees`,
    `penalties up to ${formatAmount(lowerCapAtoms)}` +
    (hasOrderCaps === null ? " or the caps of orders" : ""),
    METRICS[consistencyMetric],
    ...quote === null ? [] : [`quotes up to ${formatAmount(quote.nativeAtoms)} or 6 COW`],
    ...graceBlocks === 0 ? [] : [`${graceBlocks} block of grace`],
    ...limitsReference === null ? ["reference scores perhaps not limited to the total"] : [],
  ].join(", ");
}
