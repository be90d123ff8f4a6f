/**
 * `connect`: the operations, facts and signing domain of one deployment.
 *
 * An {@linkcode OrderBook} talks to a public network, to any URL, to a recording or to an order
 * book in the same process, with the same interface in all four cases. Nothing is sent before the
 * first call. The README next to this file shows every call with a runnable example.
 *
 * @module
 */
export {
  type AppDataTerms,
  buildAppData,
  type BuiltAppData,
  getAppData,
  putAppData,
} from "./build_app_data.ts";
export {
  type CancelOptions,
  type CancelOutcome,
  type ExecutedFill,
  type ExecutionOptions,
  type OrderExecution,
  orderExecution,
  PlacedOrder,
  type PlacedOrderParts,
  type SlippageByBaseline,
} from "./placed_order.ts";
export type { QuoteFault, TradeRequest } from "./trade_request.ts";
export { placeOrder, type PlaceOrderOptions } from "./place_order.ts";
export type { PriceBounds } from "./price_guard.ts";
export { type OrderChange, type TrackOptions, trackOrder } from "./track_order.ts";
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
export {
  type AuditedSettlement,
  auditRange,
  type AuditRangeOptions,
  auditSettlement,
  type AuditSettlementOptions,
} from "./audit_settlement.ts";
export {
  auctionTimes,
  type GatherTimesOptions,
  type RecentAuctions,
  recentAuctions,
  type RecentAuctionsOptions,
  type RecentProgress,
} from "./recent_auctions.ts";
export type { GatheredOrder } from "./final_orders.ts";
export { type GatheredOrders, gatherOrders } from "./gather_orders.ts";
export type { AccountsRead } from "./find_auction.ts";
export {
  type SettledCompetition,
  settledCompetitions,
  type SettledCompetitionsOptions,
} from "./settled_competitions.ts";
export { OrderBook, type OrderBookParts } from "./order_book.ts";
