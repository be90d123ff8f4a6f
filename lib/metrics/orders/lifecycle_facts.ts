import type {
  Competition,
  CompetitionOrderStatus,
  CompetitionStatusType,
  DebugAuction,
  DebugReport,
  EventLabel,
  EventReason,
  Order,
  OrderEvent,
  SettlementAttempt,
  Trade,
} from "../../schemas/mod.ts";
import { mulDivDown, mulDivUp, nanosecondsBetween, type Ratio, sameHex } from "../../units/mod.ts";
import type { DecidedStatus, PresignatureUnknown } from "./calculate_status.ts";
import {
  exchangedSellAmount,
  type Fill,
  type KnownTime,
  type OrderLimit,
  sortByTime,
} from "./fills.ts";
import type { OrderAuction, OrderBid, OrderFillFacts } from "./order_bids.ts";

/** Records of an order; only the order itself is required. */
export interface OrderEvidence {
  /** The order. */
  readonly order: Order;
  /** Its debug report, which public deployments return to partners only. */
  readonly debugReport?: DebugReport | null | undefined;
  /** Its trades. */
  readonly trades?: Iterable<Trade> | null | undefined;
  /** Competitions of auctions it may have been in. */
  readonly competitions?: Iterable<Competition> | null | undefined;
  /** Its status in the latest auction. */
  readonly competitionStatus?: CompetitionOrderStatus | null | undefined;
}

/** The reported status and the one by the rules. */
export interface StatusCheck {
  /** The reported status. */
  readonly reported: Order["status"];
  /** The status by the rules. */
  readonly calculated: DecidedStatus | PresignatureUnknown;
  /** Whether both are the same, or the reported one is among the possible ones. */
  readonly agrees: boolean;
}

/** The stage of an order in the latest auction, as derived and as reported. */
export interface StageCheck {
  /** The stage that follows from trades and the latest event; `null` without either. */
  readonly derived: CompetitionStatusType | null;
  /** The reported stage; `null` if it was not passed. */
  readonly reported: CompetitionStatusType | null;
  /** Whether both are the same; `null` if one is missing. */
  readonly agrees: boolean | null;
}

/** An attempt to settle a winning solution with the order. */
export interface OrderAttempt extends SettlementAttempt {
  /** Id of the auction. */
  readonly auctionId: number;
}

/** Something that the evidence does not cover. */
export interface LifecycleGap {
  /** The unknown part. */
  readonly what:
    | "events"
    | "auctions"
    | "bids"
    | "attempts"
    | "fills"
    | "fill_times"
    | "presignature"
    | "status";
  /** The reason, as a sentence. */
  readonly why: string;
}

/** The life of an order until now. */
export interface OrderLifecycle {
  /** UID of the order. */
  readonly uid: string;
  /** Its status, and whether the rules agree. */
  readonly status: StatusCheck;
  /** Its stage in the latest auction. */
  readonly stage: StageCheck;
  /** The state of the order by its reported status, as one sentence. */
  readonly why: string;
  /** The time at which the service received it. */
  readonly createdAt: Temporal.Instant;
  /** The time from which on it cannot be filled: the end of the last second of its validity. */
  readonly expiresAt: Temporal.Instant;
  /** Its events, oldest first; `null` without a debug report. */
  readonly events: readonly OrderEvent[] | null;
  /** Time of the first fill, with its basis; `null` if unknown or not filled. */
  readonly firstFill: KnownTime | null;
  /** Time of the last fill, with its basis; `null` if unknown or not filled. */
  readonly lastFill: KnownTime | null;
  /** The time of `firstFill`: of its block, of its indexing, or the earliest possible. */
  readonly firstFillAt: Temporal.Instant | null;
  /** The time of `lastFill`. */
  readonly lastFillAt: Temporal.Instant | null;
  /** From creation to the first fill, in nanoseconds. */
  readonly toFirstFillNs: bigint | null;
  /** From creation to the last fill, in nanoseconds. */
  readonly toLastFillNs: bigint | null;
  /**
   * From creation to the first fill without the time during which it was invalid, in nanoseconds.
   */
  readonly toHappyMooNs: bigint | null;
  /** Time in each state, until now or until the end of its life; `null` without a debug report. */
  readonly timeInStates: readonly TimeInState[] | null;
  /**
   * Nanoseconds during which it could not be settled, for any reason; `null` without a debug
   * report.
   */
  readonly invalidNs: bigint | null;
  /**
   * Nanoseconds during which the protocol excluded it, for any reason; `null` without a debug
   * report.
   */
  readonly filteredNs: bigint | null;
  /** Auctions that included it, by ascending id, with the bids on it. */
  readonly auctions: readonly OrderAuction[];
  /** Number of bids on it, over all those auctions. */
  readonly bidCount: number;
  /** Its fills, by block and index. */
  readonly fills: readonly OrderFillFacts[];
  /** Filled share of `sellAmount` or `buyAmount`; `null` if that amount is 0. */
  readonly filledFraction: Ratio | null;
  /** Unsuccessful attempts to settle winning solutions that execute it. */
  readonly failedAttempts: readonly OrderAttempt[];
  /**
   * The best bid that was not executed, compared with the executed one, for each fill whose auction
   * is known.
   */
  readonly leftOnTheTable: readonly LeftOnTheTable[];
  /** Parts that the evidence does not cover. */
  readonly unknown: readonly LifecycleGap[];
}

