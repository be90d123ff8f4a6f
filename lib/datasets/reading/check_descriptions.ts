import { VERSION } from "../../http/mod.ts";
import { sha256 } from "../layout/file_hash.ts";
import { factsOf } from "../layout/durable_files.ts";
import type { DatasetPaths } from "../layout/dataset_paths.ts";
import type { DatasetManifest } from "../layout/manifest.ts";
import { describedBy } from "../state/write_manifest.ts";
import type { DatasetProblem } from "./verify_dataset.ts";

/**
 * Compares card and data package with what the manifest says, if this version wrote them.
 *
 * @param faulty Files that have a problem already.
 */
export async function checkDescriptions(
  paths: DatasetPaths,
  manifest: DatasetManifest,
  faulty: ReadonlySet<string>,
): Promise<DatasetProblem[]> {
  // What they say of times is read from the tables.
  const areTablesWhole = manifest.files.every(({ path }) => !faulty.has(path));
  if (manifest.library !== VERSION || !areTablesWhole) return [];
  const problems: DatasetProblem[] = [];
  for (const [file, text] of describedBy(paths, manifest)) {
    if (faulty.has(file) || (await factsOf(paths.file(file)))?.sha256 === sha256(text)) continue;
    problems.push({ file, problem: "it does not say what the manifest says" });
  }
  return problems;
}
