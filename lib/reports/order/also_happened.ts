import type { OrderLifecycle } from "../../metrics/mod.ts";
import type { Order, OrderEvent } from "../../schemas/mod.ts";
import type { AuctionEvidence, AuctionOutcome } from "./judge_auction.ts";
import { auctionClause, forReason } from "./cause_words.ts";
import type { AlsoHappened, ReportedFill } from "./order_report.ts";
import { ORDER_CAUSES, type OrderCause } from "./verdicts.ts";

/** What else can be counted in the life of an order. */
export interface AlsoFacts {
  /** The order. */
  readonly order: Order;
  /** What the verdict names, which is not repeated. */
  readonly cause: OrderCause;
  /** Auctions. */
  readonly auctions: readonly AuctionEvidence[];
  /** What each auction did. */
  readonly outcomes: readonly AuctionOutcome[];
  /** Its life. */
  readonly life: OrderLifecycle;
  /** Its fills. */
  readonly fills: readonly ReportedFill[];
}

/** What else happened to an order, counted, in the order of the verdicts. */
export function alsoHappened(facts: AlsoFacts): AlsoHappened[] {
  const found = [
    ...ofFills(facts),
    ...ofCancellation(facts),
    ...ofStates(facts),
    ...ofAuctions(facts),
  ];
  const place = ({ cause }: AlsoHappened) => ORDER_CAUSES.indexOf(cause);
  return found.filter(({ cause }) => cause !== facts.cause).sort((a, b) => place(a) - place(b));
}

function ofFills({ fills, cause }: AlsoFacts): AlsoHappened[] {
  const found: AlsoHappened[] = [];
  const late = fills.filter(({ blocksLate }) => blocksLate !== null && blocksLate > 0).length;
  const isFill = cause === "filled" || cause === "filled_late";
  if (fills.length > 0 && !isFill) {
    found.push({
      cause: "filled",
      count: fills.length,
      text: `${times(fills.length)} filled in part`,
    });
  }
  if (late > 0) {
    found.push({
      cause: "filled_late",
      count: late,
      text: `${times(late)} filled after the deadline`,
    });
  }
  return found;
}

/** When an order that is filled was also cancelled: `sometime` if no event tells. */
export function cancelledWhen(
  { invalidated, status }: Order,
  events: readonly OrderEvent[] | null,
): "never" | "before" | "after" | "sometime" {
  const place = events?.findIndex(({ label }) => label === "cancelled") ?? -1;
  if (status !== "fulfilled" || !invalidated && place === -1) return "never";
  const filled = events?.findLastIndex(({ label }) => label === "traded") ?? -1;
  if (place === -1 || filled === -1) return "sometime";
  return place < filled ? "before" : "after";
}

const CANCELLED_WORDS = {
  before: "Cancelled before it was filled",
  after: "Cancelled after it was filled",
  sometime: "Cancelled: no event tells whether before or after it was filled",
} as const;

function ofCancellation({ order, life }: AlsoFacts): AlsoHappened[] {
  const when = cancelledWhen(order, life.events);
  return when === "never" ? [] : [{ cause: "cancelled", count: 1, text: CANCELLED_WORDS[when] }];
}

function ofStates({ life }: AlsoFacts): AlsoHappened[] {
  return (life.timeInStates ?? []).flatMap(({ label, reason, stays }) => {
    const cause = label === "invalid" || label === "filtered" ? label as OrderCause : null;
    if (cause === null) return [];
    const words = label === "invalid" ? "not possible to settle" : "left out of auctions";
    return [{
      cause,
      count: stays,
      text: `${times(stays)} ${words} ${forReason(reason)}`,
    }];
  });
}

function ofAuctions({ outcomes }: AlsoFacts): AlsoHappened[] {
  const counts = new Map<AuctionOutcome, number>();
  for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].flatMap(([outcome, count]) => {
    if (outcome === "settled" || outcome === "settled_late") return [];
    const where = count === 1 ? "In 1 auction" : `In ${count} auctions`;
    return [{ cause: outcome, count, text: `${where}, ${auctionClause(outcome)}` }];
  });
}

function times(count: number): string {
  return count === 1 ? "Once" : `${count} times`;
}
