import { mapInOrder } from "../../endpoints/calls.ts";
import type { CallOptions } from "../../endpoints/mod.ts";
import { InputError } from "../../errors/mod.ts";
import {
  checkOptions,
  defineRule,
  type OptionRules,
  wholeNumber,
} from "../../errors/option_rules.ts";
import { localFiles } from "../../http/local_files.ts";
import { VERSION } from "../../http/mod.ts";
import { readFacts } from "../../recordings/deployment.ts";
import {
  DatasetPaths,
  hashFile,
  hashWrittenFile,
  moveFile,
  parseJson,
  useFile,
  writeAll,
} from "../layout/files.ts";
import {
  copyVerified,
  removeIfExists,
  runLocked,
  statIfExists,
  wrapFolderErrors,
} from "../layout/folders.ts";
import {
  type DatasetAbout,
  type DatasetDrift,
  type DatasetFile,
  type DatasetManifest,
  listRawFiles,
  readManifest,
} from "../layout/manifest.ts";
import { verifyFile } from "../layout/verify_file.ts";
import { findDataset, isShipped } from "../layout/shipped_datasets.ts";
import { replaceDerived, toReferencesPath } from "../shards/derive_tables.ts";
import {
  DERIVED_NAMES,
  isAuctionFile,
  NODE_TABLES,
  TABLE_NAMES,
} from "../shards/published_tables.ts";
import { sumDrift } from "../shards/shard_records.ts";
import { ShardWorkers } from "../shards/shard_workers.ts";
import { createTableContext, type TableContext } from "../shards/table_context.ts";
import { ABOUT_OPTIONS, mergeCitation, toVersion } from "../state/citation.ts";
import { removeState } from "../state/schema.ts";
import { selectContradictions, toDerived, writeDescriptions } from "../state/write_manifest.ts";
import type { ShardContents } from "../shards/shard_contents.ts";

const MAX_WORKERS = 64;

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
  signal: AbortSignal,
  workers: wholeNumber(1, MAX_WORKERS),
  into: defineRule(
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
 * @param folder Folder of the dataset; with `into`, also the name of one that ships.
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
 * const { manifest } = await exportDataset(book, folder, {
 *   auctions: { from: 2620, to: 2624 },
 *   tables: ["orders", "trades"],
 * });
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
  if (into === undefined && isShipped(folder)) {
    throw new InputError(`Cannot rebuild ${folder}: it ships with the library`, {
      remedy: "Pass into (--into) with a new folder, which it is built in",
    });
  }
  const paths = await findDataset(folder);
  const output = new DatasetPaths(into ?? folder);
  const action = into === undefined ? "Cannot rebuild" : "Cannot rebuild into";
  return await wrapFolderErrors(action, output.folder, async () => {
    const rebuilding = { ...await readDataset(paths, options), workers, signal };
    const manifestSha256 = (await hashWrittenFile(paths.file("manifest.json"))).sha256;
    if (into !== undefined) await requireSameRebuild(output, manifestSha256);
    await localFiles().mkdir(output.temporary, { recursive: true });
    return await runLocked(output, action, async () => {
      if (into !== undefined) return await rebuildInto(paths, output, rebuilding, manifestSha256);
      const prepare = (raw: DatasetFile) => verifyFile(paths, raw);
      // An export of the folder begins with its answers, and these tables.
      return await buildTables(paths, rebuilding, {
        prepare,
        onEnd: () => removeState(paths.state),
      });
    });
  });
}

/** What is in a folder, with the tables that this version builds. */
async function readDataset(
  paths: DatasetPaths,
  about: DatasetAbout,
): Promise<Pick<RebuildContext, "manifest" | "deployment" | "context">> {
  const found = await readManifest(paths);
  const deployment = { ...(await readFacts(paths.file("deployment.json"))).deployment };
  // In the order in which an export writes them.
  const { schema, library, source, request: _, about: before, ...others } = found;
  const request = { ...found.request, tables: includeNewTables(found.request.tables) };
  const said = mergeCitation(before, about);
  const context = createTableContext({ source, request, deployment, ...said });
  const manifest = { schema, library, source, request, ...said, ...others };
  return { manifest, deployment, context };
}

/** What a dataset is rebuilt with. */
interface RebuildContext {
  /** Its manifest, with the tables to build. */
  readonly manifest: DatasetManifest;
  /** Its deployment. */
  readonly deployment: Readonly<Record<string, unknown>>;
  /** What its tables are built with. */
  readonly context: TableContext;
  /** Number of files that are worked on at a time. */
  readonly workers: number;
  /** Ends it between two files. */
  readonly signal: AbortSignal | undefined;
}

