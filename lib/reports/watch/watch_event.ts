import type { KnownNotificationType } from "../../schemas/mod.ts";

/** Format of events that this library writes. */
export const WATCH_SCHEMA = "orderlens/watch@1";

/** What caused an event: a fill, the bid that it was settled with, an event, a status, or funds. */
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
    /** What the fill gave more than the quote, in atoms of `token`, as decimal text. */
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
    readonly kind: "funds";
    /** Balance of the sell token, in atoms, as decimal text. */
    readonly balanceAtoms: string;
    /** What may be taken of it, in atoms, as decimal text. */
    readonly allowanceAtoms: string;
    /** What the order needs, in atoms, as decimal text. */
    readonly neededAtoms: string;
  }
  | {
    readonly kind: "notification";
    /** Id of the notification. */
    readonly notification: string;
    /** Its text, as the service wrote it. */
    readonly message: string;
  };

/** Something that happened to an order that is watched: plain data, the same through restarts. */
export interface WatchEvent {
  /** Always `orderlens/watch@1`. */
  readonly schema: "orderlens/watch@1";
  /** What names the event everywhere: the same event has the same id, and no other has it. */
  readonly id: string;
  /** Its number in this watch, from 1, without gaps. */
  readonly sequence: number;
  /** What happened. */
  readonly type: KnownNotificationType;
  /** UID of the order, in lower case. */
  readonly orderUid: string;
  /** Owner of the order. */
  readonly account: string;
  /** When it happened, in RFC 3339; `null` where the answers do not say. */
  readonly at: string | null;
  /** When it was seen, in RFC 3339. */
  readonly seenAt: string;
  /** What caused it. */
  readonly cause: WatchCause;
}

/** An event before it has its number. */
export type FoundEvent = Pick<WatchEvent, "id" | "type" | "orderUid" | "account" | "cause"> & {
  /** When it happened; `null` if unknown. */
  readonly at: Temporal.Instant | null;
};
