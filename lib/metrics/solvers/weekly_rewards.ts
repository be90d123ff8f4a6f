import { checkOptions, type OptionRules, required } from "../../errors/option_rules.ts";
import type { RewardRules } from "../../networks/network.ts";
import type { Competition, DebugReport, Order, Trade } from "../../schemas/mod.ts";
import { groupByHex, HexMap } from "../../units/mod.ts";
import { anyRecord, list } from "../not_computable.ts";
import { ROLE_OPTIONS } from "../orders/order_bids.ts";
import { combineEstimates, excludeReward, findExclusion } from "./combine_rewards.ts";
import { estimateRewards } from "./estimate_rewards.ts";
import { type OrderQuoteReward, quoteRewards } from "./quote_rewards.ts";
import {
  type AccountingPeriod,
  accountingWeek,
  createBlockTimeFinder,
  createDeadlineFinder,
  DEADLINE_MS,
} from "./reward_times.ts";
import {
  type DatedAuctionReward,
  type RewardsEstimate,
  RULES,
  type SolverFacts,
  type SolverWeek,
  WEEK_OPTIONS,
  type WeeklyRewardOptions,
} from "./reward_facts.ts";
import { findRulesInForce, type RulesInForce } from "../../networks/rules_in_force.ts";
import { type SolutionOutcome, summarizeBySolver } from "./settlement_outcomes.ts";
import {
  chooseQuoteRules,
  combineConsistency,
  listGaps,
  sumQuoteRewards,
  sumRewards,
  sumTotal,
  type WeekTerms,
} from "./weekly_reward_sums.ts";

const ACTION = "Cannot estimate weekly rewards";

const OPTIONS: OptionRules<WeeklyRewardOptions> = {
  ...ROLE_OPTIONS,
  ...WEEK_OPTIONS,
  rules: required(RULES),
  outcomes: required(anyRecord()),
  trades: list(),
  orders: list(),
  debugReports: list(),
};

/**
 * Estimates the rewards of solvers by accounting week, where public data determine them: performance with
 * its caps, consistency, and quotes.
 *
 * - performance: the sum of {@linkcode estimateRewards} over the auctions of the week
 * - consistency: the share of {@linkcode consistencyShares} in the unused part of the caps, rounded
 *   down, by the metric of the week: order share since 2026-06-30, executed orders from 2026-04-14 on,
 *   none before; `null` where the metric is not known
 * - quotes: quotes that earned a reward by {@linkcode quoteRewards}, times
 *   `min(nativeAtoms, floor(cowAtoms * cowPrice / 10^18))`, which goes to the solver that quoted
 *
 * All are intervals in native atoms: low and high are equal if everything is known, otherwise
 * `gaps` lists the missing inputs. The accounting pays in COW, deducts a service fee from some solvers,
 * and settles slippage and network fees separately; none of these is included.
 *
 * A week contains the auctions whose deadline block is in it: at the time that a clock returns,
 * otherwise at most `deadlineMs` after the auction's time. An auction whose bounds span the end of
 * a week is assigned by the earliest time, with the gap `week`. A quote reward belongs to the week of
 * the block that executed the order, where a clock knows it, otherwise to that of the auction.
 *
 * Rules are those of the week: the latest of `rules` that had begun. Where the first day of one lies in
 * a span with the week, amounts have bounds that hold both, with the gap `rules`; rules without a first
 * day have that gap too. Before the first of them the rules are unknown. One set of rules that is passed
 * alone, not in an array, counts in every week. Auctions that the accounting excluded have a reward of
 * 0; where only the range of their ids is public, one between 0 and the full reward. Ranges of blocks in
 * which the accounting charges no penalties are not public, and not included.
 *
 * @param competitions Auctions of one deployment; one with a repeated id is ignored.
 * @param options The rules, the outcomes, and other records.
 * @returns One per week and solver that bid or whose quote was used: weeks in order, auctions
 * without a time last, then by descending performance.
 * @throws {InputError} If an option is unknown, or a time is invalid.
 * @throws {RangeError} If an amount or price is negative.
 * @see {@link https://docs.cow.fi/cow-protocol/reference/core/auctions/rewards | the protocol's documentation}
 * @see {@link https://github.com/cowprotocol/docs/blob/02bf4f9539a3131bd08a68b53d37e2bee25e851c/docs/cow-protocol/reference/core/auctions/accounting.md | the accounting process}
 *
 * @example No auctions, no rewards
 * ```ts
 * import { network } from "orderlens";
 * import { weeklyRewards } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const { rewards: rules, quoteRewards: quoteReward } = network("mainnet");
 * const outcomes = { solutions: [], solvers: [] };
 *
 * assertEquals(weeklyRewards([], { rules, quoteReward, outcomes }), []);
 * ```
 */
