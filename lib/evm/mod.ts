/**
 * Protocol rules of the chain: UIDs and digests of orders, their signing domain, signatures and
 * signers, the hash of an app data document, and decoded settlements.
 *
 * Knows the settlement contract's rules, but no route or record of the service; accepts any record
 * that has the signed fields under their wire names. The only room that imports viem.
 *
 * @module
 */
export { cancellationDigest, cancellationsDigest } from "./signing/cancellations_digest.ts";
export { computeOrderUid } from "./orders/compute_order_uid.ts";
export { hashAppData } from "./app_data/hash_app_data.ts";
export { orderDigest, type SignableOrder } from "./orders/order_digest.ts";
export { type OrderDomain, orderDomain, type OrderDomainOptions } from "./orders/order_domain.ts";
export { type OrderUidParts, packOrderUid, parseOrderUid } from "./orders/order_uid.ts";
export {
  recoverCancellationsSigner,
  type SignedCancellations,
} from "./signing/recover_cancellations_signer.ts";
export { recoverOrderSigner } from "./signing/recover_order_signer.ts";
export type { SignatureFields } from "./signing/recover_signer.ts";
export type {
  AccountAddress,
  OrderSigner,
  SigningAccount,
  TypedDataToSign,
  WalletProvider,
} from "./signing/order_signer.ts";
export {
  type CancellationsSignature,
  signCancellations,
  type SignCancellationsOptions,
} from "./signing/sign_cancellations.ts";
export { type OrderSignature, signOrder, type SignOrderOptions } from "./signing/sign_order.ts";
export { stringifyAppData } from "./app_data/stringify_app_data.ts";
export {
  type DecodedSettlement,
  decodeSettlement,
  type SettlementInteraction,
  type SettlementTrade,
} from "./settlement/decode_settlement.ts";
export { encodeSettlement, type SettlementCall } from "./settlement/encode_settlement.ts";
export type { TradeFlags } from "./settlement/trade_flags.ts";
export {
  type DecodedEvent,
  decodeSettlementEvents,
  type EventLog,
  type EventPlace,
  type InteractionEvent,
  type OrderInvalidatedEvent,
  type OtherEvent,
  type PreSignatureEvent,
  type SettlementEvent,
  type TradeEvent,
} from "./settlement/decode_settlement_events.ts";
export type { TokenTransfer } from "./settlement/token_transfers.ts";
export { tradeOrderUid } from "./settlement/trade_order_uid.ts";
export {
  decodeEthFlowEvents,
  type EthFlowEvent,
  type OrderInvalidationEvent,
  type OrderPlacementEvent,
  type OrderRefundEvent,
} from "./ethflow/decode_ethflow_events.ts";
export {
  decodeEthFlowCall,
  type EthFlowCall,
  type EthFlowOrder,
} from "./ethflow/decode_ethflow_call.ts";
export type { RpcAnswer, RpcCall, RpcNode } from "./node/json_rpc.ts";
export type { CachedRpcOptions, RpcOptions } from "./node/rpc_options.ts";
export type { NodeSource } from "./node/node_source.ts";
export { blockTimes } from "./node/block_times.ts";
export type { OnchainToken } from "./node/read_tokens.ts";
export { tokenFacts } from "./node/token_facts.ts";
export { tokenDecimals } from "./node/token_decimals.ts";
export type {
  Funding,
  FundingBalance,
  FundingQuestion,
  FundingReason,
  FundingUnknown,
} from "./node/funding.ts";
export { fundingAt, type FundingOptions } from "./node/funding_at.ts";
export { type OrderAt, orderAt, type OrderRefusal, type OwnedOrder } from "./node/order_at.ts";
export type { OnchainSettlement } from "./node/onchain_settlement.ts";
export { settlement } from "./node/settlement.ts";
export type { SettlementLog } from "./node/read_settlement_logs.ts";
export {
  settlementLogs,
  type SettlementLogsOptions,
  type SettlementRange,
} from "./node/settlement_logs.ts";
