import {
  assessSettlement,
  type AuctionTimes,
  type OrderFillFacts,
  type OrderLifecycle,
  type SettlementOutlook,
} from "../../metrics/mod.ts";
import { isFastPath } from "../../metrics/orders/calculate_status.ts";
import {
  type CompetitionOrderStatus,
  type CompetitionStatusType,
  isRefunded,
  type Order,
  type OrderEvent,
  type SettlementAttempt,
} from "../../schemas/mod.ts";
import type { Replacement } from "./gather_evidence.ts";
import { isUnfunded } from "./order_funds.ts";
import type { OrderReport } from "./order_report.ts";
import {
  type AuctionEvidence,
  type AuctionOutcome,
  isUnbid,
  judgeAuction,
  judgeUnbid,
  type OrderCause,
  type ReportedFunds,
} from "./verdicts.ts";

/** Everything that a verdict depends on. */
export interface OrderFacts {
  /** The order; `null` if the deployment does not have it. */
  readonly order: Order | null;
  /** Its fills by block and log index. */
  readonly fills: readonly OrderFillFacts[];
  /** Auctions that listed or settled it, by ascending id. */
  readonly auctions: readonly AuctionEvidence[];
  /** Whether `auctions` has every stored auction that listed it. */
  readonly areAuctionsComplete: boolean;
  /** Whether the last of `auctions` is the last one that listed it. @default {areAuctionsComplete} */
  readonly isLastAuctionKnown?: boolean | undefined;
  /**
   * Whether all auctions were read, and none is known to have begun after its creation: what is hidden
   * yet looks like what is not stored. @default {false}
   */
  readonly areAuctionsHidden?: boolean | undefined;
  /** Funds of its owner now, or at the end of its validity; `null` if unknown. */
  readonly funds?: ReportedFunds | null | undefined;
  /** Its events, oldest first; `null` without a debug report. */
  readonly events: readonly OrderEvent[] | null;
  /** Its stage; `absent` if the service has no event of it, `null` if it was not asked. */
  readonly stage: CompetitionOrderStatus | "absent" | null;
  /** UID of the order whose app data says that it replaced this one; `null` if none is known. */
  readonly replacedBy: string | null;
  /** The time of the answers. */
  readonly now: Temporal.Instant;
  /**
   * The time of the records where it is certain; `null` for answers without a time, such as those of a recording: what
   * is still under way depends on it. @default {null}
   */
  readonly seenAt?: Temporal.Instant | null | undefined;
}

/** The cause that decided an order's fate, and its context. */
export interface Judgement {
  /** The decisive cause. */
  readonly cause: OrderCause;
  /**
   * Reason of `invalid` and `filtered`, and of `not_valid_yet` if it is `fast_path`; `null` without
   * one.
   */
  readonly reason: string | null;
  /** Causes that fit, if the evidence cannot decide between them. */
  readonly possible: readonly OrderCause[];
  /** Outcome of each auction, in the order of the auctions. */
  readonly outcomes: readonly AuctionOutcome[];
  /** Whether these are all stored auctions that listed it. */
  readonly areAuctionsComplete: boolean;
  /** Whether it may still be settled; `null` if the deployment does not have it. */
  readonly outlook: SettlementOutlook | null;
}

/** Facts about one order, from which the parts of its report are built. */
export interface OrderFindings extends
  Pick<
    OrderReport,
    | "auctions"
    | "fills"
    | "state"
    | "placement"
    | "refund"
    | "deposit"
    | "replacedBy"
    | "evidence"
  > {
  /** The order. */
  readonly order: Order;
  /** Its life. */
  readonly life: OrderLifecycle;
  /** The judgement. */
  readonly judgement: Judgement;
  /** Times of auctions and blocks. */
  readonly times: AuctionTimes;
  /** Attempts to settle any solution of an auction, by its id, from the debug report. */
  readonly attempts: ReadonlyMap<number, readonly SettlementAttempt[]>;
  /** The order that replaced it; `null` if none is known. */
  readonly replacement: Replacement | null;
  /** The time of the responses; `null` where they have none. */
  readonly seenAt: Temporal.Instant | null;
  /** Present and past funds of its owner, oldest first. */
  readonly funds: readonly ReportedFunds[];
}

