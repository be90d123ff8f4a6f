import type { AuctionTimes, OrderFillFacts, OrderLifecycle } from "../../metrics/mod.ts";
import {
  type CompetitionOrderStatus,
  isRefunded,
  type Order,
  type OrderEvent,
} from "../../schemas/mod.ts";
import { isUnfunded } from "./order_funds.ts";
import type { OrderReport } from "./order_report.ts";
import {
  type AuctionEvidence,
  type AuctionOutcome,
  judgeAuction,
  type OrderCause,
  type ReportedFunds,
} from "./verdicts.ts";
import { isFastPath } from "./walk_auctions.ts";

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
  /** What its owner has now, or had at the end of its validity; `null` if unknown. */
  readonly funds?: ReportedFunds | null | undefined;
  /** Its events, oldest first; `null` without a debug report. */
  readonly events: readonly OrderEvent[] | null;
  /** Its stage; `absent` if the service has no event of it, `null` if it was not asked. */
  readonly stage: CompetitionOrderStatus | "absent" | null;
  /** UID of the order whose app data says that it replaced this one; `null` if none is known. */
  readonly replacedBy: string | null;
  /** The time of the answers. */
  readonly now: Temporal.Instant;
}

/** What decided the fate of an order. */
export interface Judgement {
  /** What decided. */
  readonly cause: OrderCause;
  /**
   * Reason of `invalid` and `filtered`, and of `not_valid_yet` if it is `fast_path`; `null` without
   * one.
   */
  readonly reason: string | null;
  /** Causes that fit, if the evidence cannot decide between them. */
  readonly possible: readonly OrderCause[];
  /** What each auction did with it, in the order of the auctions. */
  readonly outcomes: readonly AuctionOutcome[];
  /** Whether these are all stored auctions that listed it. */
  readonly areAuctionsComplete: boolean;
}

/** What was found out about one order: what the parts of its report are made from. */
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
  /** What decided. */
  readonly judgement: Judgement;
  /** When auctions began and blocks were produced. */
  readonly times: AuctionTimes;
  /** What its owner has and had, oldest first. */
  readonly funds: readonly ReportedFunds[];
}

type Decision = Omit<Judgement, "outcomes" | "areAuctionsComplete">;

const LAST_AUCTION: readonly OrderCause[] = [
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
  if (order === null) return { ...decided("unknown_here"), outcomes: [], areAuctionsComplete };
  const isPending = mayBePending(order, facts);
  const last = auctions.at(-1);
  const outcomes = auctions.map((each) => judgeAuction(order, each, isPending && each === last));
  const decision = ending(order, facts) ?? pending(order, facts, outcomes);
  return { ...decision, outcomes, areAuctionsComplete };
}

/** Labels and stages of an order that no settlement holds: it went to solvers, or nothing has happened. */
const NOT_HELD: ReadonlySet<unknown> = new Set([
  ...["created", "ready", "considered", "cancelled"],
  ...["scheduled", "active", "solved", "absent"],
]);

/** Whether a winning solution with it may still be settled: it is in no later auction until that ends. */
function mayBePending(order: Order, { events, stage, now }: OrderFacts): boolean {
  const { status } = order;
  if (status !== "open" && status !== "presignaturePending") return false;
  // The service notes no event of what it settles by the fast path.
  if (isEarly(order, now) && isFastPath(order)) return true;
  const stageType = stage === null || stage === "absent" ? stage : stage.type;
  return !NOT_HELD.has(events === null ? stageType : events.at(-1)?.label);
}

function decided(cause: OrderCause, reason: string | null = null): Decision {
  return { cause, reason, possible: [] };
}

function undecided(...possible: OrderCause[]): Decision {
  return { cause: "unknown", reason: null, possible };
}

/** What ended the order; `null` if nothing did. */
function ending(order: Order, { fills, auctions, replacedBy }: OrderFacts): Decision | null {
  const last = fills.at(-1);
  const settledIn = last && auctions.find(({ fills }) => fills.some((fill) => isSame(fill, last)));
  if (settledIn?.role === "unknown") return undecided("jit_liquidity", "jit_capturing");
  if (settledIn !== undefined && settledIn.role !== "listed") {
    return decided(settledIn.role === "capturing" ? "jit_capturing" : "jit_liquidity");
  }
  if (order.status === "fulfilled") {
    const deadline = settledIn?.deadlineBlock ?? null;
    const isLate = last !== undefined && deadline !== null && last.blockNumber > deadline;
    return decided(isLate ? "filled_late" : "filled");
  }
  if (order.status === "cancelled") return decided(replacedBy === null ? "cancelled" : "replaced");
  if (isRefunded(order)) return decided("refunded");
  const failure = order.onchainOrderData?.placementError ?? null;
  return failure === null ? null : decided("placement_failed", String(failure));
}

function isSame(a: OrderFillFacts, b: OrderFillFacts): boolean {
  return a.blockNumber === b.blockNumber && a.logIndex === b.logIndex;
}

