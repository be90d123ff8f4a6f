import { DamagedError } from "../../errors/mod.ts";
import { shortenHash } from "../../errors/orderlens_error.ts";
import { countParquet } from "../../tables/columns/frame_files.ts";
import { type DatasetPaths, hashFile } from "./files.ts";
import type { DatasetFile } from "./manifest.ts";

/**
 * Rejects a file that is not the one of the manifest.
 *
 * @throws {InputError} If it is damaged or missing.
 */
export async function verifyFile(paths: DatasetPaths, file: DatasetFile): Promise<void> {
  const found = await hashFile(paths.file(file.path));
  if (found?.sha256 === file.sha256) {
    const fault = findRowFault(paths, file);
    if (fault === null) return;
    throw new DamagedError(`Cannot read ${paths.folder}: ${file.path} is damaged`, {
      facts: { why: fault },
      remedy: "Take the dataset from where it is published, or rebuild it from its answers",
    });
  }
  throw new DamagedError(`Cannot read ${paths.folder}: ${file.path} is damaged or missing`, {
    facts: { expected: shortenHash(file.sha256), found: shortenHash(found?.sha256) },
    remedy: file.path.startsWith("raw/")
      // A rebuild reads this file itself.
      ? "Resume its export, or take the dataset from where it is published"
      : "Verify the dataset, and rebuild it or resume its export",
  });
}

/** Rows that a byte of a table may stand for: constant columns take next to none, but not so little. */
const MAX_ROWS_PER_BYTE = 200;
const FEW_ROWS = 1_000_000;

/**
 * Why the rows of a table are not read: a small file may stand for more than memory holds. The number
 * stands in its footer, so that no row is read for it.
 */
export function findRowFault(
  paths: DatasetPaths,
  { path, rows, bytes }: Pick<DatasetFile, "path" | "rows" | "bytes">,
): string | null {
  if (!path.endsWith(".parquet")) return null;
  const found = countParquet(paths.file(path));
  if (found !== rows) return `it has ${found} rows instead of ${rows}`;
  return rows > FEW_ROWS && rows > MAX_ROWS_PER_BYTE * bytes
    ? `it has ${rows} rows in ${bytes} bytes`
    : null;
}
