import type { OrderBook } from "../../client/order_book.ts";
import { InputError } from "../../errors/mod.ts";
import { WATCH_SCHEMA, type WatchEvent } from "./watch_event.ts";

/** What is known of one order that is watched. */
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
  /** Time of the last event about its balance that is there, in milliseconds. */
  readonly balanceUntilMs: number;
  /** Whether its owner lacked funds when a node was last asked. */
  readonly isLacking: boolean;
  /** When it was first seen to be over, in milliseconds; `null` before. */
  readonly overSinceMs: number | null;
  /** Times in a row that the service did not have it. */
  readonly misses: number;
  /** Whether nothing can happen to it any more. */
  readonly isDone: boolean;
}

/** Where a watch stands: plain data, which a later one goes on from. */
export interface WatchState {
  /** Always `orderlens/watch@1`. */
  readonly schema: "orderlens/watch@1";
  /** Chain id and settlement contract. */
  readonly deployment: string;
  /** Account whose orders are watched; `null` if orders are. */
  readonly owner: string | null;
  /** When it began, in milliseconds since the unix epoch. */
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

/** What is watched. */
export interface WatchSelection {
  /** Account whose orders are watched; `null` if orders are. */
  readonly owner: string | null;
  /** UIDs in lower case; empty for an account. */
  readonly uids: readonly string[];
}

/** An order of which nothing is known. */
export function newOrder(uid: string, balanceUntilMs = 0): WatchedOrder {
  return {
    uid,
    fills: 0,
    boughtAtoms: "0",
    isCancelled: false,
    isExpired: false,
    balanceUntilMs,
    isLacking: false,
    overSinceMs: null,
    misses: 0,
    isDone: false,
  };
}

/** The beginning of a watch. */
export function newState(book: OrderBook, { owner, uids }: WatchSelection): WatchState {
  return {
    schema: WATCH_SCHEMA,
    deployment: deploymentOf(book),
    owner,
    startedMs: Math.trunc(book.clock.now()),
    sequence: 0,
    newestMs: 0,
    recent: [],
    orders: uids.map((uid) => newOrder(uid)),
    pending: [],
  };
}

/**
 * Rejects a state of another watch.
 *
 * @throws {InputError} If it is none, or of another deployment, account or set of orders.
 */
export function requireStateOf(
  state: WatchState,
  book: OrderBook,
  { owner, uids }: WatchSelection,
): void {
  const isState = typeof state === "object" && state !== null && state.schema === WATCH_SCHEMA &&
    Array.isArray(state.orders) && Array.isArray(state.pending);
  const isSame = isState && state.deployment === deploymentOf(book) && state.owner === owner &&
    (owner !== null || isSameSet(state.orders.map(({ uid }) => uid), uids));
  if (isSame) return;
  throw new InputError(
    isState
      ? "Cannot go on watching: the state is of another watch"
      : `Cannot go on watching: the state is none of ${WATCH_SCHEMA}`,
    {
      facts: isState ? { deployment: state.deployment, owner: state.owner ?? "none" } : {},
      remedy: "Pass the deployment and the orders that it was made with, or another state",
    },
  );
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && new Set([...a, ...b]).size === a.length;
}

function deploymentOf({ chainId, settlementContract }: OrderBook): string {
  return `${chainId}/${settlementContract}`;
}
