import { getCompetition } from "../../endpoints/auctions/get_competition.ts";
import { InputError } from "../../errors/mod.ts";
import { type Competition, encodeCompetition } from "../../schemas/mod.ts";
import type { DatasetPaths } from "../layout/dataset_paths.ts";
import { sha256 } from "../layout/file_hash.ts";
import type { DatasetManifest } from "../layout/manifest.ts";
import { shardRecords } from "../shards/shard_records.ts";
import type { VerifyOptions } from "./verify_dataset.ts";

/** Auctions that were requested again. */
export interface Refetched {
  /** Number of auctions. */
  readonly auctions: number;
  /** Ids of those whose answer has changed. */
  readonly differing: readonly number[];
}

/**
 * Requests some auctions again, and compares all fields with what the dataset has.
 *
 * @returns `null` if none are to be requested.
 * @throws {InputError} If there is no book to ask.
 */
export async function refetch(
  paths: DatasetPaths,
  { ids, files }: DatasetManifest,
  { refetch: count = 0, seed = 1, book, signal }: VerifyOptions,
): Promise<Refetched | null> {
  if (count === 0) return null;
  if (book === undefined) {
    throw new InputError("Cannot verify a dataset with refetch and without a book", {
      remedy: "Pass what `connect` returns as book",
    });
  }
  const present = ids.present.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, place) => from + place)
  );
  const chosen = new Set(picked(present, count, seed));
  const differing: number[] = [];
  for (const { path } of files) {
    if (!path.startsWith("raw/")) continue;
    for await (const record of shardRecords(paths.file(path))) {
      if (record.kind !== "competition") continue;
      const { auctionId } = record.competition;
      if (!chosen.has(auctionId)) continue;
      const now = await getCompetition(book.transport, auctionId, { signal });
      if (textOf(now) !== textOf(record.competition)) differing.push(auctionId);
    }
  }
  return { auctions: chosen.size, differing };
}

/** Some of the ids, by the hashes of seed and id: the same seed picks the same. */
function picked(ids: readonly number[], count: number, seed: number): number[] {
  return ids.map((id) => ({ id, lot: sha256(`${seed} ${id}`) }))
    .sort((a, b) => a.lot < b.lot ? -1 : 1)
    .slice(0, count)
    .map(({ id }) => id);
}

function textOf(competition: Competition): string {
  return JSON.stringify(encodeCompetition(competition));
}
