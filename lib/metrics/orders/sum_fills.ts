import { exchangedSellAmount, type Fill } from "./fill.ts";

/**
 * Several fills of one order as one fill: the sums of their amounts.
 *
 * @param fills Fills of one order, in atoms; all of them, or those of a period.
 * @returns One fill; its amounts are `0n` for no fills.
 *
 * @example Two fills
 * ```ts
 * import { sumFills } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const sum = sumFills([{ sellAmount: 30n, buyAmount: 28n }, { sellAmount: 20n, buyAmount: 19n }]);
 *
 * assertEquals(sum, { sellAmount: 50n, buyAmount: 47n, sellAmountBeforeFees: 50n });
 * ```
 */
export function sumFills(fills: Iterable<Fill>): Fill {
  let sellAmount = 0n;
  let buyAmount = 0n;
  let sellAmountBeforeFees = 0n;
  for (const fill of fills) {
    sellAmount += fill.sellAmount;
    buyAmount += fill.buyAmount;
    sellAmountBeforeFees += exchangedSellAmount(fill);
  }
  return { sellAmount, buyAmount, sellAmountBeforeFees };
}
