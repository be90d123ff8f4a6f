import { checkOptions, type OptionRules } from "../../errors/option_rules.ts";
import type { RewardRules } from "../../networks/network.ts";
import type { Competition, CompetitionAuction, Order, Trade } from "../../schemas/mod.ts";
import { findByHex } from "../../units/hex_map.ts";
import { groupByHex, type HexMap, nativeValue, sameHex } from "../../units/mod.ts";
import { recognizeAuctionPath } from "../auctions/fast_path.ts";
import { policyOrigins } from "../fees/fee_policies.ts";
import { anyRecord, indexByUid, list, type UidIndex } from "../not_computable.ts";
import { parsePartnerAppData } from "../orders/calculate_status.ts";
import { auctionRole, ROLE_OPTIONS } from "../orders/order_bids.ts";
import { type AtomInterval, findNativePrice } from "../prices/price_interval.ts";
import { joinOpenIntervals, RULES_EFFECT } from "./combine_rewards.ts";
import { computePenaltyCap, MAX_CAP_FACTOR } from "./penalty_cap.ts";
import { consistencyShares } from "./consistency_shares.ts";
import {
  type AuctionReward,
  computeCapEffects,
  computePerformance,
  computeUpperCap,
  limitReference,
  type OpenInterval,
  type RewardGap,
  type RewardOptions,
  type RewardsEstimate,
  type SolverReward,
  sumBudget,
} from "./reward_facts.ts";
import type { SolutionOutcome } from "./settlement_outcomes.ts";

type MissingInput = Exclude<RewardGap["what"], "consistency">;

const EFFECTS: Readonly<Record<MissingInput, string>> = {
  reference_score: "The response has no reference score for the solver, so it has no reward here",
  settlement: "Whether a solution was settled in time is unknown, so its score may be missing",
  protocol_fees: "Not all fees of its trades are known, so the upper cap may be higher",
  fee_partner: "Whether a fee was a partner's is unknown, so the upper cap may be lower",
  price: "The auction has no native price for the token of a fee, so the upper cap may be higher",
  penalty_cap: "No response has the penalty cap of an order that was not settled, so it has bounds",
  rules: RULES_EFFECT,
};

const OPTIONS: OptionRules<RewardOptions> = {
  ...ROLE_OPTIONS,
  rules: anyRecord(),
  outcomes: anyRecord(),
  trades: list(),
  orders: list(),
};

/**
 * Estimates the rewards of solvers for their bids, from public data.
 *
 * For each solver and each auction that it won, by the rules of the network:
 * `performance = max(-lowerCap, min(floor(feeShare * protocolFee), uncapped))`, with
 * `uncapped = totalScore - min(totalScore, referenceScore) - missingScore`
 *
 * - `totalScore`: scores of *all* winning solutions of the auction
 * - `referenceScore`: that of the solver, once per auction, as reported
 * - `missingScore`: scores of its own winning solutions that were not settled in time; late ones
 *   count as missing
 * - `protocolFee`: protocol fees of its executed trades, in the native token at the auction's
 *   prices, without partner fees
 *
 * Rules with a fixed `upperCapAtoms` use it instead of the share of the fees.
 *
 * Where orders have penalty caps of their own (CIP-87), `lowerCap` is the sum of the caps of the orders
 * that the solver won and did not settle. How the sum treats a solver that settled some of its orders
 * is not published, so the bounds cover both readings: the orders that are missing, and all of them.
 * Orders on the fast path, by {@linkcode recognizeAuctionPath}, always have caps of their own: the
 * service stores 0 for them, at least at first.
 *
 * The consistency budget is the sum of the upper caps minus the performance rewards; a penalty adds
 * to it. {@linkcode consistencyShares} distributes it. If an input is unknown, the reward is an
 * interval that covers all its values, and `unknown` counts the gaps. Quote rewards and slippage are not
 * included.
 *
 * The documented formula does not limit the reference score to the total; the accounting does, and its
 * payments of 2026-08-01 to 04 on mainnet (9,809 rewards) follow this formula.
 *
 * @param competitions Auctions of one accounting period, each once.
 * @returns An estimate with its inputs, in native atoms; negative rewards are what solvers pay.
 * @throws {InputError} If an option is unknown or invalid.
 * @throws {RangeError} If an amount or price is negative.
 * @see {@link https://docs.cow.fi/cow-protocol/reference/core/auctions/rewards | the protocol's documentation}
 * @see {@link https://github.com/fhenneke/cow-competition-loo/blob/5f0a701/docs/rewards.md | the accounting's formula}
 *
 * @example A margin of 40, capped at half of the protocol fees
 * ```ts
 * import { network } from "orderlens";
 * import { estimateRewards, settlementOutcomes } from "orderlens/metrics";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const competition = {
 *   auctionId: 1,
 *   auctionStartBlock: 1,
 *   auctionDeadlineBlock: 4,
 *   transactionHashes: ["0x01"],
 *   referenceScores: { "0xa0": 60n },
 *   auction: { orders: ["0x0f"], prices: { "0xb2": 10n ** 18n } },
 *   solutions: [{
 *     solverAddress: "0xa0",
 *     score: 100n,
 *     ranking: 1,
 *     clearingPrices: {},
 *     orders: [{ id: "0x0f", sellAmount: 1n, buyAmount: 1n, sellToken: "0xa1", buyToken: "0xb2" }],
 *     isWinner: true,
 *     filteredOut: false,
 *     txHash: "0x01",
 *   }],
 * };
 * const trade = {
 *   blockNumber: 3,
 *   logIndex: 0,
 *   orderUid: "0x0f",
 *   buyAmount: 1n,
 *   sellAmount: 1n,
 *   sellAmountBeforeFees: 1n,
 *   owner: "0x0d",
 *   buyToken: "0xb2",
 *   sellToken: "0xa1",
 *   txHash: "0x01",
 *   executedProtocolFees: [{ policy: { volume: { factor: 0.1 } }, amount: 50n, token: "0xb2" }],
 * };
 * const rules = network("mainnet").rewards.at(-1);
 * assert(rules);
 * const outcomes = settlementOutcomes([competition], { trades: [trade] });
 * const estimate = estimateRewards([competition], { rules, outcomes, trades: [trade] });
 *
 * // Whether the fee was a partner's is not known without the order: the cap is 0 or 25.
 * assertEquals(estimate.rewards[0]?.uncapped, { low: 40n, high: 40n });
 * assertEquals(estimate.rewards[0]?.performance, { low: 0n, high: 25n });
 * assertEquals(estimate.unknown.map(({ what }) => what), ["fee_partner", "consistency"]);
 * ```
 */