/** Why it is still open, or expired. */
function pending(order: Order, facts: OrderFacts, outcomes: readonly AuctionOutcome[]): Decision {
  if (order.status === "presignaturePending") return decided("presignature_missing");
  const since = sinceLastFill(outcomes);
  return facts.events === null
    ? byPublicAnswers(order, facts, since)
    : byEvents(order, facts, facts.events, since);
}

/** What auctions did after the last one that settled a part of the order. */
export function sinceLastFill(outcomes: readonly AuctionOutcome[]): readonly AuctionOutcome[] {
  const settled = outcomes.findLastIndex((each) => each === "settled" || each === "settled_late");
  return outcomes.slice(settled + 1);
}

function byEvents(
  order: Order,
  { now }: OrderFacts,
  events: readonly OrderEvent[],
  since: readonly AuctionOutcome[],
): Decision {
  const last = events.at(-1);
  if (last === undefined) return decided(since.at(-1) as OrderCause ?? "evidence_gone");
  const reason = last.reason ?? null;
  if (last.label === "invalid") {
    const isUnsigned = reason === "invalid_signature" && order.signingScheme === "presign";
    return decided(isUnsigned ? "presignature_missing" : "invalid", reason);
  }
  if (last.label === "filtered") {
    const held = reason === "in_flight" ? lastWin(since) : undefined;
    return held === undefined ? decided("filtered", reason) : decided(held);
  }
  if (since.length > 0) return decided(since.at(-1) as OrderCause);
  if (last.label === "created" || last.label === "traded") return neverListed(order, now);
  return decided("ready_in_no_stored_auction");
}

/** What became of the last win that did not fill it, which keeps it out of auctions while it is pending. */
function lastWin(
  since: readonly OrderCause[] | readonly AuctionOutcome[],
): "executing" | "won_not_settled" | undefined {
  return since.findLast((each) => each === "executing" || each === "won_not_settled");
}

function neverListed(order: Order, now: Temporal.Instant): Decision {
  if (!isEarly(order, now)) return decided("never_in_an_auction");
  return decided("not_valid_yet", isFastPath(order) ? "fast_path" : null);
}

function isEarly({ validFrom }: Order, now: Temporal.Instant): boolean {
  return validFrom != null && validFrom * 1_000 > now.epochMilliseconds;
}

function byPublicAnswers(
  order: Order,
  facts: OrderFacts,
  since: readonly AuctionOutcome[],
): Decision {
  const { stage, now } = facts;
  const type = stage === null || stage === "absent" ? stage : stage.type;
  switch (type) {
    case "scheduled":
      return neverListed(order, now);
    case "open":
      return leftOut(order, facts, since);
    case "executing":
      return decided(order.status === "open" ? "executing" : "won_not_settled");
    case "active":
      return oneOf(byAuctions(facts, since) ?? LAST_AUCTION);
    case "solved":
      return oneOf(since.length > 0 && byAuctions(facts, since) || ["bids_unfair", "outbid"]);
    case "absent":
      return since.length > 0
        ? oneOf(byAuctions(facts, since) ?? ["evidence_gone"])
        : decided("evidence_gone");
    default: {
      const last = byAuctions(facts, since) ?? [...wins(order), ...LAST_AUCTION];
      return undecided("invalid", "filtered", ...new Set(last), "never_in_an_auction");
    }
  }
}

/** What the last auction did, if every auction since the last fill is known; `null` otherwise. */
function byAuctions(
  { areAuctionsComplete, isLastAuctionKnown = areAuctionsComplete }: OrderFacts,
  since: readonly AuctionOutcome[],
): readonly OrderCause[] | null {
  if (since.length > 0) return isLastAuctionKnown ? [since.at(-1) as OrderCause] : null;
  return areAuctionsComplete ? ["ready_in_no_stored_auction"] : null;
}

function oneOf(causes: readonly OrderCause[]): Decision {
  const [only, ...others] = causes;
  return only !== undefined && others.length === 0 ? decided(only) : undecided(...causes);
}

/**
 * An order that the service kept out of the last auction: for what it is, for its funds, or while an
 * earlier win of it was pending.
 */
function leftOut(order: Order, facts: OrderFacts, since: readonly AuctionOutcome[]): Decision {
  const { funds = null } = facts;
  const last = byAuctions(facts, since);
  const win = lastWin(last ?? []);
  const held = win !== undefined ? [win] : last === null ? wins(order) : [];
  if (win === undefined && funds !== null && isUnfunded(funds)) {
    return decided("invalid", "insufficient_balance");
  }
  const unsigned = order.signingScheme === "presign" && order.status === "expired";
  return undecided(
    ...unsigned ? ["presignature_missing" as const] : [],
    ...["invalid" as const, "filtered" as const],
    ...held,
  );
}

/** What a win that did not fill an order may have become. */
function wins({ status }: Order): readonly ("executing" | "won_not_settled")[] {
  return status === "open" ? ["executing", "won_not_settled"] : ["won_not_settled"];
}
