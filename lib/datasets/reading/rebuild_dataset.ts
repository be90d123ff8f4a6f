import { checkOptions, type OptionRules, SIGNAL, wholeFrom } from "../../errors/option_rules.ts";
import { mapInOrder } from "../../endpoints/call/map_in_order.ts";
import type { CallOptions } from "../../endpoints/mod.ts";
import { InputError } from "../../errors/mod.ts";
import { VERSION } from "../../http/mod.ts";
import { readFacts } from "../../recordings/deployment.ts";
import { DatasetPaths } from "../layout/dataset_paths.ts";
import { factsOf, folderOf, syncFolder } from "../layout/durable_files.ts";
import { folderError, isRefusedBySystem } from "../layout/folder_error.ts";
import { withLock } from "../layout/with_lock.ts";
import { isPartitioned, sourceOfFile } from "../layout/partitions.ts";
import {
  type DatasetDrift,
  type DatasetFile,
  type DatasetManifest,
  readManifest,
} from "../layout/manifest.ts";
import { ShardBuilders } from "../shards/shard_builders.ts";
import { withLaterTables } from "../shards/later_tables.ts";
import { sumOfDrift } from "../shards/shard_drift.ts";
import { leaveFillsOnce } from "../shards/unique_fills.ts";
import { leaveSettlementsOnce } from "../shards/unique_settlements.ts";
import { tokensOf, wrappedTokenOf } from "../shards/table_context.ts";
import { ExportState } from "../state/export_state.ts";
import { type Assignment, writeDescriptions } from "../state/write_manifest.ts";

const RAW = ".ndjson.zst";
const MOST_WORKERS = 64;

/** Options of {@linkcode rebuildDataset}. */
export interface RebuildOptions extends CallOptions {
  /**
   * Files of answers that are worked on at a time, each by a worker of its own. Each takes the memory
   * of one; more than the machine has cores are of no use. @default {1}
   */
  readonly workers?: number;
}

const OPTIONS: OptionRules<RebuildOptions> = {
  signal: SIGNAL,
  workers: wholeFrom(1, MOST_WORKERS),
};

/**
 * Builds all tables of a dataset again from its answers, with this version of the library, and writes
 * the manifest anew. Requests nothing. A dataset with all tables of an earlier version gets those that
 * came later.
 *
 * An interrupted rebuild may be started again; until then the manifest names the old files. The
 * export's own folder is not needed: a copy without it can be rebuilt.
 *
 * @param folder Folder of the dataset.
 * @param options Workers, and a signal that stops it between two files.
 * @returns The manifest.
 * @throws {InputError} If an option is invalid, it is not a dataset, its answers are damaged, it is being written, or it
 *   cannot be written.
 *
 * @example Tables that were lost
 * ```ts
 * import { connect } from "orderlens";
 * import { exportDataset, rebuildDataset, verifyDataset } from "orderlens/datasets";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const folder = await Deno.makeTempDir();
 * const book = connect(await replay("market_1"));
 * const { manifest } = await exportDataset(book, folder, { auctions: { from: 2620, to: 2624 } });
 * await Deno.remove(`${folder}/orders`, { recursive: true });
 *
 * assertEquals(await rebuildDataset(folder), manifest);
 * assertEquals((await verifyDataset(folder)).isWhole, true);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function rebuildDataset(
  folder: string | URL,
  options: RebuildOptions = {},
): Promise<DatasetManifest> {
  checkOptions(options, OPTIONS, "Cannot rebuild a dataset");
  const paths = new DatasetPaths(folder);
  const manifest = await readManifest(paths);
  try {
    await Deno.mkdir(paths.temporary, { recursive: true });
    return await withLock(paths, "Cannot rebuild", () => rebuild(paths, manifest, options));
  } catch (error) {
    if (isRefusedBySystem(error)) throw folderError("Cannot rebuild", paths.folder, error);
    throw error;
  }
}

async function rebuild(
  paths: DatasetPaths,
  manifest: DatasetManifest,
  { signal, workers = 1 }: RebuildOptions,
): Promise<DatasetManifest> {
  const files = manifest.files.filter(({ path }) => path.startsWith("raw/"));
  const builders = new ShardBuilders(Math.max(1, Math.min(workers, files.length)));
  try {
    return await rebuildWith(builders, paths, { manifest, signal, workers });
  } finally {
    builders[Symbol.dispose]();
  }
}

/** What is rebuilt, and how. */
interface Rebuilding {
  readonly manifest: DatasetManifest;
  readonly signal: AbortSignal | undefined;
  readonly workers: number;
}

