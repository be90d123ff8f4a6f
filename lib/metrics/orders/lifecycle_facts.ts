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

/** What is known of an order; only the order itself is needed. */
export interface OrderEvidence {
  /** The order, as answered. */
  readonly order: Order;
  /** Its debug report, which few may ask for. */
  readonly debugReport?: DebugReport | null | undefined;
  /** Its trades. */
  readonly trades?: Iterable<Trade> | null | undefined;
  /** Competitions of auctions it may have been in. */
  readonly competitions?: Iterable<Competition> | null | undefined;
  /** Its state in the latest auction. */
  readonly competitionStatus?: CompetitionOrderStatus | null | undefined;
}

/** A status by the rules beside the reported one. */
export interface StatusCheck {
  /** As the order says. */
  readonly reported: Order["status"];
  /** As the rules give it. */
  readonly calculated: DecidedStatus | PresignatureUnknown;
  /** Whether both are the same, or the reported one of the two that it can be. */
  readonly agrees: boolean;
}

/** The stage of an order in the latest auction, as derived and as reported. */
export interface StageCheck {
  /** What trades and the latest event make of it; `null` without either. */
  readonly derived: CompetitionStatusType | null;
  /** As answered; `null` where it was not asked for. */
  readonly reported: CompetitionStatusType | null;
  /** Whether both are the same; `null` where one is missing. */
  readonly agrees: boolean | null;
}

/** A try to settle a winning solution with the order in it. */
export interface OrderAttempt extends SettlementAttempt {
  /** Id of the auction. */
  readonly auctionId: number;
}

/** Something that the evidence does not tell. */
export interface LifecycleGap {
  /** What is not known. */
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

/** The life of an order up to now. */
export interface OrderLifecycle {
  /** UID of the order. */
  readonly uid: string;
  /** Its status, and whether the rules agree. */
  readonly status: StatusCheck;
  /** How far the latest auction got with it. */
  readonly stage: StageCheck;
  /** What is the matter with the order by its reported status, as one sentence. */
  readonly why: string;
  /** When the service received it. */
  readonly createdAt: Temporal.Instant;
  /** When it can no more be filled: the end of the last second of its validity. */
  readonly expiresAt: Temporal.Instant;
  /** Its events, oldest first; `null` without a debug report. */
  readonly events: readonly OrderEvent[] | null;
  /** When the first fill happened, and how that is known; `null` where not known or none. */
  readonly firstFill: KnownTime | null;
  /** When the last fill happened, and how that is known; `null` where not known or none. */
  readonly lastFill: KnownTime | null;
  /** The time of `firstFill`: of its block, of its indexing, or the earliest that it can be. */
  readonly firstFillAt: Temporal.Instant | null;
  /** The time of `lastFill`. */
  readonly lastFillAt: Temporal.Instant | null;
  /** From creation to the first fill, in nanoseconds. */
  readonly toFirstFillNs: bigint | null;
  /** From creation to the last fill, in nanoseconds. */
  readonly toLastFillNs: bigint | null;
  /** From creation to the first fill without the time in which it was invalid, in nanoseconds. */
  readonly toHappyMooNs: bigint | null;
  /** Time in each state until now, or until it was over; `null` without a debug report. */
  readonly timeInStates: readonly TimeInState[] | null;
  /** Nanoseconds in which it could not be settled, of all reasons; `null` without a debug report. */
  readonly invalidNs: bigint | null;
  /** Nanoseconds in which the protocol left it out, of all reasons; `null` without a debug report. */
  readonly filteredNs: bigint | null;
  /** Auctions it was in, by ascending id, with the bids on it. */
  readonly auctions: readonly OrderAuction[];
  /** Bids on it, over all those auctions. */
  readonly bidCount: number;
  /** Its fills, by block and index. */
  readonly fills: readonly OrderFillFacts[];
  /** What is filled, of `sellAmount` or `buyAmount`; `null` where that is 0. */
  readonly filledFraction: Ratio | null;
  /** Tries to settle its own winning solutions that ended otherwise than with success. */
  readonly failedAttempts: readonly OrderAttempt[];
  /** Best bid not executed against the executed one, for each fill whose auction is known. */
  readonly leftOnTheTable: readonly LeftOnTheTable[];
  /** What the evidence does not tell. */
  readonly unknown: readonly LifecycleGap[];
}
