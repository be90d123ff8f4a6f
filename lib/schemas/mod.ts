/**
 * Wire objects: one file per object, each with its interface, its schema as a zod codec, `decode…`
 * and `encode…`.
 *
 * Decoding is strict about known fields and tolerant of new ones: unknown fields and unknown values
 * of open sets are kept, and `drift` counts them. `encode(decode(body))` equals `body`. The schema
 * is compiled into a straight-line decoder; zod explains what the decoder rejects.
 *
 * @module
 */
export {
  type AppData,
  type AppDataMetadata,
  decodeAppData,
  type DocumentBps,
  encodeAppData,
  type Flashloan,
  type Hook,
  type Hooks,
  type OrderClassMetadata,
  type QuoteMetadata,
  type Referrer,
  type Utm,
  type Wrapper,
} from "./app_data/app_data.ts";
export {
  type AppDataRegistration,
  decodeAppDataHash,
  decodeAppDataRegistration,
  encodeAppDataRegistration,
} from "./app_data/app_data_registration.ts";
export type {
  LegacyPartnerFee,
  PartnerFee,
  PriceImprovementPartnerFee,
  SurplusPartnerFee,
  VolumePartnerFee,
} from "./app_data/partner_fee.ts";
export {
  type Auction,
  type AuctionOrder,
  type AuctionQuote,
  decodeAuction,
  encodeAuction,
} from "./auctions/auction.ts";
export {
  type Competition,
  type CompetitionAuction,
  decodeCompetition,
  encodeCompetition,
  type Solution,
  type SolutionOrder,
} from "./auctions/competition.ts";
export {
  type CompetitionV1,
  decodeCompetitionV1,
  encodeCompetitionV1,
  type Objective,
  type SolutionOrderV1,
  type SolutionV1,
} from "./auctions/competition_v1.ts";
export {
  type DebugAuction,
  type DebugFeePolicy,
  type DebugProtocolFee,
  type DebugReport,
  type DebugTrade,
  decodeDebugReport,
  encodeDebugReport,
  type Execution,
  type OrderEvent,
  type ProposedSolution,
  type SettlementAttempt,
} from "./orders/debug_report.ts";
export {
  type EventLabel,
  type EventReason,
  isEventLabel,
  isEventReason,
  isFeePolicyKind,
  isSettlementOutcome,
  type KnownEventLabel,
  type KnownEventReason,
  type KnownFeePolicyKind,
} from "./orders/debug_words.ts";
export { type DecodeOptions } from "./codec/decode.ts";
export {
  drift,
  type DriftReport,
  type KindedBody,
  type UnknownField,
  type UnknownValue,
} from "./drift.ts";
export {
  decodeErrorBody,
  encodeErrorBody,
  type ErrorBody,
  type ServiceErrorBody,
} from "./facts/error_body.ts";
export {
  type FeePolicy,
  feePolicyKind,
  type PolicyQuote,
  type PriceImprovementPolicy,
  type SurplusPolicy,
  type VolumePolicy,
} from "./trades/fee_policy.ts";
export { type Interaction } from "./orders/interaction.ts";
export { decodeNativePrice, encodeNativePrice, type NativePrice } from "./facts/native_price.ts";
export {
  decodeNotification,
  encodeNotification,
  isNotificationType,
  type KnownNotificationType,
  type Notification,
  type NotificationType,
  type PublishedNotification,
  type TypedNotification,
} from "./facts/notification.ts";
export {
  type EthflowData,
  isPlacementError,
  type KnownPlacementError,
  type OnchainOrderData,
  type PlacementError,
} from "./orders/onchain_order.ts";
export { decodeOrder, encodeOrder, type Order, type OrderInteractions } from "./orders/order.ts";
export { effectiveValidTo } from "./orders/effective_valid_to.ts";
export type { OrderQuote } from "./orders/order_quote.ts";
export {
  type BuyTokenDestination,
  type ClosedOrderStatus,
  isClosedStatus,
  isOrderClass,
  isOrderStatus,
  type KnownOrderClass,
  type KnownOrderStatus,
  type OrderClass,
  type OrderKind,
  type OrderStatus,
  type SellTokenSource,
  type SigningScheme,
} from "./orders/order_words.ts";
export type { Unknown } from "./codec/unknown_word.ts";
export {
  decodeOrderCancellations,
  type EcdsaSigningScheme,
  encodeOrderCancellations,
  type OrderCancellation,
  type OrderCancellations,
} from "./orders/order_cancellations.ts";
export {
  decodeOrderCreation,
  decodeOrderUid,
  encodeOrderCreation,
  type OrderCreation,
} from "./orders/order_creation.ts";
export {
  type CompetitionOrderStatus,
  type CompetitionStatusType,
  decodeOrderStatus,
  encodeOrderStatus,
  type ExecutedAmounts,
  isCompetitionStatusType,
  type KnownCompetitionStatusType,
  type SolverExecution,
} from "./orders/order_status.ts";
export {
  decodeNotifications,
  decodeOrders,
  decodeOrdersByUids,
  decodeTrades,
  type OrderByUid,
  type Page,
  type PageFailure,
} from "./page.ts";
export {
  type BuyAfterFee,
  decodeQuoteRequest,
  encodeQuoteRequest,
  type PriceQuality,
  type QuoteRequest,
  type QuoteTerms,
  type QuoteValidity,
  type SellAfterFee,
  type SellBeforeFee,
} from "./quotes/quote_request.ts";
export {
  decodeQuoteResponse,
  encodeQuoteResponse,
  type QuotedOrder,
  type QuoteResponse,
} from "./quotes/quote_response.ts";
export {
  decodeTokenMetadata,
  encodeTokenMetadata,
  type TokenMetadata,
} from "./facts/token_metadata.ts";
export {
  decodeTotalSurplus,
  encodeTotalSurplus,
  type TotalSurplus,
} from "./facts/total_surplus.ts";
export { decodeTrade, encodeTrade, type ExecutedProtocolFee, type Trade } from "./trades/trade.ts";
export { decodeKind, encodeKind, WIRE_KINDS, type WireKind } from "./wire_kinds.ts";
