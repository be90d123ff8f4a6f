import { competitionStage } from "./order_bids.ts";
import { isFastPath } from "./calculate_status.ts";
import {
  type CompetitionStatusType,
  effectiveValidTo,
  isClosedStatus,
  isOpenStatus,
  isRefunded,
  type Order,
  type OrderEvent,
} from "../../schemas/mod.ts";

/** The fields of an order that its outlook depends on. An `Order` has them. */
export type OutlookOrder = Pick<
  Order,
  | "status"
  | "validTo"
  | "ethflowData"
  | "onchainOrderData"
  | "executedSellAmount"
  | "executedBuyAmount"
  | "fullAppData"
>;

/** Facts of an order from which its outlook follows. */
export interface OutlookFacts {
  /** The order, with the status that the service reports. */
  readonly order: OutlookOrder;
  /**
   * The time of the responses. `null` for responses without a time, as in a recording: an order that is
   * over counts as final, unless a win of it is pending.
   */
  readonly now: Temporal.Instant | null;
  /**
   * Its stage in the latest auction; `absent` if the service has no event of it, `null` if unknown.
   * Events take precedence. @default {null}
   */
  readonly stage?: CompetitionStatusType | "absent" | null | undefined;
  /** Its events, oldest first, from a debug report; `null` without one. @default {null} */
  readonly events?: readonly OrderEvent[] | null | undefined;
  /**
   * Sum that its trades bought, in buy-token atoms; `null` if they were not read. @default {null}
   */
  readonly boughtByTrades?: bigint | null | undefined;
  /**
   * First time at which it was observed to be over, which bounds a cancellation that no event dates.
   * @default {null}
   */
  readonly overSince?: Temporal.Instant | null | undefined;
  /** Whether the settlement that was pending when it ended has filled it. @default {false} */
  readonly isLastWinSettled?: boolean | undefined;
  /**
   * Whether the responses end with a win of it that is not settled, and whose settlement has not failed: used
   * for responses without a time. @default {whether its stage is `executing`}
   */
  readonly isWinPending?: boolean | undefined;
}

/**
 * Reason why an order may still be settled, or may not:
 *
 * - `"valid"`: it is open, or waits for its pre-signature; any auction may fill it
 * - `"executed"`: it was executed, and its trade is not indexed yet
 * - `"in_flight"`: it is over, and a settlement from before may still fill it; of responses without a
 *   time, may have filled it since
 * - `"unknown"`: it was cancelled, and no response shows whether long enough ago; or the status is a
 *   new one
 * - `"filled"`: nothing of it is left
 * - `"over"`: it is over, and no settlement is pending
 */
export type OutlookBasis = "valid" | "executed" | "in_flight" | "unknown" | "filled" | "over";

/** Outlook of an order: whether it may still be settled. */
export interface SettlementOutlook {
  /** Whether a fill may still come; `null` if the responses do not show it. */
  readonly mayStillSettle: boolean | null;
  /** Reason for it. */
  readonly basis: OutlookBasis;
  /** Time from which on no fill can come, at the latest; `null` if none can, or if that is unknown. */
  readonly until: Temporal.Instant | null;
}

/**
 * Time after the end of an order in which a fill may still show up, in milliseconds: the auction that
 * ran is decided, its winner settles within the deadline (at most some 40 s, 3 blocks of mainnet), and
 * the service indexes the block.
 */
export const SETTLING_MS = 120_000;

/**
 * Whether an order may still be settled: the one rule for verdicts, next steps, exit codes, tracking,
 * watching and cancelling. Only an order that may not is final: placing it again before risks trading
 * twice.
 *
 * 1. `fulfilled`: nothing is left. A refunded or refused on-chain order is over too.
 * 2. `open` and `presignaturePending`: it may, whatever its stage is, until its validity ends. The
 *    reported status decides, never `now`.
 * 3. Stage `traded` without a trade, or trades that the order does not show yet: it was executed, and
 *    is not indexed yet. If that lasts longer than indexing takes, its outcome is unknown.
 * 4. `expired`: the settlement contract takes it while `block.timestamp <= validTo`. A fill in its last
 *    second is indexed within {@linkcode SETTLING_MS}.
 * 5. `cancelled`: no later auction lists it, but the one that ran may settle it, also after the
 *    deadline block of the auction, which drivers only aim at: within {@linkcode SETTLING_MS} of its
 *    last event. Without events the time of its cancellation is unknown. Stages `executing` and `solved`
 *    are of bids on it that may be pending; stage `cancelled` hides them.
 * 6. Responses without a time do not show whether a win that was pending in them was settled since: until
 *    when it can have been, `until` says. Without such a win, an order that is over is final.
 * 7. An order that was in no auction (stage `scheduled`, or events that show it) cannot be pending, unless
 *    it takes the fast path, which stores no events.
 *
 * A partial fill shows as stage `traded` permanently: it does not describe the remaining amount.
 *
 * @see {@link https://github.com/cowprotocol/contracts/blob/v1.0.0/src/contracts/GPv2Settlement.sol | computeTradeExecution of the contract}
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/src/orderbook.rs | get_order_status of the service}
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/autopilot/src/run_loop.rs | auctions and their settlement in the service}
 *
 * @example Six seconds after its validity, with a winning solution under way
 * ```ts
 * import { assessSettlement } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const order = {
 *   status: "expired",
 *   validTo: 1_800_000_000,
 *   executedSellAmount: 0n,
 *   executedBuyAmount: 0n,
 * } as const;
 * const now = Temporal.Instant.from("2027-01-15T08:00:06Z");
 * const outlook = assessSettlement({ order, stage: "executing", now });
 *
 * assertEquals([outlook.mayStillSettle, outlook.basis], [true, "in_flight"]);
 * assertEquals(`${outlook.until}`, "2027-01-15T08:02:01Z");
 * assertEquals(assessSettlement({ order, now: outlook.until }).mayStillSettle, false);
 * ```
 */
