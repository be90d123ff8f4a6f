import { z } from "zod";
import { address, hash32 } from "../codec/hex.ts";
import { boolean, integer, openEnum } from "../codec/scalars.ts";
import type { Unknown } from "../codec/unknown_word.ts";

/** The placement errors of on-chain orders that the service or its specification names. */
export type KnownPlacementError =
  | "QuoteNotFound"
  | "ValidToTooFarInFuture"
  | "PreValidationError"
  | "quoteNotFound"
  | "invalidQuote"
  | "preValidationError"
  | "disabledOrderClass"
  | "validToTooFarInTheFuture"
  | "invalidOrderData"
  | "insufficientFee"
  | "nonZeroFee"
  | "other";
const PLACEMENT_ERRORS: readonly KnownPlacementError[] = [
  "QuoteNotFound",
  "ValidToTooFarInFuture",
  "PreValidationError",
  "quoteNotFound",
  "invalidQuote",
  "preValidationError",
  "disabledOrderClass",
  "validToTooFarInTheFuture",
  "invalidOrderData",
  "insufficientFee",
  "nonZeroFee",
  "other",
];
/** Why an order placed on-chain is not valid. */
export type PlacementError = KnownPlacementError | Unknown;

/** Narrows a placement error to the known ones. */
export function isPlacementError(value: string): value is KnownPlacementError {
  return (PLACEMENT_ERRORS as readonly string[]).includes(value);
}

/** Data specific to an order placed through the EthFlow contract. */
export interface EthflowData {
  /** Expiry that the trader set, in unix seconds; the signed `validTo` is the largest possible. */
  userValidTo: number;
  /** Transaction in which the order was refunded; `null` while it was not. */
  refundTxHash: string | null;
  /** Whether it was refunded; sent by the service, though removed from its specification. */
  isRefunded?: boolean;
}

/** Data specific to an order placed on-chain. */
export interface OnchainOrderData {
  /** Account that placed the order on-chain. */
  sender: string;
  /** Why the placement is not valid; `null` or absent when it is. */
  placementError?: PlacementError | null;
}

/** Schema of {@linkcode EthflowData}. */
export const ethflowData: z.ZodType<EthflowData> = z.looseObject({
  userValidTo: integer,
  refundTxHash: z.nullable(hash32),
  isRefunded: z.exactOptional(boolean),
});

/** Schema of {@linkcode OnchainOrderData}. */
export const onchainOrderData: z.ZodType<OnchainOrderData> = z.looseObject({
  sender: address,
  placementError: z.exactOptional(z.nullable(openEnum(PLACEMENT_ERRORS))),
});
