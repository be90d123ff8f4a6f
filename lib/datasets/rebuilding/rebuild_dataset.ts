import type { CallOptions } from "../../endpoints/mod.ts";
import { InputError } from "../../errors/mod.ts";
import {
  checkOptions,
  type OptionRules,
  rule,
  SIGNAL,
  wholeFrom,
} from "../../errors/option_rules.ts";
import { isMissing, localFiles } from "../../http/local_files.ts";
import { VERSION } from "../../http/mod.ts";
import { readFacts } from "../../recordings/deployment.ts";
import {
  DatasetPaths,
  factsOf,
  factsOfMade,
  folderOf,
  replaceFiles,
  syncFolder,
  withFile,
  writeAll,
} from "../layout/files.ts";
import {
  copyWhole,
  folderError,
  isRefusedBySystem,
  removeIfThere,
  statOf,
  withLock,
} from "../layout/folders.ts";
import {
  type DatasetAbout,
  type DatasetDrift,
  type DatasetFile,
  type DatasetManifest,
  readManifest,
} from "../layout/manifest.ts";
import { requireWhole } from "../layout/require_whole.ts";
import { withAnswers } from "../shards/derive_answers.ts";
import { ANSWER_NAMES, isOfAuctions, TABLE_NAMES } from "../shards/published_tables.ts";
import { sumOfDrift } from "../shards/shard_records.ts";
import { ShardWorkers } from "../shards/shard_workers.ts";
import { type ShardContents, type TableContext, tableContext } from "../shards/table_context.ts";
import { ABOUT_OPTIONS, saidAbout, versionOf } from "../state/citation.ts";
import { removeState } from "../state/schema.ts";
import { derivedOf, writeDescriptions } from "../state/write_manifest.ts";
import { leaveRowsOnce, rawsOf, rebuildFiles, type RebuiltFiles } from "./rebuild_files.ts";

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
    if (into !== undefined) return await rebuildInto(paths, output, rebuilding);
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
interface Rebuilding {
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

/** Builds the tables of a folder that is locked from its answers. */
async function rebuildInPlace(
  paths: DatasetPaths,
  rebuilding: Rebuilding,
): Promise<DatasetManifest> {
  // An export of the folder begins with its answers, and these tables.
  return await rebuilt(paths, rebuilding, (raws, workers) => {
    const { context, signal } = rebuilding;
    const prepare = (raw: DatasetFile) => requireWhole(paths, raw);
    return rebuildFiles({ raws, paths, context, prepare, workers, signal });
  }, () => removeState(paths.state));
}

/** Builds the tables of records file by file, then the answers, and describes them. */
async function rebuilt(
  paths: DatasetPaths,
  { manifest, deployment, context, workers: count, signal }: Rebuilding,
  build: (
    raws: readonly DatasetFile[],
    workers: ShardWorkers,
  ) => AsyncIterable<RebuiltFiles>,
  done = () => {},
): Promise<DatasetManifest> {
  const raws = rawsOf(manifest);
  const ofAuctions = raws.filter(({ path }) => isOfAuctions(path)).length;
  const workers = new ShardWorkers(Math.max(1, Math.min(count, ofAuctions)));
  // What an earlier run left there is of other files, or of another version.
  await removeIfThere(paths.temporary);
  await Deno.mkdir(paths.temporary);
  const built: DatasetFile[] = [];
  const drifts: DatasetDrift[] = [];
  const atHand = new Map<string, ShardContents>();
  try {
    for await (const step of build(raws, workers)) {
      const { raw: { path }, contents } = step;
      if (contents !== undefined) atHand.set(path, contents);
      built.push(step.raw, ...step.tables);
      drifts.push(step.drift);
    }
    const answered = await withAnswers(built, { paths, context, signal, atHand, workers });
    const files = await leaveRowsOnce(paths, answered);
    const derived = derivedOf(VERSION, context);
    const drift = sumOfDrift(drifts);
    const made = { ...manifest, library: VERSION, files, derived, drift };
    done();
    await writeDescriptions(paths, made, deployment);
    return made;
  } finally {
    workers[Symbol.dispose]();
  }
}

/** The tables of the first version, without `blocks`, which need a node. */
const FIRST: readonly string[] = [
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

/** Tables of later versions that are made of the answers which those of the first need. */
const LATER: readonly string[] = ["executions", ...ANSWER_NAMES];

/**
 * The tables that a request stands for in this version: one for all tables of an earlier version is
 * one for those that came later too. Others are as they were asked for.
 */
function withLaterTables(tables: readonly string[]): string[] {
  if (!FIRST.every((name) => tables.includes(name))) return [...tables];
  return TABLE_NAMES.filter((name) => tables.includes(name) || LATER.includes(name));
}

/**
 * Builds the tables of a dataset into another folder, with copies of the answers that they are built
 * from. What an interrupted run has built is kept by the next one.
 *
 * @throws {InputError} If an answer is damaged, or the folder has something else.
 */
async function rebuildInto(
  from: DatasetPaths,
  into: DatasetPaths,
  rebuilding: Rebuilding,
): Promise<DatasetManifest> {
  const { sha256: manifestSha256 } = await factsOfMade(from.file("manifest.json"));
  const head: RebuildHead = {
    schema: "orderlens/rebuild@1",
    manifestSha256,
    library: VERSION,
  };
  await requireOwn(into, head);
  await Deno.mkdir(into.temporary, { recursive: true });
  return await withLock(into, "Cannot rebuild into", async () => {
    if ((await rebuildHead(into))?.library !== head.library) await removeFiles(into);
    const journal = await RebuildJournal.open(into, head);
    return await rebuilt(into, rebuilding, async function* (raws, workers) {
      const done = new Map<string, RebuiltFiles>();
      const { context, signal } = rebuilding;
      for (const raw of raws) {
        signal?.throwIfAborted();
        const step = await journal.doneOf(raw);
        if (step !== null) done.set(raw.path, step);
      }
      const left = raws.filter(({ path }) => !done.has(path));
      const prepare = (raw: DatasetFile) => copyAnswers(from, raw, into);
      const all = rebuildFiles({ raws: left, paths: into, context, prepare, workers, signal });
      for await (const step of all) {
        await journal.add(step);
        yield step;
      }
      yield* done.values();
    });
  });
}

async function copyAnswers(from: DatasetPaths, raw: DatasetFile, into: DatasetPaths) {
  const [made, file] = [into.temporaryOf(raw.path), into.file(raw.path)];
  await copyWhole(from, raw, made);
  await Deno.mkdir(folderOf(file), { recursive: true });
  await Deno.rename(made, file);
  await syncFolder(folderOf(file));
}

/** Rejects a folder that has anything but what the same rebuild has written. */
async function requireOwn(into: DatasetPaths, head: RebuildHead): Promise<void> {
  if (await statOf(into.folder) === null) return;
  const known = await rebuildHead(into);
  const action = `Cannot rebuild into ${into.folder}`;
  if (known === null) {
    const names = await Array.fromAsync(Deno.readDir(into.folder), ({ name }) => name);
    const isExport = await statOf(into.state) !== null;
    if (!isExport && names.every((name) => name === ".orderlens")) return;
    throw new InputError(`${action}: something is there`, {
      remedy: "Pass a folder that is new or empty",
    });
  }
  const [one, other] = [known, head].map(wordsOf);
  if (one === other) return;
  throw new InputError(`${action}: it is another rebuild`, {
    facts: { "in the folder": one!, "asked for": other! },
    remedy: "Pass another folder, or remove this one",
  });
}

function wordsOf({ manifestSha256 }: RebuildHead): string {
  return `version ${versionOf(manifestSha256)} of a dataset`;
}

/** Removes what another version has built, which may have other tables. */
async function removeFiles(into: DatasetPaths): Promise<void> {
  for (const name of [...TABLE_NAMES, "raw", "manifest.json"]) {
    if (await statOf(into.file(name)) !== null) {
      await Deno.remove(into.file(name), { recursive: true });
    }
  }
}

/** What a folder is a rebuild of. */
interface RebuildHead {
  /** Format of the journal. */
  readonly schema: "orderlens/rebuild@1";
  /** SHA-256 of the dataset's manifest. */
  readonly manifestSha256: string;
  /** Version of the library that builds the tables. */
  readonly library: string;
}

/** Reads what a folder is a rebuild of; `null` if it does not tell. */
async function rebuildHead(paths: DatasetPaths): Promise<RebuildHead | null> {
  return (await readJournal(paths)).head;
}

/**
 * Which files of a rebuild are done, in lines of `.orderlens/rebuild.ndjson`: a rebuild that was
 * interrupted goes on behind them.
 */
class RebuildJournal {
  readonly #paths: DatasetPaths;
  readonly #done: Map<string, RebuiltFiles>;

  private constructor(paths: DatasetPaths, done: Map<string, RebuiltFiles>) {
    this.#paths = paths;
    this.#done = done;
  }

  /** Opens the journal of a folder that is locked; it begins anew with any other head. */
  static async open(paths: DatasetPaths, head: RebuildHead): Promise<RebuildJournal> {
    const known = await readJournal(paths);
    const isSame = JSON.stringify(known.head) === JSON.stringify(head);
    const steps = isSame ? known.steps : [];
    // Written anew, so that a torn last line is gone.
    await replaceFiles([{
      file: fileOf(paths),
      text: linesOf([head, ...steps]),
      temporary: paths.temporaryOf(NAME),
    }]);
    return new RebuildJournal(paths, new Map(steps.map((step) => [step.raw.path, step])));
  }

  /** What was done with a file of answers, if all of its files are in place still. */
  async doneOf(raw: DatasetFile): Promise<RebuiltFiles | null> {
    const step = this.#done.get(raw.path);
    if (step === undefined) return null;
    for (const { path, sha256 } of [step.raw, ...step.tables]) {
      if ((await factsOf(this.#paths.file(path)))?.sha256 !== sha256) return null;
    }
    return step;
  }

  /** Notes a file of answers whose tables are in place. */
  async add({ raw, tables, drift }: RebuiltFiles): Promise<void> {
    const step = { raw, tables, drift };
    const options = { append: true, write: true } as const;
    await withFile(fileOf(this.#paths), options, async (file) => {
      await writeAll(file, new TextEncoder().encode(linesOf([step])));
      await file.sync();
    });
  }
}

const NAME = "rebuild.ndjson";

function fileOf(paths: DatasetPaths): string {
  return `${paths.own}/${NAME}`;
}

function linesOf(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

async function readJournal(
  paths: DatasetPaths,
): Promise<{ head: RebuildHead | null; steps: RebuiltFiles[] }> {
  let text: string;
  try {
    text = await localFiles().readFile(fileOf(paths), "utf8");
  } catch (error) {
    if (isMissing(error)) return { head: null, steps: [] };
    throw error;
  }
  const [head = null, ...steps] = text.split("\n").flatMap(lineOf);
  return { head: head as RebuildHead | null, steps: steps as RebuiltFiles[] };
}

/** A line that is whole; the last one may be torn. */
function lineOf(text: string): object[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}
