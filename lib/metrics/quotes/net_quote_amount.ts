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
 * What a gross quote was worth in the token that the order leaves open once the quoted network fee
 * is paid: sell `q.buy - floor(q.fee * q.buy / q.sell)`, buy `q.sell + q.fee`.
 *
 * @returns Atoms, not yet scaled to the order; negative where the fee exceeds what was quoted to be
 * sold. `null` for a quote without a price: its fixed amount is `0n`.
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
