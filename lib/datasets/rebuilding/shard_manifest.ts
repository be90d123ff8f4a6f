import { filesOfShard } from "../layout/dataset_shard.ts";
import { countIds } from "../layout/id_ranges.ts";
import type {
  DatasetFile,
  DatasetManifest,
  IdRanges,
  ItemState,
  MergedDataset,
  ShardedDataset,
} from "../layout/manifest.ts";
import { isPartitioned, partitionOf } from "../layout/partitions.ts";
import { type AnswerCounts, sumOfCounts } from "./count_answers.ts";
import { nameOfRaw, rawsOf } from "./rebuild_files.ts";

/** Auction ids from one to another, which may be infinite. */
interface IdBounds {
  readonly from: number;
  readonly to: number;
}

/**
 * The manifest of one shard of a dataset: as that of the whole, but for what it says of auctions and
 * answers. The ranges of all shards have no id in common, and together they are that of the whole.
 *
 * @param rebuilt The manifest of the whole, with the tables, files and drift of the shard.
 * @param counts What the answers of the shard are the answers for, by file.
 */
export function shardManifest(
  rebuilt: DatasetManifest,
  counts: readonly AnswerCounts[],
  shardOf: ShardedDataset,
): DatasetManifest {
  const { items, answers } = sumOfCounts(counts);
  const of = (environment: string) => boundsOf(shardOf, environment);
  const isOfSeveral = isPartitioned(shardOf.manifest);
  const bounds = isOfSeveral ? null : of("");
  const ids = isOfSeveral ? rebuilt.ids : idsWithin(rebuilt.ids, bounds);
  const { walk, merged, failures } = rebuilt;
  return {
    ...rebuilt,
    range: rangeWithin(rebuilt.range, bounds),
    // How many settlements led to the auctions of a shard, no answer tells.
    ...walk === undefined ? {} : { walk: { ...walk, settlements: null, unknown: null } },
    ids,
    items: rebuilt.items.competition === undefined ? items : withCompetitions(items, ids),
    failures: failures.filter(({ kind, key }) =>
      kind !== "competition" || isOfSeveral || isWithin(Number(key), bounds)
    ),
    answers,
    ...merged === undefined || !isOfSeveral ? {} : {
      merged: merged.map((one) => mergedWithin(one, of(partitionOf(one.source.environment)))),
    },
    shardOf,
  };
}

/** The ids of a shard: from its first file up to where the next shard begins; `null` for no file. */
function boundsOf({ shard, manifest }: ShardedDataset, environment: string): IdBounds | null {
  const isOf = (raw: DatasetFile) => nameOfRaw(raw).startsWith(environment);
  const raws = rawsOf(manifest);
  const all = raws.filter(isOf);
  const own = filesOfShard(raws, shard).filter(isOf);
  const [first] = own;
  if (first === undefined) return null;
  const begin = all.indexOf(first);
  const next = all[begin + own.length];
  return {
    from: begin === 0 ? 0 : firstIdOf(first),
    to: next === undefined ? Infinity : firstIdOf(next) - 1,
  };
}

/** The first of the 1,000 ids that a file is named after. */
function firstIdOf({ path }: DatasetFile): number {
  return Number(path.slice(path.lastIndexOf("/") + 1).split("-")[0]);
}

function isWithin(id: number, bounds: IdBounds | null): boolean {
  return bounds !== null && bounds.from <= id && id <= bounds.to;
}

function rangeWithin(range: DatasetManifest["range"], bounds: IdBounds | null) {
  if (range === null || bounds === null) return null;
  const [from, to] = [Math.max(range.from, bounds.from), Math.min(range.to, bounds.to)];
  return from <= to ? { from, to } : null;
}

function idsWithin(
  ids: DatasetManifest["ids"],
  bounds: IdBounds | null,
): Record<ItemState, IdRanges> {
  const within = (ranges: IdRanges) =>
    ranges.flatMap(([from, to]) => {
      const left = rangeWithin({ from, to }, bounds);
      return left === null ? [] : [[left.from, left.to] as const];
    });
  const { present, absent, hidden, beforeHistory, failed } = ids;
  return {
    present: within(present),
    absent: within(absent),
    hidden: within(hidden),
    beforeHistory: within(beforeHistory),
    failed: within(failed),
  };
}

function mergedWithin(merged: MergedDataset, bounds: IdBounds | null): MergedDataset {
  const { range, ids } = merged;
  return { ...merged, range: rangeWithin(range, bounds), ids: idsWithin(ids, bounds) };
}

/** Counts of all things: auctions by their ids, the others by their answers. */
function withCompetitions(
  items: DatasetManifest["items"],
  ids: DatasetManifest["ids"],
): DatasetManifest["items"] {
  const competition = Object.fromEntries(
    Object.entries(ids).map(([state, ranges]) => [state, countIds(ranges)] as const)
      .filter(([, count]) => count > 0).sort(byName),
  );
  return Object.fromEntries(Object.entries({ ...items, competition }).sort(byName));
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
