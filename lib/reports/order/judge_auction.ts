import { shareOfNativeValue } from "../../metrics/prices/share_of_native_value.ts";
import type { AuctionRole, OrderBid, OrderFillFacts } from "../../metrics/mod.ts";
import type { Order, SettlementAttempt } from "../../schemas/mod.ts";
import { compareRatios, Decimal, ratio } from "../../units/mod.ts";
import type { AuctionCause } from "./verdicts.ts";

/** What is known of one auction that listed or settled an order. */
export interface AuctionEvidence {
  /** Its id. */
  readonly auctionId: number;
  /** Start block. */
  readonly block: number;
  /** Last block in which to settle; `null` if unknown. */
  readonly deadlineBlock: number | null;
  /** Role of the order in it. */
  readonly role: AuctionRole;
  /** Native prices of the order's two tokens; `null` where one is missing. */
  readonly prices: { readonly sell: bigint | Decimal; readonly buy: bigint | Decimal } | null;
  /** Bids on the order, best rank first. */
  readonly bids: readonly OrderBid[];
  /** Fills of the order from it. */
  readonly fills: readonly OrderFillFacts[];
  /** Attempts to settle its winning solutions that hold the order; `null` without a debug report. */
  readonly attempts: readonly SettlementAttempt[] | null;
}

/** What an auction did with an order. */
export type AuctionOutcome =
  | AuctionCause
  | "settled"
  | "settled_late"
  | "executing"
  | "won_not_settled";

/**
 * What an auction did with an order that it listed: settled it, in time or late; let it win without
 * a settlement; outbid it; filtered all its bids out; or got no bid for it.
 *
 * A limit is beyond the market if it asks for more native value than it gives, at the prices of the
 * auction. Without prices of both tokens, a limit counts as fair.
 *
 * @param mayBePending Whether a win of it may still be settled: not once the order is over, or was ready
 * again since.
 */
export function judgeAuction(
  order: Order,
  { bids, deadlineBlock, fills, attempts, prices }: AuctionEvidence,
  mayBePending: boolean,
): AuctionOutcome {
  if (fills.length > 0) {
    const isLate = fills.some(({ blockNumber }) =>
      deadlineBlock !== null && blockNumber > deadlineBlock
    );
    return isLate ? "settled_late" : "settled";
  }
  if (bids.some(({ isWinner }) => isWinner)) {
    const isPending = attempts === null ||
      attempts.length === 0 || attempts.some(({ outcome }) => outcome == null);
    return isPending && mayBePending ? "executing" : "won_not_settled";
  }
  if (bids.length > 0) {
    return bids.every(({ filteredOut }) => filteredOut) ? "bids_unfair" : "outbid";
  }
  return isBeyondMarket(order, prices) ? "no_bid_limit_beyond_market" : "no_bid_at_a_fair_limit";
}

function isBeyondMarket(
  { sellAmount, buyAmount }: Order,
  prices: AuctionEvidence["prices"],
): boolean {
  if (prices === null || sellAmount === 0n) return false;
  const [sell, buy] = [decimalOf(prices.sell), decimalOf(prices.buy)];
  if (sell.coefficient === 0n) return buy.coefficient > 0n;
  const given = { atoms: sellAmount, price: sell };
  const received = { atoms: buyAmount, price: buy };
  return compareRatios(shareOfNativeValue(given, received), ratio(1n, 1n)) > 0;
}

function decimalOf(price: bigint | Decimal): Decimal {
  return typeof price === "bigint" ? new Decimal(price, 0) : price;
}
