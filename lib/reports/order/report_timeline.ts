import type { AuctionTimes, KnownTime, OrderLifecycle } from "../../metrics/mod.ts";
import type { Order } from "../../schemas/mod.ts";
import { AUCTION_WORDS } from "./cause_words.ts";
import { fundsText } from "./lack_clause.ts";
import { timelineBounds } from "./timeline_bounds.ts";
import type { ReportedAuction, ReportedFill, TimelineEntry } from "./order_report.ts";
import type { ReportedFunds, ReportedPlacement, ReportedRefund } from "./reported_chain.ts";

/** What a timeline is made of. */
export interface TimelineFacts {
  /** The order. */
  readonly order: Order;
  /** Its life. */
  readonly life: OrderLifecycle;
  /** Its auctions. */
  readonly auctions: readonly ReportedAuction[];
  /** Its fills. */
  readonly fills: readonly ReportedFill[];
  /** When auctions began and blocks were produced. */
  readonly times: AuctionTimes;
  /** What its owner has and had. */
  readonly funds: readonly ReportedFunds[];
  /** Where it was placed on the chain; `null` if it was not, or it is not known. */
  readonly placement: ReportedPlacement | null;
  /** Where it was refunded; `null` if it was not, or it is not known. */
  readonly refund: ReportedRefund | null;
}

const NOWHEN = {
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
export function reportTimeline(facts: TimelineFacts): TimelineEntry[] {
  const bounds = timelineBounds(facts);
  const entries = [
    ...ofTerms(facts),
    ...ofEvents(facts),
    ...facts.auctions.flatMap((auction, at) => ofAuction(auction, bounds.auctions[at]!)),
    ...facts.fills.map((fill, at) => ofFill(fill, bounds.fills[at]!)),
    ...facts.funds.map(ofFunds),
    ...facts.placement === null ? [] : [ofPlacement(facts.placement)],
  ];
  return inOrder(entries);
}

function ofTerms({ order, life, refund: found }: TimelineFacts): TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  const { validFrom } = order;
  if (validFrom != null) {
    const at = Temporal.Instant.fromEpochMilliseconds(validFrom * 1_000);
    entries.push({ ...reported(at), kind: "valid_from", text: "Valid from this second" });
  }
  entries.push({
    ...reported(life.createdAt),
    kind: "created",
    text: "Created: the service received the order",
  });
  entries.push({
    ...reported(life.expiresAt),
    kind: "expiry",
    text: "End of its validity",
  });
  const refund = order.ethflowData?.refundTxHash ?? null;
  if (refund !== null) {
    const at = found?.at ?? null;
    entries.push({
      ...NOWHEN,
      ...found === null ? {} : { at, latestAt: at, basis: "block", block: found.block },
      kind: "refunded",
      txHash: refund,
      text: found === null ? "Refunded on the chain" : refundText(found),
    });
  }
  return entries;
}

function refundText({ event, refunder, isByTrader, nativeAtoms }: ReportedRefund): string {
  const what = event === "OrderRefund" ? "Refunded" : "Cancelled by its trader, and refunded";
  const who = event === "OrderInvalidation"
    ? ""
    : isByTrader === true
    ? " by its trader"
    : ` by ${refunder}`;
  const atoms = nativeAtoms === null ? "" : `: ${nativeAtoms} native atoms returned`;
  return `${what} on the chain${who}${atoms}`;
}

function ofPlacement({ at, block, txHash, sender, nativeAtoms }: ReportedPlacement): TimelineEntry {
  return {
    ...NOWHEN,
    ...{ at, latestAt: at, basis: "block", block, txHash, kind: "placed" },
    text: `Placed on the chain by ${sender}, who paid ${nativeAtoms} native atoms`,
  };
}

function reported(at: Temporal.Instant) {
  return { ...NOWHEN, at, latestAt: at, basis: "reported" as const };
}

