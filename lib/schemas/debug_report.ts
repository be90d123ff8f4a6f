import { z } from "zod";
import type { Decimal } from "../units/decimal.ts";
import {
  type Decode,
  type Encode,
  type Guard,
  toDecoder,
  toEncoder,
  toGuard,
  type Unknown,
} from "./codec/codec.ts";
import * as wire from "./codec/scalars.ts";
import { type Order, order } from "./order.ts";

/** The event labels that the service is known to store. */
export const EVENT_LABELS = [
  "created",
  "ready",
  "filtered",
  "invalid",
  "considered",
  "executing",
  "traded",
  "cancelled",
] as const;

/** The event labels that the service is known to store. */
export type KnownEventLabel = typeof EVENT_LABELS[number];

/** The kind of an event of an order. */
export type EventLabel = KnownEventLabel | Unknown;

/** The reasons that the service is known to give for `filtered` and `invalid`. */
export const EVENT_REASONS = [
  "banned_user",
  "invalid_signature",
  "unsupported_token",
  "insufficient_balance",
  "in_flight",
  "dust_order",
  "missing_native_price",
] as const;

/** The reasons that the service is known to give for `filtered` and `invalid`. */
export type KnownEventReason = typeof EVENT_REASONS[number];

/** The reason why an order was filtered or invalid. */
export type EventReason = KnownEventReason | Unknown;

/** Whether an outcome is `success`, `timeout` or `driver failed: <text>`. */
function isSettlementOutcome(value: string): boolean {
  return value === "success" || value === "timeout" || value.startsWith("driver failed: ");
}

/** The kinds of fee policy that the service is known to store. */
export const FEE_POLICY_KINDS = ["surplus", "volume", "priceImprovement"] as const;

/** The kinds of fee policy that the service is known to store. */
export type KnownFeePolicyKind = typeof FEE_POLICY_KINDS[number];

const eventLabel: z.ZodType<EventLabel> = wire.openEnum(EVENT_LABELS);
const eventReason: z.ZodType<EventReason> = wire.openEnum(EVENT_REASONS);
/** Schema of the outcome of a settlement attempt. */
const settlementOutcome: z.ZodType<string> = wire.openEnum(
  ["success", "timeout"],
  isSettlementOutcome,
);
/** Schema of the kind of a stored fee policy. */
const storedPolicyKind: z.ZodType<KnownFeePolicyKind | Unknown> = wire.openEnum(FEE_POLICY_KINDS);

/** One lifecycle event of an order; stored only if label or reason changes. */
export interface OrderEvent {
  /** Kind of event. */
  label: EventLabel;
  /** Time at which it was stored; for `traded`, the time of indexing. */
  timestamp: Temporal.Instant;
  /** Reason for `filtered` and `invalid`. */
  reason?: EventReason | null;
}

/** One solution that executes the order. */
export interface ProposedSolution {
  /** Rank of the solution minus one. */
  solutionUid: number;
  /** Rank, from 1. */
  ranking: number;
  /** Address of the solver. */
  solver: string;
  /** Whether it won. */
  isWinner: boolean;
  /** Whether it was filtered out as unfair. */
  filteredOut: boolean;
  /** Score of the *whole* solution, in native atoms. */
  score: bigint;
  /** Amount of this order that it sells, in sell-token atoms. */
  executedSell: bigint;
  /** Amount that it buys for this order, in buy-token atoms. */
  executedBuy: bigint;
}

/** A protocol fee of an execution. */
export interface DebugProtocolFee {
  /** The surplus token. */
  token: string;
  /** Amount of the fee, in atoms of `token`. */
  amount: bigint;
}

/** One on-chain execution of the order. */
export interface Execution {
  /** Network and protocol fees together, in atoms of `executedFeeToken`. */
  executedFee: bigint;
  /** Token of `executedFee`; the sell token today. */
  executedFeeToken: string;
  /** Block of the settlement. */
  blockNumber: number;
  /** Protocol fees, in the order they were applied. */
  protocolFees: readonly DebugProtocolFee[];
}

/** One attempt to settle a winning solution of the auction, with the order in it or without. */
export interface SettlementAttempt {
  /** Address of the solver. */
  solver: string;
  /** The solution; the attempt concerns the order if it is a winner of `proposedSolutions`. */
  solutionUid: number;
  /** Start of the attempt. */
  startTimestamp: Temporal.Instant;
  /** End of the attempt; absent while pending. */
  endTimestamp?: Temporal.Instant | null;
  /** Block at which the attempt started. */
  startBlock: number;
  /** Block at which it ended; absent while pending. */
  endBlock?: number | null;
  /** Last block in which it may settle. */
  deadlineBlock: number;
  /** `success`, `timeout` or `driver failed: <text>`; absent while pending. */
  outcome?: string | null;
}

