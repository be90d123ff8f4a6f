import { InputError } from "../../errors/mod.ts";
import { checkOptions, type OptionRules, requireWord } from "../../errors/option_rules.ts";
import type { AppData, FeePolicy, Order, OrderKind } from "../../schemas/mod.ts";
import { Decimal, divide, powerOfTen, type Ratio, ratio, ratioToNumber } from "../../units/mod.ts";
import { subtractRatios } from "../../units/ratio.ts";
import { anyRecord, isNotComputable, list, type NotComputable } from "../not_computable.ts";
import {
  exchangedSellAmount,
  type ExecutedTotals,
  type Fill,
  type OrderLimit,
  type OrderPair,
} from "../orders/fills.ts";
import {
  type AuctionRole,
  resolveRole,
  ROLE,
  ROLE_UNKNOWN,
  type RoleHints,
} from "../orders/order_bids.ts";
import {
  type Baseline,
  BASELINES,
  type NoBaselineReason,
  quoteBaseline,
  readVolumeFactors,
  type StoredQuote,
} from "../quotes/quote_baseline.ts";
import { surplusBpsOfLimit } from "../surplus.ts";
import { policyOrigins } from "../fees/fee_policies.ts";
import { type NetworkFee, networkFee, type NetworkFeeReason } from "../fees/network_fee.ts";
import { parsePartnerAppData } from "../orders/calculate_status.ts";
import type { AtomInterval, ClearingPrices } from "../prices/price_interval.ts";

/** A fill for `slippage`, with the policies of its fees, if known. */
export interface FillWithPolicies extends Fill {
  /** Fees charged on the fill, as in trades; absent if unknown. */
  readonly executedProtocolFees?:
    | readonly { readonly policy?: FeePolicy | null | undefined }[]
    | undefined;
}

/** Options of {@linkcode slippage}. */
export interface SlippageOptions {
  /**
   * Factors of all volume fees, protocol and partner, for the `"userShown"` baseline; each at least
   * 0 and below 1, read as decimal text. @default {those of the fill's own policies}
   */
  readonly volumeFactors?: readonly number[] | undefined;
  /**
   * Role of the order in its auction, from `auctionRole`, for the `"limit"` baseline: an order that
   * a solver provided as liquidity counts as traded at its limit.
   *
   * @default {that without the auction}
   */
  readonly role?: AuctionRole | undefined;
}

/** Distance of a fill from a baseline. */
export interface Slippage {
  /** The baseline of the comparison. */
  readonly baseline: Baseline;
  /** Exact basis points of the baseline, positive if the fill was better. */
  readonly bps: Ratio;
  /** The difference in whole atoms of the surplus token, rounded down. */
  readonly atoms: bigint;
  /** The baseline itself, scaled to the fill: an exact number of atoms, above zero. */
  readonly baselineAtoms: Ratio;
}

/**
 * Measures the distance of a fill from its quote, against a named baseline `Q` that is scaled to the fill.
 *
 * Sell: `10^4 * (b - Q) / Q` with `Q = baselineBuy * s / S`. Buy: `10^4 * (Q - s) / Q` with
 * `Q = baselineSell * b / B`. Over the whole order the baseline is
 *
 * | baseline | sell | buy |
 * | --- | --- | --- |
 * | `"gross"` | `q.buy * S / q.sell` | `q.sell * B / q.buy` |
 * | `"net"` | `(q.buy - floor(q.fee * q.buy / q.sell)) * S / q.sell` | `(q.sell + q.fee) * B / q.buy` |
 * | `"userShown"` | `net * Π(1 - v)` | `net * Π(1 + v)` |
 * | `"limit"` | `B` | `S` |
 *
 * with `v` the factors of the volume fees, and `q.fee` the fee that {@linkcode storedQuoteFee}
 * gives, so price-improvement fees compare with `"net"` (apart from their cap by the limit).
 * `"userShown"` is computed as in the service's own quote responses. Only that fee in the buy token
 * is rounded: baselines and basis points are exact ratios. `atoms` is rounded down to a whole
 * number, so for `"limit"` it equals `surplusAtoms`.
 *
 * An order that a solver provided as liquidity has no quote; its slippage against its limit is 0,
 * since it counts as traded there.
 *
 * For a whole order in place of a fill, pass `orderFill(order)`.
 *
 * @param fill One execution after all fees, in atoms; with its `executedProtocolFees` for
 * `"userShown"`.
 * @param order Which amount is fixed, and the limit.
 * @param quote The order's *stored* quote, which is gross, or the quote of a policy; `null` or
 * `undefined` if there is none. A response of `POST quote` is net and does not compile here: see
 * {@linkcode slippageAgainstQuoteResponse}.
 * @param baseline The baseline of the comparison.
 * @returns The slippage, positive if the fill was better; or why it cannot be computed. `"limit"`
 * needs no quote.
 * @throws {InputError} If the baseline, the role or an option is unknown or invalid.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/shared/src/order_quoting.rs | quotes of the service}
 *
 * @example A fill at 2,090 of a quote of 2,100 whose network fee was worth 10
 * ```ts
 * import { isNotComputable, slippage } from "orderlens/metrics";
 * import { ratioToNumber } from "orderlens/units";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const order = { kind: "sell", sellAmount: 1_050n, buyAmount: 2_000n } as const;
 * const quote = { sellAmount: 1_050n, buyAmount: 2_100n, fee: 5n };
 * const fill = { sellAmount: 1_050n, buyAmount: 2_090n };
 *
 * const net = slippage(fill, order, quote, "net");
 * const gross = slippage(fill, order, quote, "gross");
 *
 * assert(!isNotComputable(net) && !isNotComputable(gross));
 * assertEquals(ratioToNumber(net.bps), 0);
 * assertEquals(gross.atoms, -10n);
 * assertEquals(slippage(fill, order, null, "gross"), {
 *   reason: "no_quote",
 *   detail: "The order has no stored quote",
 * });
 * ```
 */
