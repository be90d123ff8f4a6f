import type { Decimal } from "../../units/mod.ts";
import { exactDouble } from "./exact_double.ts";

/**
 * The quote stored with an order, as in `order.quote`: *gross*, that is before network and volume
 * fees, and scaled to the order.
 *
 * An answer of `POST quote` has amounts of the same names that are *net*. Its type carries `kind` and
 * the tokens, which this one forbids, so that the compiler refuses the one in the place of the other;
 * what an answer promised is measured by `slippageAgainstQuoteResponse`.
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
  /** Never there: what has it is a net answer of `POST quote`. */
  readonly kind?: never;
  /** Never there: what has it is a net answer of `POST quote`. */
  readonly sellToken?: never;
}

/** The same stored quote as a price-improvement policy carries it, with its network fee worked out. */
export interface PolicyStoredQuote {
  /** Quoted sell amount, in sell-token atoms. */
  readonly sellAmount: bigint;
  /** Quoted buy amount, in buy-token atoms. */
  readonly buyAmount: bigint;
  /** Network fee at quoting, in sell-token atoms, rounded down. */
  readonly fee: bigint;
  /** Never there: what has it is a net answer of `POST quote`. */
  readonly kind?: never;
  /** Never there: what has it is a net answer of `POST quote`. */
  readonly sellToken?: never;
}

/** A gross quote, from the order or from a policy of one of its fills. */
export type StoredQuote = OrderStoredQuote | PolicyStoredQuote;

/**
 * The network fee of a stored quote, as the service's fee policies read it:
 * `floor(gasAmount * gasPrice / sellTokenPrice)`.
 *
 * The service holds the three as doubles and multiplies their exact values, so this does too; the
 * full decimal expansion on the wire names the same doubles. `feeAmount` of the order's quote is the
 * ceiling of the same in double arithmetic and can be a few atoms off: no fee follows from it to the
 * atom. Rounds down because the service drops the fraction.
 *
 * @param quote The quote of an order, or of a policy, which names the fee itself.
 * @returns Sell-token atoms, `>= 0n`; `null` where the price is 0 or one of the three is no finite
 * double: the service computes nothing then.
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