export function estimateRewards(
  competitions: Iterable<Competition>,
  options: RewardOptions,
): RewardsEstimate {
  checkOptions(options, OPTIONS, "Cannot estimate rewards");
  const { rules, outcomes } = options;
  const auctions = [...competitions];
  const orders = [...options.orders ?? []];
  const trades = [...options.trades ?? []];
  const sources = {
    trades: groupByHex(trades, ({ txHash }) => `${txHash}`),
    orders: indexByUid(orders),
  };
  const byAuction = Map.groupBy(outcomes.solutions, ({ auctionId }) => auctionId);
  const fastIds = findFastPathIds(auctions, sources.orders);
  const regular = [...byAuction].filter(([id]) => !fastIds.has(id)).flatMap(([, won]) => won);
  const areCapsStated = listCaps(regular, sources).length > 0;
  const firstCappedDeadline = findFirstCappedDeadline(byAuction, sources, fastIds);
  const gaps = new Map<MissingInput, number>();
  const rewards = auctions.flatMap((competition) => {
    const won = byAuction.get(competition.auctionId) ?? [];
    const isFast = fastIds.has(competition.auctionId);
    const terms = { rules, sources, gaps, firstCappedDeadline, areCapsStated, isFast };
    return computeAuctionRewards(competition, won, terms);
  });
  const consistency = orders.length === 0 ? null : consistencyShares(auctions, {
    outcomes,
    orders,
    metric: rules.consistencyMetric === "executed_orders" ? "executed_orders" : "order_share",
    surplusCapturingJitOrderOwners: options.surplusCapturingJitOrderOwners,
  });
  const isKnown = ({ result }: SolutionOutcome) => result !== "pending" && result !== "unknown";
  return {
    kind: "estimate",
    rules,
    inputs: {
      auctions: auctions.length,
      settlementsKnown: outcomes.solutions.filter(isKnown).length,
      settlements: outcomes.solutions.length,
      trades: trades.length,
      orders: orders.length,
    },
    rewards,
    solvers: sumBySolver(rewards, consistency?.solvers ?? []),
    consistencyBudget: sumBudget(rewards),
    consistency,
    unknown: [
      ...gaps.entries().map(([input, count]): RewardGap => ({
        what: input,
        count,
        effect: EFFECTS[input],
      })),
      ...listConsistencyGaps(consistency?.ordersUnknown ?? null),
    ],
  };
}

