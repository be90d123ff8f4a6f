import { z } from "zod";
import { decode, type DecodeOptions } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import { hash32 } from "../codec/hex.ts";
import { text } from "../codec/scalars.ts";

/** A whole document as `GET app_data/{hash}` answers and `PUT app_data` takes it. */
export interface AppDataRegistration {
  /** The document, exactly as it was hashed. */
  fullAppData: string;
}

/** Schema of {@linkcode AppDataRegistration}. */
export const appDataRegistration: z.ZodType<AppDataRegistration> = z.looseObject({
  fullAppData: text,
});

/**
 * Decodes an answer of `GET app_data/{hash}` or a body of `PUT app_data`.
 *
 * @throws {DecodeError} If the body does not match.
 */
export function decodeAppDataRegistration(
  body: unknown,
  options: DecodeOptions = {},
): AppDataRegistration {
  return decode(appDataRegistration, body, "an app data registration", options);
}

/**
 * Writes an app data registration in its wire format; the inverse of
 * {@linkcode decodeAppDataRegistration}.
 *
 * @throws {InputError} If the record does not match.
 */
export function encodeAppDataRegistration(record: AppDataRegistration): unknown {
  return encode(appDataRegistration, record, "an app data registration");
}

/**
 * Decodes the answer of `PUT app_data`: the hash of the document, as text.
 *
 * @throws {DecodeError} If the body is not a 32-byte hash.
 */
export function decodeAppDataHash(body: unknown, options: DecodeOptions = {}): string {
  return decode(hash32, body, "an app data hash", options);
}
