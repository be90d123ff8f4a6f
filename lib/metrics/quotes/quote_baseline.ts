import { Decimal, powerOfTen, type Ratio, ratio } from "../../units/mod.ts";
import { exchangedSellAmount, type Fill, type OrderLimit } from "../orders/fill.ts";
import { netQuoteAmount } from "./net_quote_amount.ts";
import { isNotComputable, type NotComputable } from "../not_computable.ts";
import { type StoredQuote, storedQuoteFee } from "./stored_quote.ts";

/**
 * What a fill is compared with:
 *
 * - `"gross"`: the stored quote as it is, before any fee
 * - `"net"`: the quote less its network fee, the baseline of price-improvement fees
 * - `"userShown"`: the net quote less the volume fees, of protocol and partner: what a trader was
 *   shown
 * - `"limit"`: the price that was signed
 */
export type Baseline = "gross" | "net" | "userShown" | "limit";

/** The words of {@linkcode Baseline}. */
export const BASELINES: readonly Baseline[] = ["gross", "net", "userShown", "limit"];

/** What is measured against each of the baselines. */
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

/** What {@linkcode quoteBaseline} needs beside the quote. */
export interface BaselineOptions {
  /** Volume factors that `"userShown"` takes off; `undefined` where they are not known. */
  readonly volumeFactors?: readonly number[] | undefined;
}

/** Digits after the point that a factor can have and still be one; a double has 17 that count. */
const MOST_DIGITS = 77;

/**
 * The amount of the surplus token that a baseline stands for, scaled to the fill, as an exact ratio
 * of atoms: nothing but the quote's fee in the buy token is rounded, down, as the service rounds it.
 *
 * @returns A ratio above zero, or why there is none.
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
    return missing("no_quote", "No quote is stored with the order");
  }
  const fixed = isSell ? quote.sellAmount : quote.buyAmount;
  if (baseline === "gross") {
    return scaled(isSell ? quote.buyAmount : quote.sellAmount, executed, fixed, "gross");
  }
  const fee = storedQuoteFee(quote);
  if (fee === null) {
    return missing("quote_without_price", "The quote names no price of its network fee");
  }
  const net = netQuoteAmount(quote, { kind: order.kind, fee });
  if (net === null) {
    return missing("quote_without_price", `The quote is for ${fixed} atoms of the fixed amount`);
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
    return missing(reason, `The ${baseline} price is for ${fixed} atoms`);
  }
  if (amount <= 0n) {
    return missing("zero_baseline", `The ${baseline} baseline is ${amount} atoms`);
  }
  return ratio(amount * executed, fixed);
}

/** Sell `net * Π(1 - v)`, buy `net * Π(1 + v)`, each factor read as the decimal it is written as. */
function shown(
  net: Ratio,
  kind: OrderLimit["kind"],
  volumeFactors: readonly number[] | undefined,
): Ratio | NotComputable<NoBaselineReason> {
  if (volumeFactors === undefined) {
    return missing("no_volume_factors", "The fill names no fee policies: pass volumeFactors");
  }
  let { numerator, denominator } = net;
  for (const factor of volumeFactors) {
    if (!(factor >= 0 && factor < 1)) {
      return missing("factor_out_of_range", `A volume factor is ${factor}, not from 0 to below 1`);
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
