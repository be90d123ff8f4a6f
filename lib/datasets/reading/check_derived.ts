import { VERSION } from "../../http/mod.ts";
import { readParquet } from "../../tables/columns/frame_files.ts";
import type { Frame } from "../../tables/mod.ts";
import { DatasetPaths } from "../layout/dataset_paths.ts";
import type { DatasetManifest } from "../layout/manifest.ts";
import { rebuildDataset } from "../rebuilding/rebuild_dataset.ts";
import { freeFrames } from "../shards/free_frames.ts";
import type { DatasetProblem } from "./verify_dataset.ts";

/**
 * Builds every table from the kept answers once more: equal answers give equal files. Of a dataset that
 * another version of the library built, whose files may have other bytes, the cells are compared.
 */
export async function checkDerived(
  paths: DatasetPaths,
  { files, library, drift }: DatasetManifest,
  { damaged, signal }: {
    readonly damaged: ReadonlySet<string>;
    readonly signal: AbortSignal | undefined;
  },
): Promise<DatasetProblem[]> {
  const problems: DatasetProblem[] = [];
  const temporary = await Deno.makeTempDir({ prefix: "orderlens-verify-" });
  const into = new DatasetPaths(`${temporary}/derived`);
  try {
    const options = { into: into.folder, ...signal === undefined ? {} : { signal } };
    const derived = await rebuildDataset(paths.folder, options);
    const sums = new Map(derived.files.map(({ path, sha256 }) => [path, sha256]));
    for (const { path, sha256 } of files) {
      signal?.throwIfAborted();
      if (!path.endsWith(".parquet") || damaged.has(path) || sums.get(path) === sha256) continue;
      const problem = !sums.has(path)
        ? "no rebuild of the kept answers makes it"
        : library === VERSION
        ? "its rows are not those of the kept answers"
        : differenceOf(readParquet(paths.file(path)), readParquet(into.file(path)));
      if (problem !== null) problems.push({ file: path, problem });
      await freeFrames();
    }
    if (library === VERSION && JSON.stringify(drift) !== JSON.stringify(derived.drift)) {
      problems.push({ file: "manifest.json", problem: "its drift is not that of the answers" });
    }
    return problems;
  } finally {
    await Deno.remove(temporary, { recursive: true });
  }
}

/** How the cells of a table differ from those that this version builds; `null` if they do not. */
function differenceOf(listed: Frame, built: Frame): string | null {
  if (listed.height !== built.height) {
    return `it has ${listed.height} rows, of the kept answers ${VERSION} builds ${built.height}`;
  }
  const columns = [...new Set([...listed.columns, ...built.columns])].filter((name) =>
    !listed.columns.includes(name) || !built.columns.includes(name) ||
    textOf(listed, name) !== textOf(built, name)
  );
  if (columns.length === 0) return null;
  return `its ${columns.join(", ")} differ from what ${VERSION} builds of the kept answers`;
}

function textOf(frame: Frame, column: string): string {
  return JSON.stringify(
    frame.select(column).rows(),
    (_, value) => typeof value === "bigint" ? String(value) : value,
  );
}
