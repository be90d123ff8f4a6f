import { type Ratio, ratio } from "../../units/mod.ts";
import { exchangedSellAmount, type Fill, type OrderLimit } from "../orders/fill.ts";
import { isNotComputable, type NotComputable } from "../not_computable.ts";
import type { StoredQuote } from "../quotes/stored_quote.ts";
import { surplusAtoms } from "./surplus_atoms.ts";

/**
 * Surplus over the *limit* in basis points of the quoted amount, scaled to the fill. The difference
 * from the quote itself is `slippage`.
 *
 * Sell: `10^4 * surplus / (q.buy * s / q.sell)`. Buy: `10^4 * surplus / (q.sell * b / q.buy)`. The
 * quoted amount is the gross one, before network and volume fees, and is not rounded.
 *
 * @param fill One execution after all fees, or `orderFill(order)` for the whole order; atoms.
 * @param order Which amount is fixed, and the limit.
 * @param quote The order's stored quote, which is gross, or the quote of a policy.
 * @returns Exact basis points, positive above the limit; or why they cannot be computed: the order
 * or the quote fixes `0n`, the quote promises `0n`, or nothing was executed.
 * @throws {RangeError} If an amount is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | surplus_over of the service}
 *
 * @example A surplus of 100, half of a quote of 2,500 filled
 * ```ts
 * import { isNotComputable, surplusBpsOfQuote } from "orderlens/metrics";
 * import { ratioToNumber } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * const order = { kind: "sell", sellAmount: 10n, buyAmount: 2_000n } as const;
 * const quote = { sellAmount: 10n, buyAmount: 2_500n, fee: 0n };
 * const bps = surplusBpsOfQuote({ sellAmount: 5n, buyAmount: 1_100n }, order, quote);
 *
 * assertEquals(isNotComputable(bps) ? bps : ratioToNumber(bps), 800);
 * ```
 */
export function surplusBpsOfQuote(
  fill: Fill,
  order: OrderLimit,
  quote: StoredQuote,
):
  | Ratio
  | NotComputable<
    "limit_without_price" | "quote_without_price" | "zero_baseline" | "nothing_executed"
  > {
  const surplus = surplusAtoms(fill, order);
  if (isNotComputable(surplus)) return surplus;
  const [quoted, fixed, executed] = order.kind === "sell"
    ? [quote.buyAmount, quote.sellAmount, exchangedSellAmount(fill)]
    : [quote.sellAmount, quote.buyAmount, fill.buyAmount];
  if (fixed === 0n) return { reason: "quote_without_price", detail: "The quote fixes 0 atoms" };
  if (quoted === 0n) return { reason: "zero_baseline", detail: "The quote promises 0 atoms" };
  if (executed === 0n) return { reason: "nothing_executed", detail: "The fill executed 0 atoms" };
  return ratio(10_000n * surplus * fixed, quoted * executed);
}
