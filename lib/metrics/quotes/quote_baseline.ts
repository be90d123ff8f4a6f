import { Decimal, powerOfTen, type Ratio, ratio } from "../../units/mod.ts";
import { exchangedSellAmount, type Fill, type OrderLimit } from "../orders/fill.ts";
import { netQuoteAmount } from "./net_quote_amount.ts";
import { isNotComputable, type NotComputable } from "../not_computable.ts";
import { type StoredQuote, storedQuoteFee } from "./stored_quote.ts";

/**
 * What a fill is compared with:
 *
 * - `"gross"`: the stored quote before any fee
 * - `"net"`: the quote minus its network fee, the baseline of price-improvement fees
 * - `"userShown"`: the net quote minus the volume fees of protocol and partner: what the trader was
 *   shown
 * - `"limit"`: the signed limit price
 */
export type Baseline = "gross" | "net" | "userShown" | "limit";

/** The values of {@linkcode Baseline}. */
export const BASELINES: readonly Baseline[] = ["gross", "net", "userShown", "limit"];

/** One measurement per baseline. */
export function byBaseline<Measured>(
  measure: (baseline: Baseline) => Measured,
): Record<Baseline, Measured> {
  return {
    gross: measure("gross"),
    net: measure("net"),
    userShown: measure("userShown"),
    limit: measure("limit"),
  };
}

/** Why a fill cannot be compared with a baseline. */
export type NoBaselineReason =
  | "no_quote"
  | "quote_without_price"
  | "limit_without_price"
  | "no_volume_factors"
  | "factor_out_of_range"
  | "nothing_executed"
  | "zero_baseline"
  | "jit_owner_unknown";

/** What {@linkcode quoteBaseline} needs besides the quote. */
export interface BaselineOptions {
  /** Volume factors that `"userShown"` subtracts; `undefined` if unknown. */
  readonly volumeFactors?: readonly number[] | undefined;
}

/** Maximum number of decimal places of a factor; a double has 17 significant digits. */
const MOST_DIGITS = 77;

/**
 * The amount of the surplus token at a baseline, scaled to the fill, as an exact ratio of atoms:
 * only the quote's fee in the buy token is rounded, down as in the service.
 *
 * @returns A ratio above zero, or why it cannot be computed.
 */
export function quoteBaseline(
  fill: Fill,
  order: OrderLimit,
  quote: StoredQuote | null | undefined,
  baseline: Baseline,
  options: BaselineOptions = {},
): Ratio | NotComputable<NoBaselineReason> {
  const isSell = order.kind === "sell";
  const executed = isSell ? exchangedSellAmount(fill) : fill.buyAmount;
  if (executed <= 0n) return missing("nothing_executed", `The fill executed ${executed} atoms`);
  if (baseline === "limit") {
    return isSell
      ? scaled(order.buyAmount, executed, order.sellAmount, "limit")
      : scaled(order.sellAmount, executed, order.buyAmount, "limit");
  }
  if (quote === null || quote === undefined) {
    return missing("no_quote", "The order has no stored quote");
  }
  const fixed = isSell ? quote.sellAmount : quote.buyAmount;
  if (baseline === "gross") {
    return scaled(isSell ? quote.buyAmount : quote.sellAmount, executed, fixed, "gross");
  }
  const fee = storedQuoteFee(quote);
  if (fee === null) {
    return missing("quote_without_price", "The network fee of the quote cannot be computed");
  }
  const net = netQuoteAmount(quote, { kind: order.kind, fee });
  if (net === null) {
    return missing("quote_without_price", `The quote fixes ${fixed} atoms`);
  }
  const netBaseline = scaled(net, executed, fixed, "net");
  if (baseline === "net" || isNotComputable(netBaseline)) return netBaseline;
  return shown(netBaseline, order.kind, options.volumeFactors);
}

function scaled(
  amount: bigint,
  executed: bigint,
  fixed: bigint,
  baseline: Baseline,
): Ratio | NotComputable<NoBaselineReason> {
  if (fixed <= 0n) {
    const reason = baseline === "limit" ? "limit_without_price" : "quote_without_price";
    return missing(reason, `The ${baseline} price fixes ${fixed} atoms`);
  }
  if (amount <= 0n) {
    return missing("zero_baseline", `The ${baseline} baseline is ${amount} atoms`);
  }
  return ratio(amount * executed, fixed);
}

/** Sell `net * Π(1 - v)`, buy `net * Π(1 + v)`, with each factor read as its decimal text. */
function shown(
  net: Ratio,
  kind: OrderLimit["kind"],
  volumeFactors: readonly number[] | undefined,
): Ratio | NotComputable<NoBaselineReason> {
  if (volumeFactors === undefined) {
    return missing("no_volume_factors", "The fill has no fee policies: pass volumeFactors");
  }
  let { numerator, denominator } = net;
  for (const factor of volumeFactors) {
    if (!(factor >= 0 && factor < 1)) {
      return missing(
        "factor_out_of_range",
        `A volume factor is ${factor}; it must be at least 0 and below 1`,
      );
    }
    const { coefficient, scale } = Decimal.fromNumber(factor);
    if (scale > MOST_DIGITS) {
      return missing("factor_out_of_range", `A volume factor is ${factor}, below 10^-60`);
    }
    const one = powerOfTen(scale);
    numerator *= kind === "sell" ? one - coefficient : one + coefficient;
    denominator *= one;
  }
  return ratio(numerator, denominator);
}

function missing(reason: NoBaselineReason, detail: string): NotComputable<NoBaselineReason> {
  return { reason, detail };
}
