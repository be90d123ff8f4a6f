import { spanOfColumns } from "../../tables/columns/frame_files.ts";
import type { DatasetPaths } from "../layout/files.ts";
import type { DatasetManifest } from "../layout/manifest.ts";

/** Times between which the auctions or fills of a dataset lie, as far as its answers tell. */
export interface TimeSpan {
  /** What lies between them. */
  readonly of: "auctions" | "fills";
  /** The earliest possible time, UTC, to the second. */
  readonly from: string;
  /** The latest possible time, UTC, to the second. */
  readonly to: string;
}

/** Tables with times: of blocks, which are exact, and the greatest of those that are intervals. */
const COLUMNS = [
  ["auctions", "auctions", "auction_at_ms", "auction_time_max_ms"],
  ["trades", "fills", "filled_at_ms", "fill_time_max_ms"],
] as const;

/**
 * The time span of a dataset, from its tables: no clock of an export is in it. `null` if it has neither
 * auctions nor trades with times, or they cannot be read now.
 */
export function timeSpan(paths: DatasetPaths, { files }: DatasetManifest): TimeSpan | null {
  for (const [table, of, at, latest] of COLUMNS) {
    const having = files.filter(({ path, rows }) => path.startsWith(`${table}/`) && rows > 0)
      .map(({ path }) => paths.file(path));
    const span = readSpan(having, at, latest);
    if (span === null) continue;
    const [from, to] = span.map((ms) =>
      Temporal.Instant.fromEpochMilliseconds(ms).toString({ smallestUnit: "second" })
    );
    return { of, from: from!, to: to! };
  }
  return null;
}

/** A file may be damaged while others are being repaired. */
function readSpan(
  files: readonly string[],
  at: string,
  latest: string,
): [number, number] | null {
  try {
    return spanOfColumns(files, at, latest);
  } catch {
    return null;
  }
}