export function slippage(
  fill: FillWithPolicies,
  order: OrderLimit & RoleHints,
  quote: StoredQuote | null | undefined,
  baseline: Baseline,
  options: SlippageOptions = {},
): Slippage | NotComputable<NoBaselineReason> {
  const action = "Cannot measure slippage";
  requireWord(baseline, BASELINES, { noun: "baseline", action });
  checkOptions(options, { volumeFactors: list(), role: ROLE }, action);
  const role = resolveRole(options.role, order, action);
  if (baseline === "limit" && role === "unknown") return ROLE_UNKNOWN;
  const volumeFactors = baseline === "userShown"
    ? options.volumeFactors ?? readVolumeFactors(fill.executedProtocolFees)
    : undefined;
  const baselineAtoms = quoteBaseline(fill, order, quote, baseline, { volumeFactors });
  if (isNotComputable(baselineAtoms)) return baselineAtoms;
  if (baseline === "limit" && role === "liquidity") {
    return { baseline, bps: ratio(0n, 1n), atoms: 0n, baselineAtoms };
  }
  return { baseline, ...measureDistance(baselineAtoms, fill, order.kind) };
}

/** Measures the distance of a fill from an exact number of atoms of the surplus token, above zero. */
function measureDistance(
  baselineAtoms: Ratio,
  fill: Fill,
  kind: OrderLimit["kind"],
): Omit<Slippage, "baseline"> {
  const { numerator, denominator } = baselineAtoms;
  const won = kind === "sell"
    ? fill.buyAmount * denominator - numerator
    : numerator - exchangedSellAmount(fill) * denominator;
  return {
    bps: ratio(10_000n * won, numerator),
    atoms: divide(won, denominator, { rounding: "floor" }),
    baselineAtoms,
  };
}

/**
 * The amounts of a response of `POST quote`, which are *net* of network and volume fees; the `quote`
 * of a `QuoteResponse` has them. A stored quote, which is gross, has no `kind` and does not compile
 * here.
 */
export interface AnsweredQuote {
  /** The amount that the request fixed. */
  readonly kind: OrderKind;
  /** Token to sell. */
  readonly sellToken: string;
  /** Sell amount, in sell-token atoms, without the network fee. */
  readonly sellAmount: bigint;
  /** Buy amount, in buy-token atoms. */
  readonly buyAmount: bigint;
  /** Network fee, in sell-token atoms. */
  readonly feeAmount: bigint;
}

