import { IDS_PER_SHARD, shardOf } from "./shard_name.ts";

/** One of several parts of a range, which together are all of it. */
export interface RangePart {
  /** Number of the part, from 1. */
  readonly index: number;
  /** Number of all parts. */
  readonly of: number;
}

/**
 * The ids of one part of a range: neighbouring whole files of 1,000 ids, as evenly as they can be
 * dealt out. There are at least as many files as parts.
 */
export function partOf(
  { from, to }: { readonly from: number; readonly to: number },
  { index, of }: RangePart,
): { from: number; to: number } {
  const first = shardOf(from);
  const shards = shardOf(to) - first + 1;
  const begin = first + Math.floor(shards * (index - 1) / of);
  const end = first + Math.floor(shards * index / of);
  return {
    from: Math.max(from, begin * IDS_PER_SHARD),
    to: Math.min(to, end * IDS_PER_SHARD - 1),
  };
}