type Decision = Omit<Judgement, "outcomes" | "areAuctionsComplete" | "outlook">;

/** Facts about an order that the deployment has, and whether it may still be settled. */
interface JudgedFacts extends OrderFacts {
  readonly order: Order;
  readonly outlook: SettlementOutlook;
}

/** Possible outcomes of the last auction of an order: the auctions of its lifetime show which. */
export const LAST_AUCTION_CAUSES: readonly OrderCause[] = [
  "won_not_settled",
  "bids_unfair",
  "outbid",
  "no_bid_limit_beyond_market",
  "no_bid_at_a_fair_limit",
  "ready_in_no_stored_auction",
];

/**
 * The cause that a verdict names. What ends an order comes first. What keeps it from being filled
 * may change from auction to auction: the last one counts.
 *
 * The reported status decides whether an order is open, and never `now`.
 */
export function judgeOrder(facts: OrderFacts): Judgement {
  const { order, auctions, events } = facts;
  const areAuctionsComplete = facts.areAuctionsComplete || events !== null;
  if (order === null) {
    const outlook = null;
    return { ...decide("unknown_here"), outcomes: [], areAuctionsComplete, outlook };
  }
  const outlook = assessOutlook(order, facts);
  const judged: JudgedFacts = { ...facts, order, outlook };
  const isPending = mayBePending(judged);
  const last = auctions.at(-1);
  const outcomes = auctions.map((auction) =>
    judgeAuction(order, auction, isPending && auction === last)
  );
  const decision = judgeEnd(judged, outcomes) ?? judgePending(judged, outcomes);
  return { ...decision, outcomes, areAuctionsComplete, outlook };
}

/** Whether an order may still be settled, as far as its report shows. */
function assessOutlook(order: Order, facts: OrderFacts): SettlementOutlook {
  const { fills, events, stage, seenAt = null } = facts;
  const boughtByTrades = fills.reduce((sum, { buyAmount }) => sum + buyAmount, 0n);
  return assessSettlement({
    order,
    now: seenAt,
    stage: readStageType(stage),
    events,
    boughtByTrades,
    isWinPending: isWinPending(order, facts),
  });
}

/** Whether the responses end with a win whose settlement they do not show to have ended. */
function isWinPending(order: Order, facts: OrderFacts): boolean {
  const latest = readLatest(facts);
  if (UNSETTLED_LABELS.has(latest)) return false;
  const last = facts.auctions.at(-1);
  const outcome = last === undefined ? null : judgeAuction(order, last, true);
  return outcome === "executing" || outcome !== "won_not_settled" && latest === "executing";
}

/** Reads the label of its latest event but its cancellation; without events, its stage. */
function readLatest({ events, stage }: Pick<OrderFacts, "events" | "stage">): string | null {
  if (events === null) return readStageType(stage);
  const last = events.findLast(({ label }) => label !== "cancelled") ?? events.at(-1);
  return last?.label ?? null;
}

function readStageType(stage: OrderFacts["stage"]): CompetitionStatusType | "absent" | null {
  return stage === null || stage === "absent" ? stage : stage.type;
}

/** Labels and stages of an order that no settlement holds: it went to solvers, or nothing has happened. */
const UNSETTLED_LABELS: ReadonlySet<unknown> = new Set([
  ...["created", "ready", "considered", "cancelled"],
  ...["scheduled", "active", "solved", "absent"],
]);

