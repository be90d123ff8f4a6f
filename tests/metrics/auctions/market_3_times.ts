import data from "../../testdata/metrics/market_3_times.json" with { type: "json" };

const orders = data.orders.map(({ uid, creationDate, ...more }) => ({
  uid,
  creationDate: Temporal.Instant.from(creationDate),
  validTo: Number.parseInt(uid.slice(-8), 16),
  ..."userValidTo" in more &&
    { ethflowData: { userValidTo: Number(more.userValidTo), refundTxHash: null } },
}));

/** A recorded market whose chain tells the timestamp of every block. */
export const MARKET_3 = {
  /** All orders that auctions list or that were filled. */
  orders,
  /** Auctions, ascending. */
  auctions: data.auctions.map(({ auctionId, auctionStartBlock, orders: listed }) => ({
    auctionId,
    auctionStartBlock,
    auction: { orders: listed.map((index) => orders[index]!.uid) },
  })),
  /** Fills, each with its order, by block. */
  fills: data.trades.map(({ blockNumber, logIndex, order }) => ({
    blockNumber,
    logIndex,
    order: orders[order]!,
  })),
  /** Timestamps by block number, in unix seconds. */
  blocks: data.blocks,
  /** Timestamps of the events `traded` by UID. */
  tradedEvents: new Map(
    Object.entries(data.tradedEvents).map(([index, times]) => [orders[Number(index)]!.uid, times]),
  ),
};

/** The timestamp of a block. */
export function timeOfBlock(block: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(MARKET_3.blocks[block]! * 1_000);
}
