import type { OrderEvent } from "../../schemas/mod.ts";
import type { LifecycleGap, OrderEvidence, StatusCheck } from "./lifecycle_facts.ts";
import type { OrderFillFacts } from "./order_bids.ts";

const MOST_TRADES_OF_A_REPORT = 100;

/** What was made of the evidence. */
export interface LifecycleFindings {
  /** The fills found. */
  readonly fills: readonly OrderFillFacts[];
  /** The events, oldest first; `null` without a debug report. */
  readonly events: readonly OrderEvent[] | null;
  /** How many events say that the order traded. */
  readonly fillTimes: number;
  /** Whether blocks or brackets tell the times of the fills, so that no events are needed. */
  readonly areFillsTimed: boolean;
  /** The status by the rules. */
  readonly status: StatusCheck;
  /** The time that the caller gave as that of the answers. */
  readonly now: Temporal.Instant;
}

/** What the evidence of an order does not tell, and why. */
export function lifecycleGaps(
  evidence: OrderEvidence,
  findings: LifecycleFindings,
): LifecycleGap[] {
  const { debugReport, trades, competitions } = evidence;
  const { fills, events, fillTimes, areFillsTimed, status, now } = findings;
  const gaps: LifecycleGap[] = [];
  if (debugReport == null) {
    gaps.push({ what: "events", why: "Only a debug report has events, with reasons and times" });
    const why = competitions == null
      ? "Only competitions or a debug report name auctions"
      : "Only the competitions given were looked at";
    gaps.push({ what: "auctions", why });
    if (competitions == null) gaps.push({ what: "bids", why });
    gaps.push({ what: "attempts", why: "Only a debug report has tries to settle" });
  } else if (events?.[0]?.label !== "created") {
    gaps.push({ what: "events", why: "The report does not reach back to the order's creation" });
  }
  if (trades == null && debugReport == null) {
    gaps.push({ what: "fills", why: "Neither trades nor a debug report were given" });
  } else if (trades == null && fills.length >= MOST_TRADES_OF_A_REPORT) {
    gaps.push({ what: "fills", why: "A debug report lists at most 100 trades" });
  }
  if (areFillsTimed) {
    // Nothing is missing, whatever the events tell.
  } else if (events === null) {
    gaps.push({
      what: "fill_times",
      why: "Trades name blocks; their times need a debug report or the option `times`",
    });
  } else if (fillTimes < fills.length) {
    gaps.push({
      what: "fill_times",
      why: `There are ${fills.length} fills and ${fillTimes} events of trading`,
    });
  }
  if (status.calculated.status === null) {
    gaps.push({
      what: "presignature",
      why:
        `An order reported ${status.reported} does not tell whether its signature is on the chain`,
    });
  }
  if (!status.agrees) {
    const { calculated, reported } = status;
    const byRules = calculated.status ?? calculated.oneOf.join(" or ");
    gaps.push({
      what: "status",
      why: `The order is reported ${reported}, and ${byRules} by the rules at ${now}: the time ` +
        "given is not that of the answer, or the answer is at odds with itself",
    });
  }
  return gaps;
}