/** Whether a winning solution with it may still be settled: it is in no later auction until that ends. */
function mayBePending(facts: JudgedFacts): boolean {
  const { order, now, outlook } = facts;
  if (!mayWinSettle(outlook)) return false;
  // The service notes no event of what it settles by the fast path.
  if (isEarly(order, now) && isFastPath(order)) return true;
  return !UNSETTLED_LABELS.has(readLatest(facts));
}

/** Whether a pending win may be settled, or may have been since responses that have no time. */
function mayWinSettle({ mayStillSettle, basis }: SettlementOutlook): boolean {
  return mayStillSettle === true || basis === "in_flight";
}

function decide(cause: OrderCause, reason: string | null = null): Decision {
  return { cause, reason, possible: [] };
}

function markUnknown(...possible: OrderCause[]): Decision {
  return { cause: "unknown", reason: null, possible };
}

/** Judges the end of an order; `null` if it has not ended. */
function judgeEnd(facts: JudgedFacts, outcomes: readonly AuctionOutcome[]): Decision | null {
  const { order, fills, auctions, replacedBy } = facts;
  const last = fills.at(-1);
  const lastAuction = last &&
    auctions.find(({ fills }) => fills.some((fill) => isSame(fill, last)));
  if (lastAuction?.role === "unknown") return markUnknown("jit_liquidity", "jit_capturing");
  if (lastAuction !== undefined && lastAuction.role !== "listed") {
    return decide(lastAuction.role === "capturing" ? "jit_capturing" : "jit_liquidity");
  }
  if (order.status === "fulfilled") {
    const deadline = lastAuction?.deadlineBlock ?? null;
    const isLate = last !== undefined && deadline !== null && last.blockNumber > deadline;
    return decide(isLate ? "filled_late" : "filled");
  }
  const settling = judgeSettling(facts, outcomes);
  if (settling !== null) return settling;
  if (order.status === "cancelled") return decide(replacedBy === null ? "cancelled" : "replaced");
  if (isRefunded(order)) return decide("refunded");
  const failure = order.onchainOrderData?.placementError ?? null;
  return failure === null ? null : decide("placement_failed", String(failure));
}

/** That it was executed and is not indexed yet, or is over while a win of it may be settled. */
function judgeSettling(
  facts: JudgedFacts,
  outcomes: readonly AuctionOutcome[],
): Decision | null {
  const { outlook } = facts;
  if (outlook.basis === "executed") return decide("executed_not_indexed");
  if (outlook.basis !== "in_flight") return null;
  const win = findLastWin(selectSinceLastFill(outcomes));
  const isHeld = win === undefined && readLatest(facts) === "executing";
  return win === "executing" || isHeld ? decide("executing") : null;
}

function isSame(a: OrderFillFacts, b: OrderFillFacts): boolean {
  return a.blockNumber === b.blockNumber && a.logIndex === b.logIndex;
}

/** Judges an order that is still open, or expired. */
function judgePending(facts: JudgedFacts, outcomes: readonly AuctionOutcome[]): Decision {
  if (facts.order.status === "presignaturePending") return decide("presignature_missing");
  const recent = selectSinceLastFill(outcomes);
  return facts.events === null
    ? judgeByStage(facts, recent)
    : judgeByEvents(facts, facts.events, recent);
}

/** Selects the outcomes of auctions after the last one that settled a part of the order. */
export function selectSinceLastFill(
  outcomes: readonly AuctionOutcome[],
): readonly AuctionOutcome[] {
  const lastFillIndex = outcomes.findLastIndex((outcome) =>
    outcome === "settled" || outcome === "settled_late"
  );
  return outcomes.slice(lastFillIndex + 1);
}

