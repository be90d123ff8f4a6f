/**
 * The operations of the API, one file per route: path and parameters in, decoded record out.
 *
 * Each is a function that takes the transport first. Inputs are checked before anything is sent,
 * and every unsuccessful answer becomes a typed error in one place. Lists are read to their end,
 * and an element that cannot be decoded affects only itself.
 *
 * @module
 */
export type { FailedOrder } from "./lists/ask_for_chunk.ts";
export type { CallOptions, Progress } from "./call/call_options.ts";
export { deleteOrders } from "./orders/delete_orders.ts";
export type { Failure } from "./call/failures.ts";
export { getAccountOrders } from "./orders/get_account_orders.ts";
export { getAuction } from "./auctions/get_auction.ts";
export { getCompetition } from "./auctions/get_competition.ts";
export { getDebugReport } from "./orders/get_debug_report.ts";
export { getNativePrice } from "./facts/get_native_price.ts";
export { getNotifications } from "./accounts/get_notifications.ts";
export { getOrder, type GetOrderOptions } from "./orders/get_order.ts";
export {
  getOrdersByUids,
  type GetOrdersByUidsOptions,
  type OrdersByUids,
} from "./orders/get_orders_by_uids.ts";
export { getOrderStatus } from "./orders/get_order_status.ts";
export { getTokenMetadata } from "./facts/get_token_metadata.ts";
export { getTotalSurplus } from "./accounts/get_total_surplus.ts";
export { getTrades, type TradeFilter } from "./orders/get_trades.ts";
export { getTransactionOrders } from "./orders/get_transaction_orders.ts";
export { getVersion } from "./facts/get_version.ts";
export type { ListOptions, PagedListOptions } from "./lists/list_options.ts";
export { postOrder, type PostOrderOptions } from "./orders/post_order.ts";
export { postQuote } from "./quotes/post_quote.ts";
export type { RegisteredAppData } from "./facts/put_app_data.ts";
export { streamQuotes, type StreamQuotesOptions } from "./quotes/stream_quotes.ts";
export {
  type AuctionIds,
  type CompetitionFailure,
  type LatestAuctionIds,
  walkCompetitions,
  type WalkCompetitionsOptions,
  type WalkedCompetition,
} from "./auctions/walk_competitions.ts";