export function weeklyRewards(
  competitions: Iterable<Competition>,
  options: WeeklyRewardOptions,
): SolverWeek[] {
  checkOptions(options, OPTIONS, ACTION);
  const byId = new Map<number, Competition>();
  for (const auction of competitions) {
    if (!byId.has(auction.auctionId)) byId.set(auction.auctionId, auction);
  }
  const weekByAuction = assignWeeks(byId.values(), options);
  const byWeek = Map.groupBy(byId.values(), ({ auctionId }) => weekByAuction.get(auctionId)!.key);
  const outcomesByAuction = Map.groupBy(options.outcomes.solutions, ({ auctionId }) => auctionId);
  const inputs = {
    ...options,
    orders: [...options.orders ?? []],
    trades: [...options.trades ?? []],
    debugReports: [...options.debugReports ?? []],
  };
  const weeks = new Map<string, Week>();
  const shared = { weekByAuction, options: inputs };
  const openWeek = (week: AccountingPeriod | null) => {
    const key = toWeekKey(week);
    const opened: Week = weeks.get(key) ??
      { ...shared, week, auctions: [], won: [], quotes: [], openQuotes: new Set() };
    weeks.set(key, opened);
    return opened;
  };
  const findBlockTime = createBlockTimeFinder(options.times ?? [], ACTION);
  for (const auctions of byWeek.values()) {
    const { week } = weekByAuction.get(auctions[0]!.auctionId)!;
    const auctionWeek = openWeek(week);
    const won = auctions.flatMap(({ auctionId }) => outcomesByAuction.get(auctionId) ?? []);
    auctionWeek.auctions.push(...auctions);
    auctionWeek.won.push(...won);
    for (const { quote, time } of dateQuotes(auctions, { won, week, inputs, findBlockTime })) {
      const quoteWeek = openWeek(time === undefined ? week : accountingWeek(time.min));
      quoteWeek.quotes.push(quote);
      if (time !== undefined && quoteWeek.week !== null && time.max >= quoteWeek.week.endMs) {
        quoteWeek.openQuotes.add(quote);
      }
    }
  }
  return [...weeks].sort(([a], [b]) => a < b ? -1 : 1).flatMap(([, week]) => summarizeWeek(week));
}

function toWeekKey(week: AccountingPeriod | null): string {
  return week?.firstDay ?? "none";
}

/** Dates the quotes of executed orders, by the conditions of their weeks, with the times of execution. */
function dateQuotes(
  auctions: readonly Competition[],
  { won, week, inputs, findBlockTime }: {
    readonly won: readonly SolutionOutcome[];
    readonly week: AccountingPeriod | null;
    readonly inputs: Inputs;
    readonly findBlockTime: ReturnType<typeof createBlockTimeFinder>;
  },
) {
  const { orders, trades, debugReports, areAllAuctions = false } = inputs;
  const outcomes = { solutions: won, solvers: summarizeBySolver(won) };
  const sources = { outcomes, orders, trades, debugReports, areAllAuctions };
  const needsBid = (period: AccountingPeriod | null) =>
    chooseQuoteRules(inputs.quoteReward, period).rule?.needsBid ?? true;
  const readQuotes = (isBidNeeded: boolean) =>
    new HexMap(
      quoteRewards(auctions, { ...sources, needsBid: isBidNeeded }).map((
        reward,
      ) => [reward.orderUid, reward]),
    );
  const ownQuotes = readQuotes(needsBid(week));
  let otherQuotes: typeof ownQuotes | undefined;
  const blocks = new HexMap(
    won.flatMap(({ orders, block }) =>
      block === null ? [] : orders.map((uid) => [uid, block] as const)
    ),
  );
  return ownQuotes.entries().map(([uid, quote]) => {
    const block = blocks.get(uid);
    const time = block === undefined ? undefined : findBlockTime(block);
    const isAsOwn = time === undefined ||
      needsBid(accountingWeek(time.min)) === needsBid(week);
    if (isAsOwn) return { quote, time };
    otherQuotes ??= readQuotes(!needsBid(week));
    return { quote: otherQuotes.get(uid) ?? quote, time };
  }).toArray();
}

