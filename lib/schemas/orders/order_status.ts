import { z } from "zod";
import { atoms } from "../codec/atoms.ts";
import { decode, type DecodeOptions } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import type { Unknown } from "../codec/unknown_word.ts";
import { openEnum, text } from "../codec/scalars.ts";

/** The seven stages that the service is known to report. */
export type KnownCompetitionStatusType =
  | "open"
  | "scheduled"
  | "active"
  | "solved"
  | "executing"
  | "traded"
  | "cancelled";
const TYPES: readonly KnownCompetitionStatusType[] = [
  "open",
  "scheduled",
  "active",
  "solved",
  "executing",
  "traded",
  "cancelled",
];
/** Stage of an order in the latest auction. */
export type CompetitionStatusType = KnownCompetitionStatusType | Unknown;

/** Narrows a stage to the known ones. */
export function isCompetitionStatusType(value: string): value is KnownCompetitionStatusType {
  return (TYPES as readonly string[]).includes(value);
}

/** Amounts of the order that a solution would have executed. */
export interface ExecutedAmounts {
  /** Sold, in sell-token atoms. */
  sell: bigint;
  /** Bought, in buy-token atoms. */
  buy: bigint;
}

/** One solver's part in the competition. */
export interface SolverExecution {
  /** Address of the solver; a name in older answers. */
  solver: string;
  /** Amounts of this order that its solution executes; `null` if it does not include the order. */
  executedAmounts?: ExecutedAmounts | null;
}

/** State of an order in the latest auction, as reported by `orders/{uid}/status`. */
export interface CompetitionOrderStatus {
  /** Stage. */
  type: CompetitionStatusType;
  /** Solvers of the competition, worst first: the last is the winner. */
  value?: readonly SolverExecution[] | null;
}

/** Schema of {@linkcode CompetitionOrderStatus}. */
export const competitionOrderStatus: z.ZodType<CompetitionOrderStatus> = z.looseObject({
  type: openEnum(TYPES),
  value: z.exactOptional(z.nullable(z.array(z.looseObject({
    solver: text,
    executedAmounts: z.exactOptional(z.nullable(z.looseObject({ sell: atoms, buy: atoms }))),
  })))),
});

/**
 * Decodes the state of an order in the latest auction.
 *
 * @throws {DecodeError} If the body is not such a state.
 * @example An unknown stage stays text
 * ```ts
 * import { decodeOrderStatus, isCompetitionStatusType } from "orderlens/schemas";
 * import { assertEquals } from "@std/assert";
 *
 * const { type, value } = decodeOrderStatus({
 *   type: "dreaming",
 *   value: [{ solver: "quick", executedAmounts: { sell: "1000", buy: "2000" } }],
 * });
 *
 * assertEquals([type, isCompetitionStatusType(type)], ["dreaming", false]);
 * assertEquals(value?.[0]?.executedAmounts, { sell: 1000n, buy: 2000n });
 * ```
 */
export function decodeOrderStatus(
  body: unknown,
  options: DecodeOptions = {},
): CompetitionOrderStatus {
  return decode(competitionOrderStatus, body, "an order's competition status", options);
}

/**
 * Writes a state in its wire format; the inverse of {@linkcode decodeOrderStatus}.
 *
 * @throws {InputError} If the record is not a complete state.
 */
export function encodeOrderStatus(record: CompetitionOrderStatus): unknown {
  return encode(competitionOrderStatus, record, "an order's competition status");
}
