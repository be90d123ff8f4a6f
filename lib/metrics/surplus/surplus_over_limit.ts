import { mulDivDown, mulDivUp } from "../../units/mod.ts";
import { isNotComputable, type NotComputable } from "../not_computable.ts";
import { exchangedSellAmount, type Fill, type OrderLimit } from "../orders/fill.ts";
import { limitWithoutPrice } from "../orders/limit_without_price.ts";

/**
 * The limit of an order, scaled to a fill: the minimum to buy (sell order), or the maximum to sell
 * (buy order).
 *
 * Sell: `ceil(s * Lb / Ls)`. Buy: `floor(Ls * b / Lb)`. Both are rounded in the trader's favour:
 * the contract rounds up what it pays out, and rounds down what it takes in. `s` is the fill's sell
 * amount without a legacy fee, `b` its buy amount, `(Ls, Lb)` the limit.
 *
 * @param fill One execution, in atoms, amounts `>= 0n`.
 * @param limit An order, or any pair of amounts in place of its limit, such as a quote.
 * @returns Atoms of the surplus token: buy token of a sell order, sell token of a buy order; or
 * `"limit_without_price"` if the amount that the limit fixes is `0n` (`sellAmount` of a sell order,
 * `buyAmount` of a buy order).
 * @throws {RangeError} If an amount is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/winner-selection/src/arbitrator.rs | surplus_over of the service}
 *
 * @example A third of a limit of 10 atoms
 * ```ts
 * import { scaledLimit } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const sell = { kind: "sell", sellAmount: 3n, buyAmount: 10n } as const;
 * const buy = { kind: "buy", sellAmount: 10n, buyAmount: 3n } as const;
 *
 * assertEquals(scaledLimit({ sellAmount: 1n, buyAmount: 5n }, sell), 4n);
 * assertEquals(scaledLimit({ sellAmount: 2n, buyAmount: 1n }, buy), 3n);
 * ```
 */
export function scaledLimit(
  fill: Fill,
  limit: OrderLimit,
): bigint | NotComputable<"limit_without_price"> {
  const unpriced = limitWithoutPrice(limit);
  if (unpriced !== undefined) return unpriced;
  return limit.kind === "sell"
    ? mulDivUp(exchangedSellAmount(fill), limit.buyAmount, limit.sellAmount)
    : mulDivDown(limit.sellAmount, fill.buyAmount, limit.buyAmount);
}

/**
 * How much better than a limit a fill was: the core of surplus, of price improvement and of scores.
 *
 * Sell: `b - ceil(s * Lb / Ls)`. Buy: `floor(Ls * b / Lb) - s`. The limit is scaled to the fill by
 * {@linkcode scaledLimit}, so an atom that was owed never counts as surplus.
 *
 * @param fill One execution, in atoms, amounts `>= 0n`, after all fees.
 * @param limit An order, or any pair of amounts in place of its limit, such as a quote.
 * @returns Atoms of the surplus token, `0n` at the limit, negative below it; or
 * `"limit_without_price"` if the amount that the limit fixes is `0n`.
 * @throws {RangeError} If an amount is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/winner-selection/src/arbitrator.rs | surplus_over of the service}
 *
 * @example 3 of 10 sold, at a limit of 2,000 each
 * ```ts
 * import { surplusOverLimit } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const limit = { kind: "sell", sellAmount: 10n, buyAmount: 20_000n } as const;
 *
 * assertEquals(surplusOverLimit({ sellAmount: 3n, buyAmount: 6_100n }, limit), 100n);
 * ```
 */
export function surplusOverLimit(
  fill: Fill,
  limit: OrderLimit,
): bigint | NotComputable<"limit_without_price"> {
  const scaled = scaledLimit(fill, limit);
  if (isNotComputable(scaled)) return scaled;
  return limit.kind === "sell" ? fill.buyAmount - scaled : scaled - exchangedSellAmount(fill);
}
