import type { OrderKind } from "../../schemas/mod.ts";
import { mulDivDown } from "../../units/mod.ts";

/** The amounts of a gross quote, in atoms. */
export interface QuotedAmounts {
  /** Quoted sell amount, in sell-token atoms. */
  readonly sellAmount: bigint;
  /** Quoted buy amount, in buy-token atoms. */
  readonly buyAmount: bigint;
}

/**
 * The amount of a gross quote in the surplus token after the quoted network fee: sell
 * `q.buy - floor(q.fee * q.buy / q.sell)`, buy `q.sell + q.fee`.
 *
 * @returns Atoms, not scaled to the order; negative if the fee exceeds the quoted sell amount.
 * `null` for a quote without a price: its fixed amount is `0n`.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/winner-selection/src/arbitrator.rs | adjust_quote_to_order_limits of the service}
 */
export function netQuoteAmount(
  quote: QuotedAmounts,
  { kind, fee }: { readonly kind: OrderKind; readonly fee: bigint },
): bigint | null {
  if (kind === "buy") return quote.buyAmount === 0n ? null : quote.sellAmount + fee;
  if (quote.sellAmount === 0n) return null;
  return quote.buyAmount - mulDivDown(fee, quote.buyAmount, quote.sellAmount);
}
