import type { KnownTime, OrderLifecycle } from "../../metrics/mod.ts";
import {
  selectEarlier,
  selectLater,
  toBracket,
  toBracketedTime,
} from "../../metrics/orders/fills.ts";
import type { Order, OrderEvent, SettlementAttempt } from "../../schemas/mod.ts";
import { pluralize } from "../../units/format.ts";
import { formatOutcome, formatReason } from "./also_happened.ts";
import type { OrderFindings } from "./judge_order.ts";
import {
  readValidUntil,
  type ReportedAuction,
  type ReportedFill,
  type TimelineBasis,
  type TimelineEntry,
  toInstant,
} from "./order_report.ts";
import { formatFunds, shortenUid, UNSEEN_TRANSACTION } from "./format_sentence.ts";
import { describeOutcome } from "./reported_failure.ts";
import type { OrderCause, ReportedFunds, ReportedPlacement, ReportedRefund } from "./verdicts.ts";

const TIMELESS = {
  at: null,
  latestAt: null,
  basis: null,
  block: null,
  label: null,
  reason: null,
  auctionId: null,
  txHash: null,
};

/**
 * The life of an order, oldest first: by the earliest time of each entry, so that printed times never
 * run backwards.
 */
export function reportTimeline(facts: OrderFindings): TimelineEntry[] {
  const bounds = computeBounds(facts);
  const entries = [
    ...listTerms(facts),
    ...listEvents(facts),
    ...listCancellation(facts),
    ...facts.auctions.flatMap((auction, index) =>
      listAuctionEntries(auction, bounds.auctions[index]!, facts.judgement.cause)
    ),
    ...facts.fills.map((fill, index) => toFillEntry(fill, bounds.fills[index]!)),
    ...facts.funds.map(toFundsEntry),
    ...facts.placement === null ? [] : [toPlacementEntry(facts.placement)],
  ];
  return sortEntries(entries, facts.order);
}

function listTerms({ order, fills, refund: refundReport }: OrderFindings): TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  const { validFrom } = order;
  if (validFrom != null) {
    const text = "Valid from this second";
    entries.push({ ...createMoment(toInstant(validFrom), "reported"), kind: "valid_from", text });
  }
  const text = "Created: the service received the order";
  entries.push({ ...createMoment(order.creationDate, "reported"), kind: "created", text });
  if (fills.length === 0 && order.executedBuyAmount > 0n) {
    const filled = order.status === "fulfilled" ? "Filled" : "Filled in part";
    entries.push({ ...TIMELESS, kind: "fill", text: `${filled}${UNSEEN_TRANSACTION}` });
  }
  const end = "Last second of its validity";
  entries.push({ ...createMoment(readValidUntil(order), "reported"), kind: "expiry", text: end });
  const refund = order.ethflowData?.refundTxHash ?? null;
  if (refund !== null) {
    entries.push({
      ...refundReport === null
        ? TIMELESS
        : { ...createMoment(refundReport.at, "block"), block: refundReport.block },
      kind: "refunded",
      txHash: refund,
      text: refundReport === null ? "Refunded on the chain" : formatRefund(refundReport),
    });
  }
  return entries;
}

function formatRefund({ event, refunder, isByTrader, nativeAtoms }: ReportedRefund): string {
  const action = event === "OrderRefund" ? "Refunded" : "Cancelled by its trader, and refunded";
  const agent = event === "OrderInvalidation"
    ? ""
    : isByTrader === true
    ? " by its trader"
    : ` by ${refunder}`;
  const atoms = nativeAtoms === null ? "" : `: ${nativeAtoms} native atoms returned`;
  return `${action} on the chain${agent}${atoms}`;
}

function toPlacementEntry(
  { at: placedAt, block, txHash, sender, nativeAtoms }: ReportedPlacement,
): TimelineEntry {
  return {
    ...createMoment(placedAt, "block"),
    ...{ block, txHash, kind: "placed" },
    text: `Placed on the chain by ${sender}, who paid ${nativeAtoms} native atoms`,
  };
}

