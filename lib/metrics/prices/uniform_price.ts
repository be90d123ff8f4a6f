import { sameHex } from "../../units/mod.ts";

/** The prices of a settlement, by index. A decoded settlement has them. */
export interface ClearingPrices {
  /** Tokens; one can occur more than once. */
  readonly tokens: readonly string[];
  /** Price of the token at the same index; only ratios of prices have a meaning. */
  readonly clearingPrices: readonly bigint[];
}

/**
 * The uniform clearing price of a token in a settlement: the price at the token's *first* index.
 *
 * Later indices of the same token have the prices of single trades after their fees.
 *
 * @param settlement Tokens and prices, from `decodeSettlement`.
 * @param token Address in any letter case; the native token, `0xeeee…`, is distinct from the
 * wrapped one.
 * @returns The price, or `undefined` if the settlement does not contain the token.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/transaction/mod.rs | uniform prices in the service}
 *
 * @example The second price of the same token is that of one trade
 * ```ts
 * import { uniformPrice } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const settlement = { tokens: ["0xa1", "0xb2", "0xa1"], clearingPrices: [200n, 100n, 199n] };
 *
 * assertEquals(uniformPrice(settlement, "0xA1"), 200n);
 * assertEquals(uniformPrice(settlement, "0xc3"), undefined);
 * ```
 */
export function uniformPrice(settlement: ClearingPrices, token: string): bigint | undefined {
  const place = settlement.tokens.findIndex((one) => sameHex(one, token));
  return settlement.clearingPrices[place];
}
