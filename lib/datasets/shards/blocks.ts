import { integer, time } from "../../tables/columns/columns.ts";
import type { Table } from "../../tables/mod.ts";

/** A block and when it was produced. */
export interface BlockFacts {
  /** Its number. */
  readonly number: number;
  /** Its timestamp. */
  readonly at: Temporal.Instant;
}

/** One row per block in which an auction started or a fill was settled. */
export const BLOCKS: Table<BlockFacts> = {
  name: "blocks",
  grain: "One block in which an auction of the dataset started or one of its fills was settled",
  columns: [
    integer("block_number", { source: "number of the block", cell: ({ number }) => number }),
    ...time<BlockFacts>("timestamp", {
      source: "timestamp of the block, from a node, in whole seconds",
      at: ({ at }) => at,
    }),
  ],
};
