import { mulDivDown, mulDivUp } from "../../units/mod.ts";
import { exchangedSellAmount, type Fill, type OrderLimit } from "./fills.ts";
import type { OrderAuction, OrderBid } from "./order_bids.ts";

/** What an order would have received from the best bid that was not executed. */
export interface LeftOnTheTable {
  /** Id of the auction. */
  readonly auctionId: number;
  /** The best bid on the order besides the winning one, by its price. */
  readonly best: OrderBid;
  /**
   * How much more its price would have given for the same fill, in atoms of the surplus token:
   * positive if a better bid was not executed, negative if the executed one was the best.
   */
  readonly atoms: bigint;
}

/**
 * What a fill left on the table: its amounts compared with those at the price of the best bid of
 * the same auction that was not executed.
 *
 * Sell order: `floor(s * bidBuy / bidSell) - b` buy-token atoms. Buy order:
 * `s - ceil(b * bidSell / bidBuy)` sell-token atoms. Rounds against the bid, so that a bid at the
 * same price never seems better. A better bid may have lost for good reason: its solution was
 * filtered out or worse overall, or it was for a part of the amount and could not have filled all
 * of it.
 *
 * @param fill The executed amounts.
 * @param order Which amount the order fixes.
 * @param auction The auction it was settled from, with its bids.
 * @returns `null` if nobody else bid on the order.
 * @throws {RangeError} If an amount is negative.
 *
 * @example Sold for 20 while a bid for a half offered 12
 * ```ts
 * import { leftOnTheTable } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const half = {
 *   auctionId: 7,
 *   ranking: 2,
 *   solver: "0xb0",
 *   score: 3n,
 *   isWinner: false,
 *   filteredOut: true,
 *   sellAmount: 5n,
 *   buyAmount: 12n,
 * };
 * const fill = { sellAmount: 10n, buyAmount: 20n };
 * const left = leftOnTheTable(fill, { kind: "sell" }, { auctionId: 7, bids: [half] });
 *
 * assertEquals(left, { auctionId: 7, best: half, atoms: 4n });
 * ```
 */
export function leftOnTheTable(
  fill: Fill,
  order: Pick<OrderLimit, "kind">,
  auction: Pick<OrderAuction, "auctionId" | "bids">,
): LeftOnTheTable | null {
  let left: LeftOnTheTable | null = null;
  for (const best of auction.bids) {
    if (best.isWinner || best.sellAmount === 0n || best.buyAmount === 0n) continue;
    const atoms = order.kind === "sell"
      ? mulDivDown(exchangedSellAmount(fill), best.buyAmount, best.sellAmount) - fill.buyAmount
      : exchangedSellAmount(fill) - mulDivUp(fill.buyAmount, best.sellAmount, best.buyAmount);
    if (left === null || atoms > left.atoms) left = { auctionId: auction.auctionId, best, atoms };
  }
  return left;
}
