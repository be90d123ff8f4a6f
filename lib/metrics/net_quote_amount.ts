import { mulDivDown } from "../units/mod.ts";
import type { OrderLimit } from "./fill.ts";

/** A gross quote with its network fee worked out; amounts in atoms. */
export interface QuoteWithFee {
  /** Quoted sell amount, in sell-token atoms. */
  readonly sellAmount: bigint;
  /** Quoted buy amount, in buy-token atoms. */
  readonly buyAmount: bigint;
  /** Network fee at quoting, in sell-token atoms. */
  readonly fee: bigint;
}

/**
 * What a gross quote was worth in the token that the order leaves open once the quoted network fee
 * is paid: sell `q.buy - floor(q.fee * q.buy / q.sell)`, buy `q.sell + q.fee`.
 *
 * @returns Atoms, not yet scaled to the order; negative where the fee exceeds what was quoted to be
 * sold. `null` for a quote without a price: its fixed amount is `0n`.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/winner-selection/src/arbitrator.rs | adjust_quote_to_order_limits of the service}
 */
export function netQuoteAmount(quote: QuoteWithFee, kind: OrderLimit["kind"]): bigint | null {
  if (kind === "buy") return quote.buyAmount === 0n ? null : quote.sellAmount + quote.fee;
  if (quote.sellAmount === 0n) return null;
  return quote.buyAmount - mulDivDown(quote.fee, quote.buyAmount, quote.sellAmount);
}
