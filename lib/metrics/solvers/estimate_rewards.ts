import { checkOptions, type OptionRules } from "../../errors/option_rules.ts";
import type { RewardRules } from "../../networks/network.ts";
import type { Competition, CompetitionAuction, Order, Trade } from "../../schemas/mod.ts";
import { findByHex } from "../../units/hex_map.ts";
import { groupByHex, type HexMap, nativeValue, sameHex } from "../../units/mod.ts";
import { recognizeAuctionPath } from "../auctions/fast_path.ts";
import { policyOrigins } from "../fees/fee_policies.ts";
import { byUid, decoded, list, type UidIndex } from "../not_computable.ts";
import { partnerAppData } from "../orders/calculate_status.ts";
import { auctionRole, ROLE_OPTIONS } from "../orders/order_bids.ts";
import { type AtomInterval, priceOf } from "../prices/price_interval.ts";
import { joinOpenIntervals, RULES_EFFECT } from "./combine_rewards.ts";
import { computePenaltyCap, MAX_CAP_FACTOR } from "./penalty_cap.ts";
import { consistencyShares } from "./consistency_shares.ts";
import {
  type AuctionReward,
  budgetOf,
  capEffectsOf,
  limitReference,
  type OpenInterval,
  performanceOf,
  type RewardGap,
  type RewardOptions,
  type RewardsEstimate,
  type SolverReward,
  upperCapOf,
} from "./reward_facts.ts";
import type { SolutionOutcome } from "./settlement_outcomes.ts";

type Missing = Exclude<RewardGap["what"], "consistency">;

const EFFECTS: Readonly<Record<Missing, string>> = {
  reference_score: "The answer has no reference score for the solver, so it has no reward here",
  settlement: "Whether it was settled in time is unknown, so its score may or may not be missing",
  protocol_fees: "Not all fees of its trades are known, so the upper cap may be higher",
  fee_partner: "Whether a fee was a partner's is unknown, so the upper cap may be lower",
  price: "The auction has no native price for the token of a fee, so the upper cap may be higher",
  penalty_cap: "No response has the penalty cap of an order that was not settled, so it has bounds",
  rules: RULES_EFFECT,
};

const OPTIONS: OptionRules<RewardOptions> = {
  ...ROLE_OPTIONS,
  rules: decoded(),
  outcomes: decoded(),
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
 * Rules with a fixed `upperCapAtoms` have that in place of the share of the fees.
 *
 * Where orders have penalty caps of their own (CIP-87), the sum of those that the solver won and did
 * not settle takes the place of `lowerCap`. How the sum treats a solver that settled some of its orders
 * is not published, so the bounds cover both readings: the orders that are missing, and all of them.
 *
 * So have orders on the fast path, by {@linkcode recognizeAuctionPath}: the service stores 0 for them, at
 * least at first.
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
  const all = [...competitions];
  const orders = [...options.orders ?? []];
  const trades = [...options.trades ?? []];
  const sources = {
    trades: groupByHex(trades, ({ txHash }) => `${txHash}`),
    orders: byUid(orders),
  };
  const byAuction = Map.groupBy(outcomes.solutions, ({ auctionId }) => auctionId);
  const fastIds = findFastPathIds(all, sources.orders);
  const regular = [...byAuction].filter(([id]) => !fastIds.has(id)).flatMap(([, won]) => won);
  const isCapKnown = capsOf(regular, sources).length > 0;
  const firstCapped = firstCappedOf(byAuction, sources, fastIds);
  const gaps = new Map<Missing, number>();
  const rewards = all.flatMap((competition) => {
    const won = byAuction.get(competition.auctionId) ?? [];
    const isFast = fastIds.has(competition.auctionId);
    const terms = { rules, sources, gaps, firstCapped, isCapKnown, isFast };
    return auctionRewards(competition, won, terms);
  });
  const consistency = orders.length === 0 ? null : consistencyShares(all, {
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
      auctions: all.length,
      settlementsKnown: outcomes.solutions.filter(isKnown).length,
      settlements: outcomes.solutions.length,
      trades: trades.length,
      orders: orders.length,
    },
    rewards,
    solvers: bySolver(rewards, consistency?.solvers ?? []),
    consistencyBudget: budgetOf(rewards),
    consistency,
    unknown: [
      ...gaps.entries().map(([what, count]): RewardGap => ({ what, count, effect: EFFECTS[what] })),
      ...consistencyGaps(consistency?.ordersUnknown ?? null),
    ],
  };
}

