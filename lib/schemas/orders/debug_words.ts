import type { z } from "zod";
import { openEnum } from "../codec/scalars.ts";
import type { Unknown } from "../codec/unknown_word.ts";

/** The event labels that the service is known to store. */
export type KnownEventLabel =
  | "created"
  | "ready"
  | "filtered"
  | "invalid"
  | "considered"
  | "executing"
  | "traded"
  | "cancelled";
const LABELS: readonly KnownEventLabel[] = [
  "created",
  "ready",
  "filtered",
  "invalid",
  "considered",
  "executing",
  "traded",
  "cancelled",
];
/** What happened to the order. */
export type EventLabel = KnownEventLabel | Unknown;

/** The reasons that the service is known to give for `filtered` and `invalid`. */
export type KnownEventReason =
  | "banned_user"
  | "invalid_signature"
  | "unsupported_token"
  | "insufficient_balance"
  | "in_flight"
  | "dust_order"
  | "missing_native_price";
const REASONS: readonly KnownEventReason[] = [
  "banned_user",
  "invalid_signature",
  "unsupported_token",
  "insufficient_balance",
  "in_flight",
  "dust_order",
  "missing_native_price",
];
/** Why the order was filtered or invalid. */
export type EventReason = KnownEventReason | Unknown;

/** Narrows a label to the known ones. */
export function isEventLabel(value: string): value is KnownEventLabel {
  return (LABELS as readonly string[]).includes(value);
}

/** Narrows a reason to the known ones. */
export function isEventReason(value: string): value is KnownEventReason {
  return (REASONS as readonly string[]).includes(value);
}

/** Whether an outcome is `success`, `timeout` or `driver failed: <text>`. */
export function isSettlementOutcome(value: string): boolean {
  return value === "success" || value === "timeout" || value.startsWith("driver failed: ");
}

/** The kinds of fee policy that the service is known to store. */
export type KnownFeePolicyKind = "surplus" | "volume" | "priceImprovement";
const FEE_POLICY_KINDS: readonly KnownFeePolicyKind[] = ["surplus", "volume", "priceImprovement"];

/** Narrows a policy kind to the known ones. */
export function isFeePolicyKind(value: string): value is KnownFeePolicyKind {
  return (FEE_POLICY_KINDS as readonly string[]).includes(value);
}

/** Schema of {@linkcode EventLabel}. */
export const eventLabel: z.ZodType<EventLabel> = openEnum(LABELS);
/** Schema of {@linkcode EventReason}. */
export const eventReason: z.ZodType<EventReason> = openEnum(REASONS);
/** Schema of the outcome of a settlement attempt. */
export const settlementOutcome: z.ZodType<string> = openEnum(
  ["success", "timeout"],
  isSettlementOutcome,
);
/** Schema of the kind of a stored fee policy. */
export const storedPolicyKind: z.ZodType<KnownFeePolicyKind | Unknown> = openEnum(FEE_POLICY_KINDS);
