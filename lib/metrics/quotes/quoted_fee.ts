import type { OrderQuote } from "../../schemas/mod.ts";

/** The part of a stored quote that its network fee is read or computed from. */
export type QuotedFeeTerms = Pick<
  OrderQuote,
  "feeAmount" | "gasAmount" | "gasPrice" | "sellTokenPrice"
>;

/**
 * Returns the network fee that the service shows for the quote of an order: its `feeAmount`, or, in
 * responses before 2026-01-21, which lack it, `ceil(gasAmount * gasPrice / sellTokenPrice)`.
 *
 * The service computes in doubles, and so does this function: both agree to the atom. Slippage,
 * fees and market positions count the exact fee instead, see `storedQuoteFee`.
 *
 * @returns Sell-token atoms, `>= 0n`; `null` where a response without `feeAmount` has no price of
 * the sell token, or terms that are no finite doubles.
 * @see {@link https://github.com/cowprotocol/services/pull/4050 | services}
 *
 * @example A quote as responses of 2025 have it
 * ```ts
 * import { Decimal } from "orderlens";
 * import { quotedFeeAmount } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const quote = {
 *   gasAmount: Decimal.parse("100000"),
 *   gasPrice: Decimal.parse("1000000001"),
 *   sellTokenPrice: Decimal.parse("3"),
 * };
 *
 * assertEquals(quotedFeeAmount(quote), 33333333366667n);
 * assertEquals(quotedFeeAmount({ ...quote, feeAmount: 7n }), 7n);
 * ```
 */
export function quotedFeeAmount(quote: QuotedFeeTerms): bigint | null {
  if (quote.feeAmount !== undefined) return quote.feeAmount;
  const gasCost = quote.gasAmount.toNumber() * quote.gasPrice.toNumber();
  const fee = Math.ceil(gasCost / quote.sellTokenPrice.toNumber());
  return Number.isFinite(fee) ? BigInt(fee) : null;
}
