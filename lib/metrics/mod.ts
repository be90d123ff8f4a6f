/**
 * Exact metrics of decoded records: one file per quantity.
 *
 * Pure functions: records in, `bigint` atoms and exact ratios out. Every division names its
 * rounding, and every docstring its formula and its source in the service.
 *
 * **What cannot be computed.** A mistake of the caller throws: an `InputError` for an unknown word
 * or option and for records that do not belong together, a `RangeError` for an amount that the
 * arithmetic does not allow. A gap in the data is a value, `{ reason, detail }`: `reason` is one of
 * a closed set of words in snake_case, `detail` a sentence with the values that cause it.
 * {@linkcode isNotComputable} distinguishes it from a result. No result is `NaN`, and 0 never means
 * "unknown". An order or a quote that fixes 0 atoms has no price: this is a gap in the data too,
 * and has a reason. A statistic that can be missing for one reason only, such as a share of
 * nothing, is `null`.
 *
 * **How to call.** What is measured comes first, always in the order fill, order, quote, baseline;
 * one options object comes last, with everything else that is known. The options `orders`,
 * `trades`, `policies` and `debugReports` take any iterable, and the letter case of UIDs does not
 * matter.
 *
 * @module
 */
export { exchangedSellAmount, type Fill, type OrderLimit, type OrderPair } from "./orders/fill.ts";
export { scaledLimit, surplusOverLimit } from "./surplus/surplus_over_limit.ts";
export type { ByUid } from "./by_uid.ts";
export { isNotComputable, type NotComputable } from "./not_computable.ts";
export { type ExecutedTotals, orderFill } from "./orders/order_fill.ts";
export { sumFills } from "./orders/sum_fills.ts";
export { surplusToken } from "./surplus/surplus_token.ts";
export { surplusAtoms } from "./surplus/surplus_atoms.ts";
export { surplusAtomsOfFills } from "./surplus/surplus_atoms_of_fills.ts";
export { surplusNativeAtoms, type SurplusNativeOptions } from "./surplus/surplus_native_atoms.ts";
export { surplusBpsOfLimit } from "./surplus/surplus_bps_of_limit.ts";
export { surplusBpsOfExecuted } from "./surplus/surplus_bps_of_executed.ts";
export { surplusBpsOfQuote } from "./surplus/surplus_bps_of_quote.ts";
export {
  type SurplusBeforeFeesOptions,
  surplusBpsBeforeFees,
} from "./surplus/surplus_bps_before_fees.ts";
export {
  type OrderStoredQuote,
  type PolicyStoredQuote,
  type StoredQuote,
  storedQuoteFee,
} from "./quotes/stored_quote.ts";
export { priceImprovementAtoms } from "./fees/price_improvement_atoms.ts";
export {
  type QuoteStages,
  quoteStages,
  type QuoteStagesOptions,
  type StageAmounts,
  type StagedAnswer,
} from "./quotes/quote_stages.ts";
export {
  type MarketPosition,
  marketPosition,
  type QuoteWithFee,
} from "./quotes/market_position.ts";
export { type Baseline, type NoBaselineReason } from "./quotes/quote_baseline.ts";
export {
  type FillWithPolicies,
  type Slippage,
  slippage,
  type SlippageOptions,
} from "./slippage/slippage.ts";
export {
  type AnsweredQuote,
  slippageAgainstQuoteResponse,
} from "./slippage/slippage_against_quote_response.ts";
export {
  type Tolerance,
  tolerance,
  type ToleranceOptions,
  type ToleranceOverBaseline,
} from "./slippage/tolerance.ts";
export { type FeeReason, type RecomputedFee, type UncomputedFee } from "./fees/policy_fee.ts";
export { chargeFees, type ChargeFeesOptions } from "./fees/charge_fees.ts";
export { recomputeFees, type RecomputeFeesOptions } from "./fees/recompute_fees.ts";
export {
  type OrderScore,
  type ScorableOrder,
  scoreOrder,
  type ScoreOrderOptions,
  type ScoreReason,
} from "./auctions/score_order.ts";
export {
  type MissingForScore,
  type ScoredExecution,
  scoreSolution,
  type ScoringTerms,
  type SolutionScore,
  type UnscorableSolution,
} from "./auctions/score_solution.ts";
export {
  type CompetitionReplay,
  type ReferenceDifference,
  type ReplayBasis,
  type ReplayDifference,
  type ReplayedSolution,
  type ReplayReason,
  type SolutionCountDifference,
  type SolutionDifference,
} from "./auctions/replay_result.ts";
export { type MissedBaseline, missedBaselines } from "./auctions/missed_baselines.ts";
export { DEFAULT_MAX_WINNERS, replayCompetition } from "./auctions/replay_competition.ts";
export type { ReplayOptions } from "./auctions/replay_options.ts";
export {
  inferMaxWinners,
  type InferOptions,
  type InferredMaxWinners,
} from "./auctions/infer_max_winners.ts";
export {
  calculateStatus,
  type DecidedStatus,
  type PresignatureUnknown,
  type StatusFacts,
  type StatusOptions,
} from "./orders/calculate_status.ts";
export {
  type Interval,
  wilsonInterval,
  type WilsonOptions,
  Z_OF_95_PERCENT,
} from "./solvers/wilson_interval.ts";
export { type Rate, rate } from "./solvers/rate.ts";
export {
  type SettlementBasis,
  type SettlementOptions,
  type SettlementOutcomes,
  settlementOutcomes,
  type SettlementResult,
  type SolutionOutcome,
  type SolverOutcomes,
} from "./solvers/settlement_outcomes.ts";
export { type TimeInState, timeInStates } from "./orders/time_in_states.ts";
export { competitionStage, type StageFacts } from "./orders/competition_stage.ts";
export { type OrderAuction, type OrderBid, type OrderFillFacts } from "./orders/order_bids.ts";
export { ethFlowRefund, type RefundableOrder } from "./orders/ethflow_refund.ts";
export { type LeftOnTheTable, leftOnTheTable } from "./orders/left_on_the_table.ts";
export {
  type LifecycleGap,
  type OrderAttempt,
  type OrderEvidence,
  type OrderLifecycle,
  type StageCheck,
  type StatusCheck,
} from "./orders/lifecycle_facts.ts";
export type { LifecycleTerms } from "./orders/lifecycle_terms.ts";
export { orderLifecycle } from "./orders/order_lifecycle.ts";
export { type AtomInterval } from "./prices/atom_interval.ts";
export {
  type AuctionOfFill,
  type AuctionRole,
  auctionRole,
  type RoleFacts,
  type RoleHints,
  type RoleOptions,
} from "./orders/auction_role.ts";
export { settledSurplus } from "./surplus/settled_surplus.ts";
export { type ClearingPrices, uniformPrice } from "./prices/uniform_price.ts";
export { totalFeeInterval, type TotalFeeOptions } from "./fees/total_fee_interval.ts";
export {
  type ChargedFill,
  type NetworkFee,
  networkFee,
  type NetworkFeeOptions,
  type NetworkFeeReason,
  type ReportedFee,
} from "./fees/network_fee.ts";
export { type EncodedExecution, settledFill } from "./prices/settled_fill.ts";
export { type PolicyOrigin, policyOrigins } from "./fees/policy_origins.ts";
export { debugFeePolicy } from "./fees/debug_fee_policy.ts";
export {
  type AuditableOrder,
  type AuditableTrade,
  type AuditVerdict,
  type ComparedFee,
  type FeeAudit,
  type UncomparedFee,
} from "./fees/audit_fill.ts";
export { auditFees, type AuditFeesOptions } from "./fees/audit_fees.ts";
export {
  type DecomposableOrder,
  type DecomposeOptions,
  type DecomposeReason,
  decomposeSlippage,
  type FillWithFees,
  type SlippageParts,
} from "./slippage/decompose_slippage.ts";
export {
  type MarketStatistics,
  type SolverStatistics,
  solverStatistics,
  type StatisticsOptions,
} from "./solvers/solver_statistics.ts";
export type { PairCoverage } from "./solvers/pair_coverage.ts";
export { type Concentration, concentration } from "./solvers/concentration.ts";
export {
  type ConsistencyOptions,
  type ConsistencyShares,
  consistencyShares,
  type SolverConsistency,
} from "./solvers/consistency_shares.ts";
export {
  type AuctionReward,
  type OpenInterval,
  type RewardGap,
  type RewardInputs,
  type RewardOptions,
  type RewardsEstimate,
  type SolverReward,
} from "./solvers/reward_facts.ts";
export type { BindingCap, CapEffects } from "./solvers/reward_caps.ts";
export { estimateRewards } from "./solvers/estimate_rewards.ts";
export { type AccountingPeriod, accountingWeek } from "./solvers/accounting_week.ts";
export type {
  RewardClock,
  RewardClockTime,
  RewardMoment,
  RewardTime,
  RewardTimes,
} from "./solvers/auction_moments.ts";
export {
  type OrderQuoteReward,
  type QuoteRewardOptions,
  type QuoteRewardReason,
  quoteRewards,
} from "./solvers/quote_rewards.ts";
export {
  type DatedAuctionReward,
  type SolverWeek,
  type WeeklyConsistency,
  type WeeklyQuoteRewards,
  type WeeklyRewardGap,
  type WeeklyRewardOptions,
  type WeeklySums,
} from "./solvers/weekly_reward_facts.ts";
export { weeklyRewards } from "./solvers/weekly_rewards.ts";
export { type PriceInterval } from "./prices/price_interval.ts";
export { impliedPrice, type ImpliedPriceOptions } from "./prices/implied_price.ts";
export {
  checkUniformPrices,
  type PairPrices,
  type PriceViolation,
  type SettlementFill,
  type UniformPriceCheck,
  type UniformPriceOptions,
} from "./auctions/check_uniform_prices.ts";
export {
  type TokenTotal,
  type Total,
  type TotalledFill,
  type Totals,
  totals,
} from "./surplus/totals.ts";
export { policiesByAuction, type PolicySources } from "./fees/policies_by_auction.ts";
export {
  type ChargedFee,
  type MarketPrice,
  type MarketPrices,
  markout,
  type MarkoutOptions,
  type MarkoutReason,
} from "./prices/markout.ts";
export { type Exchange, type PricedSide, pricedSide } from "./prices/priced_side.ts";
export {
  type BlockClock,
  type KnownTime,
  type TimeBasis,
  type TimeBracket,
} from "./orders/known_time.ts";
export { fillTime, type FillTimeOptions } from "./orders/fill_time.ts";
export {
  auctionBrackets,
  type AuctionBracketsOptions,
  type DatedAuction,
} from "./auctions/auction_brackets.ts";
export { AuctionTimes, type AuctionTimesOptions } from "./auctions/auction_times.ts";
export {
  type ImbalanceOptions,
  type TokenImbalance,
  type TokenImbalances,
  tokenImbalances,
} from "./settlements/token_imbalances.ts";
export type { SettlementFlows } from "./settlements/moved_atoms.ts";
export {
  type FlowRole,
  type FlowsOfSettlement,
  type TokenFlow,
  type TokenFlows,
  tokenFlows,
} from "./settlements/token_flows.ts";
export type {
  SettlementDifference,
  SettlementDifferenceKind,
} from "./settlements/settlement_difference.ts";
export type { AuditedTrade } from "./settlements/audited_trade.ts";
export type { ReportedOrder, ReportedTrade } from "./settlements/compare_fills.ts";
export { compareSettlement, type SettlementAudit } from "./settlements/settlement_audit.ts";
export type { CompareSettlementOptions } from "./settlements/compare_options.ts";