function judgeByEvents(
  facts: JudgedFacts,
  events: readonly OrderEvent[],
  recent: readonly AuctionOutcome[],
): Decision {
  const { order, now } = facts;
  const last = events.at(-1);
  if (last === undefined) return decide(recent.at(-1) as OrderCause ?? "evidence_gone");
  const reason = last.reason ?? null;
  if (last.label === "invalid") {
    const isUnsigned = reason === "invalid_signature" && order.signingScheme === "presign";
    // An open one is signed by now: the service would report another status.
    if (isUnsigned && order.status === "open") {
      return recent.length > 0 ? decide(recent.at(-1) as OrderCause) : judgeNeverListed(order, now);
    }
    return decide(isUnsigned ? "presignature_missing" : "invalid", reason);
  }
  if (last.label === "filtered") {
    const win = reason === "in_flight" ? findLastWin(recent) : undefined;
    return win === undefined ? decide("filtered", reason) : decide(win);
  }
  if (recent.length > 0) return decide(recent.at(-1) as OrderCause);
  if (last.label === "created" || last.label === "traded") return judgeNeverListed(order, now);
  if (last.label === "executing") return decide(judgeWin(facts));
  if (last.label === "considered") return markUnknown("bids_unfair", "outbid");
  return decide(
    isAuctionRunning(facts, last.timestamp) ? "auction_running" : "ready_in_no_stored_auction",
  );
}

/** Time within which an auction is decided and stored, in milliseconds: solvers have less. */
export const MAX_AUCTION_MS = 30_000;

/** Whether an auction that took an order at a time may still run, or is not stored yet. */
function isAuctionRunning({ seenAt, outlook }: JudgedFacts, startedAt: Temporal.Instant): boolean {
  if (seenAt == null || outlook.mayStillSettle !== true) return false;
  // Clocks differ.
  return Math.abs(seenAt.epochMilliseconds - startedAt.epochMilliseconds) < MAX_AUCTION_MS;
}

/** Judges a win without a settlement: pending, while the order may still be settled. */
function judgeWin({ outlook }: JudgedFacts): "executing" | "won_not_settled" {
  return mayWinSettle(outlook) ? "executing" : "won_not_settled";
}

/** Finds the outcome of the last win that did not settle, which bars the order while pending. */
function findLastWin(
  outcomes: readonly OrderCause[] | readonly AuctionOutcome[],
): "executing" | "won_not_settled" | undefined {
  return outcomes.findLast((outcome) => outcome === "executing" || outcome === "won_not_settled");
}

function judgeNeverListed(order: Order, now: Temporal.Instant): Decision {
  if (!isEarly(order, now)) return decide("never_in_an_auction");
  return decide("not_valid_yet", isFastPath(order) ? "fast_path" : null);
}

function isEarly({ validFrom }: Order, now: Temporal.Instant): boolean {
  return validFrom != null && validFrom * 1_000 > now.epochMilliseconds;
}

function judgeByStage(facts: JudgedFacts, recent: readonly AuctionOutcome[]): Decision {
  const { order, stage, now } = facts;
  switch (readStageType(stage)) {
    case "scheduled":
      return judgeNeverListed(order, now);
    case "open":
      return judgeLeftOut(facts, recent);
    case "executing":
      return decide(judgeWin(facts));
    case "active":
      return recent.length === 0 && mayBeUndecided(facts)
        ? markUnknown("auction_running", ...listLastCauses(order, recent))
        : decideAmong(judgeByAuctions(facts, recent) ?? listLastCauses(order, recent));
    case "solved": {
      // Where the last auction that is visible has no losing bid, a later one does.
      const last = judgeByAuctions(facts, recent) ?? [];
      return decideAmong(last.some((cause) => CONSIDERED.has(cause)) ? last : [...CONSIDERED]);
    }
    case "absent":
      return recent.length > 0
        ? decideAmong(judgeByAuctions(facts, recent) ?? ["evidence_gone"])
        : decide("evidence_gone");
    default: {
      const last = judgeByAuctions(facts, recent) ??
        [...listWinCauses(facts), ...listLastCauses(order, recent)];
      return markUnknown("invalid", "filtered", ...new Set(last), "never_in_an_auction");
    }
  }
}

