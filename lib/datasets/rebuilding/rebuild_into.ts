import { InputError } from "../../errors/mod.ts";
import { VERSION } from "../../http/mod.ts";
import { copyWhole } from "../layout/copy_whole.ts";
import type { DatasetPaths } from "../layout/dataset_paths.ts";
import { factsOfMade, folderOf, syncFolder } from "../layout/durable_files.ts";
import type { DatasetFile, DatasetManifest } from "../layout/manifest.ts";
import { statOf } from "../layout/put_in_place.ts";
import { withLock } from "../layout/with_lock.ts";
import { TABLE_NAMES } from "../shards/published_tables.ts";
import { withAnswers } from "../shards/derive_answers.ts";
import { sumOfDrift } from "../shards/shard_drift.ts";
import type { TableContext } from "../shards/table_context.ts";
import { versionOf } from "../state/citation.ts";
import { derivedOf, writeDescriptions } from "../state/write_manifest.ts";
import { leaveRowsOnce } from "./leave_rows_once.ts";
import { rawsOf, rebuildFiles, type RebuiltFiles } from "./rebuild_files.ts";
import { type RebuildHead, rebuildHead, RebuildJournal } from "./rebuild_journal.ts";

/** A dataset that is rebuilt into another folder. */
export interface RebuildingInto {
  /** Where the dataset is; only read. */
  readonly from: DatasetPaths;
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

/**
 * Builds the tables of a dataset into another folder, with copies of the answers that they are built
 * from. What an interrupted run has built is kept by the next one.
 *
 * @throws {InputError} If an answer is damaged, or the folder has something else.
 */
export async function rebuildInto(
  into: DatasetPaths,
  rebuilding: RebuildingInto,
): Promise<DatasetManifest> {
  const { from, manifest } = rebuilding;
  const { sha256: manifestSha256 } = await factsOfMade(from.file("manifest.json"));
  const raws = rawsOf(manifest);
  const head: RebuildHead = {
    schema: "orderlens/rebuild@1",
    manifestSha256,
    library: VERSION,
  };
  await requireOwn(into, head);
  await Deno.mkdir(into.temporary, { recursive: true });
  return await withLock(into, "Cannot rebuild into", async () => {
    const steps = await rebuildSteps(into, raws, { ...rebuilding, head });
    const records = steps.flatMap(({ raw, tables }) => [raw, ...tables]);
    const { context, signal } = rebuilding;
    const files = await leaveRowsOnce(
      into,
      await withAnswers(records, { paths: into, context, signal }),
    );
    const drift = sumOfDrift(steps.map((step) => step.drift));
    const derived = derivedOf(VERSION, context);
    const rebuilt = { ...manifest, library: VERSION, files, derived, drift };
    await writeDescriptions(into, rebuilt, rebuilding.deployment);
    return rebuilt;
  });
}

async function rebuildSteps(
  into: DatasetPaths,
  raws: readonly DatasetFile[],
  { from, context, workers, signal, head }: RebuildingInto & { head: RebuildHead },
): Promise<RebuiltFiles[]> {
  if ((await rebuildHead(into))?.library !== head.library) await removeFiles(into);
  const journal = await RebuildJournal.open(into, head);
  const done = new Map<string, RebuiltFiles>();
  for (const raw of raws) {
    signal?.throwIfAborted();
    const step = await journal.doneOf(raw);
    if (step !== null) done.set(raw.path, step);
  }
  const left = raws.filter(({ path }) => !done.has(path));
  const prepare = (raw: DatasetFile) => copyAnswers(from, raw, into);
  const all = rebuildFiles({ raws: left, paths: into, context, prepare, workers, signal });
  for await (const rebuilt of all) {
    const { raw, tables, drift } = rebuilt;
    const step = { raw, tables, drift };
    await journal.add(step);
    done.set(raw.path, step);
  }
  return raws.flatMap(({ path }) => done.get(path) ?? []);
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
