import type { OrderEvent } from "../../schemas/mod.ts";
import type { LifecycleGap, OrderEvidence, StatusCheck } from "./lifecycle_facts.ts";
import type { OrderFillFacts } from "./order_bids.ts";

const MOST_TRADES_OF_A_REPORT = 100;

/** What was derived from the evidence. */
export interface LifecycleFindings {
  /** The fills found. */
  readonly fills: readonly OrderFillFacts[];
  /** The events, oldest first; `null` without a debug report. */
  readonly events: readonly OrderEvent[] | null;
  /** Number of `traded` events. */
  readonly fillTimes: number;
  /** Whether blocks or brackets determine the times of the fills, so that no events are needed. */
  readonly areFillsTimed: boolean;
  /** The status by the rules. */
  readonly status: StatusCheck;
  /** The time of the answers, as passed. */
  readonly now: Temporal.Instant;
}

/** What the evidence does not cover, and why. */
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
      ? "Only competitions or a debug report contain auctions"
      : "Only the competitions that were passed were searched";
    gaps.push({ what: "auctions", why });
    if (competitions == null) gaps.push({ what: "bids", why });
    gaps.push({ what: "attempts", why: "Only a debug report has settlement attempts" });
  } else if (events?.[0]?.label !== "created") {
    gaps.push({ what: "events", why: "The report does not reach back to the order's creation" });
  }
  if (trades == null && debugReport == null) {
    gaps.push({ what: "fills", why: "Neither trades nor a debug report were passed" });
  } else if (trades == null && fills.length >= MOST_TRADES_OF_A_REPORT) {
    gaps.push({ what: "fills", why: "A debug report lists at most 100 trades" });
  }
  if (areFillsTimed) {
    // Nothing is missing, regardless of the events.
  } else if (events === null) {
    gaps.push({
      what: "fill_times",
      why: "Trades contain block numbers; their times need a debug report or the option `times`",
    });
  } else if (fillTimes < fills.length) {
    gaps.push({
      what: "fill_times",
      why: `The numbers of fills (${fills.length}) and of \`traded\` events (${fillTimes}) differ`,
    });
  }
  if (status.calculated.status === null) {
    gaps.push({
      what: "presignature",
      why:
        `The reported status ${status.reported} does not show whether its signature is on the chain`,
    });
  }
  if (!status.agrees) {
    const { calculated, reported } = status;
    const byRules = calculated.status ?? calculated.oneOf.join(" or ");
    gaps.push({
      what: "status",
      why:
        `The reported status is ${reported}, but the rules give ${byRules} at ${now}: the time ` +
        "passed is not that of the answer, or the answer contradicts itself",
    });
  }
  return gaps;
}
