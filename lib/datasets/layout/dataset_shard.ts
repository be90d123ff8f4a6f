import { isWhole } from "../../errors/is_whole.ts";
import { IDS_PER_SHARD, shardOf } from "./shard_name.ts";

/** One of several shards, which together are the whole and have no file in common. */
export interface DatasetShard {
  /** Number of the shard, from 1. */
  readonly index: number;
  /** Number of all shards. */
  readonly of: number;
}

/** Whether a value is a shard: `{ index: 1, of: 3 }`. */
export function isShard(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (!("index" in value && "of" in value) || Object.keys(value).length !== 2) return false;
  return isWhole(value.of, 1) && isWhole(value.index, 1, value.of);
}

/** A shard in words: `shard 1 of 3`. */
export function printShard({ index, of }: DatasetShard): string {
  return `shard ${index} of ${of}`;
}

/**
 * The ids of one shard of a range: neighbouring whole files of 1,000 ids, as evenly as they can be
 * dealt out. There are at least as many files as shards.
 */
export function rangeOfShard(
  { from, to }: { readonly from: number; readonly to: number },
  shard: DatasetShard,
): { from: number; to: number } {
  const first = shardOf(from);
  const [begin, end] = placesOf(shard, shardOf(to) - first + 1);
  return {
    from: Math.max(from, (first + begin) * IDS_PER_SHARD),
    to: Math.min(to, (first + end) * IDS_PER_SHARD - 1),
  };
}

/** Those of some files, in their order, that are in a shard: neighbours, as evenly as can be. */
export function filesOfShard<File>(files: readonly File[], shard: DatasetShard): File[] {
  return files.slice(...placesOf(shard, files.length));
}

function placesOf({ index, of }: DatasetShard, count: number): [begin: number, end: number] {
  return [Math.floor(count * (index - 1) / of), Math.floor(count * index / of)];
}
