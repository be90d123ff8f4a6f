import { frameCells } from "../../tables/columns/frame_cells.ts";
import { readParquet, withoutValues } from "../../tables/columns/frame_files.ts";
import type { DatasetPaths } from "../layout/dataset_paths.ts";
import type { DatasetFile } from "../layout/manifest.ts";
import { freeFrames } from "./free_frames.ts";
import { replaceRows } from "./replace_rows.ts";
import { SETTLEMENT_TABLES } from "./table_needs.ts";

/** Where the rows of a settlement stand, and how much differs from the report there. */
interface Standing {
  readonly file: string;
  readonly differences: number;
}

/**
 * Leaves each settlement of a dataset of several environments in it once: a transaction settles one
 * auction, also where two environments name it. The rows count whose environment has fewer
 * differences, since a settlement differs from auctions that it is not of; if that does not tell, the
 * first by path.
 *
 * @returns The files, with the facts of those that were written again.
 */
export async function leaveSettlementsOnce(
  paths: DatasetPaths,
  files: readonly DatasetFile[],
): Promise<DatasetFile[]> {
  const isOf = (table: string) => ({ path }: DatasetFile) => path.startsWith(`${table}/`);
  const first = SETTLEMENT_TABLES.find((table) => files.some(isOf(table)));
  if (first === undefined) return [...files];
  const standing = new Map<string, Standing>();
  const left = new Map<string, Set<string>>();
  for (const { path } of files.filter(isOf(first))) {
    const file = path.slice(first.length);
    for (const { hash, differences } of await settlementsIn(paths.file(path))) {
      const other = standing.get(hash);
      if (other?.file === file) continue;
      const isKept = other === undefined || differences < other.differences;
      if (isKept) standing.set(hash, { file, differences });
      const without = isKept ? other?.file : file;
      if (without === undefined) continue;
      const hashes = left.get(without) ?? new Set();
      left.set(without, hashes.add(hash));
    }
  }
  const kept: DatasetFile[] = [];
  for (const file of files) {
    const slash = file.path.indexOf("/");
    const isTable = SETTLEMENT_TABLES.includes(file.path.slice(0, slash));
    const hashes = isTable ? left.get(file.path.slice(slash)) : undefined;
    if (hashes === undefined) {
      kept.push(file);
      continue;
    }
    const frame = withoutValues(readParquet(paths.file(file.path)), "tx_hash", [...hashes]);
    kept.push(await replaceRows(paths, file, frame));
  }
  return kept;
}

async function settlementsIn(file: string): Promise<{ hash: string; differences: number }[]> {
  const frame = readParquet(file);
  const names = [
    "tx_hash",
    ...frame.columns.includes("difference_count") ? ["difference_count"] : [],
  ];
  const [hashes, counts] = frameCells(frame.select(...names), { start: 0, count: frame.height });
  const found = (hashes?.cells ?? []).map((hash, row) => ({
    hash: String(hash),
    // What cannot be audited has no differences.
    differences: counts === undefined ? 0 : Number(counts.cells[row] ?? Infinity),
  }));
  await freeFrames();
  return found;
}
