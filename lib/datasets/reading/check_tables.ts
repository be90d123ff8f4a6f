import { readParquet } from "../../tables/columns/frame_files.ts";
import type { Frame } from "../../tables/mod.ts";
import type { DatasetPaths } from "../layout/dataset_paths.ts";
import type { DatasetFile, DatasetManifest } from "../layout/manifest.ts";
import { rowsFault } from "../layout/require_whole.ts";
import { fileColumns } from "../shards/file_columns.ts";
import { freeFrames } from "../shards/free_frames.ts";
import { REFERENCES } from "../shards/references.ts";
import { ANSWER_NAMES, lacksAnswers, tablesBeside } from "../shards/published_tables.ts";
import type { PublishedTable } from "../shards/record_tables.ts";
import type { DatasetProblem } from "./verify_dataset.ts";

/** Checks rows, keys and references of the tables, one shard after another. */
export async function checkTables(
  paths: DatasetPaths,
  manifest: DatasetManifest,
  { damaged, signal }: {
    readonly damaged: ReadonlySet<string>;
    readonly signal: AbortSignal | undefined;
  },
): Promise<{ problems: DatasetProblem[]; rows: number }> {
  const { files, request } = manifest;
  const problems: DatasetProblem[] = [];
  const byPath = new Map(files.map((file) => [file.path, file]));
  const isUnderived = lacksAnswers(manifest);
  const names = request.tables.filter((name) => !isUnderived || !ANSWER_NAMES.includes(name));
  if (isUnderived) {
    problems.push({
      file: "manifest.json",
      problem: "the answers are not derived yet: run the same export again, or rebuild the dataset",
    });
  }
  let rows = 0;
  for (const name of shardNames(files)) {
    signal?.throwIfAborted();
    const frames = new Map<string, Frame>();
    for (const table of tablesBeside(name, names)) {
      const path = `${table.table.name}/${name}`;
      const file = byPath.get(path);
      if (file === undefined) {
        problems.push({ file: path, problem: "the manifest does not list it" });
      }
      if (file === undefined || damaged.has(path)) continue;
      const fault = rowsFault(paths, file);
      if (fault !== null) {
        problems.push({ file: path, problem: fault });
        continue;
      }
      const frame = readParquet(paths.file(path));
      frames.set(table.table.name, frame);
      rows += frame.height;
      for (const problem of faultsOf(frame, table, file)) problems.push({ file: path, problem });
    }
    for (const { table, columns, to, toColumns } of REFERENCES) {
      const lost = lostReferences([frames.get(table), columns], [frames.get(to), toColumns]);
      if (lost === 0) continue;
      problems.push({
        file: `${table}/${name}`,
        problem: `${lost} rows have ${columns.join(", ")} that are not in ${to}`,
      });
    }
    frames.clear();
    await freeFrames();
  }
  return { problems, rows };
}

function shardNames(files: readonly DatasetFile[]): string[] {
  const tables = files.filter(({ path }) => path.endsWith(".parquet"));
  return [...new Set(tables.map(({ path }) => path.slice(path.indexOf("/") + 1)))].sort();
}

function* faultsOf(frame: Frame, { key, table }: PublishedTable, file: DatasetFile) {
  const expected = fileColumns(table).map(({ name }) => name);
  const columns = expected.filter((name) => !frame.columns.includes(name));
  if (columns.length > 0) {
    yield `it lacks the columns ${columns.join(", ")}`;
    return;
  }
  if (frame.height === 0) return;
  const keys = frame.select(...key);
  const repeated = frame.height - keys.unique().height;
  if (repeated > 0) yield `${repeated} rows repeat the key of another`;
  const [least, greatest] = [keys.row(0), keys.row(frame.height - 1)].map((row) =>
    JSON.stringify(row)
  );
  if (least !== JSON.stringify(file.leastKey) || greatest !== JSON.stringify(file.greatestKey)) {
    yield "its least or its greatest key is not that of the manifest";
  }
}

type Named = readonly [frame: Frame | undefined, columns: readonly string[]];

function lostReferences([from, columns]: Named, [to, named]: Named): number {
  if (from === undefined || to === undefined || from.height === 0) return 0;
  if (!columns.every((column) => from.columns.includes(column))) return 0;
  if (!named.every((column) => to.columns.includes(column))) return 0;
  const known = new Set(rowTexts(to, named));
  return rowTexts(from, columns).filter((row) => !known.has(row)).length;
}

function rowTexts(frame: Frame, columns: readonly string[]): string[] {
  return frame.select(...columns).rows().map((row) => JSON.stringify(row));
}
