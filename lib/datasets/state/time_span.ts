import { spanOfColumns } from "../../tables/columns/frame_files.ts";
import type { DatasetPaths } from "../layout/dataset_paths.ts";
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

const COLUMNS = [
  ["auctions", "auctions", "auction_time"],
  ["trades", "fills", "fill_time"],
] as const;

/**
 * The time span of a dataset, from its tables: no clock of an export is in it. `null` if it has neither
 * auctions nor trades with times, or they cannot be read now.
 */
export function timeSpan(paths: DatasetPaths, { files }: DatasetManifest): TimeSpan | null {
  for (const [table, of, column] of COLUMNS) {
    const having = files.filter(({ path, rows }) => path.startsWith(`${table}/`) && rows > 0)
      .map(({ path }) => paths.file(path));
    const span = readSpan(having, [`${column}_min_ms`, `${column}_max_ms`]);
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
  columns: readonly [string, string],
): [number, number] | null {
  try {
    return spanOfColumns(files, columns);
  } catch {
    return null;
  }
}
