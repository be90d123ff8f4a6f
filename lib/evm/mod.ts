/**
 * Protocol rules of the chain: UIDs and digests of orders, their signing domain, signatures and
 * signers, the hash of an app data document, and decoded settlements.
 *
 * Knows the settlement contract's rules, but no route or record of the service; accepts any record
 * that has the signed fields under their wire names. The only room that imports viem.
 *
 * @module
 */
export {
  cancellationDigest,
  cancellationsDigest,
  type CancellationsSignature,
  type OrderSignature,
  recoverCancellationsSigner,
  recoverOrderSigner,
  signCancellations,
  type SignCancellationsOptions,
  type SignedCancellations,
  signOrder,
  type SignOrderOptions,
} from "./orders/sign_order.ts";
export { computeOrderUid, orderDigest, type SignableOrder } from "./orders/order_digest.ts";
export {
  type OrderDomain,
  orderDomain,
  type OrderDomainOptions,
  type OrderUidParts,
  packOrderUid,
  parseOrderUid,
} from "./orders/order_uid.ts";
export type {
  AccountAddress,
  OrderSigner,
  SignatureFields,
  SigningAccount,
  TypedDataToSign,
  WalletProvider,
} from "./orders/request_signature.ts";
export { hashAppData, stringifyAppData } from "./orders/app_data.ts";
export {
  type DecodedSettlement,
  decodeSettlement,
  type SettlementInteraction,
  type SettlementTrade,
  type TradeFlags,
  tradeOrderUid,
} from "./settlement/decode_settlement.ts";
export { decodeRevert, type RevertReason } from "./settlement/decode_revert.ts";
export { encodeSettlement, type SettlementCall } from "./settlement/encode_settlement.ts";
export {
  type DecodedEvent,
  decodeSettlementEvents,
  type InteractionEvent,
  type OrderInvalidatedEvent,
  type PreSignatureEvent,
  type SettlementEvent,
  type TokenTransfer,
  type TradeEvent,
} from "./settlement/decode_settlement_events.ts";
export type { EventLog, EventPlace, OtherEvent } from "./abis.ts";
export {
  decodeEthFlowCall,
  decodeEthFlowEvents,
  type EthFlowCall,
  type EthFlowEvent,
  type EthFlowOrder,
  type OrderInvalidationEvent,
  type OrderPlacementEvent,
  type OrderRefundEvent,
} from "./node/ethflow.ts";
export {
  type ComposableCowEvent,
  decodeComposableCowEvents,
  decodeTwap,
  type MerkleRootEvent,
  type ProgrammaticOrderEvent,
  programmaticOrderId,
  type ProgrammaticParams,
  type ProgrammaticParent,
  programmaticParent,
  type SwapGuardEvent,
  type TwapFault,
  twapFault,
  type TwapPart,
  twapParts,
  type TwapPartsOptions,
  type TwapTerms,
} from "./settlement/composable_cow.ts";
export {
  type ProgrammaticOrder,
  type ProgrammaticOrders,
  programmaticOrders,
  type ProgrammaticOrdersOptions,
} from "./node/programmatic_orders.ts";
export type {
  CachedRpcOptions,
  RpcAnswer,
  RpcCall,
  RpcFault,
  RpcNode,
  RpcOptions,
} from "./node/rpc_batches.ts";
export type { NodeSource } from "./node/node_source.ts";
export { blockTimes } from "./node/block_times.ts";
export { type OnchainToken, tokenDecimals, tokenFacts } from "./node/read_tokens.ts";
export type {
  Funding,
  FundingBalance,
  FundingQuestion,
  FundingReason,
  FundingUnknown,
} from "./node/block_at.ts";
export {
  fundingAt,
  type FundingOptions,
  type OrderAt,
  orderAt,
  type OrderRefusal,
  type OwnedOrder,
} from "./node/order_at.ts";
export type { AttemptBasis } from "./node/failed_settlements.ts";
export type { OnchainSettlement, SettlementLog } from "./node/read_settlement_logs.ts";
export { settlement } from "./node/read_settlement.ts";
export {
  settlementLogs,
  type SettlementLogsOptions,
  type SettlementRange,
} from "./node/settlement_windows.ts";
