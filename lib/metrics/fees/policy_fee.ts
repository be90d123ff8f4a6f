import { checkOptions, defineRule, type OptionRules, required } from "../../errors/option_rules.ts";
import type { FeePolicy, KnownFeePolicyKind } from "../../schemas/mod.ts";
import { mulDivDown, mulFloat } from "../../units/mod.ts";
import { anyRecord, isNotComputable, list, type NotComputable } from "../not_computable.ts";
import {
  checkLimitPrice,
  exchangedSellAmount,
  type Fill,
  type OrderLimit,
} from "../orders/fills.ts";
import { computeNetQuote, type StoredQuote, storedQuoteFee } from "../quotes/quote_baseline.ts";
import { surplusOverLimit } from "../surplus.ts";

/** The reason why the fee of a policy cannot be recomputed. */
export type FeeReason =
  | "no_policy"
  | "unknown_kind"
  | "no_quote"
  | "quote_without_price"
  | "factor_one"
  | "factor_out_of_range"
  | "limit_without_price"
  | "nothing_executed"
  | "below_limit"
  | "fees_above_volume"
  | "overflow"
  | "later_policy";

/** The fee of one policy, recomputed. */
export interface RecomputedFee {
  /** Kind of the policy. */
  readonly kind: KnownFeePolicyKind;
  /** The fee, in atoms of the surplus token, `>= 0n`. */
  readonly atoms: bigint;
  /** The fee without its cap; equal to `atoms` for a volume fee, which has no cap. */
  readonly uncappedAtoms: bigint;
  /** Whether the cap reduced it. */
  readonly isCapped: boolean;
}

/** A policy whose fee cannot be recomputed, and the reason. */
export interface UncomputedFee extends NotComputable<FeeReason> {
  /** Kind of the policy, if known. */
  readonly kind: KnownFeePolicyKind | null;
}

/** Returns the kind of a policy; `null` if the policy is missing or of an unknown kind. */
function findPolicyKind(policy: FeePolicy | null | undefined): KnownFeePolicyKind | null {
  if (policy?.surplus !== undefined) return "surplus";
  if (policy?.volume !== undefined) return "volume";
  return policy?.priceImprovement === undefined ? null : "priceImprovement";
}

/**
 * Computes the fee of one policy, from the amounts of a fill right after it was applied.
 *
 * @param fill The fill with the fees of all later policies added back.
 * @param order Which amount is fixed, and the limit.
 * @param policy The policy.
 * @param quote The quote for a price-improvement policy without its own.
 */
function computePolicyFee(
  fill: Fill,
  order: OrderLimit,
  policy: FeePolicy | null | undefined,
  quote: StoredQuote | null | undefined,
): RecomputedFee | UncomputedFee {
  if (policy === null || policy === undefined) {
    return explain(null, "no_policy", "The fee was reported without its policy");
  }
  const { surplus, volume, priceImprovement } = policy;
  if (volume !== undefined) return computeVolumeFee(fill, order, volume.factor);
  if (surplus !== undefined) {
    return computeShareFee("surplus", surplus, fill, order, surplusOverLimit(fill, order));
  }
  if (priceImprovement === undefined) {
    return explain(
      null,
      "unknown_kind",
      `The policy is of the kind ${Object.keys(policy).join(", ") || "(none)"}`,
    );
  }
  const appliedQuote = priceImprovement.quote ?? quote;
  if (appliedQuote === null || appliedQuote === undefined) {
    return explain(
      "priceImprovement",
      "no_quote",
      "Neither the policy nor the order has a quote",
    );
  }
  const improvement = priceImprovementAtoms(fill, order, appliedQuote);
  return computeShareFee("priceImprovement", priceImprovement, fill, order, improvement);
}

