/**
 * Look into batch auctions: read an order book, decode it exactly, measure it.
 *
 * What most people need. Every room of the library is an entry point of its own beside it:
 * `orderlens/metrics`, `orderlens/schemas`, `orderlens/evm`, `orderlens/units` and so on. Importing
 * this module needs no permission.
 *
 * @module
 */
export {
  DecodeError,
  HttpError,
  HttpStatusError,
  IncompleteListError,
  InputError,
  MismatchError,
  NetworkError,
  NoOrderBookError,
  NotFoundError,
  NotRecordedError,
  OrderlensError,
  type OrderlensErrorCode,
  RateLimitedError,
  ServiceError,
  TimeoutError,
  UnansweredError,
  UnauthorizedError,
  UnavailableError,
  UnconfirmedCancellationError,
  UnconfirmedOrderError,
} from "./errors/mod.ts";
export {
  Decimal,
  formatAtoms,
  formatBps,
  formatInstant,
  formatPercent,
  formatShare,
  parseAtoms,
  parseInstant,
  sameHex,
  sharePercent,
} from "./units/mod.ts";
export { network } from "./networks/explorer_url.ts";
export type { Environment, Network, NetworkName } from "./networks/network.ts";
export { NATIVE_TOKEN_ADDRESS, NETWORKS } from "./networks/networks.ts";
export {
  type AppData,
  type Competition,
  type CompetitionOrderStatus,
  type DebugReport,
  type Notification,
  type Order,
  type OrderCreation,
  type QuoteRequest,
  type QuoteResponse,
  type Solution,
  type Trade,
} from "./schemas/mod.ts";
export { type OrderUidParts, packOrderUid, parseOrderUid } from "./evm/orders/order_uid.ts";
export { signCancellations, signOrder } from "./evm/orders/sign_order.ts";
export {
  type AppDataTerms,
  auctionTimes,
  type AuditedSettlement,
  auditRange,
  type AuditRangeOptions,
  auditSettlement,
  type AuditSettlementOptions,
  buildAppData,
  connect,
  type DeploymentOptions,
  type GatheredOrder,
  type GatheredOrders,
  gatherOrders,
  type NetworkOptions,
  OrderBook,
  type OrderChange,
  type OrderExecution,
  orderExecution,
  PlacedOrder,
  placeOrder,
  type PlaceOrderOptions,
  type RecentAuctions,
  recentAuctions,
  type RecentAuctionsOptions,
  settledCompetitions,
  trackOrder,
  type TradeRequest,
} from "./client/mod.ts";
