import type { NodeSource } from "../../evm/node/node_source.ts";
import type { BlockRange } from "../layout/manifest.ts";
import { padded } from "../layout/shard_name.ts";
import type { Keeping } from "../state/keep_outcomes.ts";
import type { Asking } from "./asking.ts";

/** What a walk over settlements needs. */
export interface Walking {
  /** How to ask, and whom. */
  readonly asking: Asking;
  /** Where to keep what is found. */
  readonly keeping: Keeping;
  /** The node whose logs tell of settlements. */
  readonly node: NodeSource;
  /** The settlement contract. */
  readonly settlementContract: string;
  /** The blocks. */
  readonly blocks: BlockRange;
  /** Called after each step that was kept. */
  readonly onKept: () => void;
}

/** What the key of a settlement begins with that an auction names and no log does. */
export const UNLOGGED = "unlogged";

/** Key of a settlement: so that texts sort like blocks. */
export function settlementKey(blockNumber: number, txHash: string): string {
  return `${padded(blockNumber)} ${txHash}`;
}

/** Hash of a settlement, by its key. */
export function hashIn(key: string): string {
  return key.slice(key.indexOf(" ") + 1);
}
