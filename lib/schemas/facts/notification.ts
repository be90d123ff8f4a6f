import { z } from "zod";
import { decode, type DecodeOptions } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import { address } from "../codec/hex.ts";
import type { Unknown } from "../codec/unknown_word.ts";
import { anything, instant, integer, openEnum, text } from "../codec/scalars.ts";

/** The notification types that the interface names. */
export type KnownNotificationType =
  | "order_filled"
  | "order_expired"
  | "order_cancelled"
  | "order_partially_filled"
  | "insufficient_balance"
  | "price_improvement";
const TYPES: readonly KnownNotificationType[] = [
  "order_filled",
  "order_expired",
  "order_cancelled",
  "order_partially_filled",
  "insufficient_balance",
  "price_improvement",
];
/** Type of a notification. */
export type NotificationType = KnownNotificationType | Unknown;

/** Narrows a notification type to the known ones. */
export function isNotificationType(value: string): value is KnownNotificationType {
  return (TYPES as readonly string[]).includes(value);
}

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
  /** When it was created. */
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
  /** When it was published. */
  createdAt: Temporal.Instant;
  /** Link. */
  url?: string | null;
  /** Picture. */
  thumbnail?: string | null;
}

/** A notification of an account, in either form. */
export type Notification = TypedNotification | PublishedNotification;

const id = z.union([integer, text]);

const typedNotification: z.ZodType<TypedNotification> = z.looseObject({
  id,
  account: address,
  type: openEnum(TYPES),
  message: text,
  timestamp: instant,
  metadata: z.exactOptional(anything),
});

const publishedNotification: z.ZodType<PublishedNotification> = z.looseObject({
  id,
  account: address,
  title: text,
  description: text,
  createdAt: instant,
  url: z.exactOptional(z.nullable(text)),
  thumbnail: z.exactOptional(z.nullable(text)),
});

/** Schema of {@linkcode Notification}. */
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
export function decodeNotification(body: unknown, options: DecodeOptions = {}): Notification {
  return decode(notification, body, "a notification", options);
}

/**
 * Writes a notification in its wire format; the inverse of {@linkcode decodeNotification}.
 *
 * @throws {InputError} If the record is not a complete notification.
 */
export function encodeNotification(record: Notification): unknown {
  return encode(notification, record, "a notification");
}