/** The first time at which an auction may list an order. */
function findFirstListable({ creationDate, validFrom }: Order): Temporal.Instant {
  const from = Temporal.Instant.fromEpochMilliseconds((validFrom ?? 0) * 1_000);
  return Temporal.Instant.compare(from, creationDate) > 0 ? from : creationDate;
}

/** Outcomes of an auction in which somebody bid on an order that did not win. */
export const CONSIDERED: ReadonlySet<OrderCause> = new Set(["bids_unfair", "outbid"]);

/** Whether its auctions run or are hidden, so that nothing shows yet what they did with it. */
function mayBeUndecided(facts: JudgedFacts): boolean {
  return facts.areAuctionsHidden === true ||
    isAuctionRunning(facts, findFirstListable(facts.order));
}

/**
 * Lists what the last auction of an order may have done with it, where that auction is not known. A
 * sample of its auctions excludes little, since each may end in another way:
 *
 * - its quote excludes one of the two causes without a bid, since it tells on which side of the market
 *   the limit is, whatever the auction was;
 * - one stored auction that listed it since its last fill excludes `ready_in_no_stored_auction`;
 * - what some auctions did with it excludes nothing that another may have done;
 * - only the last one that listed it, if all ids after it were read, excludes all others.
 */
function listLastCauses(
  order: Order,
  recent: readonly AuctionOutcome[],
): readonly OrderCause[] {
  const noBid = judgeUnbid(order);
  return LAST_AUCTION_CAUSES.filter((cause) => {
    if (cause === "ready_in_no_stored_auction") return recent.length === 0;
    return !isUnbid(cause) || noBid === null || cause === noBid;
  });
}

/** Returns the outcome of the last auction, if every auction since the last fill is known; `null` otherwise. */
function judgeByAuctions(
  { auctions, areAuctionsComplete, isLastAuctionKnown = areAuctionsComplete }: OrderFacts,
  recent: readonly AuctionOutcome[],
): readonly OrderCause[] | null {
  if (recent.length > 0) return isLastAuctionKnown ? [recent.at(-1) as OrderCause] : null;
  // Of auctions that have it, the last one filled it: all ids after it were read.
  const isTailKnown = areAuctionsComplete || isLastAuctionKnown && auctions.length > 0;
  return isTailKnown ? ["ready_in_no_stored_auction"] : null;
}

function decideAmong(causes: readonly OrderCause[]): Decision {
  const [cause, ...otherCauses] = causes;
  return cause !== undefined && otherCauses.length === 0 ? decide(cause) : markUnknown(...causes);
}

/**
 * An order that the service kept out of the last auction: for what it is, for its funds, or while an
 * earlier win of it was pending.
 */
function judgeLeftOut(facts: JudgedFacts, recent: readonly AuctionOutcome[]): Decision {
  const { order, funds = null } = facts;
  const last = judgeByAuctions(facts, recent);
  const win = findLastWin(last ?? []);
  const winCauses = win !== undefined ? [win] : last === null ? listWinCauses(facts) : [];
  if (win === undefined && funds !== null && isUnfunded(funds)) {
    return decide("invalid", "insufficient_balance");
  }
  const isPresign = order.signingScheme === "presign";
  return markUnknown(
    ...isPresign && order.status === "expired" ? ["presignature_missing" as const] : [],
    ...["invalid" as const, "filtered" as const],
    ...winCauses,
    // It may have been signed since, and waits for its next auction.
    ...isPresign && order.status === "open" && facts.auctions.length === 0
      ? ["never_in_an_auction" as const]
      : [],
  );
}

/** Lists the possible outcomes of a win that did not fill an order. */
function listWinCauses({ outlook }: JudgedFacts): readonly ("executing" | "won_not_settled")[] {
  return mayWinSettle(outlook) ? ["executing", "won_not_settled"] : ["won_not_settled"];
}
