import type { BookOrder } from "../state/book_order.ts";
import { tradedAs } from "../state/tokens.ts";

/** An order with its index in the auction. */
interface IndexedOrder {
  readonly order: BookOrder;
  readonly index: number;
}

/**
 * Pairs of sell orders in opposite directions whose limit prices cross, sorted by the index of the
 * earlier order, then of the later one.
 *
 * Each side is sorted by limit price, so that only crossing orders are visited.
 */
export function* crossingPairs(
  orders: readonly BookOrder[],
): Generator<readonly [one: BookOrder, other: BookOrder]> {
  const partners = new Map<number, { one: IndexedOrder; others: readonly IndexedOrder[] }>();
  for (const [forward, backward] of oppositeSides(orders)) {
    const [sorted, opposite] = [
      crossingOrders(forward, backward),
      crossingOrders(backward, forward),
    ];
    for (const one of sorted) partners.set(one.index, { one, others: opposite });
    for (const one of opposite) partners.set(one.index, { one, others: sorted });
  }
  for (const index of [...partners.keys()].sort((a, b) => a - b)) {
    const { one, others } = partners.get(index)!;
    const later = others.slice(0, countCrossing(one, others)).filter((other) =>
      other.index > index
    );
    for (const other of later.sort((a, b) => a.index - b.index)) yield [one.order, other.order];
  }
}

/** The sell orders of each token pair that is traded in both directions, by direction. */
function oppositeSides(
  orders: readonly BookOrder[],
): (readonly [IndexedOrder[], IndexedOrder[]])[] {
  const bySellToken = new Map<string, Map<string, IndexedOrder[]>>();
  for (const [index, order] of orders.entries()) {
    const { kind, sellToken, buyToken } = order.signed;
    if (kind !== "sell") continue;
    const bought = tradedAs(buyToken);
    let sides = bySellToken.get(sellToken);
    if (sides === undefined) bySellToken.set(sellToken, sides = new Map());
    const side = sides.get(bought);
    if (side === undefined) sides.set(bought, [{ order, index }]);
    else side.push({ order, index });
  }
  const found: (readonly [IndexedOrder[], IndexedOrder[]])[] = [];
  for (const [sold, sides] of bySellToken) {
    for (const [bought, forward] of sides) {
      const backward = bySellToken.get(bought)?.get(sold);
      if (backward !== undefined && sold < bought) found.push([forward, backward]);
    }
  }
  return found;
}

/** The orders of a side that cross the cheapest opposite order, cheapest first. */
function crossingOrders(
  side: readonly IndexedOrder[],
  opposite: readonly IndexedOrder[],
): IndexedOrder[] {
  const cheapest = opposite.reduce((least, one) => byLimit(one, least) < 0 ? one : least);
  return side.filter((one) => doCross(one, cheapest)).sort(byLimit);
}

/** How many of the opposite orders, cheapest first, an order crosses. */
function countCrossing(one: IndexedOrder, others: readonly IndexedOrder[]): number {
  let [low, high] = [0, others.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (doCross(one, others[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether a price satisfies both limits: their limit prices multiply to at most 1. */
function doCross(
  { order: { signed: one } }: IndexedOrder,
  { order: { signed: other } }: IndexedOrder,
): boolean {
  return one.buyAmount * other.buyAmount <= one.sellAmount * other.sellAmount;
}

/** Compares limit prices, in bought atoms per sold atom, exactly. */
function byLimit(
  { order: { signed: one } }: IndexedOrder,
  { order: { signed: other } }: IndexedOrder,
): number {
  const difference = one.buyAmount * other.sellAmount - other.buyAmount * one.sellAmount;
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}
