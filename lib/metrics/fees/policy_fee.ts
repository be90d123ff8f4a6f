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
  /** What it would be without its cap; `atoms` for a volume fee, which has none. */
  readonly uncappedAtoms: bigint;
  /** Whether the cap made it smaller. */
  readonly isCapped: boolean;
}

/** A policy whose fee cannot be recomputed, and why. */
export interface UncomputedFee extends NotComputable<FeeReason> {
  /** Its kind, where it has a known one. */
  readonly kind: KnownFeePolicyKind | null;
}

/** The kind of a policy; `null` for one that is missing or of no known kind. */
export function policyKind(policy: FeePolicy | null | undefined): KnownFeePolicyKind | null {
  if (policy?.surplus !== undefined) return "surplus";
  if (policy?.volume !== undefined) return "volume";
  return policy?.priceImprovement === undefined ? null : "priceImprovement";
}

/**
 * What one policy took from the amounts of a fill as they were right after it was applied.
 *
 * @param fill The fill with the fees of all later policies given back.
 * @param order Which amount is fixed, and the limit.
 * @param policy The policy.
 * @param quote The quote for a price-improvement policy that has none of its own.
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
      `The policy is ${Object.keys(policy).join(", ") || "empty"}`,
    );
  }
  const over = priceImprovement.quote ?? quote;
  if (over === null || over === undefined) {
    return uncomputed("priceImprovement", "no_quote", "The policy carries no quote, nor the order");
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

/** `undefined` where the service's 256-bit product overflows and it computes no fee. */
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
    ? uncomputed(kind, "factor_one", "A factor of 1 leaves nothing to compute the fee from")
    : uncomputed(kind, "factor_out_of_range", `A factor is ${factor}, not from 0 to below 1`);
}

function overflow(kind: KnownFeePolicyKind): UncomputedFee {
  return uncomputed(kind, "overflow", "The amount times its factor needs more than 256 bits");
}

function uncomputed(
  kind: KnownFeePolicyKind | null,
  reason: FeeReason,
  detail: string,
): UncomputedFee {
  return { kind, reason, detail };
}
