import type { FeePolicy, OrderKind } from "../../schemas/mod.ts";
import { Decimal, mulDivDown, powerOfTen, type Ratio, ratio } from "../../units/mod.ts";
import { isNotComputable, type NotComputable } from "../not_computable.ts";
import { exchangedSellAmount, type Fill, type OrderLimit } from "../orders/fills.ts";

/**
 * Baseline of a comparison with a fill:
 *
 * - `"gross"`: the stored quote before any fee
 * - `"net"`: the quote minus its network fee, the baseline of price-improvement fees
 * - `"userShown"`: the net quote minus the volume fees of protocol and partner, as the trader was
 *   shown
 * - `"limit"`: the signed limit price
 */
export type Baseline = "gross" | "net" | "userShown" | "limit";

/** The values of {@linkcode Baseline}. */
export const BASELINES: readonly Baseline[] = ["gross", "net", "userShown", "limit"];

/** Measures against each baseline. */
export function measureByBaseline<Measured>(
  measure: (baseline: Baseline) => Measured,
): Record<Baseline, Measured> {
  return {
    gross: measure("gross"),
    net: measure("net"),
    userShown: measure("userShown"),
    limit: measure("limit"),
  };
}

/** The reason why a fill cannot be compared with a baseline. */
export type NoBaselineReason =
  | "no_quote"
  | "quote_without_price"
  | "limit_without_price"
  | "no_volume_factors"
  | "factor_out_of_range"
  | "nothing_executed"
  | "zero_baseline"
  | "jit_owner_unknown";

/** Maximum number of decimal places of a factor; a double has 17 significant digits. */
const MAX_DIGITS = 77;

/**
 * Returns the amount of the surplus token at a baseline, scaled to the fill, as an exact ratio of atoms:
 * only the quote's fee in the buy token is rounded, down as in the service.
 *
 * @returns A ratio above zero, or why it cannot be computed.
 */
export function quoteBaseline(
  fill: Fill,
  order: OrderLimit,
  quote: StoredQuote | null | undefined,
  baseline: Baseline,
  options: { volumeFactors?: readonly number[] | undefined } = {},
): Ratio | NotComputable<NoBaselineReason> {
  const isSell = order.kind === "sell";
  const executedAtoms = isSell ? exchangedSellAmount(fill) : fill.buyAmount;
  if (executedAtoms <= 0n) {
    return createReason("nothing_executed", `The fill executed ${executedAtoms} atoms`);
  }
  if (baseline === "limit") {
    return isSell
      ? scaleToFill(order.buyAmount, executedAtoms, order.sellAmount, "limit")
      : scaleToFill(order.sellAmount, executedAtoms, order.buyAmount, "limit");
  }
  if (quote === null || quote === undefined) {
    return createReason("no_quote", "The order has no stored quote");
  }
  const fixed = isSell ? quote.sellAmount : quote.buyAmount;
  if (baseline === "gross") {
    return scaleToFill(isSell ? quote.buyAmount : quote.sellAmount, executedAtoms, fixed, "gross");
  }
  const fee = storedQuoteFee(quote);
  if (fee === null) {
    return createReason("quote_without_price", "The network fee of the quote cannot be computed");
  }
  const net = computeNetQuote(quote, { kind: order.kind, fee });
  if (net === null) {
    return createReason("quote_without_price", `The quote fixes ${fixed} atoms`);
  }
  const netBaseline = scaleToFill(net, executedAtoms, fixed, "net");
  if (baseline === "net" || isNotComputable(netBaseline)) return netBaseline;
  return applyVolumeFactors(netBaseline, order.kind, options.volumeFactors);
}

function scaleToFill(
  amount: bigint,
  executedAtoms: bigint,
  fixed: bigint,
  baseline: Baseline,
): Ratio | NotComputable<NoBaselineReason> {
  if (fixed <= 0n) {
    const reason = baseline === "limit" ? "limit_without_price" : "quote_without_price";
    return createReason(reason, `The ${baseline} price fixes ${fixed} atoms`);
  }
  if (amount <= 0n) {
    return createReason("zero_baseline", `The ${baseline} baseline is ${amount} atoms`);
  }
  return ratio(amount * executedAtoms, fixed);
}

