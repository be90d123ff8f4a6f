import { z } from "zod";
import { decode, type DecodeOptions } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import { bytes, orderUid } from "../codec/hex.ts";
import type { Unknown } from "../codec/unknown_word.ts";
import { openEnum } from "../codec/scalars.ts";

/** How a cancellation is signed. */
export type EcdsaSigningScheme = "eip712" | "ethsign" | Unknown;

/** The signed cancellation of one order, for the old `DELETE orders/{uid}`. */
export interface OrderCancellation {
  /** Signature of the owner over the UID. */
  signature: string;
  /** How it is signed. */
  signingScheme: EcdsaSigningScheme;
}

/** The signed cancellation of several orders: one signature covers the whole list. */
export interface OrderCancellations extends OrderCancellation {
  /** Orders to cancel, at most 128. */
  orderUids: readonly string[];
}

const ecdsaSigningScheme: z.ZodType<EcdsaSigningScheme> = openEnum(["eip712", "ethsign"]);

/** Schema of {@linkcode OrderCancellation}. */
export const orderCancellation: z.ZodType<OrderCancellation> = z.looseObject({
  signature: bytes,
  signingScheme: ecdsaSigningScheme,
});

/** Schema of {@linkcode OrderCancellations}. */
export const orderCancellations: z.ZodType<OrderCancellations> = z.looseObject({
  orderUids: z.array(orderUid),
  signature: bytes,
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
export function decodeOrderCancellations(
  body: unknown,
  options: DecodeOptions = {},
): OrderCancellations {
  return decode(orderCancellations, body, "order cancellations", options);
}

/**
 * Writes a cancellation in its wire format; the inverse of {@linkcode decodeOrderCancellations}.
 *
 * @throws {InputError} If the record is not a complete cancellation.
 */
export function encodeOrderCancellations(record: OrderCancellations): unknown {
  return encode(orderCancellations, record, "order cancellations");
}
