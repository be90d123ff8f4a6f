import type { FeePolicy, KnownFeePolicyKind } from "../../schemas/mod.ts";
import { mulFloat } from "../../units/mod.ts";
import { exchangedSellAmount, type Fill, type OrderLimit } from "../orders/fill.ts";
import { isNotComputable, type NotComputable } from "../not_computable.ts";
import { priceImprovementAtoms } from "./price_improvement_atoms.ts";
import type { StoredQuote } from "../quotes/stored_quote.ts";
import { surplusOverLimit } from "../surplus/surplus_over_limit.ts";

/** Why the fee of a policy cannot be recomputed. */
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
  /** How it is computed. */
  readonly kind: KnownFeePolicyKind;
  /** The fee, in atoms of the surplus token, `>= 0n`. */
  readonly atoms: bigint;
  /** The fee without its cap; equal to `atoms` for a volume fee, which has no cap. */
  readonly uncappedAtoms: bigint;
  /** Whether the cap reduced it. */
  readonly isCapped: boolean;
}

/** A policy whose fee cannot be recomputed, and why. */
export interface UncomputedFee extends NotComputable<FeeReason> {
  /** Kind of the policy, if known. */
  readonly kind: KnownFeePolicyKind | null;
}

/** The kind of a policy; `null` if the policy is missing or of an unknown kind. */
export function policyKind(policy: FeePolicy | null | undefined): KnownFeePolicyKind | null {
  if (policy?.surplus !== undefined) return "surplus";
  if (policy?.volume !== undefined) return "volume";
  return policy?.priceImprovement === undefined ? null : "priceImprovement";
}

/**
 * The fee of one policy, from the amounts of a fill right after it was applied.
 *
 * @param fill The fill with the fees of all later policies added back.
 * @param order Which amount is fixed, and the limit.
 * @param policy The policy.
 * @param quote The quote for a price-improvement policy without its own.
 */
export function policyFee(
  fill: Fill,
  order: OrderLimit,
  policy: FeePolicy | null | undefined,
  quote: StoredQuote | null | undefined,
): RecomputedFee | UncomputedFee {
  if (policy === null || policy === undefined) {
    return uncomputed(null, "no_policy", "The fee was reported without its policy");
  }
  const { surplus, volume, priceImprovement } = policy;
  if (volume !== undefined) return volumePolicyFee(fill, order, volume.factor);
  if (surplus !== undefined) {
    return shareOf("surplus", surplus, fill, order, surplusOverLimit(fill, order));
  }
  if (priceImprovement === undefined) {
    return uncomputed(
      null,
      "unknown_kind",
      `The policy is of the kind ${Object.keys(policy).join(", ") || "(none)"}`,
    );
  }
  const over = priceImprovement.quote ?? quote;
  if (over === null || over === undefined) {
    return uncomputed(
      "priceImprovement",
      "no_quote",
      "Neither the policy nor the order has a quote",
    );
  }
  const improvement = priceImprovementAtoms(fill, order, over);
  return shareOf("priceImprovement", priceImprovement, fill, order, improvement);
}

function volumePolicyFee(
  fill: Fill,
  order: OrderLimit,
  factor: number,
): RecomputedFee | UncomputedFee {
  const outOfRange = faultOf("volume", factor);
  if (outOfRange !== undefined) return outOfRange;
  const atoms = product(volumeAtoms(fill, order), volumeMultiplier(factor, order));
  if (atoms === undefined) return overflow("volume");
  return { kind: "volume", atoms, uncappedAtoms: atoms, isCapped: false };
}

function shareOf(
  kind: "surplus" | "priceImprovement",
  terms: { readonly factor: number; readonly maxVolumeFactor: number },
  fill: Fill,
  order: OrderLimit,
  better: ReturnType<typeof priceImprovementAtoms>,
): RecomputedFee | UncomputedFee {
  if (isNotComputable(better)) return { kind, ...better };
  const { factor, maxVolumeFactor } = terms;
  const outOfRange = faultOf(kind, factor) ?? faultOf(kind, maxVolumeFactor);
  if (outOfRange !== undefined) return outOfRange;
  if (better < 0n) {
    return uncomputed(kind, "below_limit", `The fill is ${-better} atoms worse than the limit`);
  }
  const uncappedAtoms = product(better, factor / (1 - factor));
  const cap = product(volumeAtoms(fill, order), volumeMultiplier(maxVolumeFactor, order));
  if (uncappedAtoms === undefined || cap === undefined) return overflow(kind);
  const isCapped = cap < uncappedAtoms;
  return { kind, atoms: isCapped ? cap : uncappedAtoms, uncappedAtoms, isCapped };
}

function volumeAtoms(fill: Fill, order: OrderLimit): bigint {
  return order.kind === "sell" ? fill.buyAmount : exchangedSellAmount(fill);
}

function volumeMultiplier(factor: number, order: OrderLimit): number {
  return order.kind === "sell" ? factor / (1 - factor) : factor / (1 + factor);
}

/** `undefined` if the service's 256-bit product overflows, in which case it computes no fee. */
function product(atoms: bigint, multiplier: number): bigint | undefined {
  if (multiplier === 0) return 0n;
  try {
    return mulFloat(atoms, multiplier);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function faultOf(kind: KnownFeePolicyKind, factor: number): UncomputedFee | undefined {
  if (factor >= 0 && factor < 1) return undefined;
  return factor === 1
    ? uncomputed(kind, "factor_one", "With a factor of 1, nothing is left to compute the fee from")
    : uncomputed(
      kind,
      "factor_out_of_range",
      `The factor is ${factor}; it must be at least 0 and below 1`,
    );
}

function overflow(kind: KnownFeePolicyKind): UncomputedFee {
  return uncomputed(kind, "overflow", "The product of the amount and the factor exceeds 256 bits");
}

function uncomputed(
  kind: KnownFeePolicyKind | null,
  reason: FeeReason,
  detail: string,
): UncomputedFee {
  return { kind, reason, detail };
}
