import { DamagedError } from "../../errors/mod.ts";
import { shortenHash } from "../../errors/orderlens_error.ts";
import { countParquet } from "../../tables/columns/frame_files.ts";
import { type DatasetPaths, hashFile } from "./files.ts";
import type { DatasetFile } from "./manifest.ts";

/**
 * Rejects a file that differs from the manifest.
 *
 * @throws {InputError} If it is damaged or missing.
 */
export async function verifyFile(paths: DatasetPaths, file: DatasetFile): Promise<void> {
  await verifyHash(paths, file);
  const fault = findRowFault(paths, file);
  if (fault === null) return;
  throw new DamagedError(`Cannot read ${paths.folder}: ${file.path} is damaged`, {
    facts: { why: fault },
    remedy: "Download the published dataset, or rebuild it from its responses",
  });
}

async function verifyHash(paths: DatasetPaths, { path, sha256 }: DatasetFile): Promise<void> {
  const facts = await hashFile(paths.file(path));
  if (facts?.sha256 === sha256) return;
  throw new DamagedError(`Cannot read ${paths.folder}: ${path} is damaged or missing`, {
    facts: { expected: shortenHash(sha256), found: shortenHash(facts?.sha256) },
    remedy: path.startsWith("raw/")
      // A rebuild reads this file itself.
      ? "Resume its export, or download the published dataset"
      : "Verify the dataset, and rebuild it or resume its export",
  });
}

/** Rejects a dataset of which a table is damaged or missing. */
export async function verifyTables(paths: DatasetPaths, files: readonly DatasetFile[]) {
  for (const file of files) if (file.path.endsWith(".parquet")) await verifyHash(paths, file);
}

/** Most rows per byte of a table: constant columns take next to nothing, but not less than this. */
const MAX_ROWS_PER_BYTE = 200;
const FEW_ROWS = 1_000_000;

/**
 * Returns why the rows of a table must not be read: a small file may expand to more than memory
 * holds. The number is in its footer, so no row is read.
 */
export function findRowFault(
  paths: DatasetPaths,
  { path, rows, bytes }: Pick<DatasetFile, "path" | "rows" | "bytes">,
): string | null {
  if (!path.endsWith(".parquet")) return null;
  const count = countParquet(paths.file(path));
  if (count !== rows) return `it has ${count} rows instead of ${rows}`;
  return rows > FEW_ROWS && rows > MAX_ROWS_PER_BYTE * bytes
    ? `it has ${rows} rows in ${bytes} bytes`
    : null;
}
