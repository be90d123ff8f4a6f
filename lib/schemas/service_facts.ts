import { z } from "zod";
import type { Decimal } from "../units/decimal.ts";
import { type Decode, type Encode, toDecoder, toEncoder, type Unknown } from "./codec/codec.ts";
import * as wire from "./codec/scalars.ts";

/** The notification types that the interface names. */
export const NOTIFICATION_TYPES = [
  "order_filled",
  "order_expired",
  "order_cancelled",
  "order_partially_filled",
  "insufficient_balance",
  "price_improvement",
] as const;

/** The notification types that the interface names. */
export type KnownNotificationType = typeof NOTIFICATION_TYPES[number];

/** Type of a notification. */
export type NotificationType = KnownNotificationType | Unknown;

/** A notification as the interface document describes it. */
export interface TypedNotification {
  /** Id. */
  id: string | number;
  /** Account it is for. */
  account: string;
  /** Type. */
  type: NotificationType;
  /** Text for a person. */
  message: string;
  /** Time of creation. */
  timestamp: Temporal.Instant;
  /** Data specific to its type. */
  metadata?: unknown;
}

/** A notification as the notification service sends it today. */
export interface PublishedNotification {
  /** Id. */
  id: string | number;
  /** Account it is for. */
  account: string;
  /** Headline. */
  title: string;
  /** Text for a person. */
  description: string;
  /** Time of publication. */
  createdAt: Temporal.Instant;
  /** Link. */
  url?: string | null;
  /** Picture. */
  thumbnail?: string | null;
}

/** A notification of an account, in either form. */
export type Notification = TypedNotification | PublishedNotification;

const id = z.union([wire.integer, wire.text]);

const typedNotification: z.ZodType<TypedNotification> = z.looseObject({
  id,
  account: wire.address,
  type: wire.openEnum(NOTIFICATION_TYPES),
  message: wire.text,
  timestamp: wire.instant,
  metadata: z.exactOptional(wire.anything),
});

const publishedNotification: z.ZodType<PublishedNotification> = z.looseObject({
  id,
  account: wire.address,
  title: wire.text,
  description: wire.text,
  createdAt: wire.instant,
  url: z.exactOptional(z.nullable(wire.text)),
  thumbnail: z.exactOptional(z.nullable(wire.text)),
});

export const notification: z.ZodType<Notification> = z.union([
  typedNotification,
  publishedNotification,
]);

/**
 * Decodes a notification, in the format of the API specification or in that of the current service.
 *
 * @throws {DecodeError} If the body is neither.
 * @example A filled order
 * ```ts
 * import { decodeNotification } from "orderlens/schemas";
 * import { assertEquals } from "@std/assert";
 *
 * const notification = decodeNotification({
 *   id: 1,
 *   account: `0x${"02".repeat(20)}`,
 *   type: "order_filled",
 *   message: "Your order was filled",
 *   timestamp: "2026-11-21T15:00:04Z",
 *   metadata: { orderUid: `0x${"ab".repeat(56)}` },
 * });
 *
 * assertEquals("type" in notification && notification.type, "order_filled");
 * ```
 */
export const decodeNotification: Decode<Notification> = toDecoder(notification, "a notification");

/**
 * Writes a notification in its wire format; the inverse of {@linkcode decodeNotification}.
 *
 * @throws {InputError} If the record is not a complete notification.
 */
export const encodeNotification: Encode<Notification> = toEncoder(notification, "a notification");

/** An error explained by the service. */
export interface ServiceErrorBody {
  /** Type of the error, such as `InsufficientBalance`; an open set. */
  errorType: string;
  /** The service's explanation; may be empty. Absent if the service gives none. */
  description?: string | null;
  /** Additional data of some errors, such as `fee_amount` of `SellAmountDoesNotCoverFee`. */
  data?: unknown;
}

/**
 * The body of a response that is not a success: an explained error, or any text of a framework or a
 * proxy, which may be empty or HTML.
 */
export type ErrorBody = ServiceErrorBody | string;

export const errorBody: z.ZodType<ErrorBody> = z.union([
  z.looseObject({
    errorType: wire.text,
    description: z.exactOptional(z.nullable(wire.text)),
    data: z.exactOptional(wire.anything),
  }),
  wire.text,
]);

/**
 * Decodes the body of an error response: the parsed JSON, or the text itself if it is not JSON.
 *
 * @throws {DecodeError} If the body is JSON, but not an error of the service.
 * @example The service explains itself in JSON or in plain text
 * ```ts
 * import { decodeErrorBody } from "orderlens/schemas";
 * import { assertEquals } from "@std/assert";
 *
 * const error = decodeErrorBody({ errorType: "ZeroAmount", description: "sell amount is zero" });
 *
 * assertEquals(typeof error === "object" && error.errorType, "ZeroAmount");
 * assertEquals(decodeErrorBody("full app data not found"), "full app data not found");
 * ```
 */
export const decodeErrorBody: Decode<ErrorBody> = toDecoder(errorBody, "an error body");

/**
 * Writes an error body in its wire format; the inverse of {@linkcode decodeErrorBody}.
 *
 * @throws {InputError} If the record is not an error body.
 */
