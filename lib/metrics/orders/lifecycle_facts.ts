import type {
  Competition,
  CompetitionOrderStatus,
  CompetitionStatusType,
  DebugReport,
  Order,
  OrderEvent,
  SettlementAttempt,
  Trade,
} from "../../schemas/mod.ts";
import type { Ratio } from "../../units/mod.ts";
import type { DecidedStatus, PresignatureUnknown } from "./calculate_status.ts";
import type { LeftOnTheTable } from "./left_on_the_table.ts";
import type { KnownTime } from "./known_time.ts";
import type { OrderAuction, OrderFillFacts } from "./order_bids.ts";
import type { TimeInState } from "./time_in_states.ts";

/** What is known about an order; only the order itself is required. */
export interface OrderEvidence {
  /** The order. */
  readonly order: Order;
  /** Its debug report, which public deployments return to partners only. */
  readonly debugReport?: DebugReport | null | undefined;
  /** Its trades. */
  readonly trades?: Iterable<Trade> | null | undefined;
  /** Competitions of auctions it may have been in. */
  readonly competitions?: Iterable<Competition> | null | undefined;
  /** Its status in the latest auction. */
  readonly competitionStatus?: CompetitionOrderStatus | null | undefined;
}

/** The reported status and the one by the rules. */
export interface StatusCheck {
  /** The reported status. */
  readonly reported: Order["status"];
  /** The status by the rules. */
  readonly calculated: DecidedStatus | PresignatureUnknown;
  /** Whether both are the same, or the reported one is among the possible ones. */
  readonly agrees: boolean;
}

/** The stage of an order in the latest auction, as derived and as reported. */
export interface StageCheck {
  /** The stage that follows from trades and the latest event; `null` without either. */
  readonly derived: CompetitionStatusType | null;
  /** The reported stage; `null` if it was not passed. */
  readonly reported: CompetitionStatusType | null;
  /** Whether both are the same; `null` if one is missing. */
  readonly agrees: boolean | null;
}

/** An attempt to settle a winning solution with the order. */
export interface OrderAttempt extends SettlementAttempt {
  /** Id of the auction. */
  readonly auctionId: number;
}

/** Something that the evidence does not cover. */
export interface LifecycleGap {
  /** What is unknown. */
  readonly what:
    | "events"
    | "auctions"
    | "bids"
    | "attempts"
    | "fills"
    | "fill_times"
    | "presignature"
    | "status";
  /** Why, as a sentence. */
  readonly why: string;
}

/** The life of an order until now. */
export interface OrderLifecycle {
  /** UID of the order. */
  readonly uid: string;
  /** Its status, and whether the rules agree. */
  readonly status: StatusCheck;
  /** Its stage in the latest auction. */
  readonly stage: StageCheck;
  /** The state of the order by its reported status, as one sentence. */
  readonly why: string;
  /** When the service received it. */
  readonly createdAt: Temporal.Instant;
  /** When it can no longer be filled: the end of the last second of its validity. */
  readonly expiresAt: Temporal.Instant;
  /** Its events, oldest first; `null` without a debug report. */
  readonly events: readonly OrderEvent[] | null;
  /** When the first fill happened, and how that is known; `null` if unknown or not filled. */
  readonly firstFill: KnownTime | null;
  /** When the last fill happened, and how that is known; `null` if unknown or not filled. */
  readonly lastFill: KnownTime | null;
  /** The time of `firstFill`: of its block, of its indexing, or the earliest possible. */
  readonly firstFillAt: Temporal.Instant | null;
  /** The time of `lastFill`. */
  readonly lastFillAt: Temporal.Instant | null;
  /** From creation to the first fill, in nanoseconds. */
  readonly toFirstFillNs: bigint | null;
  /** From creation to the last fill, in nanoseconds. */
  readonly toLastFillNs: bigint | null;
  /**
   * From creation to the first fill without the time during which it was invalid, in nanoseconds.
   */
  readonly toHappyMooNs: bigint | null;
  /** Time in each state, until now or until the end of its life; `null` without a debug report. */
  readonly timeInStates: readonly TimeInState[] | null;
  /**
   * Nanoseconds during which it could not be settled, for any reason; `null` without a debug
   * report.
   */
  readonly invalidNs: bigint | null;
  /**
   * Nanoseconds during which the protocol excluded it, for any reason; `null` without a debug
   * report.
   */
  readonly filteredNs: bigint | null;
  /** Auctions that included it, by ascending id, with the bids on it. */
  readonly auctions: readonly OrderAuction[];
  /** Number of bids on it, over all those auctions. */
  readonly bidCount: number;
  /** Its fills, by block and index. */
  readonly fills: readonly OrderFillFacts[];
  /** Filled share of `sellAmount` or `buyAmount`; `null` if that amount is 0. */
  readonly filledFraction: Ratio | null;
  /** Unsuccessful attempts to settle winning solutions that execute it. */
  readonly failedAttempts: readonly OrderAttempt[];
  /**
   * The best bid that was not executed, compared with the executed one, for each fill whose auction
   * is known.
   */
  readonly leftOnTheTable: readonly LeftOnTheTable[];
  /** What the evidence does not cover. */
  readonly unknown: readonly LifecycleGap[];
}
