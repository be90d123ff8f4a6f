/**
 * The operations of the API: path and parameters in, decoded record out.
 *
 * Each is a function that takes the transport first. Inputs are checked before anything is sent,
 * and every unsuccessful response becomes a typed error in one place. Lists are read to their end,
 * and an element that cannot be decoded affects only itself.
 *
 * @module
 */
export {
  type FailedOrder,
  getOrdersByUids,
  type GetOrdersByUidsOptions,
  type OrdersByUids,
} from "./orders_by_uids.ts";
export type { CallOptions, Failure, Progress } from "./calls.ts";
export {
  deleteOrders,
  getDebugReport,
  getOrder,
  type GetOrderOptions,
  getOrderStatus,
  getSimulation,
  postOrder,
  type PostOrderOptions,
  type SimulationOptions,
} from "./orders.ts";
export {
  getAccountOrders,
  getTrades,
  getTransactionOrders,
  type TradeFilter,
} from "./order_lists.ts";
export { getAuction, getCompetition, type GetCompetitionOptions } from "./competitions.ts";
export { getInstance, routeInstances } from "./instances.ts";
export {
  type AuctionIds,
  type CompetitionFailure,
  type LatestAuctionIds,
  walkCompetitions,
  type WalkCompetitionsOptions,
  type WalkedCompetition,
} from "./walk_competitions.ts";
export {
  getNativePrice,
  getNotifications,
  getTokenMetadata,
  getTotalSurplus,
  getVersion,
  type RegisteredAppData,
} from "./facts.ts";
export type { ListOptions, PagedListOptions } from "./paged_rows.ts";
export { postQuote, streamQuotes, type StreamQuotesOptions } from "./quotes.ts";
