import type { Competition, Notification, SettlementAttempt } from "../../schemas/mod.ts";
import type { BookOrder } from "./book_order.ts";
import type { RecordedFill } from "./recorded_fill.ts";

/** An auction as it was stored. */
export interface StoredAuction {
  /** The public record, settlement transactions included as they are found. */
  readonly competition: Competition;
  /** Tries to settle its winners. */
  readonly attempts: SettlementAttempt[];
  /** Worth of tokens by address: native atoms for 10^18 atoms. */
  readonly prices: Readonly<Record<string, bigint>>;
  /** Last block in which a winner may settle. */
  readonly deadline: number;
}

/** All that the order book has stored. */
export class Book {
  /** Orders by UID, oldest first. */
  readonly orders: Map<string, BookOrder> = new Map();
  /** Orders by owner, oldest first. */
  readonly ordersByOwner: Map<string, BookOrder[]> = new Map();
  /** Orders that may still be filled. */
  readonly open: Set<BookOrder> = new Set();
  /** Auctions by id, oldest first. */
  readonly auctions: Map<number, StoredAuction> = new Map();
  /** Auctions by the transaction that settled one of their solutions. */
  readonly auctionsByTransaction: Map<string, StoredAuction> = new Map();
  /** Ids of the auctions that an order had a bid in, by its UID. */
  readonly auctionsByOrder: Map<string, number[]> = new Map();
  /** Fills, oldest first. */
  readonly fills: RecordedFill[] = [];
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

  /** The newest auction that was stored. */
  latestAuction: StoredAuction | undefined;

  /** Takes an order in. */
  add(order: BookOrder): void {
    this.orders.set(order.uid, order);
    pushTo(this.ordersByOwner, order.owner, order);
    this.open.add(order);
  }

  /** Stores an auction. */
  addAuction(auction: StoredAuction): void {
    const { auctionId } = auction.competition;
    this.auctions.set(auctionId, auction);
    this.latestAuction = auction;
    for (const uid of auction.competition.auction.orders) {
      pushTo(this.auctionsByOrder, uid, auctionId);
    }
  }

  /** Stores a fill of an order. */
  addFill(order: BookOrder, fill: RecordedFill): void {
    order.fills.push(fill);
    this.fills.push(fill);
    pushTo(this.fillsByOwner, order.owner, fill);
    pushTo(this.fillsByTransaction, fill.txHash, fill);
    for (const token of [order.signed.sellToken, order.signed.buyToken]) {
      if (!this.firstTrades.has(token)) this.firstTrades.set(token, fill.block);
    }
  }
}

/** Appends to the list of a key. */
export function pushTo<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
