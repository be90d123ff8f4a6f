import { InputError } from "../../errors/mod.ts";
import { checkOptions } from "../../errors/option_rules.ts";
import {
  type DebugReport,
  effectiveValidTo,
  type Order,
  type OrderEvent,
  type Trade,
} from "../../schemas/mod.ts";
import { formatInstant, nanosecondsBetween, type Ratio, ratio, sameHex } from "../../units/mod.ts";
import {
  calculateStatus,
  LIFECYCLE_TERMS,
  type LifecycleTerms,
  type StatusOptions,
} from "./calculate_status.ts";
import {
  determineFillTimes,
  findReportedAuctionId,
  MAX_REPORTED_TRADES,
  sortByTime,
} from "./fills.ts";
import {
  describeState,
  isFailedOutcome,
  leftOnTheTable,
  type LifecycleGap,
  listOwnAttempts,
  type OrderAttempt,
  type OrderEvidence,
  type OrderLifecycle,
  readFilled,
  type StageCheck,
  type StatusCheck,
  type TimeInState,
  timeInStates,
} from "./lifecycle_facts.ts";
import { competitionStage, listOrderAuctions, type OrderFillFacts } from "./order_bids.ts";

/**
 * Computes the life of an order up to a given time: its state and the reason, its durations, its states,
 * the bids on it, failed attempts, and the amounts left on the table.
 *
 * With a debug report everything is known, as far back as its events go (the service deletes them
 * after 30 days). Public responses alone (the order, its trades, competitions) contain no times of
 * states, no reasons and no settlement attempts: those parts are `null` or empty, and `unknown`
 * lists them. The time of a fill is that of its block with the option `times`, otherwise that of
 * its event, which is stored when the fill is indexed, a little after the block; otherwise the
 * lower end of its bracket in `times`.
 *
 * The state is the reported one, regardless of `now`: an order that was reported as `open` stays
 * open with a `now` past its validity, and `status` in `unknown` shows the contradiction. A
 * reported `open` or `presignaturePending` shows whether a pre-signature is on the chain.
 *
 * A report lists the settlement attempts of the whole auction; the result contains only those of
 * winning solutions that execute this order.
 *
 * @param evidence Records of the order; trades and competitions of other orders are ignored.
 * @param options The time of the responses, times of blocks, and whether a pre-signature is missing
 * if the status does not show it.
 * @throws {InputError} If `now` is not a `Temporal.Instant`, or an option is unknown or invalid.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/src/database/debug_report.rs | debug reports of the service}
 * @see {@link https://github.com/cowprotocol/services/issues/1641 | time to happy moo}
 *
 * @example From its order alone
 * ```ts
 * import { orderLifecycle } from "orderlens/metrics";
 * import { decodeOrder } from "orderlens/schemas";
 * import { assertEquals } from "@std/assert";
 *
 * const order = decodeOrder({
 *   creationDate: "2026-08-21T10:00:00Z",
 *   owner: "0x00000000000000000000000000000000000000aa",
 *   uid: `0x${"01".repeat(56)}`,
 *   executedBuyAmount: "51",
 *   executedSellAmount: "25",
 *   executedSellAmountBeforeFees: "25",
 *   executedFeeAmount: "0",
 *   invalidated: true,
 *   status: "cancelled",
 *   sellToken: "0x00000000000000000000000000000000000000bb",
 *   buyToken: "0x00000000000000000000000000000000000000cc",
 *   receiver: null,
 *   sellAmount: "100",
 *   buyAmount: "200",
 *   validTo: 1787310000,
 *   appData: `0x${"00".repeat(32)}`,
 *   feeAmount: "0",
 *   kind: "sell",
 *   partiallyFillable: true,
 *   sellTokenBalance: "erc20",
 *   buyTokenBalance: "erc20",
 *   signingScheme: "eip712",
 *   signature: "0x",
 * });
 * const now = Temporal.Instant.from("2026-08-21T10:05:00Z");
 * const life = orderLifecycle({ order }, { now });
 *
 * assertEquals(life.status.agrees, true);
 * assertEquals(life.why, "Cancelled with 25 of 100 sell-token atoms filled");
 * assertEquals(life.unknown.map(({ what }) => what), [
 *   "events",
 *   "auctions",
 *   "bids",
 *   "attempts",
 *   "fills",
 *   "fill_times",
 * ]);
 * ```
 */