/** A moment that is known exactly. */
function createMoment<Basis extends TimelineBasis>(time: Temporal.Instant, basis: Basis) {
  return { ...TIMELESS, at: time, latestAt: time, basis };
}

function listEvents({ life, order, judgement }: OrderFindings): TimelineEntry[] {
  return (life.events ?? []).filter(({ label }) => label !== "created").map((event) => ({
    ...createMoment(event.timestamp, "event"),
    kind: event.label === "cancelled" ? "cancelled" : "event",
    text: event.label === "traded" && judgement.cause === "executed_not_indexed"
      ? "The service recorded that it was executed"
      : formatEvent(event, order),
    label: event.label,
    reason: event.reason ?? null,
  }));
}

/**
 * Lists a cancellation that no event shows: by the creation of an order that replaced it; of another one, no response
 * shows the time.
 */
function listCancellation({ order, life, replacement }: OrderFindings): TimelineEntry[] {
  const isShown = life.events?.some(({ label }) => label === "cancelled") ?? false;
  if (order.status !== "cancelled" || isShown) return [];
  const kind = "cancelled";
  if (replacement === null) {
    const means = life.stage.reported === "cancelled" ? " by request" : "";
    return [{ ...TIMELESS, kind, text: `Cancelled${means}, at a time that no response shows` }];
  }
  const { uid, creationDate } = replacement;
  const text = `Replaced by order ${shortenUid(uid)}, whose creation cancelled it`;
  return [{ ...createMoment(creationDate, "reported"), kind, text }];
}

const EVENT_WORDS: Readonly<Record<string, string>> = {
  ready: "Ready: in an auction that went to solvers",
  filtered: "Left out of auctions",
  invalid: "Cannot be settled for now",
  considered: "A solution with it was valid and did not win",
  executing: "A winning solution with it is being submitted",
  traded: "Its fill was indexed",
  cancelled: "Cancelled",
};

function formatEvent({ label, reason }: OrderEvent, order: Order): string {
  const words = EVENT_WORDS[label] ?? `Event ${label}`;
  return reason == null ? words : `${words} ${formatReason(reason, order)}`;
}

function listAuctionEntries(
  auction: ReportedAuction,
  time: KnownTime | null,
  cause: OrderCause,
): TimelineEntry[] {
  const { auctionId, block, bids, attempts } = auction;
  const bidText = bids.length === 0 ? "" : `, ${pluralize(bids.length, "bid")}`;
  const text = `Auction ${auctionId}${bidText}: ${formatOutcome(auction.outcome, cause)}`;
  return [
    { ...TIMELESS, ...toEntryTimes(time), block, auctionId, kind: "auction", text },
    ...(attempts ?? []).map((attempt): TimelineEntry => ({
      ...createMoment(attempt.startTimestamp, "event"),
      block: attempt.startBlock,
      auctionId,
      kind: "attempt",
      text: `Attempt to settle it: ${describeOutcome(attempt.outcome ?? "no outcome yet")}${
        attempt.endBlock == null ? "" : `, ended in block ${attempt.endBlock}`
      }`,
    })),
  ];
}

function toFillEntry(fill: ReportedFill, time: KnownTime | null): TimelineEntry {
  const late = fill.blocksLate !== null && fill.blocksLate > 0
    ? `, ${pluralize(fill.blocksLate, "block")} after the deadline`
    : "";
  return {
    ...TIMELESS,
    ...toEntryTimes(time),
    block: fill.blockNumber,
    auctionId: fill.auctionId,
    txHash: fill.txHash,
    kind: "fill",
    text: `Filled in block ${fill.blockNumber}${late}${
      time?.basis === "event" ? ", before it was indexed" : ""
    }`,
  };
}

function toFundsEntry(funds: ReportedFunds): TimelineEntry {
  const { at: readAt, block } = funds;
  return { ...createMoment(readAt, "block"), block, kind: "funds", text: formatFunds(funds) };
}

