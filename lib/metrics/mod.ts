/**
 * What can be measured on decoded records, exactly: one file per quantity.
 *
 * Pure functions: records in, `bigint` atoms and exact ratios out. Every division names its
 * rounding, every docstring its formula and the place in the service that it comes from. An answer
 * that the records do not allow is a reason, never a number.
 *
 * @module
 */
export { exchangedSellAmount, type Fill, type OrderLimit, type OrderPair } from "./fill.ts";
export { scaledLimit, surplusOverLimit } from "./surplus_over_limit.ts";
export type { NotComputable } from "./not_computable.ts";
export { type ExecutedTotals, orderFill } from "./order_fill.ts";
export { sumFills } from "./sum_fills.ts";
export { surplusToken } from "./surplus_token.ts";
export { surplusAtoms } from "./surplus_atoms.ts";
export { surplusAtomsOfFills } from "./surplus_atoms_of_fills.ts";
export { surplusNativeAtoms, type SurplusNativeOptions } from "./surplus_native_atoms.ts";
export { surplusBpsOfLimit } from "./surplus_bps_of_limit.ts";
export { surplusBpsOfExecuted } from "./surplus_bps_of_executed.ts";
export { surplusBpsOfQuote, type SurplusOfQuoteOptions } from "./surplus_bps_of_quote.ts";
export { type SurplusBeforeFeesOptions, surplusBpsBeforeFees } from "./surplus_bps_before_fees.ts";
export {
  type OrderStoredQuote,
  type PolicyStoredQuote,
  type StoredQuote,
  storedQuoteFee,
} from "./stored_quote.ts";
export { priceImprovementAtoms } from "./price_improvement_atoms.ts";
export {
  type QuoteStages,
  quoteStages,
  type QuoteStagesOptions,
  type StageAmounts,
  type StagedAnswer,
} from "./quote_stages.ts";
export { type MarketPosition, marketPosition, type QuoteWithFee } from "./market_position.ts";
export { type Baseline, type NoBaselineReason } from "./quote_baseline.ts";
export {
  type FillWithPolicies,
  type Slippage,
  slippage,
  type SlippageOptions,
} from "./slippage.ts";
export {
  type AnsweredQuote,
  type AnswerOptions,
  slippageOverAnswer,
} from "./slippage_over_answer.ts";
export {
  type Tolerance,
  tolerance,
  type ToleranceOptions,
  type ToleranceOverBaseline,
} from "./tolerance.ts";
export { type FeeReason, type RecomputedFee, type UncomputedFee } from "./policy_fee.ts";
export { chargeFees, type ChargeFeesOptions } from "./charge_fees.ts";
export { recomputeFees, type RecomputeFeesOptions } from "./recompute_fees.ts";
export {
  type OrderScore,
  type ScorableOrder,
  scoreOrder,
  type ScoreOrderOptions,
  type ScoreReason,
} from "./score_order.ts";
export {
  type MissingForScore,
  type ScoredExecution,
  scoreSolution,
  type ScoringTerms,
  type SolutionScore,
  type UnscorableSolution,
} from "./score_solution.ts";
export {
  type CompetitionReplay,
  type ReferenceDifference,
  type ReplayBasis,
  type ReplayDifference,
  type ReplayedSolution,
  type ReplayReason,
  type SolutionCountDifference,
  type SolutionDifference,
} from "./competition_replay.ts";
export { type MissedBaseline, missedBaselines } from "./missed_baselines.ts";
export { DEFAULT_MAX_WINNERS, replayCompetition } from "./replay_competition.ts";
export type { ReplayOptions } from "./replay_options.ts";
export {
  inferMaxWinners,
  type InferOptions,
  type InferredMaxWinners,
} from "./infer_max_winners.ts";
export {
  calculateStatus,
  type DecidedStatus,
  type PresignatureUnknown,
  type StatusFacts,
  type StatusOptions,
} from "./calculate_status.ts";
export {
  type Interval,
  wilsonInterval,
  type WilsonOptions,
  Z_OF_95_PERCENT,
} from "./wilson_interval.ts";
export { type Rate, rate } from "./rate.ts";
export {
  type SettlementBasis,
  type SettlementOptions,
  type SettlementOutcomes,
  settlementOutcomes,
  type SettlementResult,
  type SolutionOutcome,
  type SolverOutcomes,
} from "./settlement_outcomes.ts";
export { type TimeInState, timeInStates } from "./time_in_states.ts";
export { competitionStage, type StageFacts } from "./competition_stage.ts";
export { type OrderAuction, type OrderBid, type OrderFillFacts } from "./order_bids.ts";
export { type LeftOnTheTable, leftOnTheTable } from "./left_on_the_table.ts";
export {
  type LifecycleGap,
  type OrderAttempt,
  type OrderEvidence,
  type OrderLifecycle,
  type StageCheck,
  type StatusCheck,
} from "./lifecycle_facts.ts";
export { orderLifecycle } from "./order_lifecycle.ts";
export { type AtomInterval } from "./atom_interval.ts";
export {
  type AuctionOfFill,
  type AuctionRole,
  auctionRole,
  type RoleFacts,
  type RoleHints,
  type RoleOptions,
} from "./auction_role.ts";
export { settledSurplus } from "./settled_surplus.ts";
export { type ClearingPrices, uniformPrice } from "./uniform_price.ts";
export { totalFeeInterval, type TotalFeeOptions } from "./total_fee_interval.ts";
export {
  type ChargedFill,
  type NetworkFee,
  networkFee,
  type NetworkFeeOptions,
  type NetworkFeeReason,
  type ReportedFee,
} from "./network_fee.ts";
export { type EncodedExecution, settledFill } from "./settled_fill.ts";
export { type PolicyOrigin, policyOrigins } from "./policy_origins.ts";
export { debugFeePolicy } from "./debug_fee_policy.ts";
export {
  type AuditableOrder,
  type AuditableTrade,
  type AuditVerdict,
  type ComparedFee,
  type FeeAudit,
  type UncomparedFee,
} from "./audit_fill.ts";
export { auditFees, type AuditFeesOptions } from "./audit_fees.ts";
export {
  type DecomposableOrder,
  type DecomposeOptions,
  type DecomposeReason,
  decomposeSlippage,
  type FillWithFees,
  type SlippageParts,
} from "./decompose_slippage.ts";
export {
  type MarketStatistics,
  type PairCoverage,
  type SolverStatistics,
  solverStatistics,
  type StatisticsOptions,
} from "./solver_statistics.ts";
export { type Concentration, concentration } from "./concentration.ts";
export {
  type ConsistencyOptions,
  type ConsistencyShares,
  consistencyShares,
  type SolverConsistency,
} from "./consistency_shares.ts";
export {
  type AuctionReward,
  type OpenInterval,
  type RewardGap,
  type RewardInputs,
  type RewardOptions,
  type RewardsEstimate,
  type SolverReward,
} from "./reward_facts.ts";
export { estimateRewards } from "./estimate_rewards.ts";
export { type PriceInterval } from "./price_interval.ts";
export { impliedPrice, type ImpliedPriceOptions } from "./implied_price.ts";
export {
  checkUniformPrices,
  type PairPrices,
  type PriceViolation,
  type SettlementFill,
  type UniformPriceCheck,
  type UniformPriceOptions,
} from "./check_uniform_prices.ts";
export { type TokenTotal, type Total, type TotalledFill, type Totals, totals } from "./totals.ts";
export { policiesByAuction, type PolicySources } from "./policies_by_auction.ts";