/**
 * Measures the distance of a fill from the response of `POST quote` that its trader saw.
 *
 * Sell: `10^4 * (b - Q) / Q` with `Q = a.buy * s / (a.sell + a.fee)`. Buy: `10^4 * (Q - s) / Q`
 * with `Q = (a.sell + a.fee) * b / a.buy`. The response `a` excludes the network fee from `sellAmount`,
 * so both together are the amount sold; its volume fee is already deducted. A partner fee is not:
 * front ends deduct it themselves. To compare with the quote stored with an order, use `slippage`.
 *
 * @param fill One execution after all fees, in atoms, or `orderFill(order)` for a whole order; of an
 * order of the response's kind.
 * @param order The amount that the order fixes.
 * @param quote The `quote` of a response of `POST quote`.
 * @returns The slippage, exact, with `"userShown"` as its baseline; positive if the fill was
 * better; or why it cannot be computed.
 * @throws {InputError} If the order and the response fix different amounts.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/src/quoter.rs | quote answers of the service}
 *
 * @example A response of 95 for a budget of 50, fee included, filled at 96
 * ```ts
 * import { isNotComputable, slippageAgainstQuoteResponse } from "orderlens/metrics";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const quote = {
 *   kind: "sell",
 *   sellToken: "0xa1",
 *   sellAmount: 48n,
 *   feeAmount: 2n,
 *   buyAmount: 95n,
 * } as const;
 * const result = slippageAgainstQuoteResponse({ sellAmount: 50n, buyAmount: 96n }, quote, quote);
 *
 * assert(!isNotComputable(result));
 * assertEquals(result.atoms, 1n);
 * ```
 */
export function slippageAgainstQuoteResponse(
  fill: Fill,
  order: { readonly kind: OrderKind },
  quote: AnsweredQuote,
): Slippage | NotComputable<NoBaselineReason> {
  if (order.kind !== quote.kind) {
    throw new InputError(`Cannot compare a ${order.kind} order with a quote to ${quote.kind}`, {
      remedy: "Pass the response that the order was placed with",
    });
  }
  const isSell = quote.kind === "sell";
  const executedAtoms = isSell ? exchangedSellAmount(fill) : fill.buyAmount;
  if (executedAtoms <= 0n) {
    return { reason: "nothing_executed", detail: `The fill executed ${executedAtoms} atoms` };
  }
  const soldAtoms = quote.sellAmount + quote.feeAmount;
  const [fixed, open] = isSell ? [soldAtoms, quote.buyAmount] : [quote.buyAmount, soldAtoms];
  if (fixed <= 0n) {
    return { reason: "quote_without_price", detail: `The response fixes ${fixed} atoms` };
  }
  if (open <= 0n) {
    return { reason: "zero_baseline", detail: `The response promises ${open} atoms` };
  }
  return {
    baseline: "userShown",
    ...measureDistance(ratio(open * executedAtoms, fixed), fill, quote.kind),
  };
}

/**
 * Measures the distance of a stored quote over the limit of its order, in basis points of the limit.
 *
 * The quote is a fill of the whole order in whole atoms, rounded against the trader.
 *
 * @param volumeFactors Factors of the volume fees, for the baseline `userShown`.
 * @returns `null` without a quote, or if the limit is no price.
 */
export function quoteOverLimitBps(
  order: Order,
  baseline: Baseline,
  volumeFactors?: readonly number[],
): number | null {
  if ((order.kind === "sell" ? order.sellAmount : order.buyAmount) === 0n) return null;
  const wholeOrder = { sellAmount: order.sellAmount, buyAmount: order.buyAmount };
  const measured = slippage(wholeOrder, order, order.quote, baseline, { volumeFactors });
  if (isNotComputable(measured)) return null;
  const { numerator, denominator } = measured.baselineAtoms;
  const quotedAtoms = divide(numerator, denominator, {
    rounding: order.kind === "sell" ? "floor" : "ceil",
  });
  const bps = surplusBpsOfLimit(
    order.kind === "sell"
      ? { ...wholeOrder, buyAmount: quotedAtoms }
      : { ...wholeOrder, sellAmount: quotedAtoms },
    order,
  );
  return isNotComputable(bps) ? null : ratioToNumber(bps);
}

/** Options of {@linkcode tolerance}. */
export interface ToleranceOptions extends Pick<SlippageOptions, "volumeFactors"> {
  /** The decoded app data document; `null` or absent if unknown. */
  readonly appData?: AppData | null | undefined;
  /** The fill, or `orderFill(order)`; absent for an order that was not executed. */
  readonly fill?: FillWithPolicies | undefined;
}

const TOLERANCE_OPTIONS: OptionRules<ToleranceOptions> = {
  volumeFactors: list(),
  appData: anyRecord(),
  fill: anyRecord(),
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
  /** Against the quote that the trader was shown, which `askedBps` refers to. */
  readonly userShown: ToleranceOverBaseline | NotComputable<NoBaselineReason>;
}

