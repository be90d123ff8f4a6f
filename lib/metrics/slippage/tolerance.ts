import { checkOptions, type OptionRules } from "../../errors/option_rules.ts";
import type { AppData } from "../../schemas/mod.ts";
import { Decimal, powerOfTen, type Ratio, ratio } from "../../units/mod.ts";
import type { OrderLimit } from "../orders/fill.ts";
import { isNotComputable, type NotComputable } from "../not_computable.ts";
import { decoded, list } from "../option_kinds.ts";
import type { Baseline, NoBaselineReason } from "../quotes/quote_baseline.ts";
import { type FillWithPolicies, slippage, type SlippageOptions } from "./slippage.ts";
import type { StoredQuote } from "../quotes/stored_quote.ts";

/** Options of {@linkcode tolerance}. */
export interface ToleranceOptions extends Pick<SlippageOptions, "volumeFactors"> {
  /** The decoded app data document; `null` or absent if unknown. */
  readonly appData?: AppData | null | undefined;
  /** The fill, or `orderFill(order)`; absent for an order that was not executed. */
  readonly fill?: FillWithPolicies | undefined;
}

const OPTIONS: OptionRules<ToleranceOptions> = {
  volumeFactors: list(),
  appData: decoded(),
  fill: decoded(),
};

/** The room between one baseline and the limit, and how much of it was used; exact basis points. */
export interface ToleranceOverBaseline {
  /** Signed: how much worse than the baseline the limit is; negative if it is better. */
  readonly signedBps: Ratio;
  /** Used: how much worse than the baseline the fill was; negative if it was better. */
  readonly usedBps: Ratio | null;
  /** Left: how much better than the limit the fill was. */
  readonly leftBps: Ratio | null;
}

/** The tolerance: requested, signed and used. */
export interface Tolerance {
  /** The tolerance in the app data, in basis points; `null` if it contains none. */
  readonly askedBps: Ratio | null;
  /** Against the quote before any fee. */
  readonly gross: ToleranceOverBaseline | NotComputable<NoBaselineReason>;
  /** Against the quote minus its network fee. */
  readonly net: ToleranceOverBaseline | NotComputable<NoBaselineReason>;
  /** Against what the trader was shown, which `askedBps` refers to. */
  readonly userShown: ToleranceOverBaseline | NotComputable<NoBaselineReason>;
}

/**
 * How much worse than its quote an order was allowed to be, and was: the tolerance in the app data
 * (`metadata.quote.slippageBips`), the signed one (limit against quote) and the used one (fill
 * against quote).
 *
 * With `Q` a baseline of the quote and `L` the limit, both scaled to the fill and not rounded, sell:
 * `signed = 10^4 * (Q - L) / Q`, `used = 10^4 * (Q - b) / Q`, `left = 10^4 * (b - L) / Q`; buy the
 * same with opposite signs. `signed = used + left`, exactly. If a front end signs what it showed
 * minus the requested tolerance, `askedBps` and `userShown.signedBps` are equal except for
 * rounding.
 *
 * @param order Which amount is fixed, and the limit, in atoms.
 * @param quote The order's stored quote; `null` or `undefined` if there is none.
 * @param options What else is known; what is missing makes that part `null` or a reason.
 * @returns Exact ratios of basis points.
 * @throws {InputError} If an option is unknown or invalid.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/shared/src/order_quoting.rs | quotes of the service}
 *
 * @example One percent was signed, of which a quarter was used
 * ```ts
 * import { isNotComputable, tolerance } from "orderlens/metrics";
 * import { ratioToNumber } from "orderlens/units";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const order = { kind: "sell", sellAmount: 1_000n, buyAmount: 1_980n } as const;
 * const quote = { sellAmount: 1_000n, buyAmount: 2_000n, fee: 0n };
 * const { askedBps, gross } = tolerance(order, quote, {
 *   appData: { metadata: { quote: { slippageBips: 100 } } },
 *   fill: { sellAmount: 1_000n, buyAmount: 1_995n },
 * });
 *
 * assert(askedBps !== null && !isNotComputable(gross));
 * assertEquals(ratioToNumber(askedBps), 100);
 * assertEquals(ratioToNumber(gross.signedBps), 100);
 * assertEquals(gross.usedBps && ratioToNumber(gross.usedBps), 25);
 * assertEquals(gross.leftBps && ratioToNumber(gross.leftBps), 75);
 * ```
 */
export function tolerance(
  order: OrderLimit,
  quote: StoredQuote | null | undefined,
  options: ToleranceOptions = {},
): Tolerance {
  checkOptions(options, OPTIONS, "Cannot measure tolerance");
  const over = (baseline: Baseline) => overBaseline(order, quote, baseline, options);
  return {
    askedBps: askedBps(options.appData),
    gross: over("gross"),
    net: over("net"),
    userShown: over("userShown"),
  };
}

/** Documents contain a number, or before 2024 a number as text; anything else is ignored. */
function askedBps(appData: AppData | null | undefined): Ratio | null {
  const bips = appData?.metadata?.quote?.slippageBips;
  if (bips === undefined) return null;
  const read = Decimal.tryParse(String(bips));
  if (read === undefined || read.scale > 77) return null;
  return ratio(read.coefficient, powerOfTen(read.scale));
}

function overBaseline(
  order: OrderLimit,
  quote: StoredQuote | null | undefined,
  baseline: Baseline,
  { fill, volumeFactors }: ToleranceOptions,
): ToleranceOverBaseline | NotComputable<NoBaselineReason> {
  const atLimit: FillWithPolicies = {
    sellAmount: order.sellAmount,
    buyAmount: order.buyAmount,
    executedProtocolFees: fill?.executedProtocolFees,
  };
  const ofLimit = slippage(atLimit, order, quote, baseline, { volumeFactors });
  if (isNotComputable(ofLimit)) return ofLimit;
  const signedBps = negative(ofLimit.bps);
  const ofFill = fill === undefined
    ? null
    : slippage(fill, order, quote, baseline, { volumeFactors });
  if (ofFill === null || isNotComputable(ofFill)) {
    return { signedBps, usedBps: null, leftBps: null };
  }
  const usedBps = negative(ofFill.bps);
  return { signedBps, usedBps, leftBps: difference(signedBps, usedBps) };
}

function negative({ numerator, denominator }: Ratio): Ratio {
  return ratio(-numerator, denominator);
}

function difference(a: Ratio, b: Ratio): Ratio {
  return ratio(
    a.numerator * b.denominator - b.numerator * a.denominator,
    a.denominator * b.denominator,
  );
}