export function orderLifecycle(evidence: OrderEvidence, options: LifecycleTerms): OrderLifecycle {
  checkOptions(options, LIFECYCLE_TERMS, ACTION);
  requireEvidence(evidence);
  const { order } = evidence;
  const debugReport = evidence.debugReport ?? null;
  const fills = listFills(evidence);
  const events = debugReport === null ? null : sortByTime(debugReport.events);
  const auctions = listOrderAuctions(order.uid, {
    debugReport,
    competitions: evidence.competitions,
    fills,
  });
  const status = checkStatus(order, options);
  const expiresAt = Temporal.Instant.fromEpochMilliseconds((effectiveValidTo(order) + 1) * 1_000);
  const created = events?.find(({ label }) => label === "created");
  const createdAt = created?.timestamp ?? order.creationDate;
  const filled = determineFillTimes(fills, { order, createdAt, debugReport, times: options.times });
  const { first: firstFill, last: lastFill } = filled;
  const firstFillAt = firstFill?.at ?? null;
  const lastFillAt = lastFill?.at ?? null;
  const until = findEndOfLife(status, { now: options.now, expiresAt, events });
  const times = events === null ? null : timeInStates(events, until);
  return {
    uid: order.uid,
    status,
    stage: checkStage(evidence, events, fills),
    why: describeState(order, status, events),
    createdAt,
    expiresAt,
    events,
    firstFill,
    lastFill,
    firstFillAt,
    lastFillAt,
    toFirstFillNs: measureSpan(createdAt, firstFillAt),
    toLastFillNs: measureSpan(createdAt, lastFillAt),
    toHappyMooNs: firstFillAt === null || events === null
      ? null
      : nanosecondsBetween(createdAt, firstFillAt) -
        sumNanoseconds(timeInStates(events, firstFillAt), "invalid"),
    timeInStates: times,
    invalidNs: times === null ? null : sumNanoseconds(times, "invalid"),
    filteredNs: times === null ? null : sumNanoseconds(times, "filtered"),
    auctions,
    bidCount: auctions.reduce((count, { bids }) => count + bids.length, 0),
    fills,
    filledFraction: computeFilledFraction(order),
    failedAttempts: listFailedAttempts(debugReport),
    leftOnTheTable: auctions.flatMap((auction) =>
      auction.fills.flatMap((fill) => leftOnTheTable(fill, order, auction) ?? [])
    ),
    unknown: listGaps(evidence, {
      fills,
      events,
      tradedCount: filled.events,
      areFillsTimed: options.times !== undefined && filled.areKnown,
      status,
      now: options.now,
    }),
  };
}

const ACTION = "Cannot compute the lifecycle of an order";

/** Rejects an order or a debug report that was passed instead of an object with both. */
function requireEvidence({ order, trades }: OrderEvidence): void {
  const hasOrderUid = (trade: Trade) => typeof trade.orderUid === "string";
  if (typeof order === "object" && (!Array.isArray(trades) || trades.every(hasOrderUid))) return;
  throw new InputError(
    typeof order === "object"
      ? `${ACTION} from trades without orderUid`
      : `${ACTION} without its order`,
    { remedy: "Pass { order, trades, debugReport }: `gatherOrders` returns them as `records`" },
  );
}

/** Lists the trades that were passed, otherwise those of the debug report. */
function listFills({ order, trades, debugReport }: OrderEvidence): OrderFillFacts[] {
  const fills: OrderFillFacts[] = [];
  for (const trade of trades ?? []) {
    if (!sameHex(trade.orderUid, order.uid)) continue;
    fills.push({ ...toFillFacts(trade), auctionId: findReportedAuctionId(trade, debugReport) });
  }
  if (trades == null) {
    for (const trade of debugReport?.trades ?? []) {
      fills.push({ ...toFillFacts(trade), auctionId: trade.auctionId ?? null });
    }
  }
  return fills.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
}

function toFillFacts(
  trade: Pick<
    DebugReport["trades"][number],
    "blockNumber" | "logIndex" | "sellAmount" | "buyAmount" | "sellAmountBeforeFees" | "txHash"
  >,
): Omit<OrderFillFacts, "auctionId"> {
  const { blockNumber, logIndex, sellAmount, buyAmount, sellAmountBeforeFees } = trade;
  return {
    blockNumber,
    logIndex,
    sellAmount,
    buyAmount,
    sellAmountBeforeFees,
    txHash: trade.txHash ?? null,
  };
}

