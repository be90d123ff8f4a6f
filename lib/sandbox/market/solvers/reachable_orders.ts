import type { BookOrder } from "../state/book_order.ts";
import { bestSpotPrice, type Liquidity, type SpotPrice } from "../state/liquidity.ts";
import { tradedAs } from "../state/tokens.ts";

/**
 * The orders whose limit price does not exceed the best spot price, in the same sequence.
 *
 * No trade gets a better price than the spot price before fees, so that other orders need not be
 * planned. An order within the spot price may still be unreachable at its size.
 *
 * @param orders Orders of an auction.
 * @param reach The pools, and the maximum number of pools per route.
 */
export function reachableOrders(
  orders: readonly BookOrder[],
  { liquidity, hops }: { liquidity: Liquidity; hops: number },
): BookOrder[] {
  const prices = new Map<string, Map<string, SpotPrice | null>>();
  const priceOf = (from: string, to: string): SpotPrice | null => {
    let cached = prices.get(from);
    if (cached === undefined) prices.set(from, cached = new Map());
    let price = cached.get(to);
    if (price === undefined) {
      price = bestSpotPrice(liquidity.routes(tradedAs(from), tradedAs(to), hops));
      cached.set(to, price);
    }
    return price;
  };
  return orders.filter(({ signed }) => {
    const price = priceOf(signed.sellToken, signed.buyToken);
    return price !== null && signed.buyAmount * price.paid <= signed.sellAmount * price.out;
  });
}
