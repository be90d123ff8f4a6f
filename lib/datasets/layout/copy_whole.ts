import { DamagedError } from "../../errors/mod.ts";
import { shortSum } from "../../errors/input_error.ts";
import type { DatasetPaths } from "./dataset_paths.ts";
import { type FileFacts, REPLACING, withFile, writeAll } from "./durable_files.ts";
import { fileHash } from "./file_hash.ts";
import type { DatasetFile } from "./manifest.ts";

/**
 * Copies a file of a dataset, and compares with the manifest what was copied. The copy may be written
 * to even if the file may not.
 *
 * @param from The dataset.
 * @param copy Path of the copy, in a folder that is there; replaced if it exists.
 * @throws {DamagedError} If the file is damaged or missing; names the dataset.
 */
export async function copyWhole(
  from: DatasetPaths,
  { path, sha256 }: Pick<DatasetFile, "path" | "sha256">,
  copy: string,
): Promise<void> {
  const found = await copied(from.file(path), copy);
  if (found?.sha256 === sha256) return;
  throw new DamagedError(`Cannot read ${from.folder}: ${path} is damaged or missing`, {
    facts: { expected: shortSum(sha256), found: shortSum(found?.sha256) },
    remedy: path.startsWith("raw/")
      ? "Resume the export, which asks for its answers again, or copy the file again"
      : "Rebuild the dataset, or copy the file again",
  });
}

/** What was copied, which is on the disk then; `null` if there is no such file. */
async function copied(file: string, copy: string): Promise<FileFacts | null> {
  let source: Deno.FsFile;
  try {
    source = await Deno.open(file, { read: true });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
  try {
    return await withFile(copy, REPLACING, async (open) => {
      const facts = await fileHash(source, (chunk) => writeAll(open, chunk));
      await open.sync();
      return facts;
    });
  } finally {
    source.close();
  }
}
