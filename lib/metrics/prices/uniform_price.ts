import { sameHex } from "../../units/mod.ts";

/** The prices of a settlement, by place. A decoded settlement is one as it is. */
export interface ClearingPrices {
  /** Tokens; one can stand more than once. */
  readonly tokens: readonly string[];
  /** Price of the token at the same place; only quotients of prices have a meaning. */
  readonly clearingPrices: readonly bigint[];
}

/**
 * The uniform clearing price of a token in a settlement: the price at the token's *first* place.
 *
 * Later places of the same token hold the prices of single trades after their fees.
 *
 * @param settlement Tokens and prices, from `decodeSettlement`.
 * @param token Address in any case; the native token is `0xeeee…`, apart from the wrapped one.
 * @returns The price, or `undefined` where the settlement does not name the token.
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
