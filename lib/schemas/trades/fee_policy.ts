import { z } from "zod";
import { atoms } from "../codec/atoms.ts";
import { address } from "../codec/hex.ts";
import { double } from "../codec/scalars.ts";

/** A share of the surplus over the limit price. */
export interface SurplusPolicy {
  /** Share of the surplus before the fee, at least 0 and below 1. */
  factor: number;
  /** Cap, as a volume factor. */
  maxVolumeFactor: number;
}

/** A share of the traded volume. */
export interface VolumePolicy {
  /** Share of the volume before the fee, at least 0 and below 1. */
  factor: number;
}

/** The quote that a price-improvement policy compares with. */
export interface PolicyQuote {
  /** Quoted sell amount, in sell-token atoms. */
  sellAmount: bigint;
  /** Quoted buy amount, in buy-token atoms. */
  buyAmount: bigint;
  /** Network fee at quoting, in sell-token atoms; rounded down, unlike the order's own quote. */
  fee: bigint;
  /** Address of the solver that gave the quote; only in auctions. */
  solver?: string;
}

/** A share of the improvement over the quote. */
export interface PriceImprovementPolicy {
  /** Share of the improvement before the fee, at least 0 and below 1. */
  factor: number;
  /** Cap, as a volume factor. */
  maxVolumeFactor: number;
  /** The quote compared with. */
  quote?: PolicyQuote;
}

/**
 * How a fee is computed. The service sends exactly one of the known keys; a policy of an unknown
 * kind has none of them, and its own key is kept.
 */
export interface FeePolicy {
  /** A share of the surplus. */
  surplus?: SurplusPolicy;
  /** A share of the volume. */
  volume?: VolumePolicy;
  /** A share of the price improvement. */
  priceImprovement?: PriceImprovementPolicy;
}

const policyQuote: z.ZodType<PolicyQuote> = z.looseObject({
  sellAmount: atoms,
  buyAmount: atoms,
  fee: atoms,
  solver: z.exactOptional(address),
});

/** Schema of {@linkcode FeePolicy}. */
export const feePolicy: z.ZodType<FeePolicy> = z.looseObject({
  surplus: z.exactOptional(z.looseObject({ factor: double, maxVolumeFactor: double })),
  volume: z.exactOptional(z.looseObject({ factor: double })),
  priceImprovement: z.exactOptional(z.looseObject({
    factor: double,
    maxVolumeFactor: double,
    quote: z.exactOptional(policyQuote),
  })),
});

/** Name of the kind of a policy; `undefined` for an unknown kind. */
export function feePolicyKind(
  policy: FeePolicy,
): "surplus" | "volume" | "priceImprovement" | undefined {
  if (policy.surplus !== undefined) return "surplus";
  if (policy.volume !== undefined) return "volume";
  if (policy.priceImprovement !== undefined) return "priceImprovement";
  return undefined;
}