interface AuctionContext {
  readonly rules: RewardRules;
  readonly sources: FeeSources;
  readonly gaps: Map<MissingInput, number>;
  /** Result of {@linkcode findFirstCappedDeadline}. */
  readonly firstCappedDeadline: number;
  /** Whether trades of regular auctions state their caps, if only that there are none. */
  readonly areCapsStated: boolean;
  /** Whether the auction is on the fast path. */
  readonly isFast: boolean;
}

function computeAuctionRewards(
  competition: Competition,
  won: readonly SolutionOutcome[],
  { rules, sources, gaps, firstCappedDeadline, areCapsStated, isFast }: AuctionContext,
): AuctionReward[] {
  const { auctionId, auction } = competition;
  const totalScore = won.reduce((sum, { score }) => sum + score, 0n);
  const rewards: AuctionReward[] = [];
  for (const outcomes of groupByHex(won, ({ solver }) => solver).values()) {
    const missingInputs = new Set<MissingInput>();
    const referenceScore = findByHex(competition.referenceScores, outcomes[0]!.solver);
    if (referenceScore === undefined) {
      countGaps(gaps, ["reference_score"]);
      continue;
    }
    const missingScore = computeMissingScore(outcomes.map((outcome) => applyGrace(outcome, rules)));
    if (missingScore.low !== missingScore.high) missingInputs.add("settlement");
    const margin = computeMargin(totalScore, referenceScore, rules);
    if (margin.low !== margin.high) missingInputs.add("rules");
    const uncapped = { low: margin.low - missingScore.high, high: margin.high - missingScore.low };
    const fees = outcomes.map((outcome) => estimateProtocolFee(outcome, auction, sources));
    // A fixed cap needs no fees.
    if (rules.feeShare !== null) {
      fees.forEach((fee) => fee.missing.forEach((input) => missingInputs.add(input)));
    }
    const protocolFee = fees.reduce<OpenInterval>(addOpenInterval, { low: 0n, high: 0n });
    const upperCap = computeUpperCap(protocolFee, rules);
    const hasOrderCaps = isFast ||
      haveOrderCaps(won, { rules, sources, firstCappedDeadline, areCapsStated });
    const fixedCap = { low: rules.lowerCapAtoms, high: rules.lowerCapAtoms };
    const lowerCap = hasOrderCaps === false
      ? fixedCap
      : hasOrderCaps === null
      ? joinOpenIntervals([fixedCap, sumOrderCaps(outcomes, auction, sources)])
      : sumOrderCaps(outcomes, auction, sources);
    const isPenalised = uncapped.low < 0n;
    if (hasOrderCaps === null && isPenalised) missingInputs.add("rules");
    const isCapOpen = lowerCap.high === null || lowerCap.high > lowerCap.low;
    if (isCapOpen && uncapped.low < -lowerCap.low) missingInputs.add("penalty_cap");
    rewards.push({
      auctionId,
      solver: outcomes[0]!.solver,
      totalScore,
      referenceScore,
      missingScore,
      uncapped,
      protocolFee,
      upperCap,
      lowerCap,
      performance: computePerformance(uncapped, upperCap, lowerCap),
      ...computeCapEffects(uncapped, upperCap, lowerCap),
      missing: [...missingInputs],
    });
    countGaps(gaps, missingInputs);
  }
  return rewards;
}

/** Trades by transaction, which name the penalty caps of their orders. */
type CapSources = Pick<FeeSources, "trades"> & Partial<Pick<FeeSources, "orders">>;

/** Ids of the auctions on the fast path, whose orders always have caps of their own. */
export function findFastPathIds(
  competitions: readonly Competition[],
  orders: UidIndex<Order>,
): ReadonlySet<number> {
  const isFast = (competition: Competition) =>
    recognizeAuctionPath(competition, { orders }).path === "fast_path";
  return new Set(competitions.filter(isFast).map(({ auctionId }) => auctionId));
}

/**
 * Finds the first deadline, as a block, of a regular auction with a trade that names its penalty cap;
 * infinite if none does. Ids of auctions follow no time once orders are on the fast path, where each trade
 * names a cap whatever the rules.
 */
export function findFirstCappedDeadline(
  byAuction: ReadonlyMap<number, readonly SolutionOutcome[]>,
  sources: CapSources,
  fastIds: ReadonlySet<number>,
): number {
  const capped = [...byAuction].filter(([id, won]) =>
    !fastIds.has(id) && listCaps(won, sources).some(isAmount)
  );
  return capped.flatMap(([, won]) => won).reduce(
    (first, won) => Math.min(first, readDeadline(won)),
    Infinity,
  );
}

