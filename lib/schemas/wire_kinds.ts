import type { z } from "zod";
import { appData } from "./app_data/app_data.ts";
import { appDataRegistration } from "./app_data/app_data_registration.ts";
import { auction } from "./auctions/auction.ts";
import { competition } from "./auctions/competition.ts";
import { competitionV1 } from "./auctions/competition_v1.ts";
import { debugReport } from "./orders/debug_report.ts";
import { decode, type DecodeOptions } from "./codec/decode.ts";
import { encode } from "./codec/encode.ts";
import { errorBody } from "./facts/error_body.ts";
import { hash32, orderUid } from "./codec/hex.ts";
import { nativePrice } from "./facts/native_price.ts";
import { notification } from "./facts/notification.ts";
import { order } from "./orders/order.ts";
import { orderCancellation, orderCancellations } from "./orders/order_cancellations.ts";
import { orderCreation } from "./orders/order_creation.ts";
import { competitionOrderStatus } from "./orders/order_status.ts";
import { orderByUid } from "./page.ts";
import { quoteRequest } from "./quotes/quote_request.ts";
import { quoteResponse } from "./quotes/quote_response.ts";
import { text } from "./codec/scalars.ts";
import { tokenMetadata } from "./facts/token_metadata.ts";
import { totalSurplus } from "./facts/total_surplus.ts";
import { trade } from "./trades/trade.ts";

const SCHEMAS = {
  app_data: appData,
  app_data_hash: hash32,
  app_data_registration: appDataRegistration,
  auction,
  competition_v1: competitionV1,
  competition_v2: competition,
  debug_report: debugReport,
  error: errorBody,
  native_price: nativePrice,
  notification,
  order,
  order_by_uid: orderByUid,
  order_cancellation: orderCancellation,
  order_cancellations: orderCancellations,
  order_creation: orderCreation,
  order_status: competitionOrderStatus,
  order_uid: orderUid,
  quote_request: quoteRequest,
  quote_response: quoteResponse,
  text,
  token_metadata: tokenMetadata,
  total_surplus: totalSurplus,
  trade,
} satisfies Record<WireKind, z.ZodType<unknown>>;

/** The name of a wire object, for tools that take bodies of many kinds. */
export type WireKind =
  | "app_data"
  | "app_data_hash"
  | "app_data_registration"
  | "auction"
  | "competition_v1"
  | "competition_v2"
  | "debug_report"
  | "error"
  | "native_price"
  | "notification"
  | "order"
  | "order_by_uid"
  | "order_cancellation"
  | "order_cancellations"
  | "order_creation"
  | "order_status"
  | "order_uid"
  | "quote_request"
  | "quote_response"
  | "text"
  | "token_metadata"
  | "total_surplus"
  | "trade";

/** Every kind of wire object. */
export const WIRE_KINDS: readonly WireKind[] = Object.keys(SCHEMAS) as WireKind[];

/** The declaration of a kind. */
export function schemaOfKind(kind: WireKind): z.ZodType<unknown> {
  return SCHEMAS[kind];
}

/**
 * Decodes a body of a kind that is only known at run time.
 *
 * @throws {DecodeError} If the body is not of that kind.
 */
export function decodeKind(kind: WireKind, body: unknown, options: DecodeOptions = {}): unknown {
  return decode(SCHEMAS[kind] as z.ZodType<unknown>, body, kind.replaceAll("_", " "), options);
}

/**
 * Writes a record of a kind that is only known at run time; the inverse of {@linkcode decodeKind}.
 *
 * @throws {InputError} If the record is not of that kind.
 */
export function encodeKind(kind: WireKind, record: unknown): unknown {
  return encode(SCHEMAS[kind] as z.ZodType<unknown>, record, kind.replaceAll("_", " "));
}
