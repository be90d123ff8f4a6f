import type { BookOrder } from "../state/book_order.ts";
import { tradedAs } from "../state/tokens.ts";

/** An order with its place in the auction. */
interface Placed {
  readonly order: BookOrder;
  readonly at: number;
}

/**
 * Pairs of whole sell orders of opposite directions whose limits leave room for a price, by the
 * place of the earlier order and then of the later one.
 *
 * Each side is sorted by limit price, and only the orders up to the first that asks for too much
 * are looked at: where no limits cross, that is none.
 */
export function* crossingPairs(
  orders: readonly BookOrder[],
): Generator<readonly [one: BookOrder, other: BookOrder]> {
  const partners = new Map<number, { one: Placed; others: readonly Placed[] }>();
  for (const [there, back] of oppositeSides(orders)) {
    const [sorted, opposite] = [crossing(there, back), crossing(back, there)];
    for (const one of sorted) partners.set(one.at, { one, others: opposite });
    for (const one of opposite) partners.set(one.at, { one, others: sorted });
  }
  for (const at of [...partners.keys()].sort((a, b) => a - b)) {
    const { one, others } = partners.get(at)!;
    const later = others.slice(0, countCrossing(one, others)).filter((other) => other.at > at);
    for (const other of later.sort((a, b) => a.at - b.at)) yield [one.order, other.order];
  }
}

/** The sell orders of each pair of tokens that is sold both ways, by direction. */
function oppositeSides(orders: readonly BookOrder[]): (readonly [Placed[], Placed[]])[] {
  const bySellToken = new Map<string, Map<string, Placed[]>>();
  for (const [at, order] of orders.entries()) {
    const { kind, sellToken, buyToken } = order.signed;
    if (kind !== "sell") continue;
    const bought = tradedAs(buyToken);
    let sides = bySellToken.get(sellToken);
    if (sides === undefined) bySellToken.set(sellToken, sides = new Map());
    const side = sides.get(bought);
    if (side === undefined) sides.set(bought, [{ order, at }]);
    else side.push({ order, at });
  }
  const found: (readonly [Placed[], Placed[]])[] = [];
  for (const [sold, sides] of bySellToken) {
    for (const [bought, there] of sides) {
      const back = bySellToken.get(bought)?.get(sold);
      if (back !== undefined && sold < bought) found.push([there, back]);
    }
  }
  return found;
}

/** The orders of a side that cross the cheapest of the other one, cheapest first. */
function crossing(side: readonly Placed[], opposite: readonly Placed[]): Placed[] {
  const cheapest = opposite.reduce((least, one) => byLimit(one, least) < 0 ? one : least);
  return side.filter((one) => doCross(one, cheapest)).sort(byLimit);
}

/** How many of the orders, cheapest first, cross one of the other side. */
function countCrossing(one: Placed, others: readonly Placed[]): number {
  let [low, high] = [0, others.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (doCross(one, others[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether some price gives both at least their limit: their limit prices multiply to 1 or less. */
function doCross(
  { order: { signed: one } }: Placed,
  { order: { signed: other } }: Placed,
): boolean {
  return one.buyAmount * other.buyAmount <= one.sellAmount * other.sellAmount;
}

/** Compares by limit price, bought atoms per sold atom: exactly, by products. */
function byLimit({ order: { signed: one } }: Placed, { order: { signed: other } }: Placed): number {
  const difference = one.buyAmount * other.sellAmount - other.buyAmount * one.sellAmount;
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}