/** The fields of an order that tell how much of it is filled. */
export type FilledAmounts = Pick<
  Order,
  "kind" | "sellAmount" | "buyAmount" | "executedSellAmountBeforeFees" | "executedBuyAmount"
>;

/** Returns the filled part of the amount that the order fixes, and that amount. */
export function readFilled(order: FilledAmounts): [bigint, bigint] {
  return order.kind === "sell"
    ? [order.executedSellAmountBeforeFees, order.sellAmount]
    : [order.executedBuyAmount, order.buyAmount];
}

/** Returns the unfilled part of the amount that the order fixes, and that amount; 0 and 1 if all is filled. */
export function readRemaining(order: Order): [bigint, bigint] {
  const [filled, total] = readFilled(order);
  return filled >= total ? [0n, 1n] : [total - filled, total];
}

/** Whether an attempt to settle ended without success. */
export function isFailedOutcome(outcome: string | null | undefined): outcome is string {
  return outcome !== null && outcome !== undefined && outcome !== "success";
}

/** Whether an attempt was to settle a solution: the service counts solutions from 0, and ranks from 1. */
export function isAttemptToSettle(
  { solver, solutionUid }: Pick<SettlementAttempt, "solver" | "solutionUid">,
  solution: Pick<OrderBid, "solver" | "ranking">,
): boolean {
  return solutionUid === solution.ranking - 1 && sameHex(solver, solution.solver);
}

/** Finds the bid that an attempt was to settle. */
export function findAttemptedBid<Bid extends Pick<OrderBid, "solver" | "ranking">>(
  bids: readonly Bid[],
  attempt: SettlementAttempt,
): Bid | undefined {
  return bids.find((bid) => isAttemptToSettle(attempt, bid));
}

/** Lists the attempts to settle winners that hold the order: a debug report has all of the auction. */
export function listOwnAttempts(
  { proposedSolutions, settlementAttempts }: DebugAuction,
): SettlementAttempt[] {
  return settlementAttempts.filter((attempt) =>
    findAttemptedBid(proposedSolutions, attempt)?.isWinner === true
  );
}

/**
 * Describes the state of an order in one sentence. It follows the reported status, since the rules depend
 * on a time that the caller passes.
 */
export function describeState(
  order: Order,
  { reported }: StatusCheck,
  events: readonly OrderEvent[] | null,
): string {
  const [filled, total] = readFilled(order);
  const amount = `${filled} of ${total} ${order.kind}-token atoms filled`;
  const last = events?.at(-1);
  const reason = last?.reason == null ? "" : ` (${last.reason})`;
  const latest = last === undefined ? "" : `; its latest event is ${last.label}${reason}`;
  switch (reported) {
    case "fulfilled":
      return `Fulfilled: ${amount}`;
    case "cancelled":
      return `Cancelled with ${amount}`;
    case "expired":
      return `Expired with ${amount}${latest}`;
    case "presignaturePending":
      return "Waiting for its signature on the chain";
    case "open":
      return `Open with ${amount}${latest}`;
    default:
      return `Reported ${reported} with ${amount}${latest}`;
  }
}

/** Time that an order spent in one state for one reason, over all its stays. */
export interface TimeInState {
  /** The state: the label of the event that began it. */
  readonly label: EventLabel;
  /** The reason, for `filtered` and `invalid`; `null` otherwise. */
  readonly reason: EventReason | null;
  /** Number of stays. */
  readonly stays: number;
  /** Total duration, in nanoseconds. */
  readonly nanoseconds: bigint;
}

/**
 * Sums the time that an order spent in each state: from each event to the next one, and from the last one
 * to `until`.
 *
 * The service stores an event only when label or reason changes, so the order was in the state of
 * the first event until the second. Time after `until` does not count.
 *
 * @param events Events of one order, from a debug report, in any order.
 * @param until The end of the period.
 * @returns One entry per state and reason, in the order of first occurrence; empty without events.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/database/src/order_events.rs | events of the service}
 *
 * @example Two seconds without funds
 * ```ts
 * import { timeInStates } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const at = (second: number) => Temporal.Instant.from(`2026-08-21T10:00:0${second}Z`);
 * const times = timeInStates([
 *   { label: "created", timestamp: at(0) },
 *   { label: "invalid", timestamp: at(1), reason: "insufficient_balance" },
 *   { label: "ready", timestamp: at(3) },
 * ], at(9));
 *
 * assertEquals(times.map(({ label, nanoseconds }) => [label, nanoseconds]), [
 *   ["created", 1_000_000_000n],
 *   ["invalid", 2_000_000_000n],
 *   ["ready", 6_000_000_000n],
 * ]);
 * ```
 */