/** Applies volume factors, each read as its decimal text: sell `net * Π(1 - v)`, buy `net * Π(1 + v)`. */
function applyVolumeFactors(
  net: Ratio,
  kind: OrderLimit["kind"],
  volumeFactors: readonly number[] | undefined,
): Ratio | NotComputable<NoBaselineReason> {
  if (volumeFactors === undefined) {
    return createReason("no_volume_factors", "The fill has no fee policies: pass volumeFactors");
  }
  let { numerator, denominator } = net;
  for (const factor of volumeFactors) {
    if (!(factor >= 0 && factor < 1)) {
      return createReason(
        "factor_out_of_range",
        `A volume factor is ${factor}; it must be at least 0 and below 1`,
      );
    }
    const { coefficient, scale } = Decimal.fromNumber(factor);
    if (scale > MAX_DIGITS) {
      return createReason("factor_out_of_range", `A volume factor is ${factor}, below 10^-60`);
    }
    const unit = powerOfTen(scale);
    numerator *= kind === "sell" ? unit - coefficient : unit + coefficient;
    denominator *= unit;
  }
  return ratio(numerator, denominator);
}

function createReason(reason: NoBaselineReason, detail: string): NotComputable<NoBaselineReason> {
  return { reason, detail };
}

/**
 * Computes the amount of a gross quote in the surplus token after the quoted network fee: sell
 * `q.buy - floor(q.fee * q.buy / q.sell)`, buy `q.sell + q.fee`.
 *
 * @returns Atoms, not scaled to the order; negative if the fee exceeds the quoted sell amount.
 * `null` for a quote without a price: its fixed amount is `0n`.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/winner-selection/src/arbitrator.rs | adjust_quote_to_order_limits of the service}
 */
export function computeNetQuote(
  quote: { sellAmount: bigint; buyAmount: bigint },
  { kind, fee }: { readonly kind: OrderKind; readonly fee: bigint },
): bigint | null {
  if (kind === "buy") return quote.buyAmount === 0n ? null : quote.sellAmount + fee;
  if (quote.sellAmount === 0n) return null;
  return quote.buyAmount - mulDivDown(fee, quote.buyAmount, quote.sellAmount);
}

/**
 * The quote stored with an order, as in `order.quote`: *gross*, that is, before network and volume
 * fees, and scaled to the order.
 *
 * A response of `POST quote` has amounts with the same names that are *net*. Its type has `kind` and
 * the tokens, which this one forbids, so the compiler rejects one in place of the other. Use
 * `slippageAgainstQuoteResponse` to compare with a response.
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
  /** Always absent: only a net response of `POST quote` has it. */
  readonly kind?: never;
  /** Always absent: only a net response of `POST quote` has it. */
  readonly sellToken?: never;
}

/** The stored quote as in a price-improvement policy, with its network fee computed. */
export interface PolicyStoredQuote {
  /** Quoted sell amount, in sell-token atoms. */
  readonly sellAmount: bigint;
  /** Quoted buy amount, in buy-token atoms. */
  readonly buyAmount: bigint;
  /** Network fee at quoting, in sell-token atoms, rounded down. */
  readonly fee: bigint;
  /** Always absent: only a net response of `POST quote` has it. */
  readonly kind?: never;
  /** Always absent: only a net response of `POST quote` has it. */
  readonly sellToken?: never;
}

/** A gross quote, from the order or from a policy of one of its fills. */
export type StoredQuote = OrderStoredQuote | PolicyStoredQuote;

/**
 * Computes the network fee of a stored quote, as the service's fee policies do:
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
  const a = toExactDouble(gas);
  const b = toExactDouble(gasPrice);
  const c = toExactDouble(tokenPrice);
  const product = a.mantissa * b.mantissa;
  const shift = a.exponent + b.exponent - c.exponent;
  return shift >= 0
    ? (product << BigInt(shift)) / c.mantissa
    : product / (c.mantissa << BigInt(-shift));
}

const FRACTION_BITS = 52n;
const FRACTION_MASK = (1n << FRACTION_BITS) - 1n;
const EXPONENT_MASK = 0x7ffn;
/** Exponent of the last bit of the smallest doubles. */
const MIN_EXPONENT = -1074;

/**
 * Returns the exact value of a double, to repeat in integers the service's computations with doubles.
 *
 * @param value A finite, non-negative double.
 */
export function toExactDouble(value: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const fraction = bits & FRACTION_MASK;
  const biased = (bits >> FRACTION_BITS) & EXPONENT_MASK;
  return biased === 0n
    ? { mantissa: fraction, exponent: MIN_EXPONENT }
    : { mantissa: fraction | (1n << FRACTION_BITS), exponent: MIN_EXPONENT + Number(biased) - 1 };
}

