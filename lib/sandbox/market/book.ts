import type { Fill } from "../../metrics/mod.ts";
import type {
  Competition,
  ExecutedProtocolFee,
  Notification,
  SettlementAttempt,
} from "../../schemas/mod.ts";
import type { BookOrder } from "./book_order.ts";
import type { RecordedFill, Route } from "./liquidity.ts";

/** A stored auction. */
export interface StoredAuction {
  /** The public record, including settlement transactions once they are known. */
  readonly competition: Competition;
  /** Attempts to settle its winners. */
  readonly attempts: SettlementAttempt[];
  /** Native prices by token: native atoms per 10^18 atoms. */
  readonly prices: Readonly<Record<string, bigint>>;
  /** Last block in which a winner may settle. */
  readonly deadline: number;
}

/** Stored data of the order book. */
export class Book {
  /** Orders by UID, oldest first. */
  readonly orders: Map<string, BookOrder> = new Map();
  /** Orders by owner, oldest first. */
  readonly ordersByOwner: Map<string, BookOrder[]> = new Map();
  /** Orders that may still be filled. */
  readonly open: Set<BookOrder> = new Set();
  /** Ended orders, which only a pending settlement can still fill, with the block they ended in. */
  readonly ended: Map<BookOrder, number> = new Map();
  /** Auctions by id, oldest first. */
  readonly auctions: Map<number, StoredAuction> = new Map();
  /** Auctions by the transaction that settled one of their solutions. */
  readonly auctionsByTransaction: Map<string, StoredAuction> = new Map();
  /** Ids of the auctions that list an order, by its UID. */
  readonly auctionsByOrder: Map<string, number[]> = new Map();
  /** Total surplus over limit prices by owner, in native atoms. */
  readonly surplusByOwner: Map<string, bigint> = new Map();
  /** Fills by owner, oldest first. */
  readonly fillsByOwner: Map<string, RecordedFill[]> = new Map();
  /** Fills by transaction. */
  readonly fillsByTransaction: Map<string, RecordedFill[]> = new Map();
  /** App data documents by hash. */
  readonly documents: Map<string, string> = new Map();
  /** Notifications by account, oldest first. */
  readonly notifications: Map<string, Notification[]> = new Map();
  /** Block of the first trade of each token. */
  readonly firstTrades: Map<string, number> = new Map();

  /** The latest stored auction. */
  latestAuction: StoredAuction | undefined;
  /** Number of orders that the stored auctions list, over all auctions. */
  listedCount = 0;

  /** Fills, oldest first. */
  get fills(): RecordedFill[] {
    return [...this.fillsByTransaction.values()].flat();
  }

  /** Adds an order. */
  add(order: BookOrder): void {
    this.orders.set(order.uid, order);
    pushTo(this.ordersByOwner, order.owner, order);
    this.open.add(order);
  }

  /** Moves an open order to the ended ones. */
  end(order: BookOrder, endedAt: number): void {
    if (this.open.delete(order)) this.ended.set(order, endedAt);
  }

  /** Stores an auction. */
  addAuction(auction: StoredAuction): void {
    const { auctionId } = auction.competition;
    this.auctions.set(auctionId, auction);
    if (auctionId > (this.latestAuction?.competition.auctionId ?? -1)) this.latestAuction = auction;
    this.listedCount += auction.competition.auction.orders.length;
    for (const uid of auction.competition.auction.orders) {
      pushTo(this.auctionsByOrder, uid, auctionId);
    }
  }

  /** Stores a fill of an order. */
  addFill(order: BookOrder, fill: RecordedFill, surplusWei: bigint): void {
    const surplus = this.surplusByOwner.get(order.owner) ?? 0n;
    this.surplusByOwner.set(order.owner, surplus + surplusWei);
    order.fills.push(fill);
    pushTo(this.fillsByOwner, order.owner, fill);
    pushTo(this.fillsByTransaction, fill.txHash, fill);
    for (const token of [order.data.sellToken, order.data.buyToken]) {
      if (!this.firstTrades.has(token)) this.firstTrades.set(token, fill.block);
    }
  }