export function assessSettlement(facts: OutlookFacts): SettlementOutlook {
  const { order, now } = facts;
  const { status } = order;
  if (status === "fulfilled") return createFinal("filled");
  if (isReturned(order)) return createFinal("over");
  const isExecuted = isExecutedUnindexed(facts);
  const validUntilMs = (effectiveValidTo(order) + 1) * 1_000;
  const limitMs = validUntilMs + SETTLING_MS;
  if (isOpenStatus(status)) {
    return createPending(isExecuted ? "executed" : "valid", limitMs);
  }
  if (!isClosedStatus(status)) return UNKNOWN;
  const nowMs = now?.epochMilliseconds ?? Infinity;
  if (isExecuted) {
    return nowMs < limitMs ? createPending("executed", limitMs) : { ...UNKNOWN, basis: "executed" };
  }
  const endMs = status === "expired" ? validUntilMs : findCancelledMs(facts);
  const lastMs = Math.min(limitMs, (endMs ?? Infinity) + SETTLING_MS);
  if (!mayBeUnderWay(facts)) return createFinal("over");
  if (now === null && (facts.isWinPending ?? deriveStage(facts) === "executing")) {
    return { mayStillSettle: null, basis: "in_flight", until: toInstant(lastMs) };
  }
  if (nowMs >= lastMs) return createFinal("over");
  if (endMs !== null || hasBids(facts)) return createPending("in_flight", lastMs);
  return { ...UNKNOWN, until: toInstant(lastMs) };
}

const UNKNOWN: SettlementOutlook = Object.freeze({
  mayStillSettle: null,
  basis: "unknown",
  until: null,
});

function createFinal(basis: OutlookBasis): SettlementOutlook {
  return { mayStillSettle: false, basis, until: null };
}

function createPending(basis: OutlookBasis, untilMs: number): SettlementOutlook {
  return { mayStillSettle: true, basis, until: toInstant(untilMs) };
}

function toInstant(epochMs: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(Math.trunc(epochMs));
}

/** Whether the order itself shows that it is over: its funds were returned, or it was never taken. */
export function isReturned(order: OutlookOrder): boolean {
  return isRefunded(order) || order.onchainOrderData?.placementError != null;
}

function hasTrade({ order, boughtByTrades }: OutlookFacts): boolean {
  const { executedSellAmount, executedBuyAmount } = order;
  return executedSellAmount > 0n || executedBuyAmount > 0n || (boughtByTrades ?? 0n) > 0n;
}

/** Derives its stage from its events, otherwise as reported. */
function deriveStage(facts: OutlookFacts): OutlookFacts["stage"] {
  const { events, stage = null } = facts;
  if (events == null) return stage;
  const latestLabel = events.at(-1)?.label ?? null;
  return competitionStage({ hasTrade: hasTrade(facts), latestLabel }) ?? "absent";
}

/** Whether its stage has a trade that is not listed, or its trades are more than it shows. */
function isExecutedUnindexed(facts: OutlookFacts): boolean {
  const { order, now, boughtByTrades } = facts;
  // Responses of a recording have different times.
  const isBehind = now !== null && (boughtByTrades ?? 0n) > order.executedBuyAmount;
  return isBehind || deriveStage(facts) === "traded" && !hasTrade(facts);
}

/**
 * Finds the time at which an order was cancelled, or of the last event of the auction that ran then, if
 * that is later; `null` if no response shows it. A cancellation on the chain has no event: after the event that a
 * solution won, no later auction has listed it.
 */
function findCancelledMs({ events, overSince }: OutlookFacts): number | null {
  const last = events?.at(-1);
  const isDated = last !== undefined &&
    (last.label === "executing" || events!.some(({ label }) => label === "cancelled"));
  if (isDated) return last.timestamp.epochMilliseconds;
  return overSince?.epochMilliseconds ?? null;
}

/** Labels of events of an order that was in no auction. */
const BEFORE_AUCTIONS: ReadonlySet<string> = new Set(["created", "invalid", "cancelled"]);

/** Whether an auction may have won with it, and the settlement is not indexed yet. */
function mayBeUnderWay(facts: OutlookFacts): boolean {
  const { order, events, isLastWinSettled = false } = facts;
  if (isLastWinSettled) return false;
  if (events != null && events.length > 0) {
    const last = events.findLast(({ label }) => label !== "cancelled");
    if (last?.label === "traded" && hasTrade(facts)) return false;
    const isWhole = events[0]!.label === "created";
    const wasListed = !isWhole || events.some(({ label }) => !BEFORE_AUCTIONS.has(label));
    return wasListed || isFastPath(order);
  }
  const stage = deriveStage(facts);
  if (stage === "scheduled") return isFastPath(order);
  // Events are kept for 30 days: it was cancelled before, and in no auction since.
  return !(stage === "absent" && order.status === "cancelled");
}

/** Whether its stage is of bids on it that may be pending. */
function hasBids(facts: OutlookFacts): boolean {
  const stage = deriveStage(facts);
  return stage === "executing" || stage === "solved";
}
