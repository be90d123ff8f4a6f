import { nativeValue } from "../../units/mod.ts";
import { isNotComputable, type NotComputable } from "../not_computable.ts";
import type { Fill, OrderLimit } from "../orders/fill.ts";
import { surplusAtoms } from "./surplus_atoms.ts";

/** Options of {@linkcode surplusNativeAtoms}. */
export interface SurplusNativeOptions {
  /**
   * Native price of the *surplus token* in the auction: native atoms for 10^18 of its atoms,
   * `>= 0n`. `surplusToken` returns that token.
   */
  readonly nativePrice: bigint;
}

/**
 * What a trader received beyond the limit price of a fill, in the native token.
 *
 * `floor(surplus * price / 10^18)` of {@linkcode surplusAtoms}, at the native price of the surplus
 * token. Rounds down as in the service. It is not a score: a score adds the protocol fees, and
 * first converts the surplus of a buy order to the buy token at the limit price. The service
 * credits 0 to an order that a solver provided as liquidity ({@linkcode settledSurplus}).
 *
 * @param fill One execution after all fees, in atoms.
 * @param order Which amount is fixed, and the limit.
 * @returns Native atoms: `0n` at the limit price or at a price of `0n`, rounded down if negative
 * too; or `"limit_without_price"` if the order fixes `0n`.
 * @throws {RangeError} If an amount or the price is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | surplus_in_ether of the service}
 *
 * @example 100 USDC of surplus at 0.0004 ETH a USDC
 * ```ts
 * import { surplusNativeAtoms } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const order = { kind: "sell", sellAmount: 10n ** 18n, buyAmount: 2_000_000_000n } as const;
 * const fill = { sellAmount: 10n ** 18n, buyAmount: 2_100_000_000n };
 * const nativePrice = 400_000_000_000_000_000_000_000_000n;
 *
 * assertEquals(surplusNativeAtoms(fill, order, { nativePrice }), 40_000_000_000_000_000n);
 * ```
 */
export function surplusNativeAtoms(
  fill: Fill,
  order: OrderLimit,
  options: SurplusNativeOptions,
): bigint | NotComputable<"limit_without_price"> {
  const surplus = surplusAtoms(fill, order);
  return isNotComputable(surplus) ? surplus : nativeValue(surplus, options.nativePrice);
}
