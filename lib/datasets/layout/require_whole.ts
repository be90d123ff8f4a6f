import { DamagedError } from "../../errors/mod.ts";
import { shortSum } from "../../errors/input_error.ts";
import type { DatasetPaths } from "./dataset_paths.ts";
import { factsOf } from "./durable_files.ts";
import type { DatasetFile } from "./manifest.ts";

/**
 * Rejects a file that is not the one of the manifest.
 *
 * @throws {InputError} If it is damaged or missing.
 */
export async function requireWhole(paths: DatasetPaths, file: DatasetFile): Promise<void> {
  const found = await factsOf(paths.file(file.path));
  if (found?.sha256 === file.sha256) return;
  throw new DamagedError(`Cannot read ${paths.folder}: ${file.path} is damaged or missing`, {
    facts: { expected: shortSum(file.sha256), found: shortSum(found?.sha256) },
    remedy: "Verify the dataset, and rebuild it or resume its export",
  });
}
