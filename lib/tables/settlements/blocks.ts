import { integer, time } from "../columns/columns.ts";
import type { BlockFacts } from "../columns/records.ts";
import { defineTable, type Table } from "../columns/table.ts";

/** One row per block in which an auction started or a fill was settled. */
export const BLOCKS: Table<"blocks"> = defineTable<BlockFacts, "blocks">({
  name: "blocks",
  grain: "One block in which an auction of the dataset started or one of its fills was settled",
  kind: "record",
  of: ["blocks"],
  key: ["block_number"],
  needs: ["blocks"],
  hasRepeats: true,
  columns: [
    integer("block_number", { source: "number of the block", cell: ({ number }) => number }),
    ...time<BlockFacts>("timestamp", {
      source: "timestamp of the block, from a node, in whole seconds",
      instant: ({ at }) => at,
    }),
  ],
  rows: ({ blocks }) => blocks,
});
