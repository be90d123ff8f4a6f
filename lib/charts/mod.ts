/**
 * Plain documented rows in, `Chart` out: one file per chart.
 *
 * A chart computes only where marks go. It displays itself in Jupyter and is available as SVG, HTML
 * or PNG elsewhere. Only this room uses Plot and the DOM.
 *
 * @module
 */
export {
  auctionRanking,
  type AuctionRankingOptions,
  type AuctionRankingRow,
} from "./auctions/auction_ranking.ts";
export { Chart, type ChartParts, type PngOptions } from "./figure/chart.ts";
export type { Currency, RatedRow } from "./figure/currency.ts";
export type { Draw } from "./figure/picture.ts";
export type {
  ChartOptions,
  GroupOptions,
  ListChartOptions,
  NamedRowOptions,
  NativeOptions,
} from "./figure/chart_options.ts";
export type {
  SlippageBaseline,
  SlippageChartOptions,
  SlippageRow,
} from "./slippage/measured_fills.ts";
export {
  slippageBaselines,
  type SlippageBaselinesOptions,
  slippageDistribution,
  type SlippageDistributionOptions,
} from "./slippage/slippage_distribution.ts";
export {
  type SlippageByGroupOptions,
  slippageByPair,
  slippageBySolver,
} from "./slippage/slippage_by_group.ts";
export {
  type MedianInterval,
  type SliceColumn,
  type SlippageGroup,
  slippageGroups,
  type SlippageGroupsOptions,
  type SlippageSlice,
  slippageSlices,
  type SlippageSlicesOptions,
} from "./slippage/slippage_groups.ts";
export {
  slippageByQuoteAge,
  slippageBySize,
  type SlippageBySizeOptions,
} from "./slippage/slippage_scatter.ts";
export {
  slippageDecomposition,
  type SlippageDecompositionOptions,
} from "./slippage/slippage_decomposition.ts";
export {
  solverLeaderboard,
  type SolverLeaderboardOptions,
  type SolverLeaderboardRow,
  type SolverLeaderboardSort,
} from "./auctions/solver_leaderboard.ts";
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
  bidsForOrder,
  type BidsForOrderOptions,
  type OrderBidRow,
} from "./auctions/bids_for_order.ts";
export {
  leftOnTheTable,
  type LeftOnTheTableOptions,
  type LeftOnTheTableRow,
} from "./auctions/left_on_the_table.ts";
export { bpsText, type Moment } from "./texts/label_text.ts";
export {
  type Estimate,
  estimate,
  type EstimateQuery,
  type EstimateReason,
  type GroupValue,
} from "./estimate.ts";
export type { RowFrame, RowFrameColumn, Rows } from "./rows.ts";
export { orderTimeline } from "./orders/order_timeline.ts";
export type {
  OrderTimelineAttempt,
  OrderTimelineAuction,
  OrderTimelineEvent,
  OrderTimelineFill,
  OrderTimelineRow,
  OrderTimelineRows,
} from "./orders/order_rows.ts";
export type { TimeToFillRow } from "./orders/fill_curves.ts";
export { timeToFill, type TimeToFillOptions } from "./orders/time_to_fill.ts";
export { feeWaterfall, type FeeWaterfallOptions } from "./fees/fee_waterfall.ts";
export type { FeeWaterfallRow } from "./fees/waterfall_levels.ts";
export {
  feeRateByPolicy,
  type FeeRateByPolicyOptions,
  type FeeRateRow,
} from "./fees/fee_rate_by_policy.ts";
export {
  solverRewards,
  type SolverRewardsOptions,
  type SolverRewardsRow,
  type SolverRewardsSort,
} from "./rewards/solver_rewards.ts";
export {
  type SettlementFlowRow,
  settlementFlows,
  type SettlementFlowsOptions,
} from "./settlements/settlement_flows.ts";
export {
  solverImbalances,
  type SolverImbalancesOptions,
  type SolverImbalancesRow,
} from "./settlements/solver_imbalances.ts";
export { Exploration, explore, type ExploreOptions } from "./explore/explore.ts";
export { figure, type FigureOptions } from "./general/figure.ts";
export type { LegendEntry } from "./looks.ts";
export { timeSeries } from "./general/time_series.ts";
export type { TimeSeriesOptions, TimeSeriesStat } from "./general/time_plan.ts";
export { estimates } from "./general/estimates.ts";
export type { EstimatesOptions, EstimatesSort } from "./general/estimate_lines.ts";
export { ecdf, type EcdfOptions } from "./general/ecdf.ts";
