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
} from "./columns/frame.ts";
export { buildTable, type Need, type Table, type TableReference } from "./columns/table.ts";
export type {
  AppDataFacts,
  AuditOutcome,
  BlockFacts,
  ContestedFillRow,
  FilterOptions,
  NativePriceColumns,
  OrderListingFacts,
  OrderRecords,
  ReadRecords,
  RecordArrays,
  RecordFacts,
  RecordIterables,
  RecordLists,
  Records,
} from "./columns/records.ts";
export type { LazyFrame } from "./columns/frame_files.ts";
export {
  type NamedSolver,
  NameLookup,
  type SolverNames,
  type SolverOptions,
  type TokenAmount,
  TokenAmounts,
  type TokenLookup,
  type TokenOptions,
} from "./columns/lookups.ts";
export { TOKEN_FACTS, type TokenFact } from "./columns/token_facts.ts";
export type { TimeOptions } from "./columns/columns.ts";
export {
  divideColumns,
  type PolarsDtype,
  type PolarsExpr,
  type PolarsSeries,
  sumAtoms,
  sumAtomsBy,
  toPolarsSchema,
} from "./columns/frames.ts";
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
} from "./columns/price_series.ts";
export { type MarketTables, TABLES } from "./tables.ts";
export { AUCTIONS } from "./auctions/auctions.ts";
export { BEST_OTHER_BIDS } from "./auctions/best_other_bids.ts";
export { BIDS } from "./auctions/bids.ts";
export { FAIR_GAIN } from "./auctions/fair_gain.ts";
export { INSTANCE_ORDERS, INSTANCES } from "./auctions/instances.ts";
export { MISSED_BASELINES } from "./auctions/missed_baselines.ts";
export { ORDER_LISTINGS } from "./auctions/order_listings.ts";
export { NATIVE_PRICES, OUTCOMES } from "./auctions/outcomes.ts";
export { REFERENCE_SCORES, SETTLEMENT_ATTEMPTS } from "./auctions/settlement_attempts.ts";
export { SOLUTION_ORDERS, SOLUTIONS } from "./auctions/solutions.ts";
export { FEE_POLICIES, FEE_STEPS } from "./fees/fee_steps.ts";
export { FEES, PROTOCOL_FEES } from "./fees/fees.ts";
export { FILLS } from "./fills/fills.ts";
export { MARKOUT } from "./markout/markout.ts";
export { WINNERS_CURSE } from "./markout/winners_curse.ts";
export { APP_DATA } from "./orders/app_data.ts";
export { LIFECYCLE } from "./orders/lifecycle.ts";
export { ORDERS } from "./orders/orders.ts";
export { EXECUTIONS, ORDER_AUCTIONS, ORDER_EVENTS } from "./orders/report_tables.ts";
export { TOKENS } from "./orders/tokens.ts";
export { TRADES } from "./orders/trades.ts";
export { ATTEMPTS } from "./rewards/attempts.ts";
export { readCowPrices } from "./rewards/cow_prices.ts";
export { AUCTION_REWARDS, REWARDS } from "./rewards/rewards.ts";
export { BLOCKS } from "./settlements/blocks.ts";
export { IMBALANCE_VALUES, IMBALANCES, TOKEN_FLOWS } from "./settlements/imbalances.ts";
export { SETTLEMENT_SLIPPAGE } from "./settlements/settlement_slippage.ts";
export { CHAIN_DIFFERENCES, SETTLEMENTS } from "./settlements/settlements.ts";
