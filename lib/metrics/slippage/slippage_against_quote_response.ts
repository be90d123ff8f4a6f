import { InputError } from "../../errors/mod.ts";
import type { OrderKind } from "../../schemas/mod.ts";
import { ratio } from "../../units/mod.ts";
import { exchangedSellAmount, type Fill } from "../orders/fill.ts";
import type { NotComputable } from "../not_computable.ts";
import type { NoBaselineReason } from "../quotes/quote_baseline.ts";
import { distanceFrom, type Slippage } from "./slippage.ts";

/**
 * The amounts of an answer of `POST quote`, which are *net* of network and volume fees; the `quote`
 * of a `QuoteResponse` has them. A stored quote, which is gross, has no `kind` and does not compile
 * here.
 */
export interface AnsweredQuote {
  /** Which amount the request fixed. */
  readonly kind: OrderKind;
  /** Token to sell. */
  readonly sellToken: string;
  /** Sell amount, in sell-token atoms, without the network fee. */
  readonly sellAmount: bigint;
  /** Buy amount, in buy-token atoms. */
  readonly buyAmount: bigint;
  /** Network fee, in sell-token atoms. */
  readonly feeAmount: bigint;
}

/**
 * How far a fill was from the answer of `POST quote` that its trader saw.
 *
 * Sell: `10^4 * (b - Q) / Q` with `Q = a.buy * s / (a.sell + a.fee)`. Buy: `10^4 * (Q - s) / Q`
 * with `Q = (a.sell + a.fee) * b / a.buy`. The answer excludes the network fee from `sellAmount`,
 * so both together are the amount sold; its volume fee is already deducted. A partner fee is not:
 * front ends deduct it themselves. To compare with the quote stored with an order, use `slippage`.
 *
 * @param fill One execution after all fees, in atoms, or `orderFill(order)` for a whole order; of an
 * order of the answer's kind.
 * @param order Which amount the order fixes.
 * @param answer The `quote` of an answer of `POST quote`.
 * @returns The slippage, exact, with `"userShown"` as its baseline; positive if the fill was
 * better; or why it cannot be computed.
 * @throws {InputError} If the order and the answer fix different amounts.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/src/quoter.rs | quote answers of the service}
 *
 * @example An answer of 95 for a budget of 50, fee included, filled at 96
 * ```ts
 * import { isNotComputable, slippageAgainstQuoteResponse } from "orderlens/metrics";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const answer = {
 *   kind: "sell",
 *   sellToken: "0xa1",
 *   sellAmount: 48n,
 *   feeAmount: 2n,
 *   buyAmount: 95n,
 * } as const;
 * const result = slippageAgainstQuoteResponse({ sellAmount: 50n, buyAmount: 96n }, answer, answer);
 *
 * assert(!isNotComputable(result));
 * assertEquals(result.atoms, 1n);
 * ```
 */
export function slippageAgainstQuoteResponse(
  fill: Fill,
  order: { readonly kind: OrderKind },
  answer: AnsweredQuote,
): Slippage | NotComputable<NoBaselineReason> {
  if (order.kind !== answer.kind) {
    throw new InputError(`Cannot compare a ${order.kind} order with a quote to ${answer.kind}`, {
      remedy: "Pass the answer that the order was placed with",
    });
  }
  const isSell = answer.kind === "sell";
  const executed = isSell ? exchangedSellAmount(fill) : fill.buyAmount;
  if (executed <= 0n) {
    return { reason: "nothing_executed", detail: `The fill executed ${executed} atoms` };
  }
  const sold = answer.sellAmount + answer.feeAmount;
  const [fixed, open] = isSell ? [sold, answer.buyAmount] : [answer.buyAmount, sold];
  if (fixed <= 0n) {
    return { reason: "quote_without_price", detail: `The answer fixes ${fixed} atoms` };
  }
  if (open <= 0n) {
    return { reason: "zero_baseline", detail: `The answer promises ${open} atoms` };
  }
  return {
    baseline: "userShown",
    ...distanceFrom(ratio(open * executed, fixed), fill, answer.kind),
  };
}
