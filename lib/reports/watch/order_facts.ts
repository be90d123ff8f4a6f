import type { Order, Trade } from "../../schemas/mod.ts";
import type { WatchedOrder } from "./watch_state.ts";

/** Whether an order was filled since it was last looked at. */
export function hasNewFills(order: Order, { boughtAtoms }: WatchedOrder): boolean {
  return order.executedBuyAmount > BigInt(boughtAtoms);
}

/** What trades bought, in buy-token atoms. */
export function boughtBy(trades: readonly Trade[]): bigint {
  return trades.reduce((sum, { buyAmount }) => sum + buyAmount, 0n);
}

/** Whether an order is filled wholly by its first trades. */
export function isWhole(order: Order, trades: readonly Trade[]): boolean {
  if (order.kind === "buy") return boughtBy(trades) >= order.buyAmount;
  const sold = trades.reduce((sum, { sellAmountBeforeFees }) => sum + sellAmountBeforeFees, 0n);
  return sold >= order.sellAmount;
}

/** The account that an order belongs to: the trader, where a contract such as EthFlow is the owner. */
export function accountOf({ owner, onchainUser }: Order): string {
  return (onchainUser ?? owner).toLowerCase();
}

/** The first trades of an order, up to what it says it was filled by: newer ones are left out. */
export function tradesUpTo(order: Order, trades: readonly Trade[]): Trade[] {
  let bought = 0n;
  return trades.filter(({ buyAmount }) => (bought += buyAmount) <= order.executedBuyAmount);
}