/** A gross quote with its network fee computed; amounts in atoms. */
export interface QuoteWithFee {
  /** Quoted sell amount, in sell-token atoms. */
  readonly sellAmount: bigint;
  /** Quoted buy amount, in buy-token atoms. */
  readonly buyAmount: bigint;
  /** Network fee at quoting, in sell-token atoms. */
  readonly fee: bigint;
}

/** The position of an order's limit relative to its quote, and that quote. */
export interface MarketPosition {
  /**
   * `"in_market"` if the order could be filled at the quote after the network fee;
   * `"out_of_market"` if it needs a better price.
   */
  readonly position: "in_market" | "out_of_market";
  /** The gross quote with its network fee; `null` without a quote, or if its fee cannot be computed. */
  readonly quote: QuoteWithFee | null;
  /**
   * Basis of the position: the `"quote"`; `"no_quote"`; or `"quote_without_price"`, a quote without a price
   * or with a fee above its amounts. In the last two cases, the service considers an order out of
   * market.
   */
  readonly basis: "quote" | "no_quote" | "quote_without_price";
}

/**
 * Distinguishes market orders from limit orders, in the sense that fees depend on: compares the limit of an
 * order with its quote.
 *
 * Out of market if, sell: `S * (q.buy - floor(q.fee * q.buy / q.sell)) < q.sell * B`; buy:
 * `S * q.buy < (q.sell + q.fee) * B`. A limit exactly at the quote is in market. Only the fee in
 * the buy token is rounded, down as in the service. `order.class` is ignored: it is `limit` for
 * every current order.
 *
 * @param order Which amount is fixed, and the limit, in atoms.
 * @param quote The order's stored quote, or the quote of a price-improvement policy; `null` or
 * `undefined` if there is none.
 * @returns The position, the quote, and the basis.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/shared/src/order_validation.rs | is_order_outside_market_price of the service}
 *
 * @example A fee of 5 makes the limit of 1,991 unreachable, and 1,990 not
 * ```ts
 * import { marketPosition } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const quote = { sellAmount: 1_000n, buyAmount: 2_000n, fee: 5n };
 * const order = { kind: "sell", sellAmount: 1_000n, buyAmount: 1_990n } as const;
 *
 * assertEquals(marketPosition(order, quote).position, "in_market");
 * assertEquals(marketPosition({ ...order, buyAmount: 1_991n }, quote).position, "out_of_market");
 * ```
 */
export function marketPosition(
  order: OrderLimit,
  quote: StoredQuote | null | undefined,
): MarketPosition {
  if (quote === null || quote === undefined) {
    return { position: "out_of_market", quote: null, basis: "no_quote" };
  }
  const fee = storedQuoteFee(quote);
  if (fee === null) return { position: "out_of_market", quote: null, basis: "quote_without_price" };
  const quoteWithFee = { sellAmount: quote.sellAmount, buyAmount: quote.buyAmount, fee };
  const net = computeNetQuote(quoteWithFee, { kind: order.kind, fee });
  if (net === null || net < 0n) {
    return { position: "out_of_market", quote: quoteWithFee, basis: "quote_without_price" };
  }
  const isOut = order.kind === "sell"
    ? order.sellAmount * net < quoteWithFee.sellAmount * order.buyAmount
    : order.sellAmount * quoteWithFee.buyAmount < net * order.buyAmount;
  return { position: isOut ? "out_of_market" : "in_market", quote: quoteWithFee, basis: "quote" };
}

/**
 * Reads the factors of the volume fees among the fees of a fill, protocol and partner alike, in the order
 * they were applied.
 *
 * @param fees Fees of a trade.
 * @returns `[]` if no fee is a volume fee; `undefined` if the fees are unknown, or one of them has
 * no policy or a policy of an unknown kind, which may be a volume fee.
 */
export function readVolumeFactors(
  fees: readonly { readonly policy?: FeePolicy | null | undefined }[] | undefined,
): readonly number[] | undefined {
  if (fees === undefined) return undefined;
  const factors: number[] = [];
  for (const { policy } of fees) {
    if (policy?.volume !== undefined) factors.push(policy.volume.factor);
    else if (policy?.surplus === undefined && policy?.priceImprovement === undefined) {
      return undefined;
    }
  }
  return factors;
}
