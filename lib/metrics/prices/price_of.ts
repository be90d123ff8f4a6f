import type { CompetitionAuction } from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";

/** The native price of a token in an auction, whatever the case of its address. */
export function priceOf(
  { prices }: Pick<CompetitionAuction, "prices">,
  token: string,
): bigint | undefined {
  if (Object.hasOwn(prices, token)) return prices[token];
  return Object.entries(prices).find(([each]) => sameHex(each, token))?.[1];
}
