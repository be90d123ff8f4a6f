/**
 * Protocol rules of the chain: UIDs and digests of orders, their signing domain, signatures and
 * signers, the hash of an app data document, and decoded settlements.
 *
 * Knows the settlement contract's rules, but no route or record of the service; accepts any record
 * that has the signed fields under their wire names. The only room that imports viem.
 *
 * @module
 */
export { cancellationDigest, cancellationsDigest } from "./cancellations_digest.ts";
export { computeOrderUid } from "./compute_order_uid.ts";
export { hashAppData } from "./hash_app_data.ts";
export { orderDigest, type SignableOrder } from "./order_digest.ts";
export { type OrderDomain, orderDomain, type OrderDomainOptions } from "./order_domain.ts";
export { type OrderUidParts, packOrderUid, parseOrderUid } from "./order_uid.ts";
export {
  recoverCancellationsSigner,
  type SignedCancellations,
} from "./recover_cancellations_signer.ts";
export { recoverOrderSigner } from "./recover_order_signer.ts";
export type { SignatureFields } from "./recover_signer.ts";
export type {
  AccountAddress,
  OrderSigner,
  SigningAccount,
  TypedDataToSign,
  WalletProvider,
} from "./order_signer.ts";
export {
  type CancellationsSignature,
  signCancellations,
  type SignCancellationsOptions,
} from "./sign_cancellations.ts";
export { type OrderSignature, signOrder, type SignOrderOptions } from "./sign_order.ts";
export { stringifyAppData } from "./stringify_app_data.ts";
export {
  type DecodedSettlement,
  decodeSettlement,
  type SettlementInteraction,
  type SettlementTrade,
} from "./decode_settlement.ts";
export type { TradeFlags } from "./trade_flags.ts";
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
} from "./decode_settlement_events.ts";
export { tradeOrderUid } from "./trade_order_uid.ts";
export type { RpcOptions } from "./json_rpc.ts";
export { tokenDecimals } from "./token_decimals.ts";
export { type OnchainSettlement, settlement } from "./settlement.ts";