export function timeInStates(
  events: Iterable<OrderEvent>,
  until: Temporal.Instant,
): readonly TimeInState[] {
  const times = new Map<string, TimeInState>();
  const ordered = sortByTime(events).filter(({ timestamp }) =>
    nanosecondsBetween(timestamp, until) > 0n
  );
  for (const [index, { label, reason = null, timestamp }] of ordered.entries()) {
    const end = ordered[index + 1]?.timestamp ?? until;
    const spent = nanosecondsBetween(timestamp, end);
    const key = `${label} ${reason}`;
    const timeInState = times.get(key);
    times.set(key, {
      label,
      reason,
      stays: timeInState === undefined ? 1 : timeInState.stays + 1,
      nanoseconds: spent + (timeInState === undefined ? 0n : timeInState.nanoseconds),
    });
  }
  return [...times.values()];
}

/** The amounts that a refund depends on. */
export interface RefundableOrder {
  /** Amount to sell, in native atoms. */
  readonly sellAmount: bigint;
  /** Signed fee, in native atoms. */
  readonly feeAmount: bigint;
}

/**
 * Computes the amount that an EthFlow contract returns to the trader when an order is refunded or cancelled.
 *
 * `sellAmount − filled + feeAmount − floor(feeAmount * filled / sellAmount)`: the fee of the filled
 * part is rounded down as the settlement contract charges it, so that the rest is returned.
 *
 * @param order The order's amounts.
 * @param filledAtoms The amount sold before its fees, in native atoms; up to `sellAmount`.
 * @returns Native atoms; `0n` for an order that is filled completely.
 * @throws {RangeError} If `filledAtoms` is negative or above `sellAmount`, or `sellAmount` is `0n`.
 * @see {@link https://github.com/cowprotocol/ethflowcontract/blob/fd72a5375e12/src/CoWSwapEthFlow.sol | _invalidateOrder of the contract}
 *
 * @example A third of an order with a fee of 10 is filled
 * ```ts
 * import { ethFlowRefund } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(ethFlowRefund({ sellAmount: 300n, feeAmount: 10n }, 100n), 200n + 10n - 3n);
 * ```
 */
export function ethFlowRefund(
  { sellAmount, feeAmount }: RefundableOrder,
  filledAtoms: bigint,
): bigint {
  if (sellAmount === 0n || filledAtoms < 0n || filledAtoms > sellAmount) {
    throw new RangeError(`${filledAtoms} of ${sellAmount} atoms cannot be filled`);
  }
  return sellAmount - filledAtoms + feeAmount - mulDivDown(feeAmount, filledAtoms, sellAmount);
}

/** The best bid on an order that was not executed, compared with the fill. */
export interface LeftOnTheTable {
  /** Id of the auction. */
  readonly auctionId: number;
  /** The best bid on the order other than the winning one, by its price. */
  readonly best: OrderBid;
  /**
   * Gain of its price over the fill, in atoms of the surplus token: positive if a better bid was not
   * executed, negative if the executed one was the best.
   */
  readonly atoms: bigint;
}

/**
 * Computes the amount that a fill left on the table: its amounts compared with those at the price of the
 * best bid of the same auction that was not executed.
 *
 * Sell order: `floor(s * bidBuy / bidSell) - b` buy-token atoms. Buy order:
 * `s - ceil(b * bidSell / bidBuy)` sell-token atoms. Rounds against the bid, so that a bid at the
 * same price never seems better. A better bid may have lost for good reason: its solution was
 * filtered out or worse overall, or it was for a part of the amount and could not have filled all
 * of it.
 *
 * @param fill The executed amounts.
 * @param order The amount that the order fixes.
 * @param auction The auction it was settled from, with its bids.
 * @returns `null` if nobody else bid on the order.
 * @throws {RangeError} If an amount is negative.
 *
 * @example Sold for 20 while a bid for a half offered 12
 * ```ts
 * import { leftOnTheTable } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const half = {
 *   auctionId: 7,
 *   ranking: 2,
 *   solver: "0xb0",
 *   score: 3n,
 *   isWinner: false,
 *   filteredOut: true,
 *   sellAmount: 5n,
 *   buyAmount: 12n,
 * };
 * const fill = { sellAmount: 10n, buyAmount: 20n };
 * const left = leftOnTheTable(fill, { kind: "sell" }, { auctionId: 7, bids: [half] });
 *
 * assertEquals(left, { auctionId: 7, best: half, atoms: 4n });
 * ```
 */
export function leftOnTheTable(
  fill: Fill,
  order: Pick<OrderLimit, "kind">,
  auction: Pick<OrderAuction, "auctionId" | "bids">,
): LeftOnTheTable | null {
  let largest: LeftOnTheTable | null = null;
  for (const best of auction.bids) {
    if (best.isWinner || best.sellAmount === 0n || best.buyAmount === 0n) continue;
    const atoms = order.kind === "sell"
      ? mulDivDown(exchangedSellAmount(fill), best.buyAmount, best.sellAmount) - fill.buyAmount
      : exchangedSellAmount(fill) - mulDivUp(fill.buyAmount, best.sellAmount, best.buyAmount);
    if (largest === null || atoms > largest.atoms) {
      largest = { auctionId: auction.auctionId, best, atoms };
    }
  }
  return largest;
}