/**
 * Measures the loss against its quote that an order allowed, and made: the tolerance in the app data
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
 * @param options Other records; a missing one makes its part `null` or a reason.
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
  checkOptions(options, TOLERANCE_OPTIONS, "Cannot measure tolerance");
  const measure = (baseline: Baseline) => measureOverBaseline(order, quote, baseline, options);
  return {
    askedBps: readAskedBps(options.appData),
    gross: measure("gross"),
    net: measure("net"),
    userShown: measure("userShown"),
  };
}

/** Reads a number, or as before 2024 a number as text; anything else is ignored. */
function readAskedBps(appData: AppData | null | undefined): Ratio | null {
  const bips = appData?.metadata?.quote?.slippageBips;
  if (bips === undefined) return null;
  const decimal = Decimal.tryParse(String(bips));
  if (decimal === undefined || decimal.scale > 77) return null;
  return ratio(decimal.coefficient, powerOfTen(decimal.scale));
}

function measureOverBaseline(
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
  const limitSlippage = slippage(atLimit, order, quote, baseline, { volumeFactors });
  if (isNotComputable(limitSlippage)) return limitSlippage;
  const signedBps = negate(limitSlippage.bps);
  const fillSlippage = fill === undefined
    ? null
    : slippage(fill, order, quote, baseline, { volumeFactors });
  if (fillSlippage === null || isNotComputable(fillSlippage)) {
    return { signedBps, usedBps: null, leftBps: null };
  }
  const usedBps = negate(fillSlippage.bps);
  return { signedBps, usedBps, leftBps: subtractRatios(signedBps, usedBps) };
}

function negate({ numerator, denominator }: Ratio): Ratio {
  return ratio(-numerator, denominator);
}

/** A fill with its fees and their policies. A `Trade` has them. */
export interface FillWithFees extends Fill {
  /** Fees charged, in the order applied; absent if unknown. */
  readonly executedProtocolFees?:
    | readonly { readonly policy?: FeePolicy | null | undefined; readonly amount: bigint }[]
    | undefined;
}

/** The fields of an order that a decomposition uses. An `Order` has them. */
export interface DecomposableOrder extends OrderPair, RoleHints, Partial<ExecutedTotals> {
  /** The quote stored with the order. */
  readonly quote?: StoredQuote | null | undefined;
  /** All fees of the order so far, in sell-token atoms. */
  readonly executedFee?: bigint | undefined;
}

/** Options of a decomposition. */
export interface DecomposeOptions {
  /** The decoded settlement of the fill, which makes every part exact. */
  readonly settlement?: ClearingPrices | undefined;
  /**
   * All fees of *this fill* in sell-token atoms, if there is no settlement.
   * @default {the order's `executedFee`, if the fill is all that the order executed}
   */
  readonly executedFee?: bigint | undefined;
  /** The decoded app data document. @default {the order's `fullAppData`} */
  readonly appData?: AppData | null | undefined;
  /** Role of the order in its auction, from `auctionRole`. @default {that without the auction} */
  readonly role?: AuctionRole | undefined;
}

const DECOMPOSE_OPTIONS: OptionRules<DecomposeOptions> = {
  settlement: anyRecord(),
  executedFee: BigInt,
  appData: anyRecord(),
  role: ROLE,
};

/**
 * Difference of a fill from its gross quote: four parts in atoms of the surplus token, positive if they
 * benefited the trader, so costs are negative.
 */
export interface SlippageParts {
  /** The executed amount compared with the gross quote: the sum of the four parts. */
  readonly totalAtoms: bigint;
  /** Network cost charged. */
  readonly networkCostAtoms: AtomInterval;
  /** Fees of the protocol. */
  readonly protocolFeeAtoms: bigint;
  /** Fees of partners. */
  readonly partnerFeeAtoms: bigint;
  /** The remainder: price moves, and the solver relative to the quoter. */
  readonly marketAtoms: AtomInterval;
  /** Basis of the network cost: with `"settlement"` and `"role"` every part is exact. */
  readonly basis: NetworkFee["basis"];
}

/** The reason why a fill cannot be decomposed. */
export type DecomposeReason = NoBaselineReason | NetworkFeeReason | "unknown_fee_origin";

