/**
 * Plain documented rows in, `Chart` out: one file per chart.
 *
 * A chart computes only where marks go. It displays itself in Jupyter and is available as SVG, HTML
 * or PNG elsewhere. Only this room uses Plot and the DOM.
 *
 * @module
 */
export { auctionRanking, type AuctionRankingOptions } from "./auctions/auction_ranking.ts";
export type { AuctionRankingRow } from "./auctions/auction_ranking_row.ts";
export { Chart, type ChartParts, type PngOptions } from "./figure/chart.ts";
export type {
  ChartOptions,
  GroupOptions,
  ListChartOptions,
  NativeOptions,
} from "./figure/chart_options.ts";
export type { SlippageChartOptions } from "./slippage/measured_fills.ts";
export type { SlippageBaseline } from "./slippage/slippage_baseline.ts";
export { slippageBaselines, type SlippageBaselinesOptions } from "./slippage/slippage_baselines.ts";
export type { SlippageByGroupOptions } from "./slippage/slippage_by_group.ts";
export {
  type SlippageGroup,
  slippageGroups,
  type SlippageGroupsOptions,
} from "./slippage/slippage_groups.ts";
export {
  type SliceColumn,
  type SlippageSlice,
  slippageSlices,
  type SlippageSlicesOptions,
} from "./slippage/slippage_slices.ts";
export { slippageByPair } from "./slippage/slippage_by_pair.ts";
export { slippageByQuoteAge } from "./slippage/slippage_by_quote_age.ts";
export { slippageBySize, type SlippageBySizeOptions } from "./slippage/slippage_by_size.ts";
export { slippageBySolver } from "./slippage/slippage_by_solver.ts";
export {
  slippageDecomposition,
  type SlippageDecompositionOptions,
} from "./slippage/slippage_decomposition.ts";
export {
  slippageDistribution,
  type SlippageDistributionOptions,
} from "./slippage/slippage_distribution.ts";
export type { SlippageRow } from "./slippage/slippage_row.ts";
export { toleranceUsed, type ToleranceUsedOptions } from "./slippage/tolerance_used.ts";
export {
  solverLeaderboard,
  type SolverLeaderboardOptions,
  type SolverLeaderboardSort,
} from "./auctions/solver_leaderboard.ts";
export type { SolverLeaderboardRow } from "./auctions/solver_leaderboard_row.ts";
export {
  settlementOutcomes,
  type SettlementOutcomesOptions,
  type SettlementOutcomesRow,
  type SettlementOutcomesSort,
} from "./auctions/settlement_outcomes.ts";
export {
  winMargin,
  type WinMarginOptions,
  type WinMarginRow,
  type WinMarginSort,
} from "./auctions/win_margin.ts";
export {
  solverMatrix,
  type SolverMatrixOptions,
  type SolverMatrixRow,
  type SolverMatrixSort,
} from "./auctions/solver_matrix.ts";
export { bidsForOrder, type BidsForOrderOptions } from "./auctions/bids_for_order.ts";
export type { OrderBidRow } from "./auctions/order_bid.ts";
export { leftOnTheTable, type LeftOnTheTableOptions } from "./auctions/left_on_the_table.ts";
export type { LeftOnTheTableRow } from "./auctions/left_on_the_table_row.ts";
export { bpsText } from "./texts/signed_text.ts";
export type { Moment } from "./texts/moment.ts";
export type { RowFrame, RowFrameColumn, Rows } from "./rows/row_kind.ts";
export { orderTimeline } from "./orders/order_timeline.ts";
export type {
  OrderTimelineAttempt,
  OrderTimelineAuction,
  OrderTimelineEvent,
  OrderTimelineFill,
  OrderTimelineRow,
  OrderTimelineRows,
} from "./orders/order_timeline_rows.ts";
export { timeToFill, type TimeToFillOptions } from "./orders/time_to_fill.ts";
export type { TimeToFillRow } from "./orders/time_to_fill_row.ts";
export { feeWaterfall, type FeeWaterfallOptions } from "./fees/fee_waterfall.ts";
export type { FeeWaterfallRow } from "./fees/fee_waterfall_row.ts";
export { feeRateByPolicy } from "./fees/fee_rate_by_policy.ts";
export type { FeeRateByPolicyOptions, FeeRateRow } from "./fees/fee_rate_row.ts";
export { feeTimeline, type FeeTimelineOptions, type FeeTimelineRow } from "./fees/fee_timeline.ts";
export {
  solverRewards,
  type SolverRewardsOptions,
  type SolverRewardsSort,
} from "./rewards/solver_rewards.ts";
export type { SolverRewardsRow } from "./rewards/solver_rewards_row.ts";
export { rewardCaps, type RewardCapsOptions, type RewardCapsSort } from "./rewards/reward_caps.ts";
export type { RewardCapsRow } from "./rewards/reward_caps_row.ts";
export { settlementFlows, type SettlementFlowsOptions } from "./settlements/settlement_flows.ts";
export type { SettlementFlowRow } from "./settlements/settlement_flow_row.ts";
export { solverImbalances, type SolverImbalancesOptions } from "./settlements/solver_imbalances.ts";
export type { SolverImbalancesRow } from "./settlements/solver_imbalances_row.ts";
export { figure, type FigureOptions } from "./general/figure.ts";
export type { LegendEntry } from "./figure/figure.ts";
export { timeSeries } from "./general/time_series.ts";
export type { TimeSeriesOptions, TimeSeriesStat } from "./general/time_plan.ts";
export { ecdf, type EcdfOptions } from "./general/ecdf.ts";