function checkStatus(order: Order, options: StatusOptions): StatusCheck {
  const reported = order.status;
  const pending = options.presignaturePending ?? inferPresignaturePending(reported);
  const calculated = calculateStatus(order, {
    now: options.now,
    ...(pending === undefined ? {} : { presignaturePending: pending }),
  });
  const agrees = calculated.status === null
    ? calculated.oneOf.some((status) => status === reported)
    : calculated.status === reported;
  return { reported, calculated, agrees };
}

/** Infers the pre-signature from the reported status: `open` requires one. */
function inferPresignaturePending(reported: Order["status"]): boolean | undefined {
  if (reported === "presignaturePending") return true;
  return reported === "open" ? false : undefined;
}

function checkStage(
  { competitionStatus }: OrderEvidence,
  events: readonly OrderEvent[] | null,
  fills: readonly OrderFillFacts[],
): StageCheck {
  const derived = competitionStage({
    hasTrade: fills.length > 0,
    latestLabel: events?.at(-1)?.label ?? null,
  });
  const reported = competitionStatus?.type ?? null;
  const agrees = derived === null || reported === null ? null : derived === reported;
  return { derived, reported, agrees };
}

/** Finds the end of the state that the last event began: the end of the order, or `now` if it is earlier. */
function findEndOfLife(
  { reported }: StatusCheck,
  { now, expiresAt, events }: {
    now: Temporal.Instant;
    expiresAt: Temporal.Instant;
    events: readonly OrderEvent[] | null;
  },
): Temporal.Instant {
  const last = events?.at(-1);
  const isOver = reported === "fulfilled" ||
    (reported === "cancelled" && last?.label === "cancelled");
  if (isOver && last !== undefined) return last.timestamp;
  if (reported === "expired") return expiresAt;
  return nanosecondsBetween(expiresAt, now) > 0n ? expiresAt : now;
}

function measureSpan(from: Temporal.Instant, to: Temporal.Instant | null): bigint | null {
  return to === null ? null : nanosecondsBetween(from, to);
}

function sumNanoseconds(times: readonly TimeInState[], label: string): bigint {
  return times.reduce((sum, state) => state.label === label ? sum + state.nanoseconds : sum, 0n);
}

function computeFilledFraction(order: Order): Ratio | null {
  const [filled, total] = readFilled(order);
  return total === 0n ? null : ratio(filled, total);
}

function listFailedAttempts(debugReport: DebugReport | null): OrderAttempt[] {
  return (debugReport?.auctions ?? []).flatMap((auction) =>
    listOwnAttempts(auction)
      .filter(({ outcome }) => isFailedOutcome(outcome))
      .map((attempt) => ({ ...attempt, auctionId: auction.id }))
  );
}

/** Facts derived from the evidence. */
interface LifecycleFindings {
  /** The fills found. */
  readonly fills: readonly OrderFillFacts[];
  /** The events, oldest first; `null` without a debug report. */
  readonly events: readonly OrderEvent[] | null;
  /** Number of `traded` events. */
  readonly tradedCount: number;
  /** Whether blocks or brackets determine the times of the fills, so that no events are needed. */
  readonly areFillsTimed: boolean;
  /** The status by the rules. */
  readonly status: StatusCheck;
  /** The time of the responses, as passed. */
  readonly now: Temporal.Instant;
}

/** Lists the parts that the evidence does not cover, with reasons. */
function listGaps(evidence: OrderEvidence, findings: LifecycleFindings): LifecycleGap[] {
  const { debugReport, trades, competitions } = evidence;
  const { fills, events, tradedCount, areFillsTimed, status, now } = findings;
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
  } else if (trades == null && fills.length >= MAX_REPORTED_TRADES) {
    gaps.push({ what: "fills", why: `A debug report lists at most ${MAX_REPORTED_TRADES} trades` });
  }
  if (areFillsTimed) {
    // Nothing is missing, regardless of the events.
  } else if (events === null) {
    gaps.push({
      what: "fill_times",
      why: "Trades contain block numbers; their times need a debug report or the option `times`",
    });
  } else if (tradedCount < fills.length) {
    gaps.push({
      what: "fill_times",
      why:
        `The numbers of fills (${fills.length}) and of \`traded\` events (${tradedCount}) differ`,
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
        `The reported status is ${reported}, but the rules give ${byRules} at ${
          formatInstant(now)
        }: the time ` +
        "passed is not that of the response, or the response contradicts itself",
    });
  }
  return gaps;
}
