import { type OptionRules, wholeFrom } from "../../errors/option_rules.ts";
import {
  type RoleOptions,
  type SettlementOptions,
  settlementOutcomes,
  type SolverWeek,
  type WeeklyRewardOptions,
  weeklyRewards,
} from "../../metrics/mod.ts";
import { ROLE_OPTIONS } from "../../metrics/orders/order_bids.ts";
import { RULES, WEEK_OPTIONS } from "../../metrics/solvers/reward_facts.ts";
import { NETWORKS, type RewardRules } from "../../networks/mod.ts";
import type { Competition, Order } from "../../schemas/mod.ts";
import type { SolverOptions } from "../columns/solver_names.ts";
import {
  ORDER_KIND,
  recordsRule,
  REPORT_KIND,
  SOLVER_OPTIONS,
  TRADE_KIND,
} from "../columns/table_input.ts";

/** What else tables of rewards use, besides the auctions. */
export interface RewardTableOptions extends
  SettlementOptions,
  RoleOptions,
  SolverOptions,
  Pick<
    WeeklyRewardOptions,
    "times" | "deadlineMs" | "cowPrice" | "consistencyBudget" | "areAllAuctions"
  > {
  /** The network whose documented rules apply, such as `mainnet`; `local` has none. */
  network?: string;
  /**
   * Dated rules, instead of those of the network: the latest rules in force at its start apply to a
   * week.
   */
  rules?: readonly RewardRules[];
  /** The reward for a quote, instead of that of the network. */
  quoteReward?: WeeklyRewardOptions["quoteReward"];
  /** Orders of the solutions, for partner fees, consistency and quotes. */
  orders?: Iterable<Order>;
}

/** Allowed values of the {@linkcode RewardTableOptions}. */
export const REWARD_OPTIONS: OptionRules<RewardTableOptions> = {
  ...ROLE_OPTIONS,
  ...WEEK_OPTIONS,
  trades: recordsRule(TRADE_KIND),
  debugReports: recordsRule(REPORT_KIND),
  latestBlock: wholeFrom(0),
  orders: recordsRule(ORDER_KIND),
  ...SOLVER_OPTIONS,
  rules: RULES,
};

/** The rewards of solvers by week, with the rules of the network by default. */
export function rewardsByWeek(
  competitions: readonly Competition[],
  options: RewardTableOptions,
): SolverWeek[] {
  const { network, solvers: _, latestBlock, trades = [], debugReports = [], ...given } = options;
  const facts = Object.values(NETWORKS).find(({ name }) => name === network);
  const evidence = { trades: [...trades], debugReports: [...debugReports] };
  return weeklyRewards(competitions, {
    ...given,
    ...evidence,
    rules: options.rules ?? facts?.rewards ?? [],
    quoteReward: options.quoteReward === undefined ? facts?.quoteReward : options.quoteReward,
    outcomes: settlementOutcomes(
      competitions,
      latestBlock === undefined ? evidence : { ...evidence, latestBlock },
    ),
  });
}
