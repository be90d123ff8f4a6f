import { InputError } from "../../errors/mod.ts";
import { copyWhole } from "../layout/copy_whole.ts";
import type { DatasetPaths } from "../layout/dataset_paths.ts";
import { filesOfShard, printShard } from "../layout/dataset_shard.ts";
import { folderOf } from "../layout/durable_files.ts";
import type { DatasetFile, DatasetManifest, ShardedDataset } from "../layout/manifest.ts";
import { leaveRowsOnce } from "../rebuilding/leave_rows_once.ts";
import { nameOfRaw, rawsOf } from "../rebuilding/rebuild_files.ts";
import { sumOfDrift } from "../shards/shard_drift.ts";
import { versionOf } from "../state/citation.ts";
import { withAnswers } from "../shards/derive_answers.ts";
import { tableContext } from "../shards/table_context.ts";
import { derivedOf, writeDescriptions } from "../state/write_manifest.ts";
import type { MergeInput } from "./merge_environment.ts";
import type { MergeOptions } from "./merge_datasets.ts";
import { requireEveryShard } from "./require_every_shard.ts";

const ACTION = "Cannot merge shards of a rebuild";

/** A shard of a dataset that was rebuilt. */
type RebuiltShard = MergeInput & { readonly of: ShardedDataset };

/** Whether a dataset was rebuilt as one of several shards. */
export function isRebuiltShard({ manifest }: Pick<MergeInput, "manifest">): boolean {
  return manifest.shardOf !== undefined;
}

/**
 * The shards in their order, if they are all shards of one dataset, each of them once, built by one
 * version, with every file that there has to be.
 *
 * @throws {InputError} If they are not.
 */
export function rebuiltShards(inputs: readonly MergeInput[]): RebuiltShard[] {
  const shards = inputs.map((input) => {
    const of = input.manifest.shardOf;
    if (of !== undefined) return { ...input, of };
    throw new InputError(`${ACTION}: one is no shard`, {
      facts: { dataset: input.folder },
      remedy: "Merge the shards by themselves, and the result with it",
    });
  });
  const [first] = shards as [RebuiltShard];
  for (const other of shards) requireSame(first, other);
  requireEveryShard(shards.map(({ folder, of: { shard } }) => ({ folder, shard })), {
    action: ACTION,
    contentOf: (shard) => {
      const raws = filesOfShard(rawsOf(first.of.manifest), shard);
      const [least, greatest] = [raws[0]?.path, raws.at(-1)?.path];
      return ["missing files", least === greatest ? `${least}` : `${least} to ${greatest}`];
    },
    makeOf: ({ index, of }) =>
      `Run \`orderlens rebuild DIR --shard ${index}/${of} --into FOLDER\` on the same dataset`,
  });
  for (const shard of shards) requireFiles(shard);
  return shards.sort((a, b) => a.of.shard.index - b.of.shard.index);
}

/** What all shards must have from the same dataset and version, and how it differs if they do not. */
function requireSame(first: RebuiltShard, other: RebuiltShard): void {
  const all: [what: string, factOf: (one: RebuiltShard) => string, remedy: string][] = [
    [
      "they are of different datasets, or one was written in between",
      ({ of }) => `rebuilt from version ${versionOf(of.manifestSha256)} of a dataset`,
      "Rebuild all shards again from one state of the dataset",
    ],
    [
      "their tables were built by different versions",
      ({ manifest }) => `Orderlens ${manifest.library}`,
      "Rebuild all of them with one version: `orderlens rebuild SHARD` builds the tables of a shard again",
    ],
    [
      "they have different tables",
      ({ manifest }) => manifest.request.tables.join(", "),
      "Rebuild all of them with one version: `orderlens rebuild SHARD` builds the tables of a shard again",
    ],
    [
      "their tables were built with different deployment.json",
      ({ deployment }) => JSON.stringify(deployment),
      "Rebuild all shards again from one state of the dataset",
    ],
  ];
  for (const [what, factOf, remedy] of all) {
    const [one, two] = [factOf(first), factOf(other)];
    if (one === two) continue;
    throw new InputError(`${ACTION}: ${what}`, {
      facts: { [first.folder]: one, [other.folder]: two },
      remedy,
    });
  }
}

/** Each file of answers that the shard is of, and its tables: no other, and none missing. */
function requireFiles({ folder, manifest, of }: RebuiltShard): void {
  const raws = filesOfShard(rawsOf(of.manifest), of.shard);
  const expected = new Set(raws.flatMap((raw) => [
    `${raw.path} ${raw.sha256}`,
    ...manifest.request.tables.map((table) => `${table}/${nameOfRaw(raw)}.parquet`),
  ]));
  const found = new Set(
    manifest.files.map((file) =>
      file.path.startsWith("raw/") ? `${file.path} ${file.sha256}` : file.path
    ),
  );
  const missing = [...expected].find((file) => !found.has(file));
  const other = [...found].find((file) => !expected.has(file));
  if (missing === undefined && other === undefined) return;
  throw new InputError(`${ACTION}: ${folder} does not have the files of ${printShard(of.shard)}`, {
    facts: missing === undefined ? { "not of it": other! } : { missing },
    remedy: "Rebuild this shard again, into a new folder",
  });
}

/** Copies the files of all shards into one folder: what one rebuild of the dataset would have made. */
export async function mergeRebuilt(
  shards: readonly RebuiltShard[],
  output: DatasetPaths,
  { onProgress, signal }: MergeOptions,
): Promise<DatasetManifest> {
  await Deno.mkdir(output.temporary, { recursive: true });
  const [first] = shards as [RebuiltShard];
  const total = rawsOf(first.of.manifest).length;
  const copied: DatasetFile[] = [];
  let done = 0;
  for (const { paths, manifest } of shards) {
    const byName = Map.groupBy(manifest.files, nameOfFile);
    for (const raw of rawsOf(manifest)) {
      signal?.throwIfAborted();
      const shard = nameOfRaw(raw);
      onProgress?.({ phase: "tables", shard, done: done++, total });
      for (const file of byName.get(shard) ?? []) {
        const place = output.file(file.path);
        await Deno.mkdir(folderOf(place), { recursive: true });
        await copyWhole(paths, file, place);
        copied.push(file);
      }
    }
  }
  const { manifest, deployment } = first;
  const context = tableContext(manifest.source, manifest.request, deployment);
  const whole: DatasetManifest = {
    ...first.of.manifest,
    request: manifest.request,
    library: manifest.library,
    files: await leaveRowsOnce(
      output,
      await withAnswers(copied, { paths: output, context, signal }),
    ),
    derived: derivedOf(manifest.library, context),
    drift: sumOfDrift(shards.map((shard) => shard.manifest.drift)),
  };
  await writeDescriptions(output, whole, { ...deployment });
  await Deno.remove(output.own, { recursive: true });
  return whole;
}

/** What a table has of its own in the name of a file: `NAME` of `orders/NAME.parquet`. */
function nameOfFile({ path }: DatasetFile): string {
  return path.slice(path.indexOf("/") + 1).split(".")[0]!;
}
