import { InputError } from "../../errors/mod.ts";
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
  throw new InputError(`Cannot read ${paths.folder}: ${file.path} is damaged or missing`, {
    facts: { expected: file.sha256, found: found?.sha256 ?? "no file" },
    remedy: "Verify the dataset, and rebuild it or resume its export",
  });
}
