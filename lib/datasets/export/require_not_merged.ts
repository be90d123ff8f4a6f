import { InputError } from "../../errors/mod.ts";
import type { DatasetPaths } from "../layout/dataset_paths.ts";
import { factsOf } from "../layout/durable_files.ts";
import { readManifest } from "../layout/manifest.ts";

/**
 * Rejects a folder that was merged: what of it to ask for again stands with the exports.
 *
 * @throws {InputError} If it was.
 */
export async function requireNotMerged(paths: DatasetPaths): Promise<void> {
  if (await factsOf(paths.file("manifest.json")) === null) return;
  const { merged } = await readManifest(paths);
  if (merged === undefined) return;
  throw new InputError(`Cannot export into ${paths.folder}: it was merged from several datasets`, {
    remedy: "Resume the exports that it was merged from, and merge them again into another folder",
  });
}
