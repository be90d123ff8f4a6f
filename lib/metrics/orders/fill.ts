import type { OrderKind } from "../../schemas/mod.ts";

/**
 * The amounts that one execution of an order exchanged. A `Trade`, a trade of a debug report and an
 * order of a competition's solution have them.
 */
export interface Fill {
  /** Sold, in sell-token atoms, all fees included. */
  readonly sellAmount: bigint;
  /** Bought, in buy-token atoms, after all fees. */
  readonly buyAmount: bigint;
  /**
   * Sold without the legacy signed fee, in sell-token atoms; the limit price applies to this
   * amount. Absent where no such fee is possible, as in solutions.
   */
  readonly sellAmountBeforeFees?: bigint | undefined;
}

/** What an order was signed for: which amount it fixes, and its limit. An `Order` has both. */
export interface OrderLimit {
  /** Which amount is fixed. */
  readonly kind: OrderKind;
  /** Limit amount to sell, in sell-token atoms. */
  readonly sellAmount: bigint;
  /** Limit amount to buy, in buy-token atoms. */
  readonly buyAmount: bigint;
}

/** The tokens of an order besides its limit. An `Order` has them. */
export interface OrderPair extends OrderLimit {
  /** Token sold. */
  readonly sellToken: string;
  /** Token bought. */
  readonly buyToken: string;
}

/**
 * What a fill sold at its price: `sellAmountBeforeFees`, or `sellAmount` if a legacy signed fee is
 * not reported separately.
 *
 * The settlement contract takes a signed fee on top of the amount that it exchanges, so surplus and
 * fees refer to this amount. Current orders sign no fee, so both are the same.
 *
 * @param fill Amounts in atoms.
 * @returns Sell-token atoms.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | amounts of the service}
 *
 * @example An order of 2022 that sold 100 and paid a signed fee of 3
 * ```ts
 * import { exchangedSellAmount } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const fill = { sellAmount: 103n, sellAmountBeforeFees: 100n, buyAmount: 95n };
 *
 * assertEquals(exchangedSellAmount(fill), 100n);
 * ```
 */
export function exchangedSellAmount(fill: Fill): bigint {
  return fill.sellAmountBeforeFees ?? fill.sellAmount;
}