/**
 * Splits the slippage of a fill against its *gross* quote into payments for gas, to the protocol and to
 * partners, and the market's part.
 *
 * With all fees `F = network + protocol + partner` in the surplus token, `total = market - F`,
 * where `total` is `slippage(…, "gross").atoms` and `market` is the difference at the settlement's
 * uniform prices. The total is rounded down; nothing else is rounded, so the four parts always add
 * up to it exactly. If the network cost is only known as an interval, so is the market's part, and
 * the smallest value of one belongs to the largest of the other. For an order that a solver
 * provided as liquidity, `F` is 0, and the market's part is the total.
 *
 * @param fill One execution after all fees, in atoms, with its fees and their policies. Not the
 * totals of several fills, which have no single price: decompose each, and add.
 * @param order Which amount is fixed, limit, tokens, quote and app data.
 * @param options The settlement, or the fees of the fill.
 * @returns The four parts, or why they cannot be computed.
 * @throws {InputError} If an option or the role is unknown or invalid.
 * @throws {RangeError} If an amount or a price is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | fees of the service}
 *
 * @example 190 of a gross quote of 205, at uniform prices that gave 200
 * ```ts
 * import { decomposeSlippage } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const order = {
 *   kind: "sell",
 *   sellAmount: 100n,
 *   buyAmount: 180n,
 *   sellToken: "0xa1",
 *   buyToken: "0xb2",
 *   quote: { sellAmount: 100n, buyAmount: 205n, fee: 2n },
 *   fullAppData: "{}",
 * } as const;
 * const fill = {
 *   sellAmount: 100n,
 *   buyAmount: 190n,
 *   executedProtocolFees: [{ policy: { volume: { factor: 0.02 } }, amount: 4n }],
 * };
 * const settlement = { tokens: ["0xa1", "0xb2"], clearingPrices: [2n, 1n] };
 *
 * assertEquals(decomposeSlippage(fill, order, { settlement }), {
 *   totalAtoms: -15n,
 *   networkCostAtoms: { low: -6n, high: -6n },
 *   protocolFeeAtoms: -4n,
 *   partnerFeeAtoms: 0n,
 *   marketAtoms: { low: -5n, high: -5n },
 *   basis: "settlement",
 * });
 * ```
 */
export function decomposeSlippage(
  fill: FillWithFees,
  order: DecomposableOrder,
  options: DecomposeOptions = {},
): SlippageParts | NotComputable<DecomposeReason> {
  checkOptions(options, DECOMPOSE_OPTIONS, "Cannot decompose slippage");
  const total = slippage(fill, order, order.quote, "gross");
  if (isNotComputable(total)) return total;
  const { settlement, executedFee = findOnlyFillFee(fill, order), role } = options;
  const fee = networkFee(fill, order, { settlement, executedFee, role });
  if (isNotComputable(fee)) return fee;
  const appData = options.appData === undefined ? parsePartnerAppData(order) : options.appData;
  const split = splitFees(fill.executedProtocolFees ?? [], appData);
  if (isNotComputable(split)) return split;
  const { low, high } = fee.networkAtoms;
  const market = total.atoms + fee.protocolAtoms;
  return {
    totalAtoms: total.atoms,
    networkCostAtoms: { low: -high, high: -low },
    protocolFeeAtoms: -split.protocolAtoms,
    partnerFeeAtoms: -split.partnerAtoms,
    marketAtoms: { low: market + low, high: market + high },
    basis: fee.basis,
  };
}

/** Finds the fee of a fill: the order's total fees, if nothing else was executed. */
function findOnlyFillFee(fill: Fill, order: DecomposableOrder): bigint | undefined {
  const isOnly = order.executedSellAmount === fill.sellAmount &&
    order.executedBuyAmount === fill.buyAmount;
  return isOnly ? order.executedFee : undefined;
}

function splitFees(
  fees: NonNullable<FillWithFees["executedProtocolFees"]>,
  appData: AppData | null,
): { protocolAtoms: bigint; partnerAtoms: bigint } | NotComputable<"unknown_fee_origin"> {
  const origins = policyOrigins(fees.map((fee) => fee.policy), appData);
  let protocolAtoms = 0n;
  let partnerAtoms = 0n;
  for (const [index, { amount }] of fees.entries()) {
    switch (origins[index]?.origin) {
      case "protocol":
        protocolAtoms += amount;
        break;
      case "partner":
        partnerAtoms += amount;
        break;
      default:
        return {
          reason: "unknown_fee_origin",
          detail: "The app data does not show whether a fee is the protocol's or a partner's",
        };
    }
  }
  return { protocolAtoms, partnerAtoms };
}