function toEntryTimes(time: KnownTime | null): Pick<TimelineEntry, "at" | "latestAt" | "basis"> {
  if (time === null) return { at: null, latestAt: null, basis: null };
  const { at: earliest, basis, bracket } = time;
  return { at: earliest, latestAt: bracket === null ? earliest : bracket.max, basis };
}

/** Order of entries at the same time: an auction before its fill, that before its event. */
const RANKS: Partial<Record<TimelineEntry["kind"], number>> = {
  ...{ created: 0, placed: 0, funds: 1, event: 1, cancelled: 1, auction: 2, attempt: 3, fill: 4 },
};

function rankEntry({ kind, label }: TimelineEntry): number {
  return label === "traded" ? 5 : RANKS[kind] ?? 6;
}

/** Compares entries of the same time: auctions, attempts and fills by their blocks, others by what comes first. */
function compareTies(a: TimelineEntry, b: TimelineEntry): number {
  const areOnChain = [a, b].every(({ kind, block }) => block !== null && ONCHAIN_KINDS.has(kind));
  return (areOnChain ? a.block! - b.block! : 0) || rankEntry(a) - rankEntry(b);
}

const ONCHAIN_KINDS: ReadonlySet<TimelineEntry["kind"]> = new Set(["auction", "attempt", "fill"]);

/**
 * By time; what has none stands by its block: before the first entry of a later block, otherwise before
 * the end of the order's validity; the refund of an order that expired comes after that.
 */
function sortEntries(entries: readonly TimelineEntry[], { status }: Order): TimelineEntry[] {
  const ordered = entries.filter(({ at }) => at !== null).sort((a, b) =>
    Temporal.Instant.compare(a.at!, b.at!) || compareTies(a, b)
  );
  const timeless = entries.filter(({ at }) => at === null);
  for (const entry of timeless.sort((a, b) => (a.block ?? Infinity) - (b.block ?? Infinity))) {
    const isAfterEnd = entry.kind === "refunded" && status === "expired";
    const next = isAfterEnd
      ? -1
      : ordered.findIndex(({ block, kind }) =>
        kind === "expiry" || block !== null && entry.block !== null && block > entry.block
      );
    ordered.splice(next === -1 ? ordered.length : next, 0, entry);
  }
  return ordered;
}

type Bound = Temporal.Instant | null;

/**
 * Bounds the times of an order's auctions and fills: by their blocks where a node told, and
 * otherwise between what must come before and after. An auction begins after the order was created and
 * after the earlier ones ended, and before its own end, the attempts to settle any of its solutions, its fills, and
 * the responses. A fill comes after its auction began, and before the service indexed it.
 */