/** A fee policy of the order in one auction; each kind has its own factors. */
export interface DebugFeePolicy {
  /** Kind of policy. */
  kind: KnownFeePolicyKind | Unknown;
  /** Share of the surplus. */
  surplusFactor?: number | null;
  /** Cap of the surplus fee, as a volume factor. */
  surplusMaxVolumeFactor?: number | null;
  /** Share of the volume. */
  volumeFactor?: number | null;
  /** Share of the price improvement. */
  priceImprovementFactor?: number | null;
  /** Cap of the price-improvement fee, as a volume factor. */
  priceImprovementMaxVolumeFactor?: number | null;
}

/** One auction that contained the order. */
export interface DebugAuction {
  /** Id of the auction. */
  id: number;
  /** Block at which the auction started. */
  block: number;
  /** Last block in which it may settle. */
  deadline: number;
  /** Native prices of the order's two tokens: native atoms per 10^18 token atoms. */
  nativePrices: Readonly<Record<string, bigint | Decimal>>;
  /** Solutions that execute the order. */
  proposedSolutions: readonly ProposedSolution[];
  /** Executions of the order. */
  executions: readonly Execution[];
  /** Attempts to settle winning solutions of the auction. */
  settlementAttempts: readonly SettlementAttempt[];
  /** Policies in force; only where the order was in a winning solution. */
  feePolicies: readonly DebugFeePolicy[];
}

/** One fill of the order. */
export interface DebugTrade {
  /** Block of the settlement. */
  blockNumber: number;
  /** Index of the trade's event in the block. */
  logIndex: number;
  /** Bought in this fill, in buy-token atoms. */
  buyAmount: bigint;
  /** Sold in this fill, in sell-token atoms, all fees included. */
  sellAmount: bigint;
  /** Sold in this fill without the legacy signed fee, in sell-token atoms. */
  sellAmountBeforeFees: bigint;
  /** Settlement transaction. */
  txHash?: string | null;
  /** Auction it was settled from. */
  auctionId?: number | null;
}

/** Everything that the service stored about one order. */
export interface DebugReport {
  /** UID of the order. */
  orderUid: string;
  /** The order. */
  order: Order;
  /** Events, oldest first; deleted after 30 days. */
  events: readonly OrderEvent[];
  /** Auctions that contained the order, by ascending id. */
  auctions: readonly DebugAuction[];
  /** Fills, at most 100. */
  trades: readonly DebugTrade[];
}

const optionalNumber = z.exactOptional(z.nullable(wire.double));

const debugAuction: z.ZodType<DebugAuction> = z.looseObject({
  id: wire.integer,
  block: wire.integer,
  deadline: wire.integer,
  nativePrices: z.record(wire.address, wire.exponentPrice),
  proposedSolutions: z.array(z.looseObject({
    solutionUid: wire.integer,
    ranking: wire.integer,
    solver: wire.address,
    isWinner: wire.boolean,
    filteredOut: wire.boolean,
    score: wire.exponentAtoms,
    executedSell: wire.exponentAtoms,
    executedBuy: wire.exponentAtoms,
  })),
  executions: z.array(z.looseObject({
    executedFee: wire.exponentAtoms,
    executedFeeToken: wire.address,
    blockNumber: wire.integer,
    protocolFees: z.array(z.looseObject({ token: wire.address, amount: wire.exponentAtoms })),
  })),
  settlementAttempts: z.array(z.looseObject({
    solver: wire.address,
    solutionUid: wire.integer,
    startTimestamp: wire.instant,
    endTimestamp: z.exactOptional(z.nullable(wire.instant)),
    startBlock: wire.integer,
    endBlock: z.exactOptional(z.nullable(wire.integer)),
    deadlineBlock: wire.integer,
    outcome: z.exactOptional(z.nullable(settlementOutcome)),
  })),
  feePolicies: z.array(z.looseObject({
    kind: storedPolicyKind,
    surplusFactor: optionalNumber,
    surplusMaxVolumeFactor: optionalNumber,
    volumeFactor: optionalNumber,
    priceImprovementFactor: optionalNumber,
    priceImprovementMaxVolumeFactor: optionalNumber,
  })),
});

export const debugReport: z.ZodType<DebugReport> = z.looseObject({
  orderUid: wire.orderUid,
  order,
  events: z.array(z.looseObject({
    label: eventLabel,
    timestamp: wire.instant,
    reason: z.exactOptional(z.nullable(eventReason)),
  })),
  auctions: z.array(debugAuction),
  trades: z.array(z.looseObject({
    blockNumber: wire.integer,
    logIndex: wire.integer,
    buyAmount: wire.exponentAtoms,
    sellAmount: wire.exponentAtoms,
    sellAmountBeforeFees: wire.exponentAtoms,
    txHash: z.exactOptional(z.nullable(wire.hash32)),
    auctionId: z.exactOptional(z.nullable(wire.integer)),
  })),
});