/**
 * Whether the orders of an auction with these winning solutions have penalty caps of their own; `null` if
 * neither the rules nor a trade state it.
 */
export function haveOrderCaps(
  won: readonly SolutionOutcome[],
  { rules, sources, firstCappedDeadline, areCapsStated }: {
    readonly rules: RewardRules | null;
    readonly sources: CapSources;
    readonly firstCappedDeadline: number;
    readonly areCapsStated: boolean;
  },
): boolean | null {
  if (rules?.hasOrderCaps === true) return true;
  const caps = listCaps(won, sources);
  if (caps.length > 0) return caps.some(isAmount);
  // An auction without a trade shows nothing, so the earlier state persists.
  if (won.some((outcome) => readDeadline(outcome) >= firstCappedDeadline)) return true;
  return rules?.hasOrderCaps === null && !areCapsStated ? null : false;
}

/** Counts a settlement within the blocks of grace as one in time. */
export function applyGrace(
  outcome: SolutionOutcome,
  { graceBlocks = 0 }: Pick<RewardRules, "graceBlocks">,
): SolutionOutcome {
  const { result, block, deadlineBlock } = outcome;
  const isInGrace = result === "late" && block !== null && deadlineBlock !== null &&
    block <= deadlineBlock + graceBlocks;
  return isInGrace ? { ...outcome, result: "in_time" } : outcome;
}

/** Computes the margin over the reference score; an interval if it is unknown whether the total limits it. */
function computeMargin(
  totalScore: bigint,
  referenceScore: bigint,
  { limitsReference = true }: Pick<RewardRules, "limitsReference">,
): AtomInterval {
  const [low, high] = [
    totalScore - referenceScore,
    totalScore - limitReference(referenceScore, totalScore),
  ];
  return {
    low: limitsReference === true ? high : low,
    high: limitsReference === false ? low : high,
  };
}

/** Reads the deadline of a winning solution; the last of all blocks where it is unknown. */
function readDeadline({ deadlineBlock }: SolutionOutcome): number {
  return deadlineBlock ?? Number.MAX_SAFE_INTEGER;
}

/** Finds the trade of an order in the settlement of a solution. */
function findTrade({ txHash }: SolutionOutcome, uid: string, { trades }: CapSources) {
  const settledTrades = txHash === null ? [] : trades.get(txHash) ?? [];
  return settledTrades.find(({ orderUid }) => sameHex(orderUid, uid));
}

/** Lists the penalty cap of each trade of solutions; `null` or `undefined` where the trade states none. */
function listCaps(won: readonly SolutionOutcome[], sources: CapSources) {
  return won.flatMap((outcome) =>
    outcome.orders.flatMap((uid) => findTrade(outcome, uid, sources) ?? [])
  ).map(({ penaltyCapNative }) => penaltyCapNative);
}

function isAmount(cap: bigint | null | undefined): boolean {
  return typeof cap === "bigint";
}

/**
 * Sums the penalty caps of the orders in the solutions of one solver: `low` of those that are surely
 * missing, and `high` of all. An order that the auction does not list has none. Without its trade, a cap
 * is between 0 and the largest factor that the vote allows of the order's limit, where that is known.
 */
export function sumOrderCaps(
  outcomes: readonly SolutionOutcome[],
  auction: CompetitionAuction,
  sources: CapSources,
): OpenInterval {
  let low = 0n;
  let high: bigint | null = 0n;
  for (const outcome of outcomes) {
    const isMissing = outcome.result === "late" || outcome.result === "absent";
    for (const uid of outcome.orders) {
      const cap = findTrade(outcome, uid, sources)?.penaltyCapNative ?? null;
      if (cap === null && auctionRole({ uid }, auction) !== "listed") continue;
      if (isMissing) low += cap ?? 0n;
      const maxCap = cap ?? findMaxCap(uid, auction, sources);
      high = high === null || maxCap === null ? null : high + maxCap;
    }
  }
  return { low, high };
}

/** Finds the largest cap that an order can have; `null` if its limit or its price is unknown. */
function findMaxCap(
  uid: string,
  auction: CompetitionAuction,
  { orders }: CapSources,
): bigint | null {
  const order = orders?.get(uid);
  return order === undefined
    ? null
    : computePenaltyCap(order, auction, { factor: MAX_CAP_FACTOR, absoluteCapAtoms: null });
}

/** Sums the scores of solutions that were not settled in time; an interval where that is unknown. */
export function computeMissingScore(outcomes: readonly SolutionOutcome[]): AtomInterval {
  let low = 0n;
  let high = 0n;
  for (const { result, score } of outcomes) {
    if (result === "in_time") continue;
    high += score;
    if (result === "late" || result === "absent") low += score;
  }
  return { low, high };
}