interface Terms {
  readonly rules: RewardRules;
  readonly sources: FeeSources;
  readonly gaps: Map<Missing, number>;
  /** What {@linkcode firstCappedOf} found. */
  readonly firstCapped: number;
  /** Whether trades of regular auctions say of caps, if only that there are none. */
  readonly isCapKnown: boolean;
  /** Whether the auction is on the fast path. */
  readonly isFast: boolean;
}

function auctionRewards(
  competition: Competition,
  won: readonly SolutionOutcome[],
  { rules, sources, gaps, firstCapped, isCapKnown, isFast }: Terms,
): AuctionReward[] {
  const { auctionId, auction } = competition;
  const totalScore = won.reduce((sum, { score }) => sum + score, 0n);
  const rewards: AuctionReward[] = [];
  for (const own of groupByHex(won, ({ solver }) => solver).values()) {
    const missing = new Set<Missing>();
    const referenceScore = findByHex(competition.referenceScores, own[0]!.solver);
    if (referenceScore === undefined) {
      count(gaps, ["reference_score"]);
      continue;
    }
    const missingScore = missingScoreOf(own.map((one) => applyGrace(one, rules)));
    if (missingScore.low !== missingScore.high) missing.add("settlement");
    const margin = computeMargin(totalScore, referenceScore, rules);
    if (margin.low !== margin.high) missing.add("rules");
    const uncapped = { low: margin.low - missingScore.high, high: margin.high - missingScore.low };
    const fees = own.map((outcome) => earnedProtocolFee(outcome, auction, sources));
    // A fixed cap needs no fees.
    if (rules.feeShare !== null) {
      fees.forEach((fee) => fee.missing.forEach((one) => missing.add(one)));
    }
    const protocolFee = fees.reduce<OpenInterval>(addOpen, { low: 0n, high: 0n });
    const upperCap = upperCapOf(protocolFee, rules);
    const hasOrderCaps = isFast || haveOrderCaps(won, { rules, sources, firstCapped, isCapKnown });
    const fixedCap = { low: rules.lowerCapAtoms, high: rules.lowerCapAtoms };
    const lowerCap = hasOrderCaps === false
      ? fixedCap
      : hasOrderCaps === null
      ? joinOpenIntervals([fixedCap, orderCapsOf(own, auction, sources)])
      : orderCapsOf(own, auction, sources);
    const isPenalised = uncapped.low < 0n;
    if (hasOrderCaps === null && isPenalised) missing.add("rules");
    const isCapOpen = lowerCap.high === null || lowerCap.high > lowerCap.low;
    if (isCapOpen && uncapped.low < -lowerCap.low) missing.add("penalty_cap");
    rewards.push({
      auctionId,
      solver: own[0]!.solver,
      totalScore,
      referenceScore,
      missingScore,
      uncapped,
      protocolFee,
      upperCap,
      lowerCap,
      performance: performanceOf(uncapped, upperCap, lowerCap),
      ...capEffectsOf(uncapped, upperCap, lowerCap),
      missing: [...missing],
    });
    count(gaps, missing);
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
  const isFast = (one: Competition) => recognizeAuctionPath(one, { orders }).path === "fast_path";
  return new Set(competitions.filter(isFast).map(({ auctionId }) => auctionId));
}

/**
 * First deadline, as a block, of a regular auction with a trade that names its penalty cap; infinite if
 * none does. Ids of auctions follow no time once orders are on the fast path, where each trade names a
 * cap whatever the rules.
 */
export function firstCappedOf(
  byAuction: ReadonlyMap<number, readonly SolutionOutcome[]>,
  sources: CapSources,
  fastIds: ReadonlySet<number>,
): number {
  const capped = [...byAuction].filter(([id, won]) =>
    !fastIds.has(id) && capsOf(won, sources).some(isAmount)
  );
  return capped.flatMap(([, won]) => won).reduce(
    (first, won) => Math.min(first, deadlineOf(won)),
    Infinity,
  );
}

/**
 * Whether the orders of an auction, of which these are the wins, have penalty caps of their own; `null` if
 * neither the rules nor a trade say so.
 */
export function haveOrderCaps(
  won: readonly SolutionOutcome[],
  { rules, sources, firstCapped, isCapKnown }: {
    readonly rules: RewardRules | null;
    readonly sources: CapSources;
    readonly firstCapped: number;
    readonly isCapKnown: boolean;
  },
): boolean | null {
  if (rules?.hasOrderCaps === true) return true;
  const caps = capsOf(won, sources);
  if (caps.length > 0) return caps.some(isAmount);
  // Without a trade, an auction tells nothing: what was so before still is.
  if (won.some((one) => deadlineOf(one) >= firstCapped)) return true;
  return rules?.hasOrderCaps === null && !isCapKnown ? null : false;
}

/** A settlement within the blocks of grace counts as one in time. */
export function applyGrace(
  outcome: SolutionOutcome,
  { graceBlocks = 0 }: Pick<RewardRules, "graceBlocks">,
): SolutionOutcome {
  const { result, block, deadlineBlock } = outcome;
  const isInGrace = result === "late" && block !== null && deadlineBlock !== null &&
    block <= deadlineBlock + graceBlocks;
  return isInGrace ? { ...outcome, result: "in_time" } : outcome;
}

/** The total less the reference score; both ends where it is not known whether that is limited. */
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

/** The deadline of a win; the last of all blocks where it is unknown. */
function deadlineOf({ deadlineBlock }: SolutionOutcome): number {
  return deadlineBlock ?? Number.MAX_SAFE_INTEGER;
}

/** The trade of an order in the settlement of a solution. */
function tradeOf({ txHash }: SolutionOutcome, uid: string, { trades }: CapSources) {
  const own = txHash === null ? [] : trades.get(txHash) ?? [];
  return own.find(({ orderUid }) => sameHex(orderUid, uid));
}

/** What the trades of solutions say of the penalty caps of their orders. */
function capsOf(won: readonly SolutionOutcome[], sources: CapSources) {
  return won.flatMap((outcome) =>
    outcome.orders.flatMap((uid) => tradeOf(outcome, uid, sources) ?? [])
  ).map(({ penaltyCapNative }) => penaltyCapNative);
}

function isAmount(cap: bigint | null | undefined): boolean {
  return typeof cap === "bigint";
}

/**
 * The penalty caps of the orders in the solutions of one solver: `low` of those that are surely
 * missing, and `high` of all. An order that the auction does not list has none. Without its trade, a cap
 * is between 0 and the largest factor that the vote allows of the order's limit, where that is known.
 */
export function orderCapsOf(
  own: readonly SolutionOutcome[],
  auction: CompetitionAuction,
  sources: CapSources,
): OpenInterval {
  let low = 0n;
  let high: bigint | null = 0n;
  for (const outcome of own) {
    const isMissing = outcome.result === "late" || outcome.result === "absent";
    for (const uid of outcome.orders) {
      const cap = tradeOf(outcome, uid, sources)?.penaltyCapNative ?? null;
      if (cap === null && auctionRole({ uid }, auction) !== "listed") continue;
      if (isMissing) low += cap ?? 0n;
      const most = cap ?? findLargestCap(uid, auction, sources);
      high = high === null || most === null ? null : high + most;
    }
  }
  return { low, high };
}

/** The largest cap that an order can have; `null` if its limit or its price is unknown. */
function findLargestCap(
  uid: string,
  auction: CompetitionAuction,
  { orders }: CapSources,
): bigint | null {
  const order = orders?.get(uid);
  return order === undefined
    ? null
    : computePenaltyCap(order, auction, { factor: MAX_CAP_FACTOR, absoluteCapAtoms: null });
}

/** Scores of the solutions that were not settled in time; both ends where that is unknown. */
export function missingScoreOf(own: readonly SolutionOutcome[]): AtomInterval {
  let low = 0n;
  let high = 0n;
  for (const { result, score } of own) {
    if (result === "in_time") continue;
    high += score;
    if (result === "late" || result === "absent") low += score;
  }
  return { low, high };
}

function bySolver(
  rewards: readonly AuctionReward[],
  shares: readonly { solver: string; share: SolverReward["consistencyShare"] }[],
): SolverReward[] {
  const groups = groupByHex(rewards, ({ solver }) => solver);
  for (const { solver } of shares) {
    if (!groups.has(solver)) groups.set(solver, []);
  }
  return groups.entries().map(([key, own]) => {
    const known = shares.find(({ solver }) => sameHex(solver, key));
    return {
      solver: own[0]?.solver ?? known?.solver ?? key,
      auctions: own.length,
      performance: sumOf(own, ({ performance }) => performance),
      consistencyShare: known?.share ?? null,
    };
  }).toArray().sort((a, b) =>
    a.performance.low === b.performance.low ? 0 : a.performance.low > b.performance.low ? -1 : 1
  );
}

/** The sum of intervals. */
export function sumOf<Row>(rows: readonly Row[], of: (row: Row) => AtomInterval): AtomInterval {
  return rows.map(of).reduce(
    (sum, { low, high }) => ({ low: sum.low + low, high: sum.high + high }),
    { low: 0n, high: 0n },
  );
}

export function addOpen(sum: OpenInterval, each: OpenInterval): OpenInterval {
  return {
    low: sum.low + each.low,
    high: sum.high === null || each.high === null ? null : sum.high + each.high,
  };
}

function count(gaps: Map<Missing, number>, missing: Iterable<Missing>): void {
  for (const what of missing) {
    const known = gaps.get(what);
    gaps.set(what, known === undefined ? 1 : known + 1);
  }
}

function consistencyGaps(ordersUnknown: number | null): RewardGap[] {
  const what = "consistency" as const;
  if (ordersUnknown === null) {
    return [{ what, count: 0, effect: "Without orders, consistency cannot be determined" }];
  }
  const effect = "The limits or owners of these executed orders are unknown, so they are left out";
  return ordersUnknown === 0 ? [] : [{ what, count: ordersUnknown, effect }];
}

/** Trades by settlement transaction, and orders by UID. */
interface FeeSources {
  /** Trades by transaction. */
  readonly trades: HexMap<readonly Trade[]>;
  /** Orders by UID. */
  readonly orders: UidIndex<Order>;
}

/** Protocol fees in native atoms, and what is missing for an exact amount. */
interface EarnedFee extends OpenInterval {
  /** What is missing; empty if `low` equals `high`. */
  readonly missing: ReadonlySet<"protocol_fees" | "fee_partner" | "price">;
}

/**
 * The protocol's fees from one winning solution, without partner fees: each protocol fee of its
 * executed trades at the auction's native price, `floor(amount * price / 10^18)`.
 *
 * A solution that was not settled earned nothing. A fee that may be a partner's is in `high` only;
 * an unknown trade, fee or price makes `high` unbounded.
 */
function earnedProtocolFee(
  outcome: SolutionOutcome,
  auction: CompetitionAuction,
  sources: FeeSources,
): EarnedFee {
  const missing = new Set<"protocol_fees" | "fee_partner" | "price">();
  if (outcome.result === "absent") return { low: 0n, high: 0n, missing };
  let low = 0n;
  let high = 0n;
  for (const uid of outcome.orders) {
    const fees = tradeOf(outcome, uid, sources)?.executedProtocolFees;
    if (fees === undefined) {
      // An order that the auction does not list has no fee policies.
      if (auctionRole({ uid }, auction) === "listed") missing.add("protocol_fees");
      continue;
    }
    const order = sources.orders.get(uid);
    const origins = policyOrigins(
      fees.map(({ policy }) => policy),
      order === undefined ? null : partnerAppData(order),
    );
    for (const [place, { amount, token }] of fees.entries()) {
      const origin = origins[place]?.origin;
      if (origin === "partner") continue;
      const price = priceOf(auction, token);
      if (price === undefined) {
        missing.add("price");
        continue;
      }
      const value = nativeValue(amount, price);
      high += value;
      if (origin === "protocol") low += value;
      else missing.add("fee_partner");
    }
  }
  const isOpen = missing.has("protocol_fees") || missing.has("price");
  return { low, high: isOpen ? null : high, missing };
}