function computeBounds(facts: OrderFindings) {
  const { life, auctions, fills, times, seenAt } = facts;
  const attempts = auctions.map(({ auctionId }) => facts.attempts.get(auctionId) ?? []);
  const ends = listAuctionEnds(facts);
  const fillMax = fills.map((fill, index) => findFillUpperBound(fill, index, facts));
  const blockTimes = auctions.map(({ auctionId, block }) =>
    times.auction(auctionId) ?? times.block(block)
  );
  const max = auctions.map(({ auctionId }, index): Bound => {
    const fillBounds = fills.flatMap((fill, fillIndex) =>
      fill.auctionId === auctionId ? fillMax[fillIndex] ?? [] : []
    );
    const began = attempts[index]!.map(({ startTimestamp }) => startTimestamp);
    const later: Bound[] = [
      findUpperBound(blockTimes[index]!),
      ends[index]!,
      ...began,
      ...fillBounds,
    ];
    return later.reduce(selectEarlier, selectEarlier(life.expiresAt, seenAt));
  });
  for (let index = max.length - 2; index >= 0; index--) {
    max[index] = selectEarlier(max[index], max[index + 1]);
  }
  const seenBlocks = listSeenBlocks(attempts.flat());
  let earliest: Bound = null;
  const began = auctions.map(({ role, block }, index): KnownTime | null => {
    const time = blockTimes[index] ?? null;
    if (role !== "listed") return bracketTime(time?.at ?? null, max[index]!, null) ?? time;
    const earlier = seenBlocks.flatMap((seenBlock) => seenBlock.block < block ? seenBlock.at : []);
    const previousEnd = index === 0 ? life.createdAt : ends[index - 1] ?? null;
    earliest = [time?.at ?? null, previousEnd && findListableFrom(previousEnd, life), ...earlier]
      .reduce<Bound>(selectLater, selectLater(earliest, life.createdAt));
    if (time?.basis === "block" && selectLater(life.createdAt, time.at) === time.at) return time;
    return bracketTime(earliest, max[index]!, life.createdAt) ?? time;
  });
  return {
    auctions: began,
    fills: fills.map((fill, index) => {
      const time = times.block(fill.blockNumber);
      if (time !== null && time.basis !== "bracketed") return time;
      const auctionIndex = auctions.findIndex(({ auctionId }) => auctionId === fill.auctionId);
      const from = began[auctionIndex]?.at ?? null;
      return bracketTime(
        selectLater(from, time?.at),
        selectEarlier(fillMax[index], findUpperBound(time)),
        from,
      ) ??
        time;
    }),
  };
}

/** The newest block at some times, by the attempts to settle: later blocks came after them. */
function listSeenBlocks(attempts: readonly SettlementAttempt[]) {
  return attempts.flatMap(({ startBlock, startTimestamp, endBlock, endTimestamp }) => [
    { block: startBlock, at: startTimestamp },
    ...endBlock == null || endTimestamp == null ? [] : [{ block: endBlock, at: endTimestamp }],
  ]);
}

/** Finds the first time at which an order could be in an auction again: after the last event before it was `ready`. */
function findListableFrom(start: Temporal.Instant, { events }: OrderLifecycle): Temporal.Instant {
  const later = (events ?? []).filter(({ timestamp }) =>
    Temporal.Instant.compare(timestamp, start) >= 0
  );
  const ready = later.findIndex(({ label }) => label === "ready");
  return later[ready - 1]?.timestamp ?? start;
}

/** An interval; from the loose bound if the close one contradicts what must come later. */
function bracketTime(min: Bound, max: Bound, loose: Bound): KnownTime | null {
  const bracket = toBracket(min, max) ?? toBracket(loose, max);
  return bracket === null ? null : toBracketedTime(bracket);
}

function findUpperBound(time: KnownTime | null): Bound {
  if (time === null) return null;
  return time.bracket === null ? time.at : time.bracket.max;
}

/** Finds the time at which the service had indexed a fill; the end of the order's validity, if no event tells. */
function findFillUpperBound(
  { blockNumber }: ReportedFill,
  index: number,
  { life, times, fills }: OrderFindings,
) {
  const time = times.block(blockNumber);
  if (time !== null && time.basis !== "bracketed") return time.at;
  const traded = (life.events ?? []).filter(({ label }) => label === "traded");
  const event = index === 0 ? traded[0] : index === fills.length - 1 ? traded.at(-1) : undefined;
  return selectEarlier(event?.timestamp, life.expiresAt);
}

/**
 * Lists the times at which the auctions had their winners, by the events of the order. Each auction with a bid that counts
 * makes the order `considered` or `executing`, so that these events belong to those auctions one by one;
 * without a bid there is none. `null` where their numbers differ.
 */
function listAuctionEnds({ life, auctions }: OrderFindings): Bound[] {
  const endEvents = (life.events ?? []).filter(({ label }) =>
    label === "considered" || label === "executing"
  );
  const counts = auctions.map(({ bids }) => bids.some(({ filteredOut }) => !filteredOut));
  if (counts.filter(Boolean).length !== endEvents.length) return auctions.map(() => null);
  let index = 0;
  return counts.map((isEnded) => isEnded ? endEvents[index++]!.timestamp : null);
}
