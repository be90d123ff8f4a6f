/**
 * `connect`: the operations, facts and signing domain of one deployment.
 *
 * An {@linkcode OrderBook} talks to a public network, to any URL, to a recording or to an order
 * book in the same process, with the same interface in all four cases. Nothing is sent before the
 * first call. The README next to this file shows every call with a runnable example.
 *
 * @module
 */
export { type AppDataTerms, buildAppData, type BuiltAppData } from "./build_app_data.ts";
export type { CancelOptions, CancelOutcome } from "./cancel_placed.ts";
export type { QuoteFault } from "./check_request.ts";
export {
  type ExecutedFill,
  type ExecutionOptions,
  type OrderExecution,
  orderExecution,
  type SlippageByBaseline,
} from "./order_execution.ts";
export { placeOrder, type PlaceOrderOptions } from "./place_order.ts";
export type { PriceBounds } from "./price_guard.ts";
export { PlacedOrder, type PlacedOrderParts } from "./placed_order.ts";
export { type OrderChange, type TrackOptions, trackOrder } from "./track_order.ts";
export type { TradeRequest } from "./trade_request.ts";
export { connect } from "./connect.ts";
export type {
  AddressOptions,
  DeployedFetch,
  DeployedTransport,
  DeploymentFacts,
  DeploymentOptions,
  InProcessOptions,
  NetworkOptions,
} from "./connect_options.ts";
export { getAppData } from "./get_app_data.ts";
export { auditSettlement, type AuditSettlementOptions } from "./audit_settlement.ts";
export { type AuditedSettlement, auditRange, type AuditRangeOptions } from "./audit_range.ts";
export { auctionTimes, type GatherTimesOptions } from "./auction_times.ts";
export type { AccountsRead } from "./auction_orders.ts";
export { type GatheredOrder, type GatheredOrders, gatherOrders } from "./gather_orders.ts";
export {
  type RecentAuctions,
  recentAuctions,
  type RecentAuctionsOptions,
  type RecentProgress,
} from "./recent_auctions.ts";
export {
  type SettledCompetition,
  settledCompetitions,
  type SettledCompetitionsOptions,
} from "./settled_competitions.ts";
export { putAppData } from "./put_app_data.ts";
export { OrderBook, type OrderBookParts } from "./order_book.ts";
