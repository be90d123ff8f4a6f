import {
  isNotComputable,
  priceImprovementAtoms,
  surplusNativeAtoms,
  surplusToken,
} from "../../../metrics/mod.ts";
import type { BookOrder } from "../state/book_order.ts";
import type { Market } from "../state/market.ts";
import type { PendingSettlement } from "../state/pending_settlement.ts";
import type { RecordedFill } from "../state/recorded_fill.ts";
import type { PlannedExecution } from "../state/solution.ts";

/** Where a fill was settled. */
export interface FillPlace extends Pick<PendingSettlement, "auction" | "txHash"> {
  /** Index of its event in the block. */
  readonly logIndex: number;
}

/** Stores a fill of an order that has reached the chain, and notifies its owner. */
export function recordFill(
  market: Market,
  { auction, txHash, logIndex }: FillPlace,
  execution: PlannedExecution,
): void {
  const { order, fill, fees } = execution;
  const recorded: RecordedFill = {
    uid: order.uid,
    auctionId: auction.competition.auctionId,
    block: market.block,
    logIndex,
    txHash,
    sellAmount: fill.sellAmount,
    buyAmount: fill.buyAmount,
    ...fees,
  };
  order.executedSellAmount += fill.sellAmount;
  order.executedBuyAmount += fill.buyAmount;
  order.executedFee += fees.executedFee;
  order.addEvent("traded", market.time.stamp());
  const nativePrice = auction.prices[surplusToken(order.signed)];
  const surplus = nativePrice === undefined
    ? 0n
    : surplusNativeAtoms(recorded, order.signed, { nativePrice });
  market.book.addFill(order, recorded, isNotComputable(surplus) ? 0n : surplus);
  if (order.remaining === 0n) market.book.end(order, market.block);
  notifyOfFill(market, order, recorded);
}

function notifyOfFill(market: Market, order: BookOrder, fill: RecordedFill): void {
  const { uid, owner, origin, signed } = order;
  const metadata = { orderUid: uid, txHash: fill.txHash, blockNumber: fill.block };
  const isWhole = order.remaining === 0n;
  market.notify(owner, isWhole ? "order_filled" : "order_partially_filled", {
    message: isWhole ? "Your order was filled" : "A part of your order was filled",
    metadata,
  });
  if (origin.quote === null) return;
  const better = priceImprovementAtoms(fill, signed, origin.quote);
  if (isNotComputable(better) || better <= 0n) return;
  market.notify(owner, "price_improvement", {
    message: "Your order was filled at a better price than quoted",
    metadata: { ...metadata, improvement: String(better), token: surplusToken(signed) },
  });
}