function ofEvents({ life }: TimelineFacts): TimelineEntry[] {
  return (life.events ?? []).filter(({ label }) => label !== "created").map((event) => ({
    ...NOWHEN,
    at: event.timestamp,
    latestAt: event.timestamp,
    basis: "event",
    kind: event.label === "cancelled" ? "cancelled" : "event",
    text: eventText(event.label, event.reason ?? null),
    label: event.label,
    reason: event.reason ?? null,
  }));
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

function eventText(label: string, reason: string | null): string {
  const words = EVENT_WORDS[label] ?? `Event ${label}`;
  return reason === null ? words : `${words}: ${reason.replaceAll("_", " ")}`;
}

function ofAuction(auction: ReportedAuction, time: KnownTime | null): TimelineEntry[] {
  const { auctionId, block, bids, attempts } = auction;
  const count = bids.length === 1 ? "1 bid" : `${bids.length} bids`;
  const began: TimelineEntry = {
    ...NOWHEN,
    ...known(time),
    block,
    auctionId,
    kind: "auction",
    text: `Auction ${auctionId}, ${count}: ${AUCTION_WORDS[auction.outcome]}`,
  };
  return [
    began,
    ...(attempts ?? []).map((attempt): TimelineEntry => ({
      ...NOWHEN,
      at: attempt.startTimestamp,
      latestAt: attempt.startTimestamp,
      basis: "event",
      block: attempt.startBlock,
      auctionId,
      kind: "attempt",
      text: `Attempt to settle it: ${attempt.outcome ?? "no outcome yet"}${
        attempt.endBlock == null ? "" : `, ended in block ${attempt.endBlock}`
      }`,
    })),
  ];
}

function ofFill(fill: ReportedFill, time: KnownTime | null): TimelineEntry {
  const late = fill.blocksLate !== null && fill.blocksLate > 0
    ? `, ${fill.blocksLate} ${fill.blocksLate === 1 ? "block" : "blocks"} after the deadline`
    : "";
  return {
    ...NOWHEN,
    ...known(time),
    block: fill.blockNumber,
    auctionId: fill.auctionId,
    txHash: fill.txHash,
    kind: "fill",
    text: `Filled in block ${fill.blockNumber}${late}`,
  };
}

function ofFunds(funds: ReportedFunds): TimelineEntry {
  const { at, block } = funds;
  return {
    ...NOWHEN,
    at,
    latestAt: at,
    basis: "block",
    block,
    kind: "funds",
    text: fundsText(funds),
  };
}

function known(time: KnownTime | null): Pick<TimelineEntry, "at" | "latestAt" | "basis"> {
  if (time === null) return { at: null, latestAt: null, basis: null };
  const { at, basis, bracket } = time;
  return { at, latestAt: bracket === null ? at : bracket.max, basis };
}

/** What comes first of what has the same time: an auction before its fill, that before its event. */
const PLACES: Partial<Record<TimelineEntry["kind"], number>> = {
  ...{ created: 0, placed: 0, funds: 1, event: 1, cancelled: 1, auction: 2, attempt: 3, fill: 4 },
};

function placeOf({ kind, label }: TimelineEntry): number {
  return label === "traded" ? 5 : PLACES[kind] ?? 6;
}

/**
 * By time; what has none stands by its block: before the first entry of a later block, otherwise before
 * the end of the order's validity.
 */
function inOrder(entries: readonly TimelineEntry[]): TimelineEntry[] {
  const ordered = entries.filter(({ at }) => at !== null).sort((a, b) =>
    Temporal.Instant.compare(a.at!, b.at!) || placeOf(a) - placeOf(b)
  );
  const timeless = entries.filter(({ at }) => at === null);
  for (const entry of timeless.sort((a, b) => (a.block ?? Infinity) - (b.block ?? Infinity))) {
    const next = ordered.findIndex(({ block, kind }) =>
      kind === "expiry" || block !== null && entry.block !== null && block > entry.block
    );
    ordered.splice(next === -1 ? ordered.length : next, 0, entry);
  }
  return ordered;
}