/** The week of an auction. */
interface AuctionWeek {
  /** Sorts weeks; auctions without a week come last. */
  readonly key: string;
  readonly week: AccountingPeriod | null;
  readonly isOpen: boolean;
}

function assignWeeks(
  auctions: Iterable<Competition>,
  { times = [], deadlineMs = DEADLINE_MS }: Pick<WeeklyRewardOptions, "times" | "deadlineMs">,
): Map<number, AuctionWeek> {
  const findDeadline = createDeadlineFinder(times, { deadlineMs, action: ACTION });
  const weekByAuction = new Map<number, AuctionWeek>();
  for (const auction of auctions) {
    const due = findDeadline(auction);
    const week = due === undefined ? null : accountingWeek(due.min);
    weekByAuction.set(auction.auctionId, {
      key: toWeekKey(week),
      week,
      isOpen: due !== undefined && week !== null && due.max >= week.endMs,
    });
  }
  return weekByAuction;
}

/** Records of all weeks, as arrays, since they are read several times. */
type Inputs = WeeklyRewardOptions & {
  readonly orders: readonly Order[];
  readonly trades: readonly Trade[];
  readonly debugReports: readonly DebugReport[];
};

/** The auctions of one week, the quotes executed in it, and their records. */
interface Week {
  readonly week: AccountingPeriod | null;
  readonly auctions: Competition[];
  readonly won: SolutionOutcome[];
  readonly quotes: OrderQuoteReward[];
  /** Quotes that may have been executed in a later week. */
  readonly openQuotes: Set<OrderQuoteReward>;
  readonly weekByAuction: ReadonlyMap<number, AuctionWeek>;
  readonly options: Inputs;
}

function summarizeWeek(records: Week): SolverWeek[] {
  const { week, auctions, won, quotes: ownQuotes, openQuotes, weekByAuction, options } = records;
  const outcomes = { solutions: won, solvers: summarizeBySolver(won) };
  const { rule: rules, candidates, isCertain } = findRulesInForce(
    options.rules,
    week?.firstDay ?? null,
  );
  const { trades, orders, surplusCapturingJitOrderOwners } = options;
  const estimates = candidates.map((rules) =>
    estimateRewards(auctions, { rules, outcomes, trades, orders, surplusCapturingJitOrderOwners })
  );
  const estimate = combineEstimates(estimates);
  // One for each order: of several executions, the last one.
  const quotes = [...new HexMap(ownQuotes.map((quote) => [quote.orderUid, quote])).values()];
  const terms: WeekTerms = {
    week,
    rules,
    areRulesCertain: isCertain,
    estimates,
    estimate,
    outcomes,
    quotes,
    options,
  };
  const openAuctions = new Set(
    auctions.map(({ auctionId }) => auctionId).filter((id) => weekByAuction.get(id)!.isOpen),
  );
  const bids = indexBids(auctions);
  const margins = sumMargins(auctions);
  const wonBySolver = groupByHex(won, ({ solver }) => solver);
  const rewards = dateRewards(estimate, { rules, openAuctions, records });
  const quoters = groupByHex(
    quotes.filter(({ solver }) => solver !== null),
    (quote) => quote.solver!,
  );
  return listSolvers(bids, quoters).entries().map(([key, solver]): SolverWeek => {
    const auctionsBid = bids.get(key)?.auctions ?? new Set<number>();
    const solverQuotes = quoters.get(key) ?? [];
    return buildSolverWeek(terms, {
      solver,
      margin: margins.get(key) ?? 0n,
      auctionsBid: auctionsBid.size,
      isWeekOpen: !auctionsBid.isDisjointFrom(openAuctions) ||
        solverQuotes.some((quote) => openQuotes.has(quote)),
      won: wonBySolver.get(key) ?? [],
      rewards: rewards.get(key) ?? [],
      quotes: solverQuotes,
    });
  }).toArray().sort(compareByPerformance);
}

