import { z } from "zod";
import { decode, type DecodeOptions } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import { anything, text } from "../codec/scalars.ts";

/** An error explained by the service. */
export interface ServiceErrorBody {
  /** Type of the error, such as `InsufficientBalance`; an open set. */
  errorType: string;
  /** The service's explanation; may be empty. */
  description: string;
  /** Additional data of some errors, such as `fee_amount` of `SellAmountDoesNotCoverFee`. */
  data?: unknown;
}

/**
 * The body of an answer that is not a success: an explained error, or any text of a framework or a
 * proxy, which may be empty or HTML.
 */
export type ErrorBody = ServiceErrorBody | string;

/** Schema of {@linkcode ErrorBody}. */
export const errorBody: z.ZodType<ErrorBody> = z.union([
  z.looseObject({
    errorType: text,
    description: text,
    data: z.exactOptional(anything),
  }),
  text,
]);

/**
 * Decodes the body of an error answer: the parsed JSON, or the text itself if it is not JSON.
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
export function decodeErrorBody(body: unknown, options: DecodeOptions = {}): ErrorBody {
  return decode(errorBody, body, "an error body", options);
}

/**
 * Writes an error body in its wire format; the inverse of {@linkcode decodeErrorBody}.
 *
 * @throws {InputError} If the record is not an error body.
 */
export function encodeErrorBody(record: ErrorBody): unknown {
  return encode(errorBody, record, "an error body");
}
