import type { Fill } from "./fill.ts";

/** The executed totals of an order. An `Order` has them. */
export interface ExecutedTotals {
  /** Sold so far, in sell-token atoms, with the legacy signed fee. */
  readonly executedSellAmount: bigint;
  /** Sold so far without the legacy signed fee, in sell-token atoms. */
  readonly executedSellAmountBeforeFees: bigint;
  /** Bought so far, in buy-token atoms. */
  readonly executedBuyAmount: bigint;
}

/**
 * The executed totals of an order as one fill: it turns every metric of a fill into one of an
 * order.
 *
 * @param order The executed totals, in atoms.
 * @returns A fill of both totals; both are `0n` while nothing was executed.
 *
 * @example Surplus of an order that filled in parts
 * ```ts
 * import { orderFill, surplusAtoms } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const order = {
 *   kind: "sell",
 *   sellAmount: 100n,
 *   buyAmount: 90n,
 *   executedSellAmount: 50n,
 *   executedSellAmountBeforeFees: 50n,
 *   executedBuyAmount: 46n,
 * } as const;
 *
 * assertEquals(surplusAtoms(orderFill(order), order), 1n);
 * ```
 */
export function orderFill(order: ExecutedTotals): Fill {
  return {
    sellAmount: order.executedSellAmount,
    buyAmount: order.executedBuyAmount,
    sellAmountBeforeFees: order.executedSellAmountBeforeFees,
  };
}
