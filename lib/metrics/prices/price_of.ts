import type { CompetitionAuction } from "../../schemas/mod.ts";
import { valueByHex } from "../../units/value_by_hex.ts";

/** The native price of a token in an auction; the letter case of its address does not matter. */
export function priceOf(
  { prices }: Pick<CompetitionAuction, "prices">,
  token: string,
): bigint | undefined {
  return valueByHex(prices, token);
}
