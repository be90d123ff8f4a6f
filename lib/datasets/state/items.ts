import type { ItemState } from "../layout/manifest.ts";

/** A kind of thing to ask for. */
export type ItemKind =
  | "competition"
  | "account"
  | "order"
  | "trades"
  | "transaction"
  | "app_data"
  | "report"
  | "block"
  | "receipt"
  | "settlement";

/** A kind whose answers stand in the file of their shard; settlements only lead to auctions. */
export type FiledKind = Exclude<ItemKind, "settlement">;

/** These kinds, in the order in which they are asked for and stand in a file. */
export const ITEM_KINDS: readonly FiledKind[] = [
  "competition",
  "account",
  "order",
  "trades",
  "transaction",
  "app_data",
  "report",
  "block",
  "receipt",
];

/** Something to ask for. */
export interface Item {
  /** Its kind. */
  readonly kind: ItemKind;
  /** Auction id with leading zeros, account, UID, hash, block and shard, or block and hash. */
  readonly key: string;
  /** The shard that its answer is kept in. */
  readonly shard: number;
  /** How it ended in an earlier round; `null` if it was never asked for. */
  readonly state: ItemState | null;
  /** When it was asked for first, in unix milliseconds. */
  readonly firstAskedMs: number | null;
}

/** One answer to keep. */
export interface KeptAnswer {
  /** The exchange as a line of a recording, with its newline. */
  readonly line: string;
  /** Method, route and status. */
  readonly route: string;
}

/** How asking for something ended. */
export interface Outcome {
  /** What was asked for. */
  readonly item: Item;
  /** How it ended. */
  readonly state: ItemState;
  /** Whether it can no longer change. */
  readonly isFinal: boolean;
  /** Why it failed. */
  readonly note?: string;
  /** Its answers. */
  readonly answers: readonly KeptAnswer[];
  /** What is to be asked for because of it. */
  readonly next: readonly { readonly kind: ItemKind; readonly key: string }[];
  /** UIDs that an auction lists: without a bid, an order is asked for, and nothing that follows. */
  readonly listed?: readonly string[];
}
