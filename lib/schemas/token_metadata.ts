import { z } from "zod";
import { atoms } from "./atoms.ts";
import { decode, type DecodeOptions } from "./decode.ts";
import { encode } from "./encode.ts";
import { integer } from "./scalars.ts";

/** The answer of `token/{token}/metadata`; it has neither decimals nor a symbol. */
export interface TokenMetadata {
  /** Block of the first trade; `null` when it was never traded. */
  firstTradeBlock: number | null;
  /** Native atoms per 10^18 of the token's atoms; `null` when unknown. */
  nativePrice: bigint | null;
}

/** Declares {@linkcode TokenMetadata}. */
export const tokenMetadata: z.ZodType<TokenMetadata> = z.looseObject({
  firstTradeBlock: z.nullable(integer),
  nativePrice: z.nullable(atoms),
});

/**
 * Decodes what the service knows of a token.
 *
 * @throws {DecodeError} If the body is not that.
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
 * Writes token metadata as the wire has it; the reverse of {@linkcode decodeTokenMetadata}.
 *
 * @throws {InputError} If the record is not whole.
 */
export function encodeTokenMetadata(record: TokenMetadata): unknown {
  return encode(tokenMetadata, record, "token metadata");
}