function computeVolumeFee(
  fill: Fill,
  order: OrderLimit,
  factor: number,
): RecomputedFee | UncomputedFee {
  const outOfRange = checkFactor("volume", factor);
  if (outOfRange !== undefined) return outOfRange;
  const atoms = multiplyAtoms(readVolume(fill, order), toVolumeMultiplier(factor, order));
  if (atoms === undefined) return createOverflow("volume");
  return { kind: "volume", atoms, uncappedAtoms: atoms, isCapped: false };
}

function computeShareFee(
  kind: "surplus" | "priceImprovement",
  terms: { readonly factor: number; readonly maxVolumeFactor: number },
  fill: Fill,
  order: OrderLimit,
  improvement: ReturnType<typeof priceImprovementAtoms>,
): RecomputedFee | UncomputedFee {
  if (isNotComputable(improvement)) return { kind, ...improvement };
  const { factor, maxVolumeFactor } = terms;
  const outOfRange = checkFactor(kind, factor) ?? checkFactor(kind, maxVolumeFactor);
  if (outOfRange !== undefined) return outOfRange;
  if (improvement < 0n) {
    return explain(kind, "below_limit", `The fill is ${-improvement} atoms worse than the limit`);
  }
  const uncappedAtoms = multiplyAtoms(improvement, factor / (1 - factor));
  const cap = multiplyAtoms(readVolume(fill, order), toVolumeMultiplier(maxVolumeFactor, order));
  if (uncappedAtoms === undefined || cap === undefined) return createOverflow(kind);
  const isCapped = cap < uncappedAtoms;
  return { kind, atoms: isCapped ? cap : uncappedAtoms, uncappedAtoms, isCapped };
}

function readVolume(fill: Fill, order: OrderLimit): bigint {
  return order.kind === "sell" ? fill.buyAmount : exchangedSellAmount(fill);
}

function toVolumeMultiplier(factor: number, order: OrderLimit): number {
  return order.kind === "sell" ? factor / (1 - factor) : factor / (1 + factor);
}

