import type { NotComputable } from "../not_computable.ts";
import type { Fill, OrderLimit } from "../orders/fill.ts";
import { surplusOverLimit } from "./surplus_over_limit.ts";

/**
 * What a trader received beyond the limit price of a fill, in atoms of the surplus token.
 *
 * Sell: `b - ceil(s * B / S)` buy-token atoms. Buy: `floor(S * b / B) - s` sell-token atoms. The
 * limit is scaled to the fill and rounded in the trader's favour, as in the settlement contract, so
 * the surpluses of parts never sum to more than the surplus of the whole.
 *
 * The service credits no surplus to an order that a solver provided as liquidity;
 * {@linkcode settledSurplus} does the same.
 *
 * @param fill One execution after all fees, or `orderFill(order)` for the whole order; atoms.
 * @param order Which amount is fixed, and the signed limit `(S, B)`.
 * @returns Atoms of the surplus token: `0n` at the limit price, negative below it, which the
 * contract does not allow; or `"limit_without_price"` if the order fixes `0n`.
 * @throws {RangeError} If an amount is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | surplus_over of the service}
 *
 * @example 3 of 10 ether sold for 6,100 USDC, at a limit of 2,000 USDC each
 * ```ts
 * import { surplusAtoms } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const order = { kind: "sell", sellAmount: 10n ** 19n, buyAmount: 20_000_000_000n } as const;
 * const fill = { sellAmount: 3n * 10n ** 18n, buyAmount: 6_100_000_000n };
 *
 * assertEquals(surplusAtoms(fill, order), 100_000_000n);
 * ```
 */
export function surplusAtoms(
  fill: Fill,
  order: OrderLimit,
): bigint | NotComputable<"limit_without_price"> {
  return surplusOverLimit(fill, order);
}
