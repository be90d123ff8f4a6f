import { isNotComputable, priceImprovementAtoms } from "../../metrics/mod.ts";
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
import { atSecond } from "../order/order_report.ts";
import type { SeenOrder } from "./observe_orders.ts";
import {
  accountOf,
  type FoundEvent,
  isWhole,
  type WatchCause,
  type WatchEventType,
} from "./watch_state.ts";

/** Something that happened, without what every event of an order has. */
interface Happening {
  readonly type: WatchEventType;
  /** What tells it from others of its type. */
  readonly which: string | number;
  readonly cause: WatchCause;
  readonly at: Temporal.Instant | null;
  readonly rank: number;
}

/** Everything that has newly happened to an order, in the order in which it happened. */
export function eventsOfOrder(
  whole: SeenOrder,
  order: Order,
  { nowMs, failedSettlements = false, noBidsAfter }: {
    readonly nowMs: number;
    readonly failedSettlements?: boolean | undefined;
    readonly noBidsAfter?: number | undefined;
  },
): FoundEvent[] {
  const seen = upTo(whole, nowMs);
  const uid = order.uid.toLowerCase();
  const account = accountOf(order);
  const happenings = [
    ...balances(seen, nowMs),
    ...failedSettlements ? failures(seen, nowMs) : [],
    ...noBidsAfter === undefined ? [] : withoutBids(seen, noBidsAfter),
    ...fills(seen, order),
    ...ends(seen, order),
  ];
  return happenings.map(({ type, which, cause, at, rank }): { event: FoundEvent; rank: number } => {
    const id = `${uid}/${type}/${which}`;
    return { event: { id, type, orderUid: uid, account, cause, at }, rank };
  }).sort((a, b) => a.rank - b.rank).map(({ event }) => event);
}

/** What was seen without what is newer than the order: it belongs to the next look. */
function upTo(seen: SeenOrder, nowMs: number): SeenOrder {
  const isOlder = ({ timestamp }: { readonly timestamp: Temporal.Instant }) =>
    timestamp.epochMilliseconds <= nowMs;
  return { ...seen, notifications: seen.notifications.filter(isOlder) };
}

/** Ranks without a report: what waits comes before fills, and the end comes last. */
const WAITING = -1;
const CANCELLED_BEFORE = 0.5;
const OVER = Number.MAX_SAFE_INTEGER;

function fills({ known, trades, competitions, report }: SeenOrder, order: Order): Happening[] {
  if (trades === null) return [];
  const traded = indexesOf(report?.events ?? [], ({ label }) => label === "traded");
  // The service keeps events for 30 days only: times are given where they belong for certain.
  const hasTimes = traded.length === report?.trades.length && traded.length >= trades.length;
  return trades.slice(known.fills).flatMap((trade, index): Happening[] => {
    const number = known.fills + index + 1;
    const eventIndex = hasTimes ? traded[number - 1]! : null;
    const at = eventIndex === null ? null : report!.events[eventIndex]!.timestamp;
    const rank = eventIndex ?? (known.fills + index);
    const type = isWhole(order, trades.slice(0, number))
      ? "order_filled"
      : "order_partially_filled";
    const { txHash } = trade;
    const filled = { type, which: number, cause: fillCause(trade, number), at, rank } as const;
    const better = improvementOf(trade, order);
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
    return [filled, { type: "price_improvement", which: number, cause, at, rank }];
  });
}

function fillCause(trade: Trade, number: number): WatchCause {
  const { txHash, blockNumber, logIndex, sellAmount, buyAmount } = trade;
  const amounts = { sellAtoms: `${sellAmount}`, buyAtoms: `${buyAmount}` };
  return { kind: "fill", number, txHash, blockNumber, logIndex, ...amounts };
}

