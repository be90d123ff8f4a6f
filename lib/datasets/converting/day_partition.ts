import { InputError } from "../../errors/mod.ts";
import { measureSpans } from "../../tables/columns/frame_files.ts";
import { toShardName } from "../layout/files.ts";

/** The part of a table whose auctions have no known time. */
const UNKNOWN_DAY = "unknown_day";

/** Returns the UTC day of a table's file, such as `2026-03-31`, or `unknown_day`. */
export type FindDay = (path: string) => string;

/**
 * Assigns the files of 1,000 auction ids to UTC days: each to the day on which the first of its auctions
 * with a known time began, at the earliest. Its last rows may be of the next day.
 *
 * @param folder Folder of the dataset.
 * @param files Verified files of its table `auctions`.
 * @throws {InputError} If no auction has a time.
 */
export function partitionByDay(folder: string, files: readonly string[]): FindDay {
  const spans = measureSpans(files, "auction_at_ms", "auction_time_max_ms");
  const days = new Map<string, string>();
  for (const [index, [firstMs]] of spans.entries()) {
    if (firstMs === null) continue;
    const day = Temporal.Instant.fromEpochMilliseconds(firstMs).toString().slice(0, 10);
    days.set(toShardName(files[index]!), day);
  }
  if (days.size > 0) return (path) => days.get(toShardName(path)) ?? UNKNOWN_DAY;
  throw new InputError(`Cannot convert ${folder} by day: no auction has a time`, {
    remedy: "Export it with the table auctions and with times of blocks from a node, " +
      "or leave out `partition` (--partition)",
  });
}
