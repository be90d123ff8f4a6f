import { z } from "zod";
import { atoms } from "../codec/atoms.ts";
import { decode, type DecodeOptions } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";

/** The answer of `users/{account}/total_surplus`. */
export interface TotalSurplus {
  /**
   * Surplus of all fills since March 2023 over the limit price, in wei. An estimate: the service
   * sums doubles and may count orders with several fills twice.
   */
  totalSurplus: bigint;
}

/** Schema of {@linkcode TotalSurplus}. */
export const totalSurplus: z.ZodType<TotalSurplus> = z.looseObject({ totalSurplus: atoms });

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
export function decodeTotalSurplus(body: unknown, options: DecodeOptions = {}): TotalSurplus {
  return decode(totalSurplus, body, "a total surplus", options);
}

/**
 * Writes a total surplus in its wire format; the inverse of {@linkcode decodeTotalSurplus}.
 *
 * @throws {InputError} If the record is not a complete total surplus.
 */
export function encodeTotalSurplus(record: TotalSurplus): unknown {
  return encode(totalSurplus, record, "a total surplus");
}
