/**
 * The operations of the API, one file per route: path and parameters in, decoded record out.
 *
 * Each is a function that takes the transport first. Inputs are checked before anything is sent,
 * and every unsuccessful answer becomes a typed error in one place. Lists are read to their end,
 * and an element that cannot be decoded affects only itself.
 *
 * @module
 */
export type { FailedOrder } from "./ask_for_chunk.ts";
export type { CallOptions, Progress } from "./call_options.ts";
export { deleteOrders } from "./delete_orders.ts";
export type { Failure } from "./failures.ts";
export { getAccountOrders } from "./get_account_orders.ts";
export { getAuction } from "./get_auction.ts";
export { getCompetition } from "./get_competition.ts";
export { getDebugReport } from "./get_debug_report.ts";
export { getNativePrice } from "./get_native_price.ts";
export { getNotifications } from "./get_notifications.ts";
export { getOrder, type GetOrderOptions } from "./get_order.ts";
export {
  getOrdersByUids,
  type GetOrdersByUidsOptions,
  type OrdersByUids,
} from "./get_orders_by_uids.ts";
export { getOrderStatus } from "./get_order_status.ts";
export { getTokenMetadata } from "./get_token_metadata.ts";
export { getTotalSurplus } from "./get_total_surplus.ts";
export { getTrades, type TradeFilter } from "./get_trades.ts";
export { getTransactionOrders } from "./get_transaction_orders.ts";
export { getVersion } from "./get_version.ts";
export type { ListOptions, PagedListOptions } from "./list_options.ts";
export { postOrder, type PostOrderOptions } from "./post_order.ts";
export { postQuote } from "./post_quote.ts";
export type { RegisteredAppData } from "./put_app_data.ts";
export { streamQuotes, type StreamQuotesOptions } from "./stream_quotes.ts";
export {
  type AuctionIds,
  type CompetitionFailure,
  type LatestAuctionIds,
  walkCompetitions,
  type WalkCompetitionsOptions,
  type WalkedCompetition,
} from "./walk_competitions.ts";