  /** Drops an auction. */
  forgetAuction({ competition }: StoredAuction): void {
    this.auctions.delete(competition.auctionId);
    this.listedCount -= competition.auction.orders.length;
    for (const txHash of competition.transactionHashes) this.auctionsByTransaction.delete(txHash);
  }

  /** Drops an ended order with its fills; its owner's total surplus stays. */
  forgetOrder(order: BookOrder): void {
    this.ended.delete(order);
    this.orders.delete(order.uid);
    this.auctionsByOrder.delete(order.uid);
    dropFrom(this.ordersByOwner, order.owner, order);
    for (const fill of order.fills) {
      dropFrom(this.fillsByOwner, order.owner, fill);
      dropFrom(this.fillsByTransaction, fill.txHash, fill);
    }
  }

  /** Drops the ids of dropped auctions from an order. */
  pruneAuctions({ uid }: BookOrder): void {
    const ids = this.auctionsByOrder.get(uid) ?? [];
    const firstIndex = ids.findIndex((id) => this.auctions.has(id));
    ids.splice(0, firstIndex === -1 ? ids.length : firstIndex);
  }

  /** Drops notifications before a time, in milliseconds since the unix epoch. */
  forgetNotifications(beforeMs: number): void {
    for (const [account, list] of this.notifications) {
      const firstIndex = list.findIndex((notification) =>
        !("timestamp" in notification) || notification.timestamp.epochMilliseconds >= beforeMs
      );
      if (firstIndex === -1) this.notifications.delete(account);
      else if (firstIndex > 0) list.splice(0, firstIndex);
    }
  }
}

/** Removes a value from the list of a key, and the key with its last value. */
function dropFrom<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  const index = list?.indexOf(value) ?? -1;
  if (list === undefined || index === -1) return;
  if (list.length === 1) lists.delete(key);
  else list.splice(index, 1);
}

/** Appends to the list of a key. */
export function pushTo<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** A winning solution that is pending on-chain. */
export interface PendingSettlement {
  /** Its auction. */
  readonly auction: StoredAuction;
  /** Its number in the auction: its ranking minus 1. */
  readonly solutionUid: number;
  /** Its executions and swaps. */
  readonly plan: PlannedSolution;
  /** Its reported attempt. */
  readonly attempt: SettlementAttempt;
  /** Hash of its transaction, if it reaches the chain. */
  readonly txHash: string;
  /** Block in which the attempt ends. */
  readonly endsAt: number;
  /** Block in which it reaches the chain; `null` if it never does. */
  readonly landsAt: number | null;
}

/** One order's execution in a solution. */
export interface PlannedExecution {
  /** The order. */
  readonly order: BookOrder;
  /** Executed amounts after all fees, in atoms. */
  readonly fill: Fill;
  /** Uniform clearing prices of the two tokens. */
  readonly price: UniformPair;
  /** Its fees. */
  readonly fees: ExecutedFees;
}

/** Fees of an execution. */
export interface ExecutedFees {
  /** Protocol fees, in the sequence of their application. */
  readonly protocolFees: readonly ExecutedProtocolFee[];
  /** All fees, in sell-token atoms. */
  readonly executedFee: bigint;
}

/** Uniform clearing prices of a pair; only their ratio matters. */
export interface UniformPair {
  /** Price of the sell token. */
  readonly sell: bigint;
  /** Price of the buy token. */
  readonly buy: bigint;
}

/** A trade of a solution with pools; outside its bound, it reverts. */
export type PlannedSwap =
  & {
    /** The route through the pools. */
    readonly route: Route;
    /** Minimum atoms of output, or maximum atoms of input. */
    readonly bound: bigint;
  }
  & ({
    /** Exact atoms of input. */
    readonly paid: bigint;
  } | {
    /** Exact atoms of output. */
    readonly wanted: bigint;
  });

/** Fate of a solution if it wins, drawn when it is planned. */
export type PlannedOutcome = "settles" | "slow" | "reverts" | "times out" | "late";

/** A solution before it is scored. */
export interface PlannedSolution {
  /** Address of the solver. */
  readonly solver: string;
  /** Its executions. */
  readonly executions: readonly PlannedExecution[];
  /** Its trades with pools. */
  readonly swaps: readonly PlannedSwap[];
  /** Its fate if it wins. */
  readonly plannedOutcome: PlannedOutcome;
}
