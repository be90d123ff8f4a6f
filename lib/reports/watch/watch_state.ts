import { isTransient } from "../../client/connect_options.ts";
import type { OrderBook } from "../../client/order_book.ts";
import { InputError } from "../../errors/mod.ts";
import type { KnownNotificationType, Order, Trade } from "../../schemas/mod.ts";

/** State of one watched order. */
export interface WatchedOrder {
  /** UID, in lower case. */
  readonly uid: string;
  /** Fills whose events are there. */
  readonly fills: number;
  /** Bought so far by those fills, in buy-token atoms, as decimal text. */
  readonly boughtAtoms: string;
  /** Whether its cancellation is there. */
  readonly isCancelled: boolean;
  /** Whether its expiry is there. */
  readonly isExpired: boolean;
  /** Whether the refund of its deposit is there; absent in states of earlier builds. @default {false} */
  readonly isRefunded?: boolean;
  /** Time of the last event about its balance that is there, in milliseconds. */
  readonly balanceUntilMs: number;
  /** End of the last failed settlement whose event is there, in milliseconds. */
  readonly attemptsUntilMs: number;
  /** First auction without a bid of the row whose event is there; `null` without one. */
  readonly noBidsFrom: number | null;
  /** Whether its owner lacked funds when a node was last asked. */
  readonly isLacking: boolean;
  /** Time at which it was first seen to be over, in milliseconds; `null` before. */
  readonly overSinceMs: number | null;
  /** Times in a row that the service did not have it. */
  readonly misses: number;
  /** Whether nothing can happen to it any more. */
  readonly isDone: boolean;
}

/** State of a watch: plain data, from which a later one continues. */
export interface WatchState {
  /** Always `orderlens/watch@1`. */
  readonly schema: "orderlens/watch@1";
  /** Chain id and settlement contract. */
  readonly deployment: string;
  /** Account whose orders are watched; `null` if orders are. */
  readonly owner: string | null;
  /** Time at which it began, in milliseconds since the unix epoch. */
  readonly startedMs: number;
  /** Number of the last event. */
  readonly sequence: number;
  /** Creation of the newest order of the account, in milliseconds; 0 before the first look. */
  readonly newestMs: number;
  /** UIDs of the newest orders of the account, which are known. */
  readonly recent: readonly string[];
  /** The orders. */
  readonly orders: readonly WatchedOrder[];
  /** Events that were found, and not taken yet. */
  readonly pending: readonly WatchEvent[];
}

/** The account or the orders that are watched. */
export interface WatchSelection {
  /** Account whose orders are watched; `null` if orders are. */
  readonly owner: string | null;
  /** UIDs in lower case; empty for an account. */
  readonly uids: readonly string[];
}

/** An order of which nothing is known. */
export function createOrder(uid: string, sinceMs = 0): WatchedOrder {
  return {
    uid,
    fills: 0,
    boughtAtoms: "0",
    isCancelled: false,
    isExpired: false,
    isRefunded: false,
    balanceUntilMs: sinceMs,
    attemptsUntilMs: sinceMs,
    noBidsFrom: null,
    isLacking: false,
    overSinceMs: null,
    misses: 0,
    isDone: false,
  };
}

/** The beginning of a watch. */
export function createState(book: OrderBook, { owner, uids }: WatchSelection): WatchState {
  return {
    schema: WATCH_SCHEMA,
    deployment: formatDeployment(book),
    owner,
    startedMs: Math.trunc(book.clock.now()),
    sequence: 0,
    newestMs: 0,
    recent: [],
    orders: uids.map((uid) => createOrder(uid)),
    pending: [],
  };
}

/**
 * Rejects a state of another watch.
 *
 * @throws {InputError} If it is none, or of another deployment, account or set of orders.
 */
export function requireSameWatch(
  state: WatchState,
  book: OrderBook,
  { owner, uids }: WatchSelection,
): void {
  const isState = typeof state === "object" && state !== null && state.schema === WATCH_SCHEMA &&
    Array.isArray(state.orders) && Array.isArray(state.pending);
  const isSame = isState && state.deployment === formatDeployment(book) && state.owner === owner &&
    (owner !== null || isSameSet(state.orders.map(({ uid }) => uid), uids));
  if (isSame) return;
  throw new InputError(
    isState
      ? "Cannot continue watching: the state belongs to another watch"
      : `Cannot continue watching: the state is not ${WATCH_SCHEMA}`,
    {
      facts: isState ? { deployment: state.deployment, owner: state.owner ?? "none" } : {},
      remedy: "Pass the deployment and the orders that it was made with, or another state",
    },
  );
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && new Set([...a, ...b]).size === a.length;
}

function formatDeployment({ chainId, settlementContract }: OrderBook): string {
  return `${chainId}/${settlementContract}`;
}

/** Format of events that this library writes. */
export const WATCH_SCHEMA = "orderlens/watch@1";

