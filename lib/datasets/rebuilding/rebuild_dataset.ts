import { mapInOrder } from "../../endpoints/calls.ts";
import type { CallOptions } from "../../endpoints/mod.ts";
import { InputError } from "../../errors/mod.ts";
import {
  checkOptions,
  defineRule,
  type OptionRules,
  wholeNumber,
} from "../../errors/option_rules.ts";
import { localFiles, statPath } from "../../http/local_files.ts";
import { VERSION } from "../../http/mod.ts";
import { readFacts } from "../../recordings/deployment.ts";
import { tryParseJson } from "../../recordings/request_key.ts";
import {
  DatasetPaths,
  hashFile,
  hashWritten,
  moveFile,
  useFile,
  writeAll,
} from "../layout/files.ts";
import { copyVerified, removePath, runLocked, wrapFolderErrors } from "../layout/folders.ts";
import {
  type DatasetAbout,
  type DatasetDrift,
  type DatasetFile,
  type DatasetManifest,
  LIBRARY,
  listRaws,
  readManifest,
} from "../layout/manifest.ts";
import { verifyFile } from "../layout/verify_file.ts";
import { findDataset, isShipped } from "../layout/shipped_datasets.ts";
import { referencesPath, replaceDerived } from "../shards/derive_tables.ts";
import {
  INSTANCE_TABLES,
  isUnbidFile,
  NODE_TABLES,
  SETTLEMENT_TABLES,
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
   * Number of workers, each of which takes one file of responses at a time and the memory for it; more
   * than the machine has cores are of no use. @default {1}
   */
  readonly workers?: number;
  /**
   * Folder to build in, new or empty; the dataset itself is only read then. It becomes a dataset of its
   * own, with a copy of the responses that its tables are built from.
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
 * Builds all tables of a dataset again from its responses, with this version of the library, and writes
 * the manifest again. Requests nothing. A dataset with all tables of an earlier version gets those that
 * were added since.
 *
 * An interrupted rebuild may be started again; until then the manifest names the old files. The
 * export's own folder is not needed: a copy without it can be rebuilt.
 *
 * Title, license and creator of the dataset stay, or are set by the options of these names; sums and
 * citation follow.
 *
 * With `into`, the dataset is only read, and an interrupted rebuild continues.
 *
 * @param folder Folder of the dataset; with `into`, also the name of one that ships.
 * @param options Where to build, workers, and a signal that stops it between two files.
 * @returns The manifest.
 * @throws {InputError} If an option is invalid, it is not a dataset, its responses are damaged, it is
 *   being written, or it cannot be written; with `into`, if something else is there.
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
      remedy: "Pass into (--into) with a new folder for the result",
    });
  }
  const paths = await findDataset(folder);
  const output = new DatasetPaths(into ?? folder);
  const action = into === undefined ? "Cannot rebuild" : "Cannot rebuild into";
  return await wrapFolderErrors(action, output.folder, async () => {
    const context = { ...await readDataset(paths, options), workers, signal };
    const manifestSha256 = (await hashWritten(paths.file("manifest.json"))).sha256;
    if (into !== undefined) await requireSameRebuild(output, manifestSha256);
    await localFiles().mkdir(output.temporary, { recursive: true });
    return await runLocked(output, action, async () => {
      if (into !== undefined) return await rebuildInto(paths, output, context, manifestSha256);
      const prepare = (raw: DatasetFile) => verifyFile(paths, raw);
      // An export of the folder restores its state from its responses, and these tables.
      return await buildTables(paths, context, {
        prepare,
        onEnd: () => removeState(paths.state),
      });
    });
  });
}

/** Reads a dataset, with the tables that this version builds. */
async function readDataset(
  paths: DatasetPaths,
  about: DatasetAbout,
): Promise<Pick<RebuildContext, "manifest" | "deployment" | "context">> {
  const stored = await readManifest(paths);
  const deployment = { ...(await readFacts(paths.file("deployment.json"))).deployment };
  // In the order in which an export writes them.
  const { schema, library, source, request: _, about: before, ...fields } = stored;
  const request = { ...stored.request, tables: includeNewTables(stored.request.tables) };
  const citation = mergeCitation(before, about);
  const context = createTableContext({ source, request, deployment, ...citation });
  const manifest = { schema, library, source, request, ...citation, ...fields };
  return { manifest, deployment, context };
}

interface RebuildContext {
  /** Its manifest, with the tables to build. */
  readonly manifest: DatasetManifest;
  readonly deployment: Readonly<Record<string, unknown>>;
  readonly context: TableContext;
  /** Number of files that are processed at a time. */
  readonly workers: number;
  readonly signal: AbortSignal | undefined;
}

/** Tables of the first version: whoever requested all of them requested all tables of a version. */
const FIRST_TABLES: readonly string[] = [
  "auctions",
  "solutions",
  "solution_orders",
  "reference_scores",
  "orders",
  "trades",
  "protocol_fees",
  "order_events",
  "app_data",
  "native_prices",
  "order_listings",
];

/** The tables of settlements of the first version that had them. */
const FIRST_SETTLEMENT_TABLES: readonly string[] = [
  "settlements",
  "imbalances",
  "chain_differences",
];

/**
 * Adds the tables of this version to those of a request for all tables of an earlier version, except
 * those that need a node or instances; those of settlements where it had all of these. Other requests
 * stay as they are.
 */
function includeNewTables(tables: readonly string[]): string[] {
  const isOfAll = FIRST_TABLES.every((name) => tables.includes(name));
  const isOfSettlements = FIRST_SETTLEMENT_TABLES.every((name) => tables.includes(name));
  return TABLE_NAMES.filter((name) =>
    tables.includes(name) ||
    isOfAll && !NODE_TABLES.includes(name) && !INSTANCE_TABLES.includes(name) ||
    isOfSettlements && SETTLEMENT_TABLES.includes(name)
  );
}

/** A file of responses, and the tables that were built from it. */
interface RebuiltFiles {
  readonly raw: DatasetFile;
  /** Its tables, in place. */
  readonly tables: readonly DatasetFile[];
  readonly drift: DatasetDrift;
}

interface RebuildSteps {
  /** Provides a file of responses, and verifies it. */
  readonly prepare: (raw: DatasetFile) => Promise<void>;
  readonly rebuilt?: readonly RebuiltFiles[];
  /** Called with the files that were built from a file of responses. */
  readonly onBuilt?: (step: RebuiltFiles) => Promise<void>;
  readonly onEnd?: () => void;
}

/** Builds the tables of a folder from its files of responses, one after another, and describes them. */
export async function buildTables(
  paths: DatasetPaths,
  { manifest, deployment, context, workers: count, signal }: RebuildContext,
  { prepare, rebuilt = [], onBuilt, onEnd }: RebuildSteps,
): Promise<DatasetManifest> {
  const raws = listRaws(manifest);
  const pending = raws.filter(({ path }) => !rebuilt.some(({ raw }) => raw.path === path));
  const auctionFileCount = raws.filter(({ path }) => !isUnbidFile(path)).length;
  await using workers = new ShardWorkers(Math.max(1, Math.min(count, auctionFileCount)));
  const prepared: Promise<void>[] = [];
  // Unfinished copies of a failed build end before another may write there.
  await using _ = { [Symbol.asyncDispose]: async () => void await Promise.allSettled(prepared) };
  // Leftovers of an earlier run are from other files, or from another version.
  await removePath(paths.temporary);
  await localFiles().mkdir(paths.temporary, { recursive: true });
  const atHand = new Map<string, ShardContents>();
  const build = async (raw: DatasetFile, signal: AbortSignal) => {
    const ready = prepare(raw);
    prepared.push(ready);
    await ready;
    const toPath = (table: string) => raw.path.replace("raw", table).replace(RAW, ".parquet");
    const targets = context.tables.map((table) => [table, paths.toTemporary(toPath(table))]);
    const task = {
      raw: paths.file(raw.path),
      context,
      files: Object.fromEntries(targets),
      names: referencesPath(paths, raw.path),
    };
    const { contents, ...result } = await workers.run("build", task, signal);
    // A single file of auctions need not be read again for derived tables; of several, memory holds one
    // at a time.
    if (contents !== undefined && auctionFileCount <= 1) atHand.set(raw.path, contents);
    return { raw, pathOf: toPath, ...result };
  };
  const steps = [...rebuilt];
  const results = mapInOrder(pending, build, { concurrency: workers.concurrency, signal });
  for await (const { raw, pathOf: toPath, tables: builtTables, drift } of results) {
    const tables: DatasetFile[] = [];
    for (const { name, ...facts } of builtTables) {
      const path = toPath(name);
      const made = paths.toTemporary(path);
      tables.push({ path, ...await hashWritten(made), ...facts });
      await moveFile(made, paths.file(path));
    }
    steps.push({ raw, tables, drift });
    await onBuilt?.({ raw, tables, drift });
  }
  const builtFiles = steps.flatMap(({ raw, tables }) => [raw, ...tables]);
  const outcome = await replaceDerived(builtFiles, { paths, context, signal, atHand, workers });
  const files = outcome.files.toSorted((a, b) => a.path < b.path ? -1 : 1);
  const derived = toDerived(VERSION, context);
  const drift = sumDrift(steps.map((step) => step.drift));
  const { contradictions: _previous, commit: _earlier, ...described } = manifest;
  const rebuiltManifest: DatasetManifest = {
    ...described,
    ...LIBRARY,
    files,
    derived,
    drift,
    ...selectContradictions(described, outcome.contradictions),
  };
  onEnd?.();
  await writeDescriptions(paths, rebuiltManifest, deployment);
  return rebuiltManifest;
}

const RAW = /\.ndjson\.zst$/;

/**
 * Builds the tables of a dataset into another folder, with copies of the responses that they are built
 * from. The next run reuses what an interrupted one has built.
 *
 * @throws {InputError} If a file of responses is damaged.
 */
async function rebuildInto(
  from: DatasetPaths,
  into: DatasetPaths,
  context: RebuildContext,
  manifestSha256: string,
): Promise<DatasetManifest> {
  const { head, steps } = await readJournal(into);
  if (head?.library !== VERSION) {
    // Another version may have built other tables.
    for (const name of [...TABLE_NAMES, "raw", "manifest.json"]) {
      await removePath(into.file(name));
    }
    await appendJournal(into, { schema: "orderlens/rebuild@1", manifestSha256, library: VERSION });
  }
  const rebuilt: RebuiltFiles[] = [];
  for (const step of head?.library === VERSION ? steps : []) {
    context.signal?.throwIfAborted();
    if (await isRebuilt(into, step)) rebuilt.push(step);
  }
  const prepare = async (raw: DatasetFile) => {
    const temporary = into.toTemporary(raw.path);
    await copyVerified(from, raw, temporary);
    await moveFile(temporary, into.file(raw.path));
  };
  return await buildTables(into, context, {
    prepare,
    rebuilt,
    onBuilt: (step) => appendJournal(into, step),
  });
}

async function isRebuilt(into: DatasetPaths, { raw, tables }: RebuiltFiles): Promise<boolean> {
  for (const { path, sha256 } of [raw, ...tables]) {
    if ((await hashFile(into.file(path)))?.sha256 !== sha256) return false;
  }
  return true;
}

/** Rejects a folder with anything other than files of the same rebuild. */
async function requireSameRebuild(into: DatasetPaths, manifestSha256: string): Promise<void> {
  if (await statPath(into.folder) === null) return;
  const { head } = await readJournal(into);
  const action = `Cannot rebuild into ${into.folder}`;
  if (head === null) {
    const names = await localFiles().readdir(into.folder);
    const isExport = await statPath(into.state) !== null;
    if (!isExport && names.every((name) => name === ".orderlens")) return;
    throw new InputError(`${action}: something exists there`, {
      remedy: "Pass a folder that is new or empty",
    });
  }
  const formatVersion = (sum: string) => `version ${toVersion(sum)} of a dataset`;
  if (head.manifestSha256 === manifestSha256) return;
  throw new InputError(`${action}: it holds a rebuild of another dataset`, {
    facts: {
      "in the folder": formatVersion(head.manifestSha256),
      requested: formatVersion(manifestSha256),
    },
    remedy: "Pass another folder, or remove this one",
  });
}

/**
 * Journal of a rebuild: its finished files, one per line, behind a line with the source and the version
 * of the library, by which an interrupted rebuild continues.
 */
const JOURNAL = ".orderlens/rebuild.ndjson";

/** Source of a rebuild, and the version of the library. */
interface RebuildHead {
  readonly manifestSha256: string;
  readonly library: string;
}

/** Appends a line to the journal of a locked folder; an incomplete line before it stays alone. */
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
  const text = await statPath(file) === null ? "" : await localFiles().readFile(file, "utf8");
  for (const line of text.split("\n").map(tryParseJson)) {
    if (line === undefined) continue;
    if ("raw" in Object(line)) steps.push(line as RebuiltFiles);
    else [head, steps.length] = [line as RebuildHead, 0];
  }
  return { head, steps };
}