function sumBySolver(
  rewards: readonly AuctionReward[],
  shares: readonly { solver: string; share: SolverReward["consistencyShare"] }[],
): SolverReward[] {
  const groups = groupByHex(rewards, ({ solver }) => solver);
  for (const { solver } of shares) {
    if (!groups.has(solver)) groups.set(solver, []);
  }
  return groups.entries().map(([key, solverRewards]) => {
    const solverShare = shares.find(({ solver }) => sameHex(solver, key));
    return {
      solver: solverRewards[0]?.solver ?? solverShare?.solver ?? key,
      auctions: solverRewards.length,
      performance: sumIntervals(solverRewards, ({ performance }) => performance),
      consistencyShare: solverShare?.share ?? null,
    };
  }).toArray().sort((a, b) =>
    a.performance.low === b.performance.low ? 0 : a.performance.low > b.performance.low ? -1 : 1
  );
}

/** Sums the intervals of rows. */
export function sumIntervals<Row>(
  rows: readonly Row[],
  readInterval: (row: Row) => AtomInterval,
): AtomInterval {
  return rows.map(readInterval).reduce(
    (sum, { low, high }) => ({ low: sum.low + low, high: sum.high + high }),
    { low: 0n, high: 0n },
  );
}

export function addOpenInterval(sum: OpenInterval, interval: OpenInterval): OpenInterval {
  return {
    low: sum.low + interval.low,
    high: sum.high === null || interval.high === null ? null : sum.high + interval.high,
  };
}

function countGaps(gaps: Map<MissingInput, number>, missingInputs: Iterable<MissingInput>): void {
  for (const input of missingInputs) gaps.set(input, (gaps.get(input) ?? 0) + 1);
}

function listConsistencyGaps(ordersUnknown: number | null): RewardGap[] {
  if (ordersUnknown === 0) return [];
  const effect = ordersUnknown === null
    ? "Without orders, consistency cannot be determined"
    : "The limits or owners of these executed orders are unknown, so they are left out";
  return [{ what: "consistency", count: ordersUnknown ?? 0, effect }];
}

/** Trades by settlement transaction, and orders by UID. */
interface FeeSources {
  /** Trades by transaction. */
  readonly trades: HexMap<readonly Trade[]>;
  /** Orders by UID. */
  readonly orders: UidIndex<Order>;
}

/** Protocol fees in native atoms, and the inputs that an exact amount lacks. */
interface EarnedFee extends OpenInterval {
  /** The missing inputs; empty if `low` equals `high`. */
  readonly missing: ReadonlySet<"protocol_fees" | "fee_partner" | "price">;
}

/**
 * Estimates the protocol's fees from one winning solution, without partner fees: each protocol fee of its
 * executed trades at the auction's native price, `floor(amount * price / 10^18)`.
 *
 * A solution that was not settled earned nothing. A fee that may be a partner's is in `high` only;
 * an unknown trade, fee or price makes `high` unbounded.
 */
function estimateProtocolFee(
  outcome: SolutionOutcome,
  auction: CompetitionAuction,
  sources: FeeSources,
): EarnedFee {
  const missingInputs = new Set<"protocol_fees" | "fee_partner" | "price">();
  if (outcome.result === "absent") return { low: 0n, high: 0n, missing: missingInputs };
  let low = 0n;
  let high = 0n;
  for (const uid of outcome.orders) {
    const fees = findTrade(outcome, uid, sources)?.executedProtocolFees;
    if (fees === undefined) {
      // An order that the auction does not list has no fee policies.
      if (auctionRole({ uid }, auction) === "listed") missingInputs.add("protocol_fees");
      continue;
    }
    const order = sources.orders.get(uid);
    const origins = policyOrigins(
      fees.map(({ policy }) => policy),
      order === undefined ? null : parsePartnerAppData(order),
    );
    for (const [index, { amount, token }] of fees.entries()) {
      const origin = origins[index]?.origin;
      if (origin === "partner") continue;
      const price = findNativePrice(auction, token);
      if (price === undefined) {
        missingInputs.add("price");
        continue;
      }
      const value = nativeValue(amount, price);
      high += value;
      if (origin === "protocol") low += value;
      else missingInputs.add("fee_partner");
    }
  }
  const isOpen = missingInputs.has("protocol_fees") || missingInputs.has("price");
  return { low, high: isOpen ? null : high, missing: missingInputs };
}
