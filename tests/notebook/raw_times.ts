import type { RawMarket } from "../tables/rewards/raw_rewards.ts";

/** When each auction began at the earliest: the newest creation up to it, in milliseconds. */
export function earliestStarts(
  { auctions, orders }: RawMarket,
  isKnown: (uid: string) => boolean = () => true,
): Map<number, number> {
  let newest = -Infinity;
  return new Map(
    auctions.toSorted((a, b) => a.auctionId - b.auctionId).map(({ auctionId, auction }) => {
      for (const uid of auction.orders) {
        const order = isKnown(uid) ? orders.get(uid) : undefined;
        if (order !== undefined) newest = Math.max(newest, Date.parse(order.creationDate));
      }
      return [auctionId, newest];
    }),
  );
}

/**
 * How long the order of each fill waited for it, if the fill happened at the earliest: after its
 * order was created, and not before the second in which the latest auction of an earlier block began.
 */
export function leastWaits(market: RawMarket) {
  const starts = earliestStarts(market);
  return [...market.trades.values()].map(({ orderUid, blockNumber }) => {
    const created = Date.parse(market.orders.get(orderUid)!.creationDate);
    const began = market.auctions
      .filter(({ auctionStartBlock }) => auctionStartBlock < blockNumber)
      .map(({ auctionId }) => Math.floor(starts.get(auctionId)! / 1_000) * 1_000);
    const seconds = (Math.max(created, ...began) - created) / 1_000;
    return { orderUid, blockNumber, seconds };
  });
}

/** The middle of some numbers. */
export function middle(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2;
}
