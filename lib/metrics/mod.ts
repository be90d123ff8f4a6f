/**
 * Exact metrics of decoded records: one file per subject.
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
export {
  type BlockClock,
  exchangedSellAmount,
  type ExecutedTotals,
  type Fill,
  fillTime,
  type FillTimeOptions,
  type KnownTime,
  orderFill,
  type OrderLifespan,
  type OrderLimit,
  type OrderPair,
  sumFills,
  type TimeBasis,
  type TimeBracket,
} from "./orders/fills.ts";
export {
  scaledLimit,
  settledSurplus,
  surplusAtoms,
  surplusAtomsOfFills,
  type SurplusBeforeFeesOptions,
  surplusBpsBeforeFees,
  surplusBpsOfExecuted,
  surplusBpsOfLimit,
  surplusBpsOfQuote,
  surplusNativeAtoms,
  type SurplusNativeOptions,
  surplusOverLimit,
  surplusToken,
  type TokenTotal,
  type Total,
  type TotalledFill,
  type Totals,
  totals,
} from "./surplus.ts";
export { type ByUid, isNotComputable, type NotComputable } from "./not_computable.ts";
export {
  type Baseline,
  type MarketPosition,
  marketPosition,
  type NoBaselineReason,
  type OrderStoredQuote,
  type PolicyStoredQuote,
  type QuoteWithFee,
  type StoredQuote,
  storedQuoteFee,
} from "./quotes/quote_baseline.ts";
export { quotedFeeAmount, type QuotedFeeTerms } from "./quotes/quoted_fee.ts";
export {
  chargeFees,
  type ChargeFeesOptions,
  type FeeReason,
  priceImprovementAtoms,
  type RecomputedFee,
  recomputeFees,
  type RecomputeFeesOptions,
  type UncomputedFee,
} from "./fees/policy_fee.ts";
export {
  type QuoteStages,
  quoteStages,
  type QuoteStagesOptions,
  type StageAmounts,
  type StagedAnswer,
} from "./quotes/quote_stages.ts";
export {
  type AnsweredQuote,
  type DecomposableOrder,
  type DecomposeOptions,
  type DecomposeReason,
  decomposeSlippage,
  type FillWithFees,
  type FillWithPolicies,
  type Slippage,
  slippage,
  slippageAgainstQuoteResponse,
  type SlippageOptions,
  type SlippageParts,
  type Tolerance,
  tolerance,
  type ToleranceOptions,
  type ToleranceOverBaseline,
} from "./slippage/slippage.ts";
export { completeTerms } from "./auctions/instance_terms.ts";
export {
  type CompetitionReplay,
  type MissingForScore,
  type OrderScore,
  type ReferenceDifference,
  type ReplayBasis,
  type ReplayDifference,
  type ReplayedSolution,
  type ReplayOptions,
  type ReplayReason,
  type ScorableOrder,
  type ScoredExecution,
  scoreOrder,
  type ScoreOrderOptions,
  type ScoreReason,
  scoreSolution,
  type ScoringTerms,
  type SolutionCountDifference,
  type SolutionDifference,
  type SolutionScore,
  type UnscorableSolution,
} from "./auctions/score_solution.ts";
export {
  judgeBySurplus,
  type SurplusJudgement,
  type SurplusTerms,
} from "./auctions/judge_by_surplus.ts";
export { type MissedBaseline, missedBaselines } from "./auctions/judge_fairness.ts";
export {
  type AuctionPath,
  type AuctionPathBasis,
  type AuctionPathOptions,
  type FastPathOrder,
  recognizeAuctionPath,
  type RecognizedPath,
} from "./auctions/fast_path.ts";
export {
  asReplayed,
  inferMaxWinners,
  type InferOptions,
  type InferredMaxWinners,
  replayCompetition,
} from "./auctions/replay_competition.ts";
export { type ReplayAllOptions, replayCompetitions } from "./auctions/replay_competitions.ts";
export {
  type FairGain,
  type FairGainOptions,
  fairGains,
  type FairnessCost,
  fairnessCost,
  type FairnessCostOptions,
} from "./auctions/fair_gain.ts";
export {
  calculateStatus,
  type DecidedStatus,
  type LifecycleTerms,
  type PresignatureUnknown,
  type StatusFacts,
  type StatusOptions,
} from "./orders/calculate_status.ts";
export {
  findLatestStart,
  type Rate,
  rate,
  type SettlementBasis,
  type SettlementOptions,
  type SettlementOutcomes,
  settlementOutcomes,
  type SettlementResult,
  type SolutionOutcome,
  type SolverOutcomes,
} from "./solvers/settlement_outcomes.ts";
export {
  compareSamples,
  compareShares,
  type ComparisonOptions,
  type CountedShare,
  type EstimateOptions,
  estimateSample,
  type Interval,
  type IntervalReason,
  type SampleDifference,
  type SampleEstimate,
  type Statistic,
  wilsonInterval,
  type WilsonOptions,
} from "./intervals.ts";
export type { Sample } from "./resampling.ts";
export {
  ethFlowRefund,
  type LeftOnTheTable,
  leftOnTheTable,
  type LifecycleGap,
  type OrderAttempt,
  type OrderEvidence,
  type OrderLifecycle,
  type RefundableOrder,
  type StageCheck,
  type StatusCheck,
  type TimeInState,
  timeInStates,
} from "./orders/lifecycle_facts.ts";
export {
  type AuctionOfFill,
  type AuctionRole,
  auctionRole,
  competitionStage,
  type OrderAuction,
  type OrderBid,
  type OrderFillFacts,
  type RoleFacts,
  type RoleHints,
  type RoleOptions,
  type StageFacts,
} from "./orders/order_bids.ts";
export { orderLifecycle } from "./orders/order_lifecycle.ts";
export {
  assessSettlement,
  type OutlookBasis,
  type OutlookFacts,
  type OutlookOrder,
  type SettlementOutlook,
  SETTLING_MS,
} from "./orders/settlement_outlook.ts";
export {
  type AtomInterval,
  type ClearingPrices,
  type EncodedExecution,
  type Exchange,
  impliedPrice,
  type ImpliedPriceOptions,
  type PricedSide,
  pricedSide,
  type PriceInterval,
  settledFill,
  uniformPrice,
} from "./prices/price_interval.ts";
export { comparePriceSides, type PriceSides } from "./prices/price_sides.ts";
export {
  type DollarRate,
  dollarRate,
  type DollarToken,
  dollarValue,
} from "./prices/dollar_rate.ts";
export {
  type ChargedFill,
  type NetworkFee,
  networkFee,
  type NetworkFeeOptions,
  type NetworkFeeReason,
  type ReportedFee,
  totalFeeInterval,
  type TotalFeeOptions,
} from "./fees/network_fee.ts";
export {
  type AuditableOrder,
  type AuditableTrade,
  auditFees,
  type AuditFeesOptions,
  type AuditVerdict,
  type ComparedFee,
  type FeeAudit,
  type UncomparedFee,
} from "./fees/audit_fees.ts";
export {
  debugFeePolicy,
  partnerNetFee,
  partnerServiceShare,
  policiesByAuction,
  type PolicyOrigin,
  policyOrigins,
  type PolicySources,
} from "./fees/fee_policies.ts";
export {
  type Concentration,
  concentration,
  type GasAdjustedSurplus,
  gasAdjustedSurplus,
  type GasPayingFill,
  type SettlementGas,
  type WindowConcentration,
  windowedConcentration,
  type WindowedFill,
  type WindowKind,
} from "./solvers/concentration.ts";
export { type CowShare, cowShares, type SettledTrade } from "./settlements/cow_shares.ts";
export {
  bestPairOffer,
  type ChargedFee,
  type ContestedFill,
  type LimitPrices,
  marketOverLimitBps,
  type MarketPrice,
  type MarketPrices,
  markout,
  type MarkoutOptions,
  type MarkoutReason,
  type PairOffer,
  type WinnersCurse,
  winnersCurse,
} from "./prices/markout.ts";
export {
  type MarketStatistics,
  type PairCoverage,
  type SolverStatistics,
  solverStatistics,
  type StatisticsOptions,
} from "./solvers/solver_statistics.ts";
export {
  type ConsistencyOptions,
  type ConsistencyShares,
  consistencyShares,
  type SolverConsistency,
} from "./solvers/consistency_shares.ts";
export type {
  AuctionReward,
  BindingCap,
  CapEffects,
  DatedAuctionReward,
  OpenInterval,
  RewardGap,
  RewardInputs,
  RewardOptions,
  RewardsEstimate,
  SolverReward,
  SolverWeek,
  WeeklyConsistency,
  WeeklyQuoteRewards,
  WeeklyRewardGap,
  WeeklyRewardOptions,
  WeeklySums,
} from "./solvers/reward_facts.ts";
export { estimateRewards } from "./solvers/estimate_rewards.ts";
export { computePenaltyCap, type PenaltyCapOptions } from "./solvers/penalty_cap.ts";
export {
  settlementPenalties,
  type SettlementPenalty,
  type SettlementPenaltyOptions,
} from "./solvers/settlement_penalties.ts";
export {
  type OrderQuoteReward,
  type QuoteRewardOptions,
  type QuoteRewardReason,
  quoteRewards,
} from "./solvers/quote_rewards.ts";
export {
  type AccountingPeriod,
  accountingWeek,
  type RewardClock,
  type RewardClockTime,
  type RewardMoment,
  type RewardTime,
  type RewardTimes,
} from "./solvers/reward_times.ts";
export type { CowPrice, CowPrices } from "./solvers/cow_price.ts";
export { weeklyRewards } from "./solvers/weekly_rewards.ts";
export {
  checkUniformPrices,
  type PairPrices,
  type PriceViolation,
  type SettlementFill,
  type UniformPriceCheck,
  type UniformPriceOptions,
} from "./auctions/check_uniform_prices.ts";
export {
  type Contradiction,
  type ContradictionKind,
  formatContradiction,
  type StatedFact,
} from "./consistency/contradiction.ts";
export {
  type ConsistencyRecords,
  type FilledOrder,
  findContradictions,
} from "./consistency/find_contradictions.ts";
export type { SigningDeployment } from "./consistency/order_contradictions.ts";
export type { ReceiptGas } from "./consistency/settlement_contradictions.ts";
export {
  auctionBrackets,
  type AuctionBracketsOptions,
  AuctionTimes,
  type AuctionTimesOptions,
  type DatedAuction,
} from "./auctions/auction_times.ts";
export {
  type FlowRole,
  type FlowsOfSettlement,
  type ImbalanceOptions,
  type SettlementFlows,
  type TokenFlow,
  type TokenFlows,
  tokenFlows,
  type TokenImbalance,
  type TokenImbalances,
  tokenImbalances,
} from "./settlements/token_flows.ts";
export type {
  AuditedTrade,
  CompareSettlementOptions,
  ReportedOrder,
  ReportedTrade,
  SettlementDifference,
  SettlementDifferenceKind,
} from "./settlements/compare_records.ts";
export { compareSettlement, type SettlementAudit } from "./settlements/settlement_audit.ts";
export {
  type SettlementSlippage,
  settlementSlippage,
  type SettlementSlippageOptions,
  type SlippageGap,
  type SlippageUnknown,
} from "./settlements/settlement_slippage.ts";
