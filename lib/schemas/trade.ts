import { z } from "zod";
import { type Decode, type Encode, toDecoder, toEncoder } from "./codec/codec.ts";
import * as wire from "./codec/scalars.ts";
import { sentSince } from "./codec/sent_since.ts";

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
 * The formula of a fee. The service sends exactly one of the known keys; a policy of an unknown
 * kind has none of them, and its own key is preserved.
 */
export interface FeePolicy {
  /** A share of the surplus. */
  surplus?: SurplusPolicy;
  /** A share of the volume. */
  volume?: VolumePolicy;
  /** A share of the price improvement. */
  priceImprovement?: PriceImprovementPolicy;
}

export const policyQuote: z.ZodType<PolicyQuote> = z.looseObject({
  sellAmount: wire.atoms,
  buyAmount: wire.atoms,
  fee: wire.atoms,
  solver: z.exactOptional(wire.address),
});

export const feePolicy: z.ZodType<FeePolicy> = z.looseObject({
  surplus: z.exactOptional(z.looseObject({ factor: wire.double, maxVolumeFactor: wire.double })),
  volume: z.exactOptional(z.looseObject({ factor: wire.double })),
  priceImprovement: z.exactOptional(z.looseObject({
    factor: wire.double,
    maxVolumeFactor: wire.double,
    quote: z.exactOptional(policyQuote),
  })),
});

/** Returns the name of a policy's kind; `undefined` for an unknown kind. */
export function feePolicyKind(
  policy: FeePolicy,
): "surplus" | "volume" | "priceImprovement" | undefined {
  if (policy.surplus !== undefined) return "surplus";
  if (policy.volume !== undefined) return "volume";
  if (policy.priceImprovement !== undefined) return "priceImprovement";
  return undefined;
}

/** One fee charged on a fill. */
export interface ExecutedProtocolFee {
  /** The policy it was computed by; absent for orders that a solver placed itself. */
  policy?: FeePolicy | null;
  /** Amount of the fee, in atoms of `token`. */
  amount: bigint;
  /** The surplus token: the buy token of a sell order, the sell token of a buy order. */
  token: string;
}

/** One fill of an order, as reported by `v2/trades` and the older `v1/trades`. */
export interface Trade {
  /** Block of the settlement. */
  blockNumber: number;
  /** Index of the trade's event in the block. */
  logIndex: number;
  /** Order that was filled. */
  orderUid: string;
  /** Bought in this fill, in buy-token atoms, after all fees. */
  buyAmount: bigint;
  /** Sold in this fill, in sell-token atoms, all fees included. */
  sellAmount: bigint;
  /** Sold in this fill without the legacy signed fee, in sell-token atoms. */
  sellAmountBeforeFees: bigint;
  /** Owner of the order. */
  owner: string;
  /** Token bought. */
  buyToken: string;
  /** Token sold. */
  sellToken: string;
  /** Settlement transaction; `null` until it is indexed. */
  txHash: string | null;
  /** Fees charged, in the order they were applied; absent in responses before 2024. */
  executedProtocolFees?: readonly ExecutedProtocolFee[];
  /** Gas actually paid for this fill, in native atoms. */
  gasCost?: bigint | null;
  /**
   * Cap on the penalty for winning this order and not settling it, in native atoms; absent or `null`
   * where orders have no caps of their own. In services#4878, not in a release as of 2026-09.
   */
  penaltyCapNative?: bigint | null;
}

const executedProtocolFee: z.ZodType<ExecutedProtocolFee> = z.looseObject({
  policy: z.exactOptional(z.nullable(feePolicy)),
  amount: wire.atoms,
  token: wire.address,
});

export const trade: z.ZodType<Trade> = z.looseObject({
  blockNumber: wire.integer,
  logIndex: wire.integer,
  orderUid: wire.orderUid,
  buyAmount: wire.atoms,
  sellAmount: wire.atoms,
  sellAmountBeforeFees: wire.atoms,
  owner: wire.address,
  buyToken: wire.address,
  sellToken: wire.address,
  txHash: z.nullable(wire.hash32),
  executedProtocolFees: sentSince("2024-10-01", z.array(executedProtocolFee)),
  gasCost: z.exactOptional(z.nullable(wire.atoms)),
  penaltyCapNative: z.exactOptional(z.nullable(wire.atoms)),
});

/**
 * Decodes one fill of `v2/trades` or `v1/trades`.
 *
 * @throws {DecodeError} If the body is not a trade.
 * @example A fill whose settlement is not indexed yet
 * ```ts
 * import { decodeTrade, encodeTrade } from "orderlens/schemas";
 * import { assertEquals } from "@std/assert";
 *
 * const body = {
 *   blockNumber: 23_000_000,
 *   logIndex: 5,
 *   orderUid: `0x${"ab".repeat(56)}`,
 *   owner: `0x${"02".repeat(20)}`,
 *   sellToken: `0x${"aa".repeat(20)}`,
 *   buyToken: `0x${"bb".repeat(20)}`,
 *   sellAmount: "2000000000000000000",
 *   sellAmountBeforeFees: "2000000000000000000",
 *   buyAmount: "5000000000",
 *   txHash: null,
 * };
 * const trade = decodeTrade(body);
 *
 * assertEquals([trade.sellAmount, trade.buyAmount], [2000000000000000000n, 5000000000n]);
 * assertEquals(encodeTrade(trade), body);
 * ```
 */
export const decodeTrade: Decode<Trade> = toDecoder(trade, "a trade");

/**
 * Writes a trade in its wire format; the inverse of {@linkcode decodeTrade}.
 *
 * @throws {InputError} If the record is not a complete trade.
 */
export const encodeTrade: Encode<Trade> = toEncoder(trade, "a trade");
