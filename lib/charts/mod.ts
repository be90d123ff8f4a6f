/**
 * Plain documented rows in, `Chart` out: one file per picture.
 *
 * A chart computes nothing but where marks go; it shows itself in Jupyter and is an SVG, an HTML
 * fragment or a PNG elsewhere. The one room that knows Plot and the DOM.
 *
 * @module
 */
export { auctionRanking, type AuctionRankingOptions } from "./auction_ranking.ts";
export type { AuctionRankingRow } from "./auction_ranking_row.ts";
export { Chart, type ChartParts, type PngOptions } from "./chart.ts";
export type { ChartOptions, FacetOptions, ListOptions, NativeOptions } from "./chart_options.ts";
export type { SlippageChartOptions } from "./measured_fills.ts";
export type { SlippageBaseline } from "./slippage_baseline.ts";
export { slippageBaselines, type SlippageBaselinesOptions } from "./slippage_baselines.ts";
export type { SlippageByGroupOptions } from "./slippage_by_group.ts";
export {
  type SlippageGroup,
  slippageGroups,
  type SlippageGroupsOptions,
} from "./slippage_groups.ts";
export {
  type SliceColumn,
  type SlippageSlice,
  slippageSlices,
  type SlippageSlicesOptions,
} from "./slippage_slices.ts";
export { slippageByPair } from "./slippage_by_pair.ts";
export { slippageByQuoteAge } from "./slippage_by_quote_age.ts";
export { slippageBySize, type SlippageBySizeOptions } from "./slippage_by_size.ts";
export { slippageBySolver } from "./slippage_by_solver.ts";
export {
  slippageDecomposition,
  type SlippageDecompositionOptions,
} from "./slippage_decomposition.ts";
export { slippageDistribution, type SlippageDistributionOptions } from "./slippage_distribution.ts";
export type { SlippageRow } from "./slippage_row.ts";
export { toleranceUsed, type ToleranceUsedOptions } from "./tolerance_used.ts";
export {
  solverLeaderboard,
  type SolverLeaderboardOptions,
  type SolverLeaderboardSort,
} from "./solver_leaderboard.ts";
export type { SolverLeaderboardRow } from "./solver_leaderboard_row.ts";
export {
  settlementOutcomes,
  type SettlementOutcomesOptions,
  type SettlementOutcomesRow,
  type SettlementOutcomesSort,
} from "./settlement_outcomes.ts";
export {
  winMargin,
  type WinMarginOptions,
  type WinMarginRow,
  type WinMarginSort,
} from "./win_margin.ts";
export {
  solverMatrix,
  type SolverMatrixOptions,
  type SolverMatrixRow,
  type SolverMatrixSort,
} from "./solver_matrix.ts";
export { bidsForOrder, type BidsForOrderOptions } from "./bids_for_order.ts";
export type { OrderBidRow } from "./order_bid.ts";
export { leftOnTheTable, type LeftOnTheTableOptions } from "./left_on_the_table.ts";
export type { LeftOnTheTableRow } from "./left_on_the_table_row.ts";
export type { Moment } from "./moment.ts";
export type { RowFrame, RowFrameColumn, Rows } from "./row_kind.ts";
export { orderTimeline } from "./order_timeline.ts";
export type {
  OrderTimelineAttempt,
  OrderTimelineAuction,
  OrderTimelineEvent,
  OrderTimelineFill,
  OrderTimelineRow,
  OrderTimelineRows,
} from "./order_timeline_rows.ts";
export { timeToFill, type TimeToFillOptions } from "./time_to_fill.ts";
export type { TimeToFillRow } from "./time_to_fill_row.ts";
export { feeWaterfall, type FeeWaterfallOptions } from "./fee_waterfall.ts";
export type { FeeWaterfallRow } from "./fee_waterfall_row.ts";
export { feeRateByPolicy } from "./fee_rate_by_policy.ts";
export type { FeeRateByPolicyOptions, FeeRateRow } from "./fee_rate_row.ts";
export { feeTimeline, type FeeTimelineOptions, type FeeTimelineRow } from "./fee_timeline.ts";
