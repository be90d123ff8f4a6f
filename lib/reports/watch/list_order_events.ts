import { isNotComputable, priceImprovementAtoms } from "../../metrics/mod.ts";
import { isFailedOutcome, listOwnAttempts } from "../../metrics/orders/lifecycle_facts.ts";
import { surplusToken } from "../../metrics/surplus.ts";
import {
  effectiveValidTo,
  type KnownNotificationType,
  type Order,
  type OrderEvent,
  type Trade,
} from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";
import { reportDeposit } from "../order/ethflow_deposit.ts";
import { isUnfunded } from "../order/order_funds.ts";
import { toInstant } from "../order/order_report.ts";
import type { OrderSnapshot } from "./poll_orders.ts";
import {
  isFullyFilled,
  type NewEvent,
  readAccount,
  type WatchCause,
  type WatchEventType,
} from "./watch_state.ts";

/** Something that happened, without what every event of an order has. */
interface Occurrence {
  readonly type: WatchEventType;
  /** Distinguishes it from others of its type. */
  readonly which: string | number;
  readonly cause: WatchCause;
  readonly at: Temporal.Instant | null;
  readonly rank: number;
}

/** Everything that has newly happened to an order, in the order in which it happened. */
export function listOrderEvents(
  latest: OrderSnapshot,
  order: Order,
  { nowMs, failedSettlements = false, noBidsAfter }: {
    readonly nowMs: number;
    readonly failedSettlements?: boolean | undefined;
    readonly noBidsAfter?: number | undefined;
  },
): NewEvent[] {
  const snapshot = dropNewer(latest, nowMs);
  const uid = order.uid.toLowerCase();
  const account = readAccount(order);
  const happenings = [
    ...listBalanceEvents(snapshot, nowMs),
    ...failedSettlements ? listFailures(snapshot, nowMs) : [],
    ...noBidsAfter === undefined ? [] : listNoBids(snapshot, noBidsAfter),
    ...listFills(snapshot, order),
    ...listEnds(snapshot, order),
  ];
  return happenings.map(({ type, which, cause, at, rank }): { event: NewEvent; rank: number } => {
    const id = `${uid}/${type}/${which}`;
    return { event: { id, type, orderUid: uid, account, cause, at }, rank };
  }).sort((a, b) => a.rank - b.rank).map(({ event }) => event);
}

/** Drops notifications newer than the order: they belong to the next poll. */
function dropNewer(snapshot: OrderSnapshot, nowMs: number): OrderSnapshot {
  const isOlder = ({ timestamp }: { readonly timestamp: Temporal.Instant }) =>
    timestamp.epochMilliseconds <= nowMs;
  return { ...snapshot, notifications: snapshot.notifications.filter(isOlder) };
}

/** Ranks without a report: what waits comes before fills, and the end comes last. */
const WAITING_RANK = -1;
const CANCELLATION_OFFSET = 0.5;
const END_RANK = Number.MAX_SAFE_INTEGER;

function listFills(
  { previous, trades, competitions, report }: OrderSnapshot,
  order: Order,
): Occurrence[] {
  if (trades === null) return [];
  const traded = findIndexes(report?.events ?? [], ({ label }) => label === "traded");
  // The service keeps events for 30 days only: times are given where they belong for certain.
  const hasTimes = traded.length === report?.trades.length && traded.length >= trades.length;
  return trades.slice(previous.fills).flatMap((trade, index): Occurrence[] => {
    const number = previous.fills + index + 1;
    const eventIndex = hasTimes ? traded[number - 1]! : null;
    const filledAt = eventIndex === null ? null : report!.events[eventIndex]!.timestamp;
    const rank = eventIndex ?? (previous.fills + index);
    const type = isFullyFilled(order, trades.slice(0, number))
      ? "order_filled"
      : "order_partially_filled";
    const { txHash } = trade;
    const filled = {
      type,
      which: number,
      cause: toFillCause(trade, number),
      at: filledAt,
      rank,
    } as const;
    const better = computeImprovement(trade, order);
    if (better === null) return [filled];
    const competition = txHash === null ? undefined : competitions.get(txHash);
    const winner = competition?.solutions.find(({ isWinner, orders }) =>
      isWinner && orders.some(({ id }) => sameHex(id, order.uid))
    );
    const cause: WatchCause = {
      kind: "bid",
      number,
      txHash,
      auctionId: competition?.auctionId ?? null,
      solver: winner?.solverAddress ?? null,
      improvementAtoms: `${better}`,
      token: surplusToken(order),
    };
    return [filled, { type: "price_improvement", which: number, cause, at: filledAt, rank }];
  });
}

function toFillCause(trade: Trade, number: number): WatchCause {
  const { txHash, blockNumber, logIndex, sellAmount, buyAmount } = trade;
  const amounts = { sellAtoms: `${sellAmount}`, buyAtoms: `${buyAmount}` };
  return { kind: "fill", number, txHash, blockNumber, logIndex, ...amounts };
}

/** Attempts to settle the order that have failed since the last look. */
function listFailures({ previous, report }: OrderSnapshot, nowMs: number): Occurrence[] {
  return (report?.auctions ?? []).flatMap((auction) =>
    listOwnAttempts(auction).flatMap((attempt): Occurrence[] => {
      const { solver, solutionUid, startBlock, deadlineBlock, outcome, endTimestamp } = attempt;
      const { id } = auction;
      const endMs = endTimestamp?.epochMilliseconds ?? Infinity;
      if (endMs <= previous.attemptsUntilMs || endMs > nowMs) return [];
      if (!isFailedOutcome(outcome)) return [];
      const rank = report!.events.filter(({ timestamp }) => timestamp.epochMilliseconds <= endMs);
      return [{
        type: "settlement_failed",
        which: `${id}-${solutionUid}`,
        cause: { kind: "attempt", auctionId: id, solver, outcome, startBlock, deadlineBlock },
        at: endTimestamp ?? null,
        rank: rank.length - 0.5,
      }];
    })
  );
}

