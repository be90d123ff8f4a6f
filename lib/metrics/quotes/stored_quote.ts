import type { Decimal } from "../../units/mod.ts";
import { exactDouble } from "./exact_double.ts";

/**
 * The quote stored with an order, as in `order.quote`: *gross*, that is, before network and volume
 * fees, and scaled to the order.
 *
 * An answer of `POST quote` has amounts with the same names that are *net*. Its type has `kind` and
 * the tokens, which this one forbids, so the compiler rejects one in place of the other. Use
 * `slippageAgainstQuoteResponse` to compare with an answer.
 */
export interface OrderStoredQuote {
  /** Quoted sell amount, in sell-token atoms. */
  readonly sellAmount: bigint;
  /** Quoted buy amount, in buy-token atoms. */
  readonly buyAmount: bigint;
  /** Estimated gas, in gas units. */
  readonly gasAmount: Decimal;
  /** Gas price at quoting, in wei per gas unit. */
  readonly gasPrice: Decimal;
  /** Price of the sell token, in native atoms per sell-token atom. */
  readonly sellTokenPrice: Decimal;
  /** Always absent: only a net answer of `POST quote` has it. */
  readonly kind?: never;
  /** Always absent: only a net answer of `POST quote` has it. */
  readonly sellToken?: never;
}

/** The same stored quote in a price-improvement policy, with its network fee computed. */
export interface PolicyStoredQuote {
  /** Quoted sell amount, in sell-token atoms. */
  readonly sellAmount: bigint;
  /** Quoted buy amount, in buy-token atoms. */
  readonly buyAmount: bigint;
  /** Network fee at quoting, in sell-token atoms, rounded down. */
  readonly fee: bigint;
  /** Always absent: only a net answer of `POST quote` has it. */
  readonly kind?: never;
  /** Always absent: only a net answer of `POST quote` has it. */
  readonly sellToken?: never;
}

/** A gross quote, from the order or from a policy of one of its fills. */
export type StoredQuote = OrderStoredQuote | PolicyStoredQuote;

/**
 * The network fee of a stored quote, as the service's fee policies compute it:
 * `floor(gasAmount * gasPrice / sellTokenPrice)`.
 *
 * The service stores the three as doubles and multiplies their exact values, and so does this
 * function; their full decimal expansion on the wire identifies the same doubles. `feeAmount` of
 * the order's quote is the ceiling of the same product in double arithmetic and can be a few atoms
 * off, so exact fees cannot be computed from it. Rounds down because the service drops the
 * fraction.
 *
 * @param quote The quote of an order, or of a policy, which contains the fee itself.
 * @returns Sell-token atoms, `>= 0n`; `null` if the price is 0 or one of the three is not a finite
 * double, for which the service computes no fee.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/src/database/fee_policies.rs | quote of a policy in the service}
 *
 * @example A quote of a local market; its `feeAmount` was 47478613713590904
 * ```ts
 * import { Decimal } from "orderlens";
 * import { storedQuoteFee } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const fee = storedQuoteFee({
 *   sellAmount: 125349568184000000000n,
 *   buyAmount: 124288409703985180164n,
 *   gasAmount: Decimal.parse("472416"),
 *   gasPrice: Decimal.parse("1000000002"),
 *   sellTokenPrice: Decimal.parse("0.00995007992007992080052414252122616744600236415863037109375"),
 * });
 *
 * assertEquals(fee, 47478613713590902n);
 * ```
 */
export function storedQuoteFee(quote: StoredQuote): bigint | null {
  if ("fee" in quote) return quote.fee;
  const gas = quote.gasAmount.toNumber();
  const gasPrice = quote.gasPrice.toNumber();
  const tokenPrice = quote.sellTokenPrice.toNumber();
  if (!Number.isFinite(gas) || !Number.isFinite(gasPrice)) return null;
  if (!Number.isFinite(tokenPrice) || tokenPrice === 0) return null;
  const a = exactDouble(gas);
  const b = exactDouble(gasPrice);
  const c = exactDouble(tokenPrice);
  const product = a.mantissa * b.mantissa;
  const shift = a.exponent + b.exponent - c.exponent;
  return shift >= 0
    ? (product << BigInt(shift)) / c.mantissa
    : product / (c.mantissa << BigInt(-shift));
}
