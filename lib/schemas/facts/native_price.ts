import { z } from "zod";
import type { Decimal } from "../../units/decimal.ts";
import { decode, type DecodeOptions } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import { numberAsDecimal } from "../codec/scalars.ts";

/** The answer of `token/{token}/native_price`. */
export interface NativePrice {
  /** Native atoms per atom of the token; the exact decimal that the service printed. */
  price: Decimal;
}

/** Schema of {@linkcode NativePrice}. */
export const nativePrice: z.ZodType<NativePrice> = z.looseObject({ price: numberAsDecimal });

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
export function decodeNativePrice(body: unknown, options: DecodeOptions = {}): NativePrice {
  return decode(nativePrice, body, "a native price", options);
}

/**
 * Writes a native price in its wire format; the inverse of {@linkcode decodeNativePrice}.
 *
 * @throws {InputError} If the record is not a complete native price.
 */
export function encodeNativePrice(record: NativePrice): unknown {
  return encode(nativePrice, record, "a native price");
}
