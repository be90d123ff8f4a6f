import { InputError } from "../../errors/mod.ts";
import { type DatasetShard, printShard } from "../layout/dataset_shard.ts";

/** A dataset that is a shard. */
export interface GivenShard {
  /** Its folder. */
  readonly folder: string;
  /** Which shard it is. */
  readonly shard: DatasetShard;
}

/** What shards are of, for errors. */
export interface ShardWords {
  /** Start of the message: `Cannot merge shards of a range`. */
  readonly action: string;
  /** What a shard has, as the error for a missing one shows it. */
  readonly contentOf: (shard: DatasetShard) => readonly [name: string, value: string];
  /** How a missing shard is made. */
  readonly makeOf: (shard: DatasetShard) => string;
}

/**
 * Requires that datasets are all shards of one whole, each of them once.
 *
 * @throws {InputError} If they are dealt out differently, or one is missing or there twice.
 */
export function requireEveryShard(
  given: readonly GivenShard[],
  { action, contentOf, makeOf }: ShardWords,
): void {
  const folders = new Map<number, string>();
  const [first] = given;
  if (first === undefined) return;
  const { of } = first.shard;
  for (const { folder, shard } of given) {
    if (shard.of !== of) {
      throw new InputError(`${action}: they are of different numbers of shards`, {
        facts: { [first.folder]: printShard(first.shard), [folder]: printShard(shard) },
        remedy: `Pass all shards of ${of}, or all of ${shard.of}`,
      });
    }
    const twin = folders.get(shard.index);
    if (twin !== undefined) {
      throw new InputError(`${action}: ${printShard(shard)} is there twice`, {
        facts: { first: twin, second: folder },
        remedy: "Leave one of the two out, and pass every shard once",
      });
    }
    folders.set(shard.index, folder);
  }
  const missing = Array.from({ length: of }, (_, place) => ({ index: place + 1, of }))
    .filter(({ index }) => !folders.has(index));
  const [least, ...others] = missing;
  if (least === undefined) return;
  const [name] = contentOf(least);
  const likewise = others.length === 0 ? "" : `, likewise ${others.map(wordOf).join(", ")}`;
  throw new InputError(`${action}: ${wordsOf(missing)} missing`, {
    facts: { [name]: missing.map((shard) => contentOf(shard)[1]).join(", ") },
    remedy: `${makeOf(least)}${likewise}, and merge ${of === 2 ? "both" : `all ${of}`} shards`,
  });
}

function wordOf({ index, of }: DatasetShard): string {
  return `${index}/${of}`;
}

/** `shard 2 of 3 is`, or `shards 1, 3 of 3 are`. */
function wordsOf(shards: readonly DatasetShard[]): string {
  const [first] = shards as [DatasetShard];
  if (shards.length === 1) return `${printShard(first)} is`;
  return `shards ${shards.map(({ index }) => index).join(", ")} of ${first.of} are`;
}