/**
 * Decodes a debug report. Its amounts may come as exponent text such as `"100e+16"`; they are
 * converted exactly and encoded as plain digits.
 *
 * @throws {DecodeError} If the body is not a debug report.
 * @example A score in exponent text, exactly
 * ```ts
 * import { decodeDebugReport } from "orderlens/schemas";
 * import { assertEquals } from "@std/assert";
 *
 * const order = {
 *   uid: `0x${"ab".repeat(56)}`,
 *   owner: `0x${"02".repeat(20)}`,
 *   creationDate: "2026-11-21T15:00:00.123456Z",
 *   status: "open",
 *   kind: "sell",
 *   partiallyFillable: false,
 *   sellToken: `0x${"aa".repeat(20)}`,
 *   buyToken: `0x${"bb".repeat(20)}`,
 *   receiver: null,
 *   sellAmount: "1000000000000000001",
 *   buyAmount: "2500000000",
 *   feeAmount: "0",
 *   validTo: 1795275000,
 *   appData: `0x${"00".repeat(32)}`,
 *   executedSellAmount: "0",
 *   executedSellAmountBeforeFees: "0",
 *   executedBuyAmount: "0",
 *   executedFeeAmount: "0",
 *   invalidated: false,
 *   sellTokenBalance: "erc20",
 *   buyTokenBalance: "erc20",
 *   signingScheme: "presign",
 *   signature: "0x",
 * };
 * const auction = {
 *   id: 7,
 *   block: 100,
 *   deadline: 110,
 *   nativePrices: { [order.sellToken]: "100e+16" },
 *   proposedSolutions: [{
 *     solutionUid: 0,
 *     ranking: 1,
 *     solver: `0x${"50".repeat(20)}`,
 *     isWinner: true,
 *     filteredOut: false,
 *     score: "12e+14",
 *     executedSell: "1000000000000000001",
 *     executedBuy: "2500000001",
 *   }],
 *   executions: [],
 *   settlementAttempts: [],
 *   feePolicies: [],
 * };
 * const events = [{ label: "created", timestamp: "2026-11-21T15:00:00.123456Z" }];
 * const body = { orderUid: order.uid, order, events, auctions: [auction], trades: [] };
 * const report = decodeDebugReport(body);
 *
 * assertEquals(report.auctions[0]?.proposedSolutions[0]?.score, 1200000000000000n);
 * assertEquals(report.auctions[0]?.nativePrices[order.sellToken], 10n ** 18n);
 * ```
 */
export const decodeDebugReport: Decode<DebugReport> = toDecoder(debugReport, "a debug report");

/**
 * Writes a debug report in its wire format; the inverse of {@linkcode decodeDebugReport}, with
 * plain digits for exponent text.
 *
 * @throws {InputError} If the record is not a complete report.
 */
export const encodeDebugReport: Encode<DebugReport> = toEncoder(debugReport, "a debug report");

/** The seven stages that the service is known to report. */
export const COMPETITION_STATUS_TYPES = [
  "open",
  "scheduled",
  "active",
  "solved",
  "executing",
  "traded",
  "cancelled",
] as const;

/** The seven stages that the service is known to report. */
export type KnownCompetitionStatusType = typeof COMPETITION_STATUS_TYPES[number];

/** Stage of an order in the latest auction. */
export type CompetitionStatusType = KnownCompetitionStatusType | Unknown;

/** Whether a stage is a known one; narrows it to these. */
export const isCompetitionStatusType: Guard<KnownCompetitionStatusType> = toGuard(
  COMPETITION_STATUS_TYPES,
);

/** Amounts of the order that a solution would have executed. */
export interface ExecutedAmounts {
  /** Sold, in sell-token atoms. */
  sell: bigint;
  /** Bought, in buy-token atoms. */
  buy: bigint;
}

/** One solver's part in the competition. */
export interface SolverExecution {
  /** Address of the solver; a name in older responses. */
  solver: string;
  /** Amounts of this order that its solution executes; `null` if it does not include the order. */
  executedAmounts?: ExecutedAmounts | null;
}

/** Competition status of an order: its stage in the latest auction, from `orders/{uid}/status`. */
export interface CompetitionOrderStatus {
  /** Stage. */
  type: CompetitionStatusType;
  /** Solvers of the competition, worst first: the last is the winner. */
  value?: readonly SolverExecution[] | null;
}

export const competitionOrderStatus: z.ZodType<CompetitionOrderStatus> = z.looseObject({
  type: wire.openEnum(COMPETITION_STATUS_TYPES),
  value: z.exactOptional(z.nullable(z.array(z.looseObject({
    solver: wire.text,
    executedAmounts: z.exactOptional(
      z.nullable(z.looseObject({ sell: wire.atoms, buy: wire.atoms })),
    ),
  })))),
});

/**
 * Decodes the competition status of an order, the response of `GET /api/v1/orders/{uid}/status`: its
 * stage in the latest auction, and the solvers of that auction. The `status` of an order, such as
 * `fulfilled`, is a field of the order itself.
 *
 * @throws {DecodeError} If the body is not a competition status.
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
export const decodeOrderStatus: Decode<CompetitionOrderStatus> = toDecoder(
  competitionOrderStatus,
  "an order's competition status",
);

/**
 * Writes a competition status in its wire format; the inverse of {@linkcode decodeOrderStatus}.
 *
 * @throws {InputError} If the record is not a complete competition status.
 */
export const encodeOrderStatus: Encode<CompetitionOrderStatus> = toEncoder(
  competitionOrderStatus,
  "an order's competition status",
);
