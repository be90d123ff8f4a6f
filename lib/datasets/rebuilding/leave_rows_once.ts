import type { DatasetPaths } from "../layout/dataset_paths.ts";
import type { DatasetFile } from "../layout/manifest.ts";
import { isPartitioned } from "../layout/partitions.ts";
import { leaveFillsOnce } from "../shards/unique_fills.ts";
import { leaveSettlementsOnce } from "../shards/unique_settlements.ts";

/**
 * Leaves in a dataset of several environments what the chain has once; another one is left as it is.
 * Which row counts is the same for all files at once as for some of them first, and then for all.
 *
 * @param files Its files.
 * @returns The files by path, with the facts of those that were written again.
 */
export async function leaveRowsOnce(
  paths: DatasetPaths,
  files: readonly DatasetFile[],
): Promise<DatasetFile[]> {
  let left = files.toSorted((a, b) => a.path < b.path ? -1 : 1);
  if (!isPartitioned({ files })) return left;
  const index = `${paths.temporary}/fills.sqlite`;
  left = await leaveFillsOnce(paths, left, index);
  left = await leaveSettlementsOnce(paths, left);
  await Deno.remove(index);
  return left;
}
