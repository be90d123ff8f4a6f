import { InputError } from "../../errors/mod.ts";
import type { DatasetPaths } from "../layout/dataset_paths.ts";
import { factsOf } from "../layout/durable_files.ts";
import { readManifest } from "../layout/manifest.ts";
import { statOf } from "../layout/put_in_place.ts";
import { TABLE_NAMES } from "../shards/published_tables.ts";

/** What an export replaces, besides tables. */
const WRITTEN = ["README.md", "SHA256SUMS", "datapackage.json", "deployment.json", "raw"] as const;

/**
 * Rejects a folder that was merged, since what of it to ask for again stands with the exports, and one
 * with files that are of no dataset and would be replaced.
 *
 * @throws {InputError} If it is one of them.
 */
export async function requireOwnFolder(paths: DatasetPaths): Promise<void> {
  if (await factsOf(paths.file("manifest.json")) === null) return await requireNoOther(paths);
  const { merged } = await readManifest(paths);
  if (merged === undefined) return;
  throw new InputError(`Cannot export into ${paths.folder}: it was merged from several datasets`, {
    remedy: "Resume the exports that it was merged from, and merge them again into another folder",
  });
}

async function requireNoOther(paths: DatasetPaths): Promise<void> {
  for (const name of [...WRITTEN, ...TABLE_NAMES]) {
    if (await statOf(paths.file(name)) === null) continue;
    throw new InputError(`Cannot export into ${paths.folder}: it has a ${name} of something else`, {
      remedy: "Pass a folder that is new or empty",
    });
  }
}