/** Tables of later versions that are made of the answers which those of the first need. */
const NEW_TABLES: readonly string[] = ["executions", ...DERIVED_NAMES];

/**
 * The tables that a request stands for in this version: one for all tables of an earlier version is
 * one for those that came later too. Others are as they were asked for. Some need a node.
 */
function includeNewTables(tables: readonly string[]): string[] {
  const isOfAll = TABLE_NAMES.every((name) =>
    tables.includes(name) || NEW_TABLES.includes(name) || NODE_TABLES.includes(name)
  );
  return TABLE_NAMES.filter((name) =>
    tables.includes(name) || isOfAll && NEW_TABLES.includes(name)
  );
}

/** A file of answers, and the tables that were built from it. */
interface RebuiltFiles {
  /** The file of answers. */
  readonly raw: DatasetFile;
  /** Its tables, in place. */
  readonly tables: readonly DatasetFile[];
  /** What its answers hold that this version of the library does not know. */
  readonly drift: DatasetDrift;
}

/** How a folder becomes a rebuild. */
interface RebuildSteps {
  /** Sees to it that a file of answers is there, and the one of the manifest. */
  readonly prepare: (raw: DatasetFile) => Promise<void>;
  /** What an interrupted run has built. */
  readonly rebuilt?: readonly RebuiltFiles[];
  /** Called with what was built of a file of answers. */
  readonly onBuilt?: (step: RebuiltFiles) => Promise<void>;
  /** Called before the folder says that it is rebuilt. */
  readonly onEnd?: () => void;
}

/** Builds the tables of a folder from its files of responses, one after another, and describes them. */
export async function buildTables(
  paths: DatasetPaths,
  { manifest, deployment, context, workers: count, signal }: RebuildContext,
  { prepare, rebuilt: known = [], onBuilt, onEnd }: RebuildSteps,
): Promise<DatasetManifest> {
  const raws = listRawFiles(manifest);
  const left = raws.filter(({ path }) => !known.some(({ raw }) => raw.path === path));
  const ofAuctions = raws.filter(({ path }) => isAuctionFile(path)).length;
  await using workers = new ShardWorkers(Math.max(1, Math.min(count, ofAuctions)));
  const prepared: Promise<void>[] = [];
  // Copies that are under way when a build fails end before another may write there.
  await using _ = { [Symbol.asyncDispose]: async () => void await Promise.allSettled(prepared) };
  // What an earlier run left there is of other files, or of another version.
  await removeIfExists(paths.temporary);
  await localFiles().mkdir(paths.temporary, { recursive: true });
  const atHand = new Map<string, ShardContents>();
  const build = async (raw: DatasetFile, ended: AbortSignal) => {
    const ready = prepare(raw);
    prepared.push(ready);
    await ready;
    const pathOf = (table: string) => raw.path.replace("raw", table).replace(RAW, ".parquet");
    const made = context.tables.map((table) => [table, paths.toTemporary(pathOf(table))]);
    const task = {
      raw: paths.file(raw.path),
      context,
      files: Object.fromEntries(made),
      names: toReferencesPath(paths, raw.path),
    };
    const { contents, ...built } = await workers.run("build", task, ended);
    // Answers need not read again what an only file of auctions has; of others, memory holds one at a time.
    if (contents !== undefined && ofAuctions <= 1) atHand.set(raw.path, contents);
    return { raw, pathOf, ...built };
  };
  const steps = [...known];
  const all = mapInOrder(left, build, { concurrency: workers.concurrency, signal });
  for await (const { raw, pathOf, tables: built, drift } of all) {
    const tables: DatasetFile[] = [];
    for (const { name, ...facts } of built) {
      const path = pathOf(name);
      const made = paths.toTemporary(path);
      tables.push({ path, ...await hashWrittenFile(made), ...facts });
      await moveFile(made, paths.file(path));
    }
    steps.push({ raw, tables, drift });
    await onBuilt?.({ raw, tables, drift });
  }
  const built = steps.flatMap(({ raw, tables }) => [raw, ...tables]);
  const answered = await replaceDerived(built, { paths, context, signal, atHand, workers });
  const files = answered.files.toSorted((a, b) => a.path < b.path ? -1 : 1);
  const derived = toDerived(VERSION, context);
  const drift = sumDrift(steps.map((step) => step.drift));
  const { contradictions: _previous, ...described } = manifest;
  const rebuilt: DatasetManifest = {
    ...described,
    library: VERSION,
    files,
    derived,
    drift,
    ...selectContradictions(described, answered.contradictions),
  };
  onEnd?.();
  await writeDescriptions(paths, rebuilt, deployment);
  return rebuilt;
}

