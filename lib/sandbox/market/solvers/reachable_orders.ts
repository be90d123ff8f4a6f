import type { BookOrder } from "../state/book_order.ts";
import { bestSpotPrice, type Liquidity, type SpotPrice } from "../state/liquidity.ts";
import { tradedAs } from "../state/tokens.ts";

/**
 * The orders whose limit the pools could meet at all, in their order.
 *
 * No amount gets a better price than an infinitely small one, before any fee: an order that asks for
 * more than that cannot be executed through pools and need not be planned. One that asks for less
 * may still ask for too much at its size.
 *
 * @param orders Orders of an auction.
 * @param reach The pools, and how many of them a route may have.
 */
export function reachableOrders(
  orders: readonly BookOrder[],
  { liquidity, hops }: { liquidity: Liquidity; hops: number },
): BookOrder[] {
  const prices = new Map<string, Map<string, SpotPrice | null>>();
  const priceOf = (from: string, to: string): SpotPrice | null => {
    let known = prices.get(from);
    if (known === undefined) prices.set(from, known = new Map());
    let price = known.get(to);
    if (price === undefined) {
      price = bestSpotPrice(liquidity.routes(tradedAs(from), tradedAs(to), hops));
      known.set(to, price);
    }
    return price;
  };
  return orders.filter(({ signed }) => {
    const price = priceOf(signed.sellToken, signed.buyToken);
    return price !== null && signed.buyAmount * price.paid <= signed.sellAmount * price.out;
  });
}
