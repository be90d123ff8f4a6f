import type { OptionRules } from "../../errors/option_rules.ts";
import {
  type AccountingPeriod,
  type OpenInterval,
  type RoleOptions,
  type SettlementOptions,
  settlementOutcomes,
  type SolverWeek,
  type WeeklyRewardOptions,
  weeklyRewards,
} from "../../metrics/mod.ts";
import { RULES, WEEK_OPTIONS } from "../../metrics/solvers/reward_facts.ts";
import type { RewardRules } from "../../networks/mod.ts";
import type { Competition, Order } from "../../schemas/mod.ts";
import { native, number, text, time } from "../columns/columns.ts";
import type { Column } from "../columns/frame.ts";
import type { SolverOptions } from "../columns/lookups.ts";
import { optionsOn } from "../columns/table_input.ts";
import { findNetwork } from "../auctions/auction_columns.ts";

/** Bounds of a native amount. */
interface BoundsDeclaration<Row> {
  readonly source: string;
  readonly of: (row: Row) => OpenInterval | null;
}

/** Four columns: both bounds of a native amount, exact and for axes. */
export function bounds<Row>(
  name: string,
  { source, of }: BoundsDeclaration<Row>,
): Column<Row>[] {
  return [
    ...native<Row>(`${name}_low`, {
      source: `${source}: lower bound`,
      atoms: (row) => of(row)?.low,
    }),
    ...native<Row>(`${name}_high`, {
      source: `${source}: upper bound, equal to low if everything is known; null if unbounded`,
      atoms: (row) => of(row)?.high,
    }),
  ];
}

/** The start of the accounting week of a row. */
export function weekStart<Row>(weekOf: (row: Row) => AccountingPeriod | null): Column<Row>[] {
  return time("week_start", {
    source: "accountingWeek: Tuesday, 00:00 UTC; null if the time of the auction is unknown",
    at: (row) => instantOf(weekOf(row)?.startMs),
  });
}

/** The caps of a row's rules, and since when these are in force. */
export function ruleColumns<Row>(rulesOf: (row: Row) => RewardRules | null): Column<Row>[] {
  return [
    number("fee_share", {
      unit: "0 to 1",
      source:
        "rules.feeShare: share of the protocol fees that is the upper cap; null where it is fixed",
      cell: (row) => rulesOf(row)?.feeShare ?? null,
    }),
    ...native<Row>("lower_cap", {
      source: "rules.lowerCapAtoms: the largest penalty in one auction, unless orders have caps",
      atoms: (row) => rulesOf(row)?.lowerCapAtoms,
    }),
    text("rules_as_of", {
      source: "rules.asOf: month in which a source stated the caps",
      cell: (row) => rulesOf(row)?.asOf ?? null,
    }),
    text("rules_since", {
      source:
        "rules.since: day from which these rules apply, as well as it is known; gaps has rules if " +
        "others may have been in force",
      cell: (row) => rulesOf(row)?.since ?? null,
    }),
  ];
}

/** The instant of unix milliseconds; `null` for `undefined`. */
export function instantOf(ms: number | undefined): Temporal.Instant | null {
  return ms === undefined ? null : Temporal.Instant.fromEpochMilliseconds(ms);
}

/** What else tables of rewards use, besides the auctions. */
export interface RewardTableOptions extends
  SettlementOptions,
  RoleOptions,
  SolverOptions,
  Pick<
    WeeklyRewardOptions,
    | "times"
    | "deadlineMs"
    | "cowPrice"
    | "consistencyBudget"
    | "areAllAuctions"
    | "excludedAuctions"
  > {
  /** The network whose documented rules apply, such as `mainnet`; `local` has none. */
  network?: string;
  /**
   * Dated rules, instead of those of the network: the latest rules in force at its start apply to a
   * week; one set that is passed alone applies to every week.
   */
  rules?: readonly RewardRules[] | RewardRules;
  /** The dated rewards for a quote, instead of those of the network; one alone for every week. */
  quoteReward?: WeeklyRewardOptions["quoteReward"];
  /** Orders of the solutions, for partner fees, consistency and quotes. */
  orders?: Iterable<Order>;
}

/** Allowed values of the {@linkcode RewardTableOptions}. */
export const REWARD_OPTIONS: OptionRules<RewardTableOptions> = {
  ...optionsOn("roles"),
  ...WEEK_OPTIONS,
  ...optionsOn("settlements", "orders", "solvers"),
  rules: RULES,
};

/** The rewards of solvers by week, with the rules of the network by default. */
export function rewardsByWeek(
  competitions: readonly Competition[],
  options: RewardTableOptions,
): SolverWeek[] {
  const { network, solvers: _, trades = [], debugReports = [], ...others } = options;
  const facts = findNetwork(network);
  const { latestBlock, hasFills, deadlineBlocks = facts?.deadlines[0]?.blocks, ...given } = others;
  const evidence = { trades: [...trades], debugReports: [...debugReports] };
  const { rules = facts?.rewards ?? [], excludedAuctions } = given;
  return weeklyRewards(competitions, {
    ...given,
    ...evidence,
    rules,
    quoteReward: options.quoteReward === undefined ? facts?.quoteRewards : options.quoteReward,
    // What-if rules are asked of all auctions.
    excludedAuctions: excludedAuctions ??
      (options.rules === undefined ? facts?.excludedAuctions : undefined),
    outcomes: settlementOutcomes(competitions, {
      ...evidence,
      latestBlock,
      hasFills,
      deadlineBlocks,
    }),
  });
}
