import {
  type AccountingPeriod,
  type OpenInterval,
  settlementOutcomes,
  type SolverWeek,
  type WeeklyRewardOptions,
  weeklyRewards,
} from "../../metrics/mod.ts";
import type { RewardRules } from "../../networks/mod.ts";
import type { Competition } from "../../schemas/mod.ts";
import { native, number, text, time } from "../columns/columns.ts";
import { lookUp, type ReadRecords } from "../columns/records.ts";
import type { Column } from "../columns/frame.ts";
import { findNetwork } from "../auctions/auction_columns.ts";

/** Bounds of a native amount. */
interface BoundsDeclaration<Row> {
  readonly source: string;
  readonly interval: (row: Row) => OpenInterval | null;
}

/** Four columns: both bounds of a native amount, exact and for axes. */
export function boundColumns<Row>(
  name: string,
  { source, interval: getInterval }: BoundsDeclaration<Row>,
): Column<Row>[] {
  return [
    ...native<Row>(`${name}_low`, {
      source: `${source}: lower bound`,
      atoms: (row) => getInterval(row)?.low,
    }),
    ...native<Row>(`${name}_high`, {
      source: `${source}: upper bound, equal to low if everything is known; null if unbounded`,
      atoms: (row) => getInterval(row)?.high,
    }),
  ];
}

/** The start of the accounting week of a row. */
export function weekStartColumns<Row>(
  getWeek: (row: Row) => AccountingPeriod | null,
): Column<Row>[] {
  return time("week_start", {
    source: "accountingWeek: Tuesday, 00:00 UTC; null if the time of the auction is unknown",
    instant: (row) => toInstant(getWeek(row)?.startMs),
  });
}

/** The caps of a row's rules, and the day from which they are in force. */
export function ruleColumns<Row>(getRules: (row: Row) => RewardRules | null): Column<Row>[] {
  return [
    number("fee_share", {
      unit: "0 to 1",
      source:
        "rules.feeShare: share of the protocol fees that is the upper cap; null where it is fixed",
      cell: (row) => getRules(row)?.feeShare ?? null,
    }),
    ...native<Row>("lower_cap", {
      source: "rules.lowerCapAtoms: the largest penalty in one auction, unless orders have caps",
      atoms: (row) => getRules(row)?.lowerCapAtoms,
    }),
    text("rules_as_of", {
      source: "rules.asOf: month in which a source stated the caps",
      cell: (row) => getRules(row)?.asOf ?? null,
    }),
    text("rules_since", {
      source:
        "rules.since: day from which these rules apply, as well as it is known; gaps has rules if " +
        "others may have been in force",
      cell: (row) => getRules(row)?.since ?? null,
    }),
  ];
}

/** Converts unix milliseconds to an instant; `null` for `undefined`. */
export function toInstant(ms: number | undefined): Temporal.Instant | null {
  return ms === undefined ? null : Temporal.Instant.fromEpochMilliseconds(ms);
}

/** Inputs of rewards in addition to the auctions. */
type RewardEvidence =
  & Pick<
    ReadRecords,
    | "areAllAuctions"
    | "consistencyBudget"
    | "cowPrice"
    | "deadlineBlocks"
    | "deadlineMs"
    | "debugReports"
    | "excludedAuctions"
    | "hasFills"
    | "latestBlock"
    | "orders"
    | "quoteReward"
    | "rules"
    | "surplusCapturingJitOrderOwners"
    | "trades"
  >
  & Pick<WeeklyRewardOptions, "times">;

/** Calculates weekly rewards, by the documented rules of a network unless records have others. */
export function calculateWeeklyRewards(
  competitions: readonly Competition[],
  network: string | undefined,
  records: RewardEvidence,
): SolverWeek[] {
  const facts = findNetwork(network);
  const { latestBlock, hasFills, rules, quoteReward, trades = [], debugReports = [] } = records;
  const { deadlineBlocks = facts?.deadlines[0]?.blocks } = records;
  return weeklyRewards(competitions, {
    ...pickPresent(records, [
      ...["areAllAuctions", "consistencyBudget", "cowPrice", "deadlineMs", "orders"] as const,
      ...["surplusCapturingJitOrderOwners", "times"] as const,
    ]),
    trades,
    debugReports,
    rules: rules ?? facts?.rewards ?? [],
    quoteReward: quoteReward === undefined ? facts?.quoteRewards : quoteReward,
    // What-if rules apply to all auctions.
    excludedAuctions: records.excludedAuctions ??
      (rules === undefined ? facts?.excludedAuctions : undefined),
    outcomes: settlementOutcomes(competitions, {
      trades,
      debugReports,
      latestBlock,
      hasFills,
      deadlineBlocks,
    }),
  });
}

/** Finds the weekly rewards of the solvers of the records. */
export function findSolverWeeks(records: ReadRecords): SolverWeek[] {
  const { competitions = [], rewardsOf, network, times, rewardTimes = times } = records;
  return calculateWeeklyRewards(competitions, rewardsOf ?? network, {
    ...records,
    ...rewardTimes !== undefined && { times: rewardTimes },
    ...pickPresent({
      trades: lookUp(records, "trades"),
      debugReports: lookUp(records, "debugReports"),
      orders: lookUp(records, "orders"),
    }, ["trades", "debugReports", "orders"]),
  });
}

/** Picks members of an object that are defined. */
function pickPresent<Whole extends object, Name extends keyof Whole>(
  object: Whole,
  names: readonly Name[],
): { readonly [Own in Name]: Exclude<Whole[Own], undefined> } {
  const present = names.filter((name) => object[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, object[name]])) as never;
}