export const encodeErrorBody: Encode<ErrorBody> = toEncoder(errorBody, "an error body");

/** The response of `token/{token}/native_price`. */
export interface NativePrice {
  /** Native atoms per atom of the token; the exact decimal that the service printed. */
  price: Decimal;
}

export const nativePrice: z.ZodType<NativePrice> = z.looseObject({ price: wire.numberAsDecimal });

/**
 * Decodes a native price.
 *
 * @throws {DecodeError} If the body is not a native price.
 * @example An atom of USDC costs more wei than an atom of WETH
 * ```ts
 * import { decodeNativePrice } from "orderlens/schemas";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(String(decodeNativePrice({ price: 412345678.901234 }).price), "412345678.901234");
 * ```
 */
export const decodeNativePrice: Decode<NativePrice> = toDecoder(nativePrice, "a native price");

/**
 * Writes a native price in its wire format; the inverse of {@linkcode decodeNativePrice}.
 *
 * @throws {InputError} If the record is not a complete native price.
 */
export const encodeNativePrice: Encode<NativePrice> = toEncoder(nativePrice, "a native price");

/** The response of `token/{token}/metadata`; it has neither decimals nor a symbol. */
export interface TokenMetadata {
  /** Block of the first trade; `null` when it was never traded. */
  firstTradeBlock: number | null;
  /** Native atoms per 10^18 token atoms; `null` when unknown. */
  nativePrice: bigint | null;
}

export const tokenMetadata: z.ZodType<TokenMetadata> = z.looseObject({
  firstTradeBlock: z.nullable(wire.integer),
  nativePrice: z.nullable(wire.atoms),
});

/**
 * Decodes the metadata of a token.
 *
 * @throws {DecodeError} If the body does not match.
 * @example A token that was never traded
 * ```ts
 * import { decodeTokenMetadata } from "orderlens/schemas";
 * import { assertEquals } from "@std/assert";
 *
 * const metadata = decodeTokenMetadata({ firstTradeBlock: null, nativePrice: null });
 * assertEquals(metadata, { firstTradeBlock: null, nativePrice: null });
 * ```
 */
export const decodeTokenMetadata: Decode<TokenMetadata> = toDecoder(
  tokenMetadata,
  "token metadata",
);

/**
 * Writes token metadata in its wire format; the inverse of {@linkcode decodeTokenMetadata}.
 *
 * @throws {InputError} If the record is not complete.
 */
export const encodeTokenMetadata: Encode<TokenMetadata> = toEncoder(
  tokenMetadata,
  "token metadata",
);

/** The response of `users/{account}/total_surplus`. */
export interface TotalSurplus {
  /**
   * Surplus of all fills since March 2023 over the limit price, in wei. An estimate: the service
   * sums doubles and may count orders with several fills twice.
   */
  totalSurplus: bigint;
}

export const totalSurplus: z.ZodType<TotalSurplus> = z.looseObject({ totalSurplus: wire.atoms });

/**
 * Decodes an account's total surplus.
 *
 * @throws {DecodeError} If the body is not a total surplus.
 * @example Wei
 * ```ts
 * import { decodeTotalSurplus } from "orderlens/schemas";
 * import { assertEquals } from "@std/assert";
 *
 * const { totalSurplus } = decodeTotalSurplus({ totalSurplus: "1214535409241168128" });
 * assertEquals(totalSurplus, 1214535409241168128n);
 * ```
 */
export const decodeTotalSurplus: Decode<TotalSurplus> = toDecoder(totalSurplus, "a total surplus");

/**
 * Writes a total surplus in its wire format; the inverse of {@linkcode decodeTotalSurplus}.
 *
 * @throws {InputError} If the record is not a complete total surplus.
 */
export const encodeTotalSurplus: Encode<TotalSurplus> = toEncoder(totalSurplus, "a total surplus");

/** The result of simulating an order, for partners. */
export interface OrderSimulation {
  /** The transaction that was simulated, as a request to Tenderly, unchanged. */
  tenderlyRequest: unknown;
  /** Reason of the revert; `null` or absent if it does not revert. */
  error?: string | null;
  /** A page about it; absent on most deployments. */
  tenderlyUrl?: string | null;
}

const simulation: z.ZodType<OrderSimulation> = z.looseObject({
  tenderlyRequest: wire.anything,
  error: z.exactOptional(z.nullable(wire.text)),
  tenderlyUrl: z.exactOptional(z.nullable(wire.text)),
});

const readSimulation: Decode<OrderSimulation> = toDecoder(simulation, "a simulation");

/**
 * Decodes a response about the simulation of an order. The specification calls the request
 * `tenderly_request`, services `tenderlyRequest`.
 *
 * @throws {DecodeError} If the body is not such a response.
 */
export function decodeOrderSimulation(
  ...[body, options]: Parameters<Decode<OrderSimulation>>
): OrderSimulation {
  const { tenderly_request: tenderlyRequest, ...fields } = Object(body);
  return readSimulation(
    tenderlyRequest === undefined ? body : { ...fields, tenderlyRequest },
    options,
  );
}
