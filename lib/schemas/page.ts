import { z } from "zod";
import { DecodeError, InputError } from "../errors/orderlens_error.ts";
import {
  type AppData,
  appData,
  appDataRegistration,
  decodeAppData,
  encodeAppData,
} from "./app_data.ts";
import { compileDecoder, INVALID } from "./codec/compile.ts";
import { type Decode, decode, type DecodeOptions, decodeWithZod, encode } from "./codec/codec.ts";
import { anything, hash32, orderUid, text } from "./codec/scalars.ts";
import { auction, competition, competitionV1 } from "./competition.ts";
import { competitionOrderStatus, debugReport } from "./debug_report.ts";
import { instance } from "./instance.ts";
import { type Order, order } from "./order.ts";
import { orderCancellation, orderCancellations, orderCreation } from "./order_creation.ts";
import { quoteRequest, quoteResponse } from "./quote.ts";
import {
  errorBody,
  nativePrice,
  type Notification,
  notification,
  tokenMetadata,
  totalSurplus,
} from "./service_facts.ts";
import { type Trade, trade } from "./trade.ts";

/** One element of a list that could not be decoded; the others are in {@linkcode Page.items}. */
export interface PageFailure {
  /** Index in the list, from 0. */
  index: number;
  /** The error. */
  error: DecodeError;
  /** The element as received. */
  body: unknown;
}

/** A decoded list: the valid elements in order, and the failures separately. */
export interface Page<T> {
  /** Elements that decoded. */
  items: readonly T[];
  /** Elements that did not decode. */
  failed: readonly PageFailure[];
}

const list: z.ZodType<readonly unknown[]> = z.array(anything);

function toPageDecoder<T>(element: z.ZodType<T>, noun: string): Decode<Page<T>> {
  return (body, options = {}) => {
    const items: T[] = [];
    const failures: PageFailure[] = [];
    const elements = Array.isArray(body) ? body : decode(list, body, `a list of ${noun}s`, options);
    const decodeElement = compileDecoder(element);
    for (let index = 0; index < elements.length; index++) {
      const value: unknown = elements[index];
      const item = decodeElement(value);
      if (item !== INVALID) {
        items.push(item as T);
        continue;
      }
      try {
        items.push(decodeWithZod(element, value, `${noun} ${index} of a list`, options));
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
        failures.push({ index, error, body: value });
      }
    }
    return { items, failed: failures };
  };
}

/**
 * Decodes a list of orders; an invalid element becomes a failure and does not affect the others.
 *
 * @throws {DecodeError} If the body is not a list.
 */
export const decodeOrders: Decode<Page<Order>> = toPageDecoder(order, "order");

/**
 * Decodes a list of trades; an invalid element becomes a failure and does not affect the others.
 *
 * @throws {DecodeError} If the body is not a list.
 * @example An invalid element does not affect the rest of a page
 * ```ts
 * import { decodeTrades } from "orderlens/schemas";
 * import { assertEquals } from "@std/assert";
 *
 * const trade = {
 *   blockNumber: 23_000_000,
 *   logIndex: 5,
 *   orderUid: `0x${"ab".repeat(56)}`,
 *   owner: `0x${"02".repeat(20)}`,
 *   sellToken: `0x${"aa".repeat(20)}`,
 *   buyToken: `0x${"bb".repeat(20)}`,
 *   sellAmount: "2000000000000000000",
 *   sellAmountBeforeFees: "2000000000000000000",
 *   buyAmount: "5000000000",
 *   txHash: null,
 * };
 * const { items, failed } = decodeTrades([trade, { ...trade, buyAmount: "5.5" }, trade]);
 *
 * assertEquals([items.length, failed.map(({ index }) => index)], [2, [1]]);
 * ```
 */
export const decodeTrades: Decode<Page<Trade>> = toPageDecoder(trade, "trade");

/**
 * Decodes a list of notifications; an invalid element becomes a failure and does not affect the
 * others.
 *
 * @throws {DecodeError} If the body is not a list.
 */
export const decodeNotifications: Decode<Page<Notification>> = toPageDecoder(
  notification,
  "notification",
);

/** One element of a response of `orders/by_uids`: the order, or the service's error for it. */
export interface OrderByUid {
  /** The order. */
  order?: Order;
  /** The reason why the service could not convert it. */
  error?: {
    /** UID of the order. */
    uid: string;
    /** The service's explanation. */
    description: string;
  };
}

const orderByUid: z.ZodType<OrderByUid> = z.looseObject({
  order: z.exactOptional(order),
  error: z.exactOptional(z.looseObject({ uid: orderUid, description: text })),
});

/**
 * Decodes a response of `orders/by_uids`: its elements in the order received, which is not the order
 * requested. An invalid element becomes a failure and does not affect the others.
 *
 * @throws {DecodeError} If the body is not a list.
 */
export const decodeOrdersByUids: Decode<Page<OrderByUid>> = toPageDecoder(orderByUid, "element");

const SCHEMAS = {
  app_data: appData,
  app_data_hash: hash32,
  app_data_registration: appDataRegistration,
  auction,
  competition_v1: competitionV1,
  competition_v2: competition,
  debug_report: debugReport,
  error: errorBody,
  instance,
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
  | "instance"
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

/**
 * Returns the schema of a kind.
 *
 * @throws {InputError} If there is no such kind.
 */
export function requireSchema(kind: WireKind): z.ZodType<unknown> {
  if (Object.hasOwn(SCHEMAS, kind)) return SCHEMAS[kind];
  throw new InputError(`There is no kind of wire object "${kind}"`, {
    facts: { kinds: WIRE_KINDS.join(", ") },
    remedy: "Pass one of these kinds",
  });
}

/**
 * Decodes a body of a kind that is only known at run time.
 *
 * @throws {DecodeError} If the body is not of that kind.
 */
export function decodeKind(kind: WireKind, body: unknown, options: DecodeOptions = {}): unknown {
  if (kind === "app_data") return decodeAppData(body, options);
  return decode(requireSchema(kind), body, kind.replaceAll("_", " "), options);
}

/**
 * Writes a record of a kind that is only known at run time; the inverse of {@linkcode decodeKind}.
 *
 * @throws {InputError} If the record is not of that kind.
 */
export function encodeKind(kind: WireKind, record: unknown): unknown {
  if (kind === "app_data") return encodeAppData(record as AppData);
  return encode(requireSchema(kind), record, kind.replaceAll("_", " "));
}
