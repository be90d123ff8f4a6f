/** What was sold for what. */
export interface Exchange {
  /** Token sold. */
  readonly sellToken: string;
  /** What was sold, in its atoms. */
  readonly sellAmount: bigint;
  /** Token bought. */
  readonly buyToken: string;
  /** What was bought, in its atoms. */
  readonly buyAmount: bigint;
}

/** The side of an exchange that its volume is measured by. */
export interface PricedSide<Price> {
  /** Its token. */
  readonly token: string;
  /** Its amount, in atoms. */
  readonly atoms: bigint;
  /** The price of its token. */
  readonly price: Price;
}

/**
 * The side of an exchange that its volume is measured by: what was sold; what was bought where the
 * token sold has no price.
 *
 * @param exchange Both tokens with their amounts.
 * @param priceOf Finds the price of a token; `undefined` where it has none.
 * @returns `null` where neither token has a price.
 *
 * @example The volume of a trade in native atoms
 * ```ts
 * import { pricedSide } from "orderlens/metrics";
 * import { HexMap, nativeValue } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * const prices = new HexMap([["0xA2", 400_000_000_000_000_000_000_000_000n]]);
 * const trade = {
 *   sellToken: "0xa1",
 *   sellAmount: 9n,
 *   buyToken: "0xa2",
 *   buyAmount: 25_000_000n, // 25 USDC at 0.0004 ETH each
 * };
 * const side = pricedSide(trade, (token) => prices.get(token));
 *
 * assertEquals(side && nativeValue(side.atoms, side.price), 10_000_000_000_000_000n);
 * ```
 */
export function pricedSide<Price>(
  { sellToken, sellAmount, buyToken, buyAmount }: Exchange,
  priceOf: (token: string) => Price | undefined,
): PricedSide<Price> | null {
  const sellPrice = priceOf(sellToken);
  if (sellPrice !== undefined) return { token: sellToken, atoms: sellAmount, price: sellPrice };
  const buyPrice = priceOf(buyToken);
  return buyPrice === undefined ? null : { token: buyToken, atoms: buyAmount, price: buyPrice };
}