const RAW = /\.ndjson\.zst$/;

/**
 * Builds the tables of a dataset into another folder, with copies of the answers that they are built
 * from. What an interrupted run has built is kept by the next one.
 *
 * @throws {InputError} If an answer is damaged.
 */
async function rebuildInto(
  from: DatasetPaths,
  into: DatasetPaths,
  rebuilding: RebuildContext,
  manifestSha256: string,
): Promise<DatasetManifest> {
  const { head, steps } = await readJournal(into);
  if (head?.library !== VERSION) {
    // What another version has built may be other tables.
    for (const name of [...TABLE_NAMES, "raw", "manifest.json"]) {
      await removeIfExists(into.file(name));
    }
    await appendJournal(into, { schema: "orderlens/rebuild@1", manifestSha256, library: VERSION });
  }
  const known: RebuiltFiles[] = [];
  for (const step of head?.library === VERSION ? steps : []) {
    rebuilding.signal?.throwIfAborted();
    if (await isRebuilt(into, step)) known.push(step);
  }
  const prepare = async (raw: DatasetFile) => {
    const made = into.toTemporary(raw.path);
    await copyVerified(from, raw, made);
    await moveFile(made, into.file(raw.path));
  };
  return await buildTables(into, rebuilding, {
    prepare,
    rebuilt: known,
    onBuilt: (step) => appendJournal(into, step),
  });
}

async function isRebuilt(into: DatasetPaths, { raw, tables }: RebuiltFiles): Promise<boolean> {
  for (const { path, sha256 } of [raw, ...tables]) {
    if ((await hashFile(into.file(path)))?.sha256 !== sha256) return false;
  }
  return true;
}

/** Rejects a folder that has anything but what the same rebuild has written. */
async function requireSameRebuild(into: DatasetPaths, manifestSha256: string): Promise<void> {
  if (await statIfExists(into.folder) === null) return;
  const { head } = await readJournal(into);
  const action = `Cannot rebuild into ${into.folder}`;
  if (head === null) {
    const names = await localFiles().readdir(into.folder);
    const isExport = await statIfExists(into.state) !== null;
    if (!isExport && names.every((name) => name === ".orderlens")) return;
    throw new InputError(`${action}: something is there`, {
      remedy: "Pass a folder that is new or empty",
    });
  }
  const nameOf = (sum: string) => `version ${toVersion(sum)} of a dataset`;
  if (head.manifestSha256 === manifestSha256) return;
  throw new InputError(`${action}: it is another rebuild`, {
    facts: { "in the folder": nameOf(head.manifestSha256), "asked for": nameOf(manifestSha256) },
    remedy: "Pass another folder, or remove this one",
  });
}

/**
 * Which files of a rebuild are done, in lines of `.orderlens/rebuild.ndjson` behind one that says of
 * what and by which version of the library: a rebuild that was interrupted goes on.
 */
const JOURNAL = ".orderlens/rebuild.ndjson";

/** What a folder is a rebuild of, and by which version of the library. */
interface RebuildHead {
  readonly manifestSha256: string;
  readonly library: string;
}

/** Adds a line to the journal of a folder that is locked; one that was torn before it stays alone. */
async function appendJournal(paths: DatasetPaths, line: object): Promise<void> {
  await useFile(paths.file(JOURNAL), "a", async (file) => {
    await writeAll(file, new TextEncoder().encode(`\n${JSON.stringify(line)}\n`));
    await file.sync();
  });
}

async function readJournal(
  paths: DatasetPaths,
): Promise<{ head: RebuildHead | null; steps: RebuiltFiles[] }> {
  const file = paths.file(JOURNAL);
  let head: RebuildHead | null = null;
  const steps: RebuiltFiles[] = [];
  const text = await statIfExists(file) === null ? "" : await localFiles().readFile(file, "utf8");
  for (const line of text.split("\n").map(parseJson)) {
    if (line === undefined) continue;
    if ("raw" in Object(line)) steps.push(line as RebuiltFiles);
    else [head, steps.length] = [line as RebuildHead, 0];
  }
  return { head, steps };
}
