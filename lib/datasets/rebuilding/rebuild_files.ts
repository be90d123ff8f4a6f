import { mapInOrder } from "../../endpoints/call/map_in_order.ts";
import type { DatasetPaths } from "../layout/dataset_paths.ts";
import { factsOfMade, folderOf, syncFolder } from "../layout/durable_files.ts";
import type { DatasetDrift, DatasetFile, DatasetSource } from "../layout/manifest.ts";
import { sourceOfFile } from "../layout/partitions.ts";
import { isOfAuctions } from "../shards/published_tables.ts";
import { ShardBuilders } from "../shards/shard_builders.ts";
import type { ShardContents } from "../shards/shard_contents.ts";
import type { TableContext } from "../shards/table_context.ts";

const RAW = ".ndjson.zst";

/** What is to be built again, and how. */
export interface FilesToRebuild {
  /** Files of answers, by path. */
  readonly raws: readonly DatasetFile[];
  /** Where the files are built. */
  readonly paths: DatasetPaths;
  /** What the tables are built with. */
  readonly context: TableContext;
  /** Sees to it that a file of answers is there, and the one of the manifest. */
  readonly prepare: (raw: DatasetFile) => Promise<void>;
  /** Number of files that are worked on at a time. */
  readonly workers: number;
  /** Ends it between two files. */
  readonly signal: AbortSignal | undefined;
}

/** A file of answers, and the tables that were built from it. */
export interface RebuiltFiles {
  /** The file of answers. */
  readonly raw: DatasetFile;
  /** Its tables, in place. */
  readonly tables: readonly DatasetFile[];
  /** What its answers hold that this version of the library does not know. */
  readonly drift: DatasetDrift;
  /** Its records, beside an only file of auctions: answers need not read them again. */
  readonly contents?: ShardContents;
}

/** Name of the files of 1,000 auctions, with the folder of their environment: `raw/NAME.ndjson.zst`. */
function nameOfRaw({ path }: Pick<DatasetFile, "path">): string {
  return path.slice("raw/".length, -RAW.length);
}

/** The files of answers of a dataset. */
export function rawsOf({ files }: { readonly files: readonly DatasetFile[] }): DatasetFile[] {
  return files.filter(({ path }) => path.startsWith("raw/"));
}

/** Builds the tables of files of answers, one file after another, in their order. */
export async function* rebuildFiles(
  { raws, paths, context, prepare, workers, signal }: FilesToRebuild,
): AsyncGenerator<RebuiltFiles, void, undefined> {
  const auctions = raws.filter(({ path }) => isOfAuctions(path)).length;
  const builders = new ShardBuilders(Math.max(1, Math.min(workers, auctions)));
  const build = async (raw: DatasetFile, ended: AbortSignal) => {
    await prepare(raw);
    const pathOf = (table: string) => `${table}/${nameOfRaw(raw)}.parquet`;
    const made = context.tables.map((table) => [table, paths.temporaryOf(pathOf(table))]);
    const source: DatasetSource = sourceOfFile(context.source, raw.path);
    const task = {
      raw: paths.file(raw.path),
      context: { ...context, source },
      files: Object.fromEntries(made),
    };
    return { raw, pathOf, ...await builders.build(task, ended) };
  };
  try {
    const all = mapInOrder(raws, build, {
      // One more waits for the first worker that is idle, while files are put in place.
      concurrency: workers === 1 ? 1 : workers + 1,
      signal,
    });
    for await (const { raw, pathOf, tables: built, drift, contents } of all) {
      const tables: DatasetFile[] = [];
      for (const { name, ...facts } of built) {
        const path = pathOf(name);
        tables.push({ path, ...await putInPlace(paths, path), ...facts });
      }
      yield {
        raw,
        tables,
        drift,
        ...contents !== undefined && auctions <= 1 ? { contents } : {},
      };
    }
  } finally {
    builders[Symbol.dispose]();
  }
}

async function putInPlace(paths: DatasetPaths, path: string) {
  const [made, file] = [paths.temporaryOf(path), paths.file(path)];
  const facts = await factsOfMade(made);
  await Deno.mkdir(folderOf(file), { recursive: true });
  await Deno.rename(made, file);
  await syncFolder(folderOf(file));
  return facts;
}
