import { z } from "zod";
import { type Decode, type Encode, toDecoder, toEncoder, type Unknown } from "./codec/codec.ts";
import * as wire from "./codec/scalars.ts";
import {
  type BuyTokenDestination,
  buyTokenDestination,
  type OrderKind,
  orderKind,
  type SellTokenSource,
  sellTokenSource,
  type SigningScheme,
  signingScheme,
} from "./order.ts";

/** A signed order, the body of `POST orders`; the response is its UID. */
export interface OrderCreation {
  /** Token to sell. */
  sellToken: string;
  /** Token to buy. */
  buyToken: string;
  /** Receiver of the buy token; `null` or absent means the owner. */
  receiver?: string | null;
  /** Limit amount to sell, in sell-token atoms. */
  sellAmount: bigint;
  /** Limit amount to buy, in buy-token atoms. */
  buyAmount: bigint;
  /** Expiry, in unix seconds. */
  validTo: number;
  /** Legacy signed fee, in sell-token atoms; the service accepts only `0n`. */
  feeAmount: bigint;
  /** The amount that is fixed. */
  kind: OrderKind;
  /** Whether it may be partially filled. */
  partiallyFillable: boolean;
  /** Source of the sell token. @default {"erc20"} */
  sellTokenBalance?: SellTokenSource;
  /** Destination of the buy token. @default {"erc20"} */
  buyTokenBalance?: BuyTokenDestination;
  /** Signing scheme. */
  signingScheme: SigningScheme;
  /** The signature; `0x` for `presign`. */
  signature: string;
  /** The app data document as text, or its hash. */
  appData: string;
  /** Hash of the document, checked by the service against `appData`. */
  appDataHash?: string | null;
  /** Account that signed; lets the service detect a wrong signature early. */
  from?: string | null;
  /** Quote that the order is placed with. */
  quoteId?: number | null;
  /** Whether to check the whole balance at placement. @default {false} */
  fullBalanceCheck?: boolean;
}

export const orderCreation: z.ZodType<OrderCreation> = z.looseObject({
  sellToken: wire.address,
  buyToken: wire.address,
  receiver: z.exactOptional(z.nullable(wire.address)),
  sellAmount: wire.atoms,
  buyAmount: wire.atoms,
  validTo: wire.unixSeconds,
  feeAmount: wire.atoms,
  kind: orderKind,
  partiallyFillable: wire.boolean,
  sellTokenBalance: z.exactOptional(sellTokenSource),
  buyTokenBalance: z.exactOptional(buyTokenDestination),
  signingScheme,
  signature: wire.bytes,
  appData: wire.appDataField,
  appDataHash: z.exactOptional(z.nullable(wire.hash32)),
  from: z.exactOptional(z.nullable(wire.address)),
  quoteId: z.exactOptional(z.nullable(wire.integer)),
  fullBalanceCheck: z.exactOptional(wire.boolean),
});

/**
 * Decodes the body of an order creation.
 *
 * @throws {DecodeError} If the body is not a signed order.
 * @example A sale that its owner signs on-chain
 * ```ts
 * import { decodeOrderCreation, encodeOrderCreation } from "orderlens/schemas";
 * import { assertEquals } from "@std/assert";
 *
 * const body = {
 *   sellToken: `0x${"aa".repeat(20)}`,
 *   buyToken: `0x${"bb".repeat(20)}`,
 *   sellAmount: "1000000000000000000",
 *   buyAmount: "2500000000",
 *   validTo: 1795275000,
 *   feeAmount: "0",
 *   kind: "sell",
 *   partiallyFillable: true,
 *   signingScheme: "presign",
 *   signature: "0x",
 *   from: `0x${"02".repeat(20)}`,
 *   appData: "{}",
 * };
 * const creation = decodeOrderCreation(body);
 *
 * assertEquals(creation.sellAmount, 10n ** 18n);
 * assertEquals(encodeOrderCreation(creation), body);
 * ```
 */
export const decodeOrderCreation: Decode<OrderCreation> = toDecoder(
  orderCreation,
  "an order to create",
);

/**
 * Writes a signed order in its wire format; the inverse of {@linkcode decodeOrderCreation}.
 *
 * @throws {InputError} If the record is not a complete signed order.
 */
export const encodeOrderCreation: Encode<OrderCreation> = toEncoder(
  orderCreation,
  "an order to create",
);

/**
 * Decodes the response to an order creation: the UID, as text.
 *
 * @throws {DecodeError} If the body is not an order UID.
 */
export const decodeOrderUid: Decode<string> = toDecoder(wire.orderUid, "an order UID");

/** Signing scheme of a cancellation. */
export type EcdsaSigningScheme = "eip712" | "ethsign" | Unknown;

/** The signed cancellation of one order, for the old `DELETE orders/{uid}`. */
export interface OrderCancellation {
  /** Signature of the owner over the UID. */
  signature: string;
  /** Signing scheme. */
  signingScheme: EcdsaSigningScheme;
}

/** The signed cancellation of several orders: one signature covers the whole list. */
export interface OrderCancellations extends OrderCancellation {
  /** Orders to cancel, at most 128. */
  orderUids: readonly string[];
}

const ecdsaSigningScheme: z.ZodType<EcdsaSigningScheme> = wire.openEnum(["eip712", "ethsign"]);

export const orderCancellation: z.ZodType<OrderCancellation> = z.looseObject({
  signature: wire.bytes,
  signingScheme: ecdsaSigningScheme,
});

export const orderCancellations: z.ZodType<OrderCancellations> = z.looseObject({
  orderUids: z.array(wire.orderUid),
  signature: wire.bytes,
  signingScheme: ecdsaSigningScheme,
});

/**
 * Decodes the signed cancellation of several orders.
 *
 * @throws {DecodeError} If the body is not such a cancellation.
 * @example One signature for a list of orders
 * ```ts
 * import { decodeOrderCancellations } from "orderlens/schemas";
 * import { assertEquals } from "@std/assert";
 *
 * const { orderUids, signingScheme } = decodeOrderCancellations({
 *   orderUids: [`0x${"ab".repeat(56)}`],
 *   signature: `0x${"11".repeat(65)}`,
 *   signingScheme: "eip712",
 * });
 *
 * assertEquals([orderUids.length, signingScheme], [1, "eip712"]);
 * ```
 */
export const decodeOrderCancellations: Decode<OrderCancellations> = toDecoder(
  orderCancellations,
  "order cancellations",
);

/**
 * Writes a cancellation in its wire format; the inverse of {@linkcode decodeOrderCancellations}.
 *
 * @throws {InputError} If the record is not a complete cancellation.
 */
export const encodeOrderCancellations: Encode<OrderCancellations> = toEncoder(
  orderCancellations,
  "order cancellations",
);
