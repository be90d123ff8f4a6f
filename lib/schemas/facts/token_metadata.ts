import { z } from "zod";
import { atoms } from "../codec/atoms.ts";
import { decode, type DecodeOptions } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import { integer } from "../codec/scalars.ts";

/** The answer of `token/{token}/metadata`; it has neither decimals nor a symbol. */
export interface TokenMetadata {
  /** Block of the first trade; `null` when it was never traded. */
  firstTradeBlock: number | null;
  /** Native atoms per 10^18 token atoms; `null` when unknown. */
  nativePrice: bigint | null;
}

/** Schema of {@linkcode TokenMetadata}. */
export const tokenMetadata: z.ZodType<TokenMetadata> = z.looseObject({
  firstTradeBlock: z.nullable(integer),
  nativePrice: z.nullable(atoms),
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
export function decodeTokenMetadata(body: unknown, options: DecodeOptions = {}): TokenMetadata {
  return decode(tokenMetadata, body, "token metadata", options);
}

/**
 * Writes token metadata in its wire format; the inverse of {@linkcode decodeTokenMetadata}.
 *
 * @throws {InputError} If the record is not complete.
 */
export function encodeTokenMetadata(record: TokenMetadata): unknown {
  return encode(tokenMetadata, record, "token metadata");
}
