import { localFiles, makeTemporaryFolder } from "../../http/local_files.ts";
import { VERSION } from "../../http/mod.ts";
import type { SettlementDifferenceKind } from "../../metrics/mod.ts";
import { readParquet } from "../../tables/columns/frame_files.ts";
import { CHAIN_DIFFERENCES, type Frame } from "../../tables/mod.ts";
import { DatasetPaths } from "../layout/files.ts";
import {
  type DatasetContradiction,
  type DatasetManifest,
  isOfThisLibrary,
} from "../layout/manifest.ts";
import { rebuildDataset } from "../rebuilding/rebuild_dataset.ts";
import { freeFrames } from "../shards/file_columns.ts";
import type { CheckContext } from "./check_files.ts";
import type { DatasetProblem } from "./refetch.ts";

/**
 * Builds every table from the stored responses again: equal responses give equal files. Compares cells
 * if another version of the library built the dataset, whose files may have other bytes. Finds
 * contradictions of the records, stored transactions and receipts among them.
 */
export async function checkDerived(
  paths: DatasetPaths,
  manifest: DatasetManifest,
  { damaged, signal }: CheckContext,
): Promise<DatasetProblem[]> {
  const { files, drift } = manifest;
  const problems: DatasetProblem[] = [];
  const temporary = await makeTemporaryFolder("orderlens-verify-");
  const rebuilt = new DatasetPaths(`${temporary}/derived`);
  try {
    const options = { into: rebuilt.folder, ...signal === undefined ? {} : { signal } };
    const derived = await rebuildDataset(paths.folder, options);
    const sums = new Map(derived.files.map(({ path, sha256 }) => [path, sha256]));
    for (const { path, sha256 } of files) {
      signal?.throwIfAborted();
      if (!path.endsWith(".parquet") || damaged.has(path) || sums.get(path) === sha256) continue;
      // A file with other bytes, such as those of another codec, may have the same rows.
      const problem = sums.has(path)
        ? compareFrames(readParquet(paths.file(path)), readParquet(rebuilt.file(path)))
        : "no rebuild of the stored responses makes it";
      if (problem !== null) problems.push({ file: path, problem });
      await freeFrames();
    }
    if (isOfThisLibrary(manifest) && JSON.stringify(drift) !== JSON.stringify(derived.drift)) {
      problems.push({ file: "manifest.json", problem: "its drift is not that of the responses" });
    }
    const listedExamples = new Set(manifest.contradictions?.flatMap(({ examples }) => examples));
    const unlisted = (derived.contradictions ?? []).map(({ examples, ...counted }) => {
      return { ...counted, examples: examples.filter((example) => !listedExamples.has(example)) };
    });
    return [
      ...problems,
      ...describeContradictions(unlisted),
      ...await describeChainDifferences(rebuilt, derived),
    ];
  } finally {
    await localFiles().rm(temporary, { recursive: true });
  }
}

/** Describes contradictions of the records as problems, the first of each kind. */
export function describeContradictions(
  contradictions: readonly DatasetContradiction[] = [],
): DatasetProblem[] {
  return contradictions.flatMap(({ kind, examples }) =>
    examples.map((example) => ({ file: "raw", problem: `contradiction (${kind}): ${example}` }))
  );
}

/** Differences that show what a solver did, and contradict no record. */
const SOLVER_ACTIONS: readonly string[] = [
  "late",
  "reverted",
  "hook_missing",
  "hooks_out_of_order",
] satisfies SettlementDifferenceKind[];

const MAX_EXAMPLES = 10;

/**
 * Describes contradictions between stored receipts and other records as problems, the first of each
 * kind.
 */
async function describeChainDifferences(
  paths: DatasetPaths,
  { files }: DatasetManifest,
): Promise<DatasetProblem[]> {
  const counts = new Map<string, number>();
  const problems: DatasetProblem[] = [];
  for (const { path } of files) {
    if (!path.startsWith(`${CHAIN_DIFFERENCES.name}/`)) continue;
    for (const row of readParquet(paths.file(path)).toRecords()) {
      const kind = String(row.what);
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      if (SOLVER_ACTIONS.includes(kind) || count > MAX_EXAMPLES) continue;
      const order = row.order_uid === null ? "" : `, order ${row.order_uid}`;
      problems.push({
        file: "raw",
        problem: `contradiction (${kind}): settlement ${row.tx_hash}${order}: ` +
          `on the chain ${row.on_chain}, reported ${row.reported}`,
      });
    }
    await freeFrames();
  }
  return problems;
}

/** Describes how the cells of a table differ from those that this version builds; `null` if equal. */
function compareFrames(stored: Frame, rebuilt: Frame): string | null {
  if (stored.height !== rebuilt.height) {
    return `it has ${stored.height} rows, from the stored responses ${VERSION} builds ${rebuilt.height}`;
  }
  const columns = [...new Set([...stored.columns, ...rebuilt.columns])].filter((name) =>
    !stored.columns.includes(name) || !rebuilt.columns.includes(name) ||
    formatColumn(stored, name) !== formatColumn(rebuilt, name)
  );
  if (columns.length === 0) return null;
  return `its ${columns.join(", ")} differ from what ${VERSION} builds from the stored responses`;
}

function formatColumn(frame: Frame, column: string): string {
  return JSON.stringify(
    frame.select(column).rows(),
    (_, value) => typeof value === "bigint" ? String(value) : value,
  );
}