/** The row of auctions at the end of which nobody bid, once it is long enough. */
function listNoBids({ previous, report }: OrderSnapshot, minCount: number): Occurrence[] {
  // The newest one may still get bids.
  const endedAuctions = (report?.auctions ?? []).slice(0, -1);
  const row = endedAuctions.slice(
    endedAuctions.findLastIndex((auction) => auction.proposedSolutions.length > 0) + 1,
  );
  const [first] = row;
  if (first === undefined || row.length < minCount || previous.noBidsFrom === first.id) return [];
  const cause = {
    kind: "auctions",
    from: first.id,
    to: row.at(-1)!.id,
    count: row.length,
  } as const;
  return [{ type: "no_bids", which: first.id, cause, at: null, rank: WAITING_RANK }];
}

/** Computes the amount that a fill gave over the quote of its order; `null` if nothing. */
function computeImprovement(trade: Trade, order: Order): bigint | null {
  if (order.quote == null) return null;
  const better = priceImprovementAtoms(trade, order, order.quote);
  return isNotComputable(better) || better <= 0n ? null : better;
}

/** The cancellation, the expiry and the refund: each happens once. */
function listEnds({ previous, report, notifications }: OrderSnapshot, order: Order): Occurrence[] {
  const occurrences: Occurrence[] = [];
  const status = { kind: "status", status: String(order.status) } as const;
  const findNotification = (type: KnownNotificationType) =>
    notifications.find((notification) => notification.type === type);
  const cancelled = findNotification("order_cancelled");
  if (!previous.isCancelled && (order.invalidated || cancelled !== undefined)) {
    const index = report?.events.findIndex(({ label }) => label === "cancelled") ?? -1;
    const event = report?.events[index];
    occurrences.push({
      type: "order_cancelled",
      which: 1,
      cause: event === undefined ? status : toEventCause(event),
      at: event?.timestamp ?? cancelled?.timestamp ?? null,
      rank: event === undefined ? rankCancellation(order, previous.fills) : index,
    });
  }
  const isUnfilled = order.executedBuyAmount === 0n && order.executedSellAmount === 0n;
  if (!previous.isExpired && order.status === "expired" && isUnfilled) {
    const expiredAt = toInstant(effectiveValidTo(order));
    occurrences.push({
      type: "order_expired",
      which: 1,
      cause: status,
      at: expiredAt,
      rank: END_RANK,
    });
  }
  const deposit = reportDeposit(order);
  if (previous.isRefunded !== true && deposit?.state === "returned") {
    const { refundTxHash: txHash, trader, unsoldAtoms } = deposit;
    const nativeAtoms = unsoldAtoms === null ? null : `${unsoldAtoms}`;
    const cause = { kind: "refund", txHash, trader, nativeAtoms } as const;
    occurrences.push({ type: "order_refunded", which: 1, cause, at: null, rank: END_RANK });
  }
  return occurrences;
}

/** A filled order cannot be cancelled: its cancellation came before the last fill. */
function rankCancellation(order: Order, knownFills: number): number {
  return order.status === "fulfilled" ? Math.max(0, knownFills) - CANCELLATION_OFFSET : END_RANK;
}

/** Times at which the owner's balance did not cover the order: by events, notifications or a node. */
function listBalanceEvents(
  { previous, report, notifications, funds }: OrderSnapshot,
  nowMs: number,
): Occurrence[] {
  const type = "insufficient_balance";
  if (report !== null) {
    return findIndexes(report.events, isLack).flatMap((rank): Occurrence[] => {
      const event = report.events[rank]!;
      const atMs = event.timestamp.epochMilliseconds;
      const previousEvent = report.events[rank - 1];
      if (
        atMs <= previous.balanceUntilMs || atMs > nowMs ||
        previousEvent !== undefined && isLack(previousEvent)
      ) {
        return [];
      }
      return [{ type, which: atMs, cause: toEventCause(event), at: event.timestamp, rank }];
    });
  }
  const notes = notifications
    .filter((notification) => notification.type === type)
    .map((notification) => ({ ...notification, atMs: notification.timestamp.epochMilliseconds }))
    .filter(({ atMs }) => atMs > previous.balanceUntilMs)
    .sort((a, b) => a.atMs - b.atMs);
  if (notes.length > 0) {
    return notes.map(({ id, message, atMs, timestamp }): Occurrence => {
      const cause = { kind: "notification", notification: `${id}`, message } as const;
      return { type, which: atMs, cause, at: timestamp, rank: WAITING_RANK };
    });
  }
  if (funds === null || previous.isLacking || !isUnfunded(funds)) return [];
  const { balanceAtoms, allowanceAtoms, neededAtoms } = funds;
  const amounts = {
    balanceAtoms: `${balanceAtoms}`,
    allowanceAtoms: `${allowanceAtoms}`,
    neededAtoms: `${neededAtoms}`,
  };
  const which = `${previous.fills}-${previous.balanceUntilMs}`;
  return [{ type, which, cause: { kind: "funds", ...amounts }, at: null, rank: WAITING_RANK }];
}

function isLack({ label, reason }: OrderEvent): boolean {
  return label === "invalid" && reason === "insufficient_balance";
}

function toEventCause({ label, reason }: OrderEvent): WatchCause {
  return { kind: "event", label: String(label), reason: reason == null ? null : String(reason) };
}

function findIndexes(
  events: readonly OrderEvent[],
  accepts: (event: OrderEvent) => boolean,
): number[] {
  return events.flatMap((event, index) => accepts(event) ? [index] : []);
}