/** Lists solvers that bid, and solvers whose quotes may have earned a reward. */
function listSolvers(
  bids: ReturnType<typeof indexBids>,
  quoters: HexMap<OrderQuoteReward[]>,
): HexMap<string> {
  const solvers = new HexMap(bids.entries().map(([key, { solver }]) => [key, solver]));
  for (const [key, quotes] of quoters) {
    const earning = quotes.find(({ verdict }) => verdict !== "not_earned");
    if (earning !== undefined && !solvers.has(key)) solvers.set(key, earning.solver!);
  }
  return solvers;
}

function buildSolverWeek(terms: WeekTerms, facts: SolverFacts): SolverWeek {
  const { solver, margin, auctionsBid, won, rewards } = facts;
  const sums = terms.rules === null ? null : sumRewards(rewards);
  const consistency = combineConsistency(terms, solver);
  const quotes = sumQuoteRewards(terms, facts.quotes);
  return {
    week: terms.week,
    solver,
    margin,
    auctionsBid,
    auctionsWon: new Set(won.map(({ auctionId }) => auctionId)).size,
    outcomes: summarizeBySolver(won)[0] ?? null,
    rules: terms.rules,
    rewards,
    sums,
    consistency,
    quotes,
    total: sumTotal(sums, consistency, quotes),
    gaps: listGaps(terms, facts),
  };
}

/** Finds the rules that may have been in force for each auction: those of its week. */
export function indexRulesByAuction(
  auctions: Iterable<Competition>,
  { rules, ...times }: Pick<WeeklyRewardOptions, "rules" | "times" | "deadlineMs">,
): ReadonlyMap<number, RulesInForce<RewardRules>> {
  const weekByAuction = assignWeeks(auctions, times);
  return new Map(
    [...weekByAuction].map((
      [id, { week }],
    ) => [id, findRulesInForce(rules, week?.firstDay ?? null)]),
  );
}

function indexBids(
  auctions: readonly Competition[],
): HexMap<{ solver: string; auctions: Set<number> }> {
  const bids = new HexMap<{ solver: string; auctions: Set<number> }>();
  for (const { auctionId, solutions } of auctions) {
    for (const { solverAddress: solver } of solutions) {
      const solverBids = bids.get(solver);
      if (solverBids === undefined) bids.set(solver, { solver, auctions: new Set([auctionId]) });
      else solverBids.auctions.add(auctionId);
    }
  }
  return bids;
}

/** Sums, by solver, the scores of all winners less its reference score over the auctions that it won. */
function sumMargins(auctions: readonly Competition[]): HexMap<bigint> {
  const margins = new HexMap<bigint>();
  for (const { solutions, referenceScores } of auctions) {
    const winners = solutions.filter(({ isWinner }) => isWinner);
    const total = winners.reduce((sum, { score }) => sum + score, 0n);
    const solvers = new Set(winners.map(({ solverAddress }) => solverAddress.toLowerCase()));
    for (const [solver, reference] of Object.entries(referenceScores)) {
      if (!solvers.has(solver.toLowerCase())) continue;
      margins.set(solver, (margins.get(solver) ?? 0n) + total - reference);
    }
  }
  return margins;
}

function dateRewards(
  estimate: RewardsEstimate | null,
  { rules, openAuctions, records }: {
    readonly rules: RewardRules | null;
    readonly openAuctions: ReadonlySet<number>;
    readonly records: Pick<Week, "week" | "auctions" | "options">;
  },
): HexMap<DatedAuctionReward[]> {
  if (estimate === null || rules === null) return new HexMap();
  const { week, auctions, options: { excludedAuctions = [] } } = records;
  const isExcluded = new Map(
    auctions.map((auction) => [auction.auctionId, findExclusion(auction, week, excludedAuctions)]),
  );
  const dated = estimate.rewards.map((reward) => ({
    ...excludeReward(reward, isExcluded.get(reward.auctionId)!),
    week,
    isWeekOpen: openAuctions.has(reward.auctionId),
    rules,
  }));
  return groupByHex(dated, ({ solver }) => solver);
}

function compareByPerformance(a: SolverWeek, b: SolverWeek): number {
  const [performanceA, performanceB] = [
    a.sums?.performance.low ?? 0n,
    b.sums?.performance.low ?? 0n,
  ];
  return performanceA === performanceB
    ? b.auctionsBid - a.auctionsBid
    : performanceA > performanceB
    ? -1
    : 1;
}
