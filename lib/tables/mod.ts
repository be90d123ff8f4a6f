/**
 * Builds polars frames from records: one file per table, with its grain in one sentence and its
 * columns declared once with name, type, unit and source.
 *
 * Amounts are decimal text that ends in `_atoms`; each has a `Float64` column named with
 * its unit. `data_dictionary.md` beside this file lists every column. Only this room uses polars;
 * importing it needs `--allow-ffi --allow-read --allow-sys`.
 *
 * @module
 */
export {
  type Cell,
  type Column,
  type Dtype,
  type Frame,
  type FrameRecords,
  type PolarsFrame,
  records,
  type Table,
} from "./columns/frame.ts";
export type { LazyFrame } from "./columns/frame_files.ts";
export {
  type NamedSolver,
  NameLookup,
  type SolverNames,
  type SolverOptions,
  TOKEN_FACTS,
  type TokenAmount,
  TokenAmounts,
  type TokenFact,
  type TokenLookup,
  type TokenOptions,
} from "./columns/lookups.ts";
export type { TimeOptions } from "./columns/columns.ts";
export type { FillOptions, KnownFill, OrderRecords } from "./columns/order_records.ts";
export {
  type PolarsDtype,
  type PolarsExpr,
  type PolarsSeries,
  schemaOf,
  shareOf,
  sumAtoms,
  sumAtomsBy,
} from "./columns/frames.ts";
export { TABLES } from "./tables.ts";
export { type OrderFacts, ORDERS, type OrdersOptions, ordersTable } from "./orders/orders.ts";
export { type KnownToken, TOKENS, tokensTable } from "./orders/tokens.ts";
export { type TradeFacts, TRADES, type TradesOptions, tradesTable } from "./orders/trades.ts";
export {
  SOLUTION_ORDERS,
  type SolutionFacts,
  type SolutionInAuction,
  type SolutionOrderFacts,
  type SolutionOrdersOptions,
  solutionOrdersTable,
  SOLUTIONS,
  type SolutionsOptions,
  solutionsTable,
} from "./auctions/solutions.ts";
export type { FilteredRow } from "./auctions/auction_columns.ts";
export type { BuildTable, FilterOptions } from "./columns/table_input.ts";
export {
  type AttemptFacts,
  ATTEMPTS,
  type AttemptsOptions,
  attemptsTable,
} from "./rewards/attempts.ts";
export {
  FAIR_GAIN,
  type FairGainFacts,
  fairGainTable,
  type FairGainTableOptions,
} from "./auctions/fair_gain.ts";
export { type BidFacts, BIDS, type BidsOptions, bidsTable } from "./auctions/bids.ts";
export {
  NATIVE_PRICES,
  type NativePriceFacts,
  type NativePricesOptions,
  nativePricesTable,
  type OutcomeFacts,
  OUTCOMES,
  type OutcomesOptions,
  outcomesTable,
} from "./auctions/outcomes.ts";
export {
  REFERENCE_SCORES,
  type ReferenceScoreFacts,
  referenceScoresTable,
  SETTLEMENT_ATTEMPTS,
  type SettlementAttemptFacts,
  settlementAttemptsTable,
} from "./auctions/settlement_attempts.ts";
export {
  MISSED_BASELINES,
  type MissedBaselineFacts,
  type MissedBaselinesOptions,
  missedBaselinesTable,
} from "./auctions/missed_baselines.ts";
export {
  FEE_POLICIES,
  FEE_STEPS,
  feePoliciesTable,
  type FeePolicyFacts,
  type FeeStepFacts,
  feeStepsTable,
} from "./fees/fee_steps.ts";
export { type FeeFacts, FEES, feesTable, PROTOCOL_FEES, protocolFeesTable } from "./fees/fees.ts";
export {
  type ExecutionFacts,
  EXECUTIONS,
  type ExecutionsOptions,
  executionsTable,
  ORDER_AUCTIONS,
  ORDER_EVENTS,
  type OrderAuctionFacts,
  orderAuctionsTable,
  type OrderEventFacts,
  orderEventsTable,
} from "./orders/report_tables.ts";
export { FILLS, type FillsOptions, fillsTable } from "./fills/fills.ts";
export {
  type AuditRow,
  CHAIN_DIFFERENCES,
  chainDifferencesTable,
  type DifferenceRow,
  type SettlementFacts,
  type SettlementRow,
  SETTLEMENTS,
  settlementsTable,
} from "./settlements/settlements.ts";
export type { FillFacts } from "./fills/slippage_columns.ts";
export {
  BEST_OTHER_BIDS,
  type BestOtherBidFacts,
  bestOtherBidsTable,
} from "./auctions/best_other_bids.ts";
export {
  LIFECYCLE,
  type LifecycleFacts,
  type LifecycleOptions,
  lifecycleTable,
} from "./orders/lifecycle.ts";
export { AUCTION_REWARDS, auctionRewardsTable, REWARDS, rewardsTable } from "./rewards/rewards.ts";
export type { RewardTableOptions } from "./rewards/reward_columns.ts";
export {
  type FoundPrice,
  priceAt,
  type PriceAtOptions,
  type PriceColumns,
  type PricePoint,
  type PriceReason,
  type PriceRow,
  PriceSeries,
  priceSeries,
  type PriceTime,
  type PriceUnit,
  type PriceValue,
  readPrices,
  type ReadPricesOptions,
} from "./markout/price_series.ts";
export {
  MARKOUT,
  type MarkoutFacts,
  markoutTable,
  type MarkoutTableOptions,
  type PriceOrReason,
} from "./markout/markout.ts";
export {
  type ContestedFillRow,
  WINNERS_CURSE,
  winnersCurseTable,
} from "./markout/winners_curse.ts";
export {
  IMBALANCE_VALUES,
  type ImbalanceRow,
  IMBALANCES,
  type ImbalancesOptions,
  imbalancesTable,
  type ImbalanceValueRow,
  type ImbalanceValuesOptions,
  imbalanceValuesTable,
  TOKEN_FLOWS,
  type TokenFlowRow,
  type TokenFlowsOptions,
  tokenFlowsTable,
} from "./settlements/imbalances.ts";