/** Attempts to settle the order that have failed since the last look. */
function failures({ known, report }: SeenOrder, nowMs: number): Happening[] {
  return (report?.auctions ?? []).flatMap(({ id, proposedSolutions, settlementAttempts }) =>
    settlementAttempts.flatMap((attempt): Happening[] => {
      const { solver, solutionUid, startBlock, deadlineBlock, outcome, endTimestamp } = attempt;
      const isOwn = proposedSolutions.some((each) =>
        each.solutionUid === solutionUid && each.isWinner
      );
      const endMs = endTimestamp?.epochMilliseconds ?? Infinity;
      if (!isOwn || endMs <= known.attemptsUntilMs || endMs > nowMs) return [];
      if (outcome == null || outcome === "success") return [];
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
function withoutBids({ known, report }: SeenOrder, least: number): Happening[] {
  // The newest one may still get bids.
  const over = (report?.auctions ?? []).slice(0, -1);
  const row = over.slice(over.findLastIndex((each) => each.proposedSolutions.length > 0) + 1);
  const [first] = row;
  if (first === undefined || row.length < least || known.noBidsFrom === first.id) return [];
  const cause = {
    kind: "auctions",
    from: first.id,
    to: row.at(-1)!.id,
    count: row.length,
  } as const;
  return [{ type: "no_bids", which: first.id, cause, at: null, rank: WAITING }];
}

/** What a fill gave more than the quote of its order; `null` if nothing. */
function improvementOf(trade: Trade, order: Order): bigint | null {
  if (order.quote == null) return null;
  const better = priceImprovementAtoms(trade, order, order.quote);
  return isNotComputable(better) || better <= 0n ? null : better;
}

/** The cancellation, the expiry and the refund: each happens once. */
function ends({ known, report, notifications }: SeenOrder, order: Order): Happening[] {
  const found: Happening[] = [];
  const status = { kind: "status", status: String(order.status) } as const;
  const noteOf = (type: KnownNotificationType) => notifications.find((each) => each.type === type);
  const cancelled = noteOf("order_cancelled");
  if (!known.isCancelled && (order.invalidated || cancelled !== undefined)) {
    const index = report?.events.findIndex(({ label }) => label === "cancelled") ?? -1;
    const event = report?.events[index];
    found.push({
      type: "order_cancelled",
      which: 1,
      cause: event === undefined ? status : eventCause(event),
      at: event?.timestamp ?? cancelled?.timestamp ?? null,
      rank: event === undefined ? rankOfCancellation(order, known.fills) : index,
    });
  }
  const isUnfilled = order.executedBuyAmount === 0n && order.executedSellAmount === 0n;
  if (!known.isExpired && order.status === "expired" && isUnfilled) {
    const at = atSecond(effectiveValidTo(order));
    found.push({ type: "order_expired", which: 1, cause: status, at, rank: OVER });
  }
  const deposit = reportDeposit(order);
  if (known.isRefunded !== true && deposit?.state === "returned") {
    const { refundTxHash: txHash, trader, unsoldAtoms } = deposit;
    const nativeAtoms = unsoldAtoms === null ? null : `${unsoldAtoms}`;
    const cause = { kind: "refund", txHash, trader, nativeAtoms } as const;
    found.push({ type: "order_refunded", which: 1, cause, at: null, rank: OVER });
  }
  return found;
}

/** A filled order cannot be cancelled: its cancellation came before the last fill. */
function rankOfCancellation(order: Order, knownFills: number): number {
  return order.status === "fulfilled" ? Math.max(0, knownFills) - CANCELLED_BEFORE : OVER;
}

/** Times at which the owner's balance did not cover the order: by events, notifications or a node. */
function balances({ known, report, notifications, funds }: SeenOrder, nowMs: number): Happening[] {
  const type = "insufficient_balance";
  if (report !== null) {
    return indexesOf(report.events, isLack).flatMap((rank): Happening[] => {
      const event = report.events[rank]!;
      const atMs = event.timestamp.epochMilliseconds;
      const before = report.events[rank - 1];
      if (atMs <= known.balanceUntilMs || atMs > nowMs || before !== undefined && isLack(before)) {
        return [];
      }
      return [{ type, which: atMs, cause: eventCause(event), at: event.timestamp, rank }];
    });
  }
  const notes = notifications
    .filter((each) => each.type === type)
    .map((each) => ({ ...each, atMs: each.timestamp.epochMilliseconds }))
    .filter(({ atMs }) => atMs > known.balanceUntilMs)
    .sort((a, b) => a.atMs - b.atMs);
  if (notes.length > 0) {
    return notes.map(({ id, message, atMs, timestamp }): Happening => {
      const cause = { kind: "notification", notification: `${id}`, message } as const;
      return { type, which: atMs, cause, at: timestamp, rank: WAITING };
    });
  }
  if (funds === null || known.isLacking || !isUnfunded(funds)) return [];
  const { balanceAtoms, allowanceAtoms, neededAtoms } = funds;
  const amounts = {
    balanceAtoms: `${balanceAtoms}`,
    allowanceAtoms: `${allowanceAtoms}`,
    neededAtoms: `${neededAtoms}`,
  };
  const which = `${known.fills}-${known.balanceUntilMs}`;
  return [{ type, which, cause: { kind: "funds", ...amounts }, at: null, rank: WAITING }];
}

function isLack({ label, reason }: OrderEvent): boolean {
  return label === "invalid" && reason === "insufficient_balance";
}

function eventCause({ label, reason }: OrderEvent): WatchCause {
  return { kind: "event", label: String(label), reason: reason == null ? null : String(reason) };
}

function indexesOf(
  events: readonly OrderEvent[],
  accepts: (event: OrderEvent) => boolean,
): number[] {
  return events.flatMap((event, index) => accepts(event) ? [index] : []);
}