/** Multiplies; `undefined` if the service's 256-bit product overflows, in which case it computes no fee. */
function multiplyAtoms(atoms: bigint, multiplier: number): bigint | undefined {
  if (multiplier === 0) return 0n;
  try {
    return mulFloat(atoms, multiplier);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function checkFactor(kind: KnownFeePolicyKind, factor: number): UncomputedFee | undefined {
  if (factor >= 0 && factor < 1) return undefined;
  return factor === 1
    ? explain(kind, "factor_one", "With a factor of 1, nothing is left to compute the fee from")
    : explain(
      kind,
      "factor_out_of_range",
      `The factor is ${factor}; it must be at least 0 and below 1`,
    );
}

function createOverflow(kind: KnownFeePolicyKind): UncomputedFee {
  return explain(kind, "overflow", "The product of the amount and the factor exceeds 256 bits");
}

function explain(
  kind: KnownFeePolicyKind | null,
  reason: FeeReason,
  detail: string,
): UncomputedFee {
  return { kind, reason, detail };
}

/** Options of {@linkcode recomputeFees}. */
export interface RecomputeFeesOptions {
  /** The policies in the order applied, as trades list them; a missing one is `null`. */
  readonly policies: readonly (FeePolicy | null | undefined)[];
  /**
   * The order's stored quote, for price-improvement policies without their own, such as those of
   * debug reports. @default {none}
   */
  readonly quote?: StoredQuote | null | undefined;
  /**
   * The reported fee of each policy, in atoms. If a fee cannot be recomputed, its reported amount
   * is added back instead, so that earlier policies can be.
   * @default {none: earlier policies cannot be computed either}
   */
  readonly reportedAtoms?: readonly (bigint | undefined)[] | undefined;
}

const RECOMPUTE_OPTIONS: OptionRules<RecomputeFeesOptions> = {
  policies: required(defineRule("an array", Array.isArray)),
  quote: anyRecord(),
  reportedAtoms: defineRule("an array", Array.isArray),
};

/**
 * Recomputes the fee of every policy of a fill from the fill's amounts after all fees.
 *
 * Policies are applied first to last, so they are undone last to first: with `T` the fees undone so
 * far, a policy applies to the amounts `(s, b + T)` of a sell order and `(s - T, b)` of a buy
 * order. Its fee:
 *
 * | policy | fee |
 * | --- | --- |
 * | `volume` | sell `b * f / (1 - f)`, buy `s * f / (1 + f)` |
 * | `surplus` | `surplus * f / (1 - f)`, at most a volume fee of `maxVolumeFactor` |
 * | `priceImprovement` | the same of the improvement over the quote |
 *
 * with surplus from {@linkcode surplusOverLimit} and improvement from
 * {@linkcode priceImprovementAtoms}. As in the service, `f / (1 - f)` is computed in doubles,
 * multiplied as in `mulFloat`, and rounded down, so that fees agree with the service's to the atom.
 *
 * @param fill One execution after all fees, in atoms.
 * @param order Which amount is fixed, and the limit.
 * @param options The policies; the order's quote, for policies without their own.
 * @returns One entry per policy, in the order given: the fee in atoms of the surplus token and
 * whether its cap reduced it, or why there is none. If the service cannot compute one fee, it
 * computes none of the earlier ones.
 * @throws {InputError} If an option is unknown or invalid.
 * @throws {RangeError} If an amount is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | protocol_fees of the service}
 *
 * @example Half of the surplus, capped, after a fee of 2 basis points on the volume
 * ```ts
 * import { recomputeFees } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const order = { kind: "sell", sellAmount: 10n ** 18n, buyAmount: 2_000_000_000n } as const;
 * const fill = { sellAmount: 10n ** 18n, buyAmount: 2_100_000_000n };
 * const fees = recomputeFees(fill, order, {
 *   policies: [
 *     { surplus: { factor: 0.5, maxVolumeFactor: 0.0098 } },
 *     { volume: { factor: 0.0002 } },
 *   ],
 * });
 *
 * assertEquals(fees, [
 *   { kind: "surplus", atoms: 20_787_837n, uncappedAtoms: 100_420_084n, isCapped: true },
 *   { kind: "volume", atoms: 420_084n, uncappedAtoms: 420_084n, isCapped: false },
 * ]);
 * ```
 */
export function recomputeFees(
  fill: Fill,
  order: OrderLimit,
  options: RecomputeFeesOptions,
): readonly (RecomputedFee | UncomputedFee)[] {
  checkOptions(options, RECOMPUTE_OPTIONS, "Cannot recompute fees");
  const { policies, reportedAtoms } = options;
  const fees = new Array<RecomputedFee | UncomputedFee>(policies.length);
  let fillAfterPolicy: Fill | Fault = checkAmounts(fill, order) ?? fill;
  let undoneAtoms = 0n;
  for (let index = policies.length - 1; index >= 0; index--) {
    const policy = policies[index];
    const fee: RecomputedFee | UncomputedFee = isNotComputable(fillAfterPolicy)
      ? { kind: findPolicyKind(policy), ...fillAfterPolicy }
      : computePolicyFee(fillAfterPolicy, order, policy, options.quote);
    fees[index] = fee;
    if (isNotComputable(fillAfterPolicy)) continue;
    const undoneFee = isNotComputable(fee) ? reportedAtoms?.[index] : fee.atoms;
    if (undoneFee === undefined) fillAfterPolicy = LATER_POLICY;
    else {
      undoneAtoms += undoneFee;
      fillAfterPolicy = undoFees(undoneAtoms, fill, order);
    }
  }
  return fees;
}

type Fault = NotComputable<FeeReason>;

const LATER_POLICY: Fault = {
  reason: "later_policy",
  detail: "A policy that was applied later is not computable",
};

function checkAmounts(fill: Fill, order: OrderLimit): Fault | undefined {
  const unpriced = checkLimitPrice(order);
  if (unpriced !== undefined) return unpriced;
  const executedAtoms = order.kind === "sell" ? exchangedSellAmount(fill) : fill.buyAmount;
  return executedAtoms === 0n
    ? { reason: "nothing_executed", detail: "The fill executed 0 atoms" }
    : undefined;
}

function undoFees(undoneAtoms: bigint, fill: Fill, order: OrderLimit): Fill | Fault {
  const { buyAmount } = fill;
  const sellAmount = exchangedSellAmount(fill);
  if (order.kind === "sell") return { sellAmount, buyAmount: buyAmount + undoneAtoms };
  return undoneAtoms > sellAmount
    ? { reason: "fees_above_volume", detail: `Fees of ${undoneAtoms} of ${sellAmount} atoms sold` }
    : { sellAmount: sellAmount - undoneAtoms, buyAmount };
}

/** Options of {@linkcode chargeFees}. */
export interface ChargeFeesOptions {
  /** The policies in the order applied, each of a known kind. */
  readonly policies: readonly FeePolicy[];
  /** The quote for price-improvement policies without their own. @default {none} */
  readonly quote?: StoredQuote | null | undefined;
}

const CHARGE_OPTIONS: OptionRules<ChargeFeesOptions> = {
  policies: required(list()),
  quote: anyRecord(),
};

/**
 * Returns the amounts of a fill after its fee policies were charged: the inverse of `recomputeFees`.
 *
 * Policies are applied first to last, each to the amounts after the previous ones. A volume fee is
 * `b * f` for a sell order and `s * f` for a buy order; a surplus fee is `surplus * f`, at most a
 * volume fee of `maxVolumeFactor`; a price-improvement fee is the same share of the improvement
 * over the quote. Fees reduce what a sell order buys, and increase what a buy order sells. They are
 * rounded down, in the trader's favour. `recomputeFees` of the result may differ by a few atoms of
 * rounding; its amounts are the ones that the service reports.
 *
 * @param fill The amounts after the network fee and before all others, in atoms.
 * @param order Which amount is fixed, and the limit.
 * @param options The policies; the order's quote, for policies without their own.
 * @returns The fill after all fees, in atoms; or `"limit_without_price"` if the order fixes `0n`. A
 * price-improvement policy whose quote is missing or has no price charges nothing.
 * @throws {InputError} If an option is unknown or invalid.
 * @throws {RangeError} If an amount is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | protocol_fees of the service, the way back}
 *
 * @example Half of a surplus of 100, then nothing is left to a second half but 25
 * ```ts
 * import { chargeFees } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const order = { kind: "sell", sellAmount: 1_000n, buyAmount: 900n } as const;
 * const half = { surplus: { factor: 0.5, maxVolumeFactor: 0.9 } };
 *
 * const fill = { sellAmount: 1_000n, buyAmount: 1_000n };
 * const once = chargeFees(fill, order, { policies: [half] });
 * const twice = chargeFees(fill, order, { policies: [half, half] });
 * assertEquals(once, { sellAmount: 1_000n, buyAmount: 950n });
 * assertEquals(twice, { sellAmount: 1_000n, buyAmount: 925n });
 * ```
 */
export function chargeFees(
  fill: Fill,
  order: OrderLimit,
  options: ChargeFeesOptions,
): Fill | NotComputable<"limit_without_price"> {
  checkOptions(options, CHARGE_OPTIONS, "Cannot charge fees");
  const unpriced = checkLimitPrice(order);
  if (unpriced !== undefined) return unpriced;
  let chargedFill: Fill = fill;
  for (const policy of options.policies) {
    const fee = computeCharge(policy, chargedFill, order, options.quote);
    chargedFill = order.kind === "sell"
      ? { ...chargedFill, buyAmount: chargedFill.buyAmount - fee }
      : { ...chargedFill, sellAmount: chargedFill.sellAmount + fee };
  }
  return chargedFill;
}

function computeCharge(
  policy: FeePolicy,
  fill: Fill,
  order: OrderLimit,
  quote: StoredQuote | null | undefined,
): bigint {
  const volume = order.kind === "sell" ? fill.buyAmount : exchangedSellAmount(fill);
  if (policy.volume !== undefined) return mulFloat(volume, policy.volume.factor);
  const { surplus, priceImprovement } = policy;
  const terms = surplus ?? priceImprovement;
  if (terms === undefined) return 0n;
  const appliedQuote = priceImprovement?.quote ?? quote;
  const improvement = surplus !== undefined
    ? surplusOverLimit(fill, order)
    : appliedQuote === null || appliedQuote === undefined
    ? 0n
    : priceImprovementAtoms(fill, order, appliedQuote);
  if (isNotComputable(improvement) || improvement <= 0n) return 0n;
  const share = mulFloat(improvement, terms.factor);
  const cap = mulFloat(volume, terms.maxVolumeFactor);
  return share < cap ? share : cap;
}

/**
 * Returns the amount by which a fill was better than its stored quote, as price-improvement fees measure
 * it.
 *
 * It is the surplus with the quote in place of the limit. The quote is first reduced by its network fee,
 * scaled to the order, and replaced by the order's own limit if that is tighter: sell
 * `(S, max(B, floor(net * S / q.sell)))` with `net = q.buy - floor(q.fee * q.buy / q.sell)`, buy
 * `(min(S, floor(net * B / q.buy)), B)` with `net = q.sell + q.fee`. Rounded as in the service, so
 * that fees match to the atom; to measure slippage use `slippage`, which rounds nothing.
 *
 * @param fill One execution, in atoms.
 * @param order Which amount is fixed, and the limit.
 * @param quote The order's stored quote, or the quote of a policy.
 * @returns Atoms of the surplus token, never negative: `0n` for a fill worse than its quote, and
 * for a quote whose fee exceeds it. Or why there is none: the order or the quote fixes `0n`, or the
 * quote has no fee.
 * @throws {RangeError} If an amount is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/domain/settlement/trade/math.rs | price_improvement of the service}
 *
 * @example Quoted 2,080 less a fee of half a percent
 * ```ts
 * import { priceImprovementAtoms } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const order = { kind: "sell", sellAmount: 1_000n, buyAmount: 2_000_000n } as const;
 * const quote = { sellAmount: 1_000n, buyAmount: 2_080_000n, fee: 5n };
 *
 * assertEquals(
 *   priceImprovementAtoms({ sellAmount: 1_000n, buyAmount: 2_100_000n }, order, quote),
 *   30_400n,
 * );
 * ```
 */
export function priceImprovementAtoms(
  fill: Fill,
  order: OrderLimit,
  quote: StoredQuote,
): bigint | NotComputable<"limit_without_price" | "quote_without_price"> {
  const unpriced = checkLimitPrice(order);
  if (unpriced !== undefined) return unpriced;
  const fee = storedQuoteFee(quote);
  const net = fee === null ? null : computeNetQuote(quote, { kind: order.kind, fee });
  if (net === null) return QUOTE_WITHOUT_PRICE;
  if (net < 0n) return 0n;
  const improvement = surplusOverLimit(fill, selectTighterLimit(net, quote, order));
  return isNotComputable(improvement) || improvement >= 0n ? improvement : 0n;
}

const QUOTE_WITHOUT_PRICE = {
  reason: "quote_without_price",
  detail: "The quote is for 0 atoms, or has no fee",
} as const;

function selectTighterLimit(net: bigint, quote: StoredQuote, order: OrderLimit): OrderLimit {
  const { kind, sellAmount, buyAmount } = order;
  if (kind === "sell") {
    const scaled = mulDivDown(net, sellAmount, quote.sellAmount);
    return { kind, sellAmount, buyAmount: scaled > buyAmount ? scaled : buyAmount };
  }
  const scaled = mulDivDown(net, buyAmount, quote.buyAmount);
  return { kind, sellAmount: scaled < sellAmount ? scaled : sellAmount, buyAmount };
}
