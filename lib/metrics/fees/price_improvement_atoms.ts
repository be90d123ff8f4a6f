import { mulDivDown } from "../../units/mod.ts";
import { isNotComputable, type NotComputable } from "../not_computable.ts";
import type { Fill, OrderLimit } from "../orders/fill.ts";
import { limitWithoutPrice } from "../orders/limit_without_price.ts";
import { netQuoteAmount } from "../quotes/net_quote_amount.ts";
import { type StoredQuote, storedQuoteFee } from "../quotes/stored_quote.ts";
import { surplusOverLimit } from "../surplus/surplus_over_limit.ts";

/**
 * How much better than its stored quote a fill was, as price-improvement fees measure it.
 *
 * The surplus with the quote in place of the limit. The quote is first reduced by its network fee,
 * scaled to the order, and replaced by the order's own limit if that is tighter: sell
 * `(S, max(B, floor(net * S / q.sell)))` with `net = q.buy - floor(q.fee * q.buy / q.sell)`, buy
 * `(min(S, floor(net * B / q.buy)), B)` with `net = q.sell + q.fee`. Rounded as in the service, so
 * that fees match to the atom; to measure slippage use `slippage`, which rounds nothing.
 *
 * @param fill One execution, in atoms.
 * @param order Which amount is fixed, and the limit.
 * @param quote The order's stored quote, or the quote of a policy.
 * @returns Atoms of the surplus token, never negative: `0n` for a fill worse than its quote, and
 * for a quote whose fee exceeds it. Or why there is none: the order or the quote fixes `0n`, or the
 * quote has no fee.
 * @throws {RangeError} If an amount is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | price_improvement of the service}
 *
 * @example Quoted 2,080 less a fee of half a percent
 * ```ts
 * import { priceImprovementAtoms } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const order = { kind: "sell", sellAmount: 1_000n, buyAmount: 2_000_000n } as const;
 * const quote = { sellAmount: 1_000n, buyAmount: 2_080_000n, fee: 5n };
 *
 * assertEquals(
 *   priceImprovementAtoms({ sellAmount: 1_000n, buyAmount: 2_100_000n }, order, quote),
 *   30_400n,
 * );
 * ```
 */
export function priceImprovementAtoms(
  fill: Fill,
  order: OrderLimit,
  quote: StoredQuote,
): bigint | NotComputable<"limit_without_price" | "quote_without_price"> {
  const unpriced = limitWithoutPrice(order);
  if (unpriced !== undefined) return unpriced;
  const fee = storedQuoteFee(quote);
  const net = fee === null ? null : netQuoteAmount(quote, { kind: order.kind, fee });
  if (net === null) return QUOTE_WITHOUT_PRICE;
  if (net < 0n) return 0n;
  const improvement = surplusOverLimit(fill, tighterLimit(net, quote, order));
  return isNotComputable(improvement) || improvement >= 0n ? improvement : 0n;
}

const QUOTE_WITHOUT_PRICE = {
  reason: "quote_without_price",
  detail: "The quote is for 0 atoms, or has no fee",
} as const;

function tighterLimit(net: bigint, quote: StoredQuote, order: OrderLimit): OrderLimit {
  const { kind, sellAmount, buyAmount } = order;
  if (kind === "sell") {
    const scaled = mulDivDown(net, sellAmount, quote.sellAmount);
    return { kind, sellAmount, buyAmount: scaled > buyAmount ? scaled : buyAmount };
  }
  const scaled = mulDivDown(net, buyAmount, quote.buyAmount);
  return { kind, sellAmount: scaled < sellAmount ? scaled : sellAmount, buyAmount };
}