/** Cause of an event: a fill, the bid that it was settled with, an attempt, a status, or funds. */
export type WatchCause =
  | {
    readonly kind: "fill";
    /** Number of the fill of the order, from 1. */
    readonly number: number;
    /** Settlement transaction; `null` until it is indexed. */
    readonly txHash: string | null;
    /** Block of the settlement. */
    readonly blockNumber: number;
    /** Index of the trade's event in the block. */
    readonly logIndex: number;
    /** Sold, in sell-token atoms, as decimal text. */
    readonly sellAtoms: string;
    /** Bought, in buy-token atoms, as decimal text. */
    readonly buyAtoms: string;
  }
  | {
    readonly kind: "bid";
    /** Number of the fill of the order, from 1. */
    readonly number: number;
    /** Settlement transaction; `null` until it is indexed. */
    readonly txHash: string | null;
    /** Auction that the bid won; `null` if it is not kept. */
    readonly auctionId: number | null;
    /** Solver of the winning bid; `null` if its auction is not kept. */
    readonly solver: string | null;
    /** Amount that the fill gave over the quote, in atoms of `token`, as decimal text. */
    readonly improvementAtoms: string;
    /** The token that more was given of, or less was taken of. */
    readonly token: string;
  }
  | {
    readonly kind: "event";
    /** Label of the event of the debug report. */
    readonly label: string;
    /** Its reason; `null` without one. */
    readonly reason: string | null;
  }
  | {
    readonly kind: "status";
    /** Status of the order, as the service reports it. */
    readonly status: string;
  }
  | {
    readonly kind: "refund";
    /** Transaction that returned the native tokens; `null` if the service names none. */
    readonly txHash: string | null;
    /** Account that got them; `null` if the service does not say. */
    readonly trader: string | null;
    /** Amount not sold, in native atoms, as decimal text; `null` if unknown. */
    readonly nativeAtoms: string | null;
  }
  | {
    readonly kind: "funds";
    /** Balance of the sell token, in atoms, as decimal text. */
    readonly balanceAtoms: string;
    /** Amount that may be taken of it, in atoms, as decimal text. */
    readonly allowanceAtoms: string;
    /** Amount that the order needs, in atoms, as decimal text. */
    readonly neededAtoms: string;
  }
  | {
    readonly kind: "attempt";
    /** Auction that was to be settled. */
    readonly auctionId: number;
    /** Solver that was to settle it. */
    readonly solver: string;
    /** Its outcome, as the service reports it, such as `timeout`. */
    readonly outcome: string;
    /** Block at which it started. */
    readonly startBlock: number;
    /** Last block in which it might settle. */
    readonly deadlineBlock: number;
  }
  | {
    readonly kind: "auctions";
    /** First auction of the row that had the order, and no bid on it. */
    readonly from: number;
    /** The last one. */
    readonly to: number;
    /** Number of them. */
    readonly count: number;
  }
  | {
    readonly kind: "notification";
    /** Id of the notification. */
    readonly notification: string;
    /** Its text, as the service wrote it. */
    readonly message: string;
  };

/**
 * Types of events of orders: the notifications of the interface, the refund of an EthFlow order, and what
 * only debug reports tell.
 */
export type WatchEventType =
  | KnownNotificationType
  | "order_refunded"
  | "settlement_failed"
  | "no_bids";

/** Something that happened to an order that is watched: plain data, the same through restarts. */
export interface WatchEvent {
  /** Always `orderlens/watch@1`. */
  readonly schema: "orderlens/watch@1";
  /** Unique name of the event: the same event has the same id, and no other has it. */
  readonly id: string;
  /** Its number in this watch, from 1, without gaps. */
  readonly sequence: number;
  /** Type of the event. */
  readonly type: WatchEventType;
  /** UID of the order, in lower case. */
  readonly orderUid: string;
  /** Owner of the order. */
  readonly account: string;
  /** Time of the event, in RFC 3339; `null` where the answers do not say. */
  readonly at: string | null;
  /** Time at which it was seen, in RFC 3339. */
  readonly seenAt: string;
  /** Its cause. */
  readonly cause: WatchCause;
}

/** An event before it has its number. */
export type NewEvent = Pick<WatchEvent, "id" | "type" | "orderUid" | "account" | "cause"> & {
  /** Time of the event; `null` if unknown. */
  readonly at: Temporal.Instant | null;
};

/** Whether an order was filled since it was last looked at. */
export function hasNewFills(order: Order, { boughtAtoms }: WatchedOrder): boolean {
  return order.executedBuyAmount > BigInt(boughtAtoms);
}

/** Sums the amounts that trades bought, in buy-token atoms. */
export function sumBought(trades: readonly Trade[]): bigint {
  return trades.reduce((sum, { buyAmount }) => sum + buyAmount, 0n);
}

/** Whether an order is filled wholly by its first trades. */
export function isFullyFilled(order: Order, trades: readonly Trade[]): boolean {
  if (order.kind === "buy") return sumBought(trades) >= order.buyAmount;
  const soldAmount = trades.reduce(
    (sum, { sellAmountBeforeFees }) => sum + sellAmountBeforeFees,
    0n,
  );
  return soldAmount >= order.sellAmount;
}

/** The account that an order belongs to: the trader, where a contract such as EthFlow is the owner. */
export function readAccount({ owner, onchainUser }: Order): string {
  return (onchainUser ?? owner).toLowerCase();
}

/** The first trades of an order, up to what it says it was filled by: newer ones are left out. */
export function selectIndexedTrades(order: Order, trades: readonly Trade[]): Trade[] {
  let boughtAmount = 0n;
  return trades.filter(({ buyAmount }) => (boughtAmount += buyAmount) <= order.executedBuyAmount);
}

const MAX_TRIES = 4;
const FIRST_BACKOFF_MS = 500;

/**
 * Repeats a request of a look that fails for a moment, by the clock of the book: one bad answer out of
 * many does not cost the whole look.
 */
export async function retryTransient<Value>(
  { clock }: OrderBook,
  signal: AbortSignal,
  request: () => Promise<Value>,
): Promise<Value> {
  for (let tries = 1;; tries++) {
    try {
      return await request();
    } catch (error) {
      if (signal.aborted || tries === MAX_TRIES || !isTransient(error)) throw error;
      await clock.sleep(FIRST_BACKOFF_MS * 2 ** (tries - 1), signal);
    }
  }
}
