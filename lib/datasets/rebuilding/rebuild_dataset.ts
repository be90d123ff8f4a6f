import {
  checkOptions,
  type OptionRules,
  rule,
  SIGNAL,
  wholeFrom,
} from "../../errors/option_rules.ts";
import type { CallOptions } from "../../endpoints/mod.ts";
import { VERSION } from "../../http/mod.ts";
import { readFacts } from "../../recordings/deployment.ts";
import { DatasetPaths } from "../layout/dataset_paths.ts";
import { requireWhole } from "../layout/require_whole.ts";
import { folderError, isRefusedBySystem } from "../layout/folder_error.ts";
import { withLock } from "../layout/with_lock.ts";
import {
  type DatasetDrift,
  type DatasetFile,
  type DatasetManifest,
  readManifest,
} from "../layout/manifest.ts";
import { withLaterTables } from "../shards/later_tables.ts";
import type { ShardContents } from "../shards/shard_contents.ts";
import { withAnswers } from "../shards/derive_answers.ts";
import { sumOfDrift } from "../shards/shard_drift.ts";
import { tableContext } from "../shards/table_context.ts";
import { ABOUT_OPTIONS, type DatasetAbout, saidAbout } from "../state/about.ts";
import { removeState } from "../state/schema.ts";
import { derivedOf, writeDescriptions } from "../state/write_manifest.ts";
import { leaveRowsOnce } from "./leave_rows_once.ts";
import { rawsOf, rebuildFiles } from "./rebuild_files.ts";
import { type RebuildingInto, rebuildInto } from "./rebuild_into.ts";

const MOST_WORKERS = 64;

/** Options of {@linkcode rebuildDataset}. */
export interface RebuildOptions extends CallOptions, DatasetAbout {
  /**
   * Files of answers that are worked on at a time, each by a worker of its own. Each takes the memory
   * of one; more than the machine has cores are of no use. @default {1}
   */
  readonly workers?: number;
  /**
   * Folder to build in, new or empty; the dataset itself is only read then. It becomes a dataset of its
   * own, with a copy of the answers that its tables are built from.
   *
   * @default {the folder of the dataset, whose tables are replaced}
   */
  readonly into?: string | URL | undefined;
}

const OPTIONS: OptionRules<RebuildOptions> = {
  ...ABOUT_OPTIONS,
  signal: SIGNAL,
  workers: wholeFrom(1, MOST_WORKERS),
  into: rule(
    "the path of a folder",
    (value) => typeof value === "string" && value !== "" || value instanceof URL,
  ),
};

/**
 * Builds all tables of a dataset again from its answers, with this version of the library, and writes
 * the manifest anew. Requests nothing. A dataset with all tables of an earlier version gets those that
 * came later.
 *
 * An interrupted rebuild may be started again; until then the manifest names the old files. The
 * export's own folder is not needed: a copy without it can be rebuilt.
 *
 * Title, license and creator of the dataset are kept, or set by the options of these names; sums and
 * citation follow.
 *
 * With `into`, the dataset is only read, and a rebuild that was interrupted goes on.
 *
 * @param folder Folder of the dataset.
 * @param options Where to build, workers, and a signal that stops it between two files.
 * @returns The manifest.
 * @throws {InputError} If an option is invalid, it is not a dataset, its answers are damaged,
 *   it is being written, or it cannot be written; with `into`, if something else is there.
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
  const { into, workers = 1, signal } = options;
  const paths = new DatasetPaths(folder);
  const output = new DatasetPaths(into ?? folder);
  const action = into === undefined ? "Cannot rebuild" : "Cannot rebuild into";
  try {
    const rebuilding = { ...await readDataset(paths, options), workers, signal };
    if (into !== undefined) return await rebuildInto(output, { ...rebuilding, from: paths });
    await Deno.mkdir(paths.temporary, { recursive: true });
    return await withLock(paths, action, () => rebuildInPlace(paths, rebuilding));
  } catch (error) {
    if (isRefusedBySystem(error)) throw folderError(action, output.folder, error);
    throw error;
  }
}

/** What is in a folder, with the tables that this version builds. */
async function readDataset(
  paths: DatasetPaths,
  about: DatasetAbout,
): Promise<Pick<Rebuilding, "manifest" | "deployment" | "context">> {
  const found = await readManifest(paths);
  const { deployment } = await readFacts(paths.file("deployment.json"));
  // In the order in which an export writes them.
  const { schema, library, source, request: _, about: before, ...others } = found;
  const request = { ...found.request, tables: withLaterTables(found.request.tables) };
  const context = tableContext(source, request, deployment);
  const said = saidAbout(before, about);
  const manifest = { schema, library, source, request, ...said, ...others };
  return { manifest, deployment: { ...deployment }, context };
}

/** What a dataset is rebuilt with. */
interface Rebuilding extends Pick<RebuildingInto, "manifest" | "deployment" | "context"> {
  readonly workers: number;
  readonly signal: AbortSignal | undefined;
}

async function rebuildInPlace(
  paths: DatasetPaths,
  { manifest, deployment, context, workers, signal }: Rebuilding,
): Promise<DatasetManifest> {
  const built: DatasetFile[] = [];
  const drifts: DatasetDrift[] = [];
  const prepare = (raw: DatasetFile) => requireWhole(paths, raw);
  const raws = rawsOf(manifest);
  const all = rebuildFiles({ raws, paths, context, prepare, workers, signal });
  const atHand = new Map<string, ShardContents>();
  for await (const { raw, tables, drift, contents } of all) {
    if (contents !== undefined) atHand.set(raw.path, contents);
    built.push(raw, ...tables);
    drifts.push(drift);
  }
  const files = await leaveRowsOnce(
    paths,
    await withAnswers(built, { paths, context, signal, atHand }),
  );
  const drift = sumOfDrift(drifts);
  const derived = derivedOf(VERSION, context);
  const rebuilt = { ...manifest, library: VERSION, files, derived, drift };
  // An export of the folder begins with its answers, and these tables.
  removeState(paths.state);
  await writeDescriptions(paths, rebuilt, deployment);
  return rebuilt;
}
