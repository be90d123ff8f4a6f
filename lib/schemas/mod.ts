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
} from "./app_data.ts";
export {
  type AppDataRegistration,
  decodeAppDataHash,
  decodeAppDataRegistration,
  encodeAppDataRegistration,
} from "./app_data_registration.ts";
export type {
  LegacyPartnerFee,
  PartnerFee,
  PriceImprovementPartnerFee,
  SurplusPartnerFee,
  VolumePartnerFee,
} from "./partner_fee.ts";
export {
  type Auction,
  type AuctionOrder,
  type AuctionQuote,
  decodeAuction,
  encodeAuction,
} from "./auction.ts";
export {
  type Competition,
  type CompetitionAuction,
  decodeCompetition,
  encodeCompetition,
  type Solution,
  type SolutionOrder,
} from "./competition.ts";
export {
  type CompetitionV1,
  decodeCompetitionV1,
  encodeCompetitionV1,
  type Objective,
  type SolutionOrderV1,
  type SolutionV1,
} from "./competition_v1.ts";
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
} from "./debug_report.ts";
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
} from "./debug_words.ts";
export { type DecodeOptions } from "./decode.ts";
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
} from "./error_body.ts";
export {
  type FeePolicy,
  feePolicyKind,
  type PolicyQuote,
  type PriceImprovementPolicy,
  type SurplusPolicy,
  type VolumePolicy,
} from "./fee_policy.ts";
export { type Interaction } from "./interaction.ts";
export { decodeNativePrice, encodeNativePrice, type NativePrice } from "./native_price.ts";
export {
  decodeNotification,
  encodeNotification,
  isNotificationType,
  type KnownNotificationType,
  type Notification,
  type NotificationType,
  type PublishedNotification,
  type TypedNotification,
} from "./notification.ts";
export {
  type EthflowData,
  isPlacementError,
  type KnownPlacementError,
  type OnchainOrderData,
  type PlacementError,
} from "./onchain_order.ts";
export { decodeOrder, encodeOrder, type Order, type OrderInteractions } from "./order.ts";
export { effectiveValidTo } from "./effective_valid_to.ts";
export type { OrderQuote } from "./order_quote.ts";
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
} from "./order_words.ts";
export type { Unknown } from "./unknown_word.ts";
export {
  decodeOrderCancellations,
  type EcdsaSigningScheme,
  encodeOrderCancellations,
  type OrderCancellation,
  type OrderCancellations,
} from "./order_cancellations.ts";
export {
  decodeOrderCreation,
  decodeOrderUid,
  encodeOrderCreation,
  type OrderCreation,
} from "./order_creation.ts";
export {
  type CompetitionOrderStatus,
  type CompetitionStatusType,
  decodeOrderStatus,
  encodeOrderStatus,
  type ExecutedAmounts,
  isCompetitionStatusType,
  type KnownCompetitionStatusType,
  type SolverExecution,
} from "./order_status.ts";
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
} from "./quote_request.ts";
export {
  decodeQuoteResponse,
  encodeQuoteResponse,
  type QuotedOrder,
  type QuoteResponse,
} from "./quote_response.ts";
export { decodeTokenMetadata, encodeTokenMetadata, type TokenMetadata } from "./token_metadata.ts";
export { decodeTotalSurplus, encodeTotalSurplus, type TotalSurplus } from "./total_surplus.ts";
export { decodeTrade, encodeTrade, type ExecutedProtocolFee, type Trade } from "./trade.ts";
export { decodeKind, encodeKind, WIRE_KINDS, type WireKind } from "./wire_kinds.ts";