async function rebuildWith(
  builders: ShardBuilders,
  paths: DatasetPaths,
  { manifest, signal, workers }: Rebuilding,
): Promise<DatasetManifest> {
  const { deployment } = await readFacts(paths.file("deployment.json"));
  const { source } = manifest;
  const request = { ...manifest.request, tables: withLaterTables(manifest.request.tables) };
  const tokens = tokensOf(source, deployment.tokens ?? []);
  const wrappedNativeToken = wrappedTokenOf(source, deployment);
  const raws = manifest.files.filter(({ path }) => path.startsWith("raw/"));
  let files: DatasetFile[] = [];
  const drifts = new Map<string, DatasetDrift>();
  const build = async (raw: DatasetFile, ended: AbortSignal) => {
    await requireUndamaged(paths, raw);
    const pathOf = (table: string) =>
      `${table}/${raw.path.slice("raw/".length, -RAW.length)}.parquet`;
    const made = request.tables.map((table) => [table, paths.temporaryOf(pathOf(table))]);
    const task = {
      raw: paths.file(raw.path),
      context: {
        source: sourceOfFile(source, raw.path),
        tables: request.tables,
        tokens,
        wrappedNativeToken,
      },
      files: Object.fromEntries(made),
    };
    return { raw, pathOf, ...await builders.build(task, ended) };
  };
  for await (
    const { raw, pathOf, tables, drift } of mapInOrder(raws, build, {
      // One more waits for the first worker that is idle, while files are put in place.
      concurrency: workers === 1 ? 1 : workers + 1,
      signal,
    })
  ) {
    files.push(raw);
    drifts.set(raw.path.slice("raw/".length, -RAW.length), drift);
    for (const { name: table, ...facts } of tables) {
      files.push({ path: pathOf(table), ...await putInPlace(paths, pathOf(table)), ...facts });
    }
  }
  if (isPartitioned({ files })) {
    files = await leaveFillsOnce(paths, files, `${paths.temporary}/fills.sqlite`);
    files = await leaveSettlementsOnce(paths, files);
    await Deno.remove(`${paths.temporary}/fills.sqlite`);
  }
  files.sort((a, b) => a.path < b.path ? -1 : 1);
  const drift = sumOfDrift([...drifts.values()]);
  const rebuilt = { ...manifest, request, library: VERSION, files, drift };
  await tellState(paths, { files, request }, drifts);
  await writeDescriptions(paths, rebuilt, { ...deployment });
  return rebuilt;
}

async function requireUndamaged(paths: DatasetPaths, raw: DatasetFile): Promise<void> {
  const found = await factsOf(paths.file(raw.path));
  if (found?.sha256 === raw.sha256) return;
  throw new InputError(`Cannot rebuild ${paths.folder}: ${raw.path} is damaged or missing`, {
    facts: { expected: raw.sha256, found: found?.sha256 ?? "no file" },
    remedy: "Resume the export, which asks for its answers again, or copy the file again",
  });
}

async function putInPlace(paths: DatasetPaths, path: string) {
  const [made, file] = [paths.temporaryOf(path), paths.file(path)];
  const facts = await factsOf(made);
  if (facts === null) throw new TypeError(`${path} was not made`);
  await Deno.mkdir(folderOf(file), { recursive: true });
  await Deno.rename(made, file);
  await syncFolder(folderOf(file));
  return facts;
}

/** Tells the export, where it is still in the folder, which tables and files there are now. */
async function tellState(
  paths: DatasetPaths,
  { files, request: { tables } }: Pick<DatasetManifest, "files" | "request">,
  drifts: ReadonlyMap<string, DatasetDrift>,
): Promise<void> {
  if (await factsOf(paths.state) === null) return;
  const state = new ExportState(paths);
  state.inOneStep(() => {
    const known = state.meta("assignment");
    if (known !== null) {
      const assignment: Assignment = JSON.parse(known);
      const request = { ...assignment.request, tables };
      state.setMeta("assignment", JSON.stringify({ ...assignment, request }));
    }
    for (const [name, drift] of drifts) state.setMeta(`drift ${name}`, JSON.stringify(drift));
    for (const { path, sha256, bytes, rows, leastKey, greatestKey } of files) {
      const name = path.slice(path.indexOf("/") + 1).replace(/\..*$/, "");
      state.run(
        `INSERT OR REPLACE INTO files
         SELECT ?, shard, ?, ?, ?, ?, ? FROM files WHERE path = ?`,
        path,
        sha256,
        bytes,
        rows,
        JSON.stringify(leastKey),
        JSON.stringify(greatestKey),
        `raw/${name}${RAW}`,
      );
    }
  });
  state.close();
}
