import { InputError } from "../../errors/mod.ts";
import { callable, checkOptions, type OptionRules, SIGNAL } from "../../errors/option_rules.ts";
import { readFacts } from "../../recordings/deployment.ts";
import { DatasetPaths, factsOfMade, folderOf } from "../layout/files.ts";
import {
  folderError,
  isRefusedBySystem,
  putInPlaceOf,
  requireNothingAt,
} from "../layout/folders.ts";
import { isPartitioned, partitionOf } from "../layout/id_ranges.ts";
import { type DatasetManifest, readManifest } from "../layout/manifest.ts";
import { leaveRowsOnce } from "../rebuilding/rebuild_files.ts";
import { sumOfDrift } from "../shards/shard_records.ts";
import { FAILURES_SHOWN, writeDescriptions } from "../state/write_manifest.ts";
import { mergeEnvironment, type MergeOptions } from "./merged_answers.ts";
import { type MergeInput, requireCommon } from "./merged_request.ts";

const OPTIONS: OptionRules<MergeOptions> = { onProgress: callable(), signal: SIGNAL };

const ACTION = "Cannot merge datasets";

/**
 * Joins datasets of one chain into a new one.
 *
 * - Of one environment: ranges that may overlap, or exports of single orders. Each thing that was
 *   asked for is in the result once, in the file of the first auctions that need it, so that neighbouring
 *   ranges become what one export of both would have been, byte for byte. If two
 *   answers differ, the later one counts: the one with more settlements, more filled, or of more fills.
 *   Of two nodes' answers about a settlement, which agree in what it did, the one with more fields.
 *   If nothing tells which is later, that is an error. Ids that no dataset has asked for stay without a
 *   state, and the result is not complete.
 * - Of several environments, such as production and staging: their auctions have ids of their own, and
 *   the files of each stand in `environment=…/` in every folder of files. Each fill is there once, by
 *   block and log index: in the environment whose auction settled it. Each settlement is there once, by
 *   its transaction: in the environment whose auction it differs from least. Orders that both have are
 *   in both, so orders are joined by environment and UID.
 *
 * The result is a dataset like any other: it opens, verifies and rebuilds. Its manifest names those of
 * the datasets by their SHA-256. It is not exported on. It appears when it is complete.
 *
 * @param folders Folders of the datasets.
 * @param output Folder to write; nothing may be there.
 * @returns The manifest.
 * @throws {InputError} If one is not a dataset, they do not belong together, an answer or a file
 *   differs, or the result cannot be written.
 *
 * @example Two ranges become one
 * ```ts
 * import { connect } from "orderlens";
 * import { exportDataset, mergeDatasets } from "orderlens/datasets";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const folder = await Deno.makeTempDir();
 * const book = connect(await replay("market_1"));
 * await exportDataset(book, `${folder}/1`, { auctions: { from: 1990, to: 1999 } });
 * await exportDataset(book, `${folder}/2`, { auctions: { from: 2000, to: 2010 } });
 * const { range, isComplete } = await mergeDatasets([`${folder}/1`, `${folder}/2`], `${folder}/all`);
 *
 * assertEquals(range, { from: 1990, to: 2010 });
 * assertEquals(isComplete, true);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function mergeDatasets(
  folders: readonly (string | URL)[],
  output: string | URL,
  options: MergeOptions = {},
): Promise<DatasetManifest> {
  checkOptions(options, OPTIONS, ACTION);
  if (!Array.isArray(folders) || folders.length === 0) {
    throw new InputError(`${ACTION}: there are none`, {
      remedy: "Pass the folders of the datasets",
    });
  }
  const place = new DatasetPaths(output).folder;
  const groups = environmentsOf(await Array.fromAsync(folders, inputOf));
  requireCommon(groups);
  try {
    const requireFree = () => requireNothingAt(place, "Cannot merge into");
    return await putInPlaceOf(place, requireFree, async (temporary) => {
      await Deno.mkdir(temporary);
      return await mergeInto(new DatasetPaths(temporary), groups, options);
    });
  } catch (error) {
    if (isRefusedBySystem(error)) throw folderError("Cannot merge into", place, error);
    throw error;
  }
}

async function inputOf(folder: string | URL): Promise<MergeInput> {
  const paths = new DatasetPaths(folder);
  const manifest = await readManifest(paths);
  if (isPartitioned(manifest)) {
    throw new InputError(`${ACTION}: ${paths.folder} has several environments`, {
      remedy: "Pass the datasets that it was merged from",
    });
  }
  const { sha256 } = await factsOfMade(paths.file("manifest.json"));
  const { deployment } = await readFacts(paths.file("deployment.json"));
  return { paths, manifest, sha256, deployment };
}

/** The datasets by environment; in whichever order they are passed, the result is the same. */
function environmentsOf(inputs: readonly MergeInput[]): MergeInput[][] {
  const firstId = ({ manifest: { range } }: MergeInput) => range?.from ?? 0;
  const sorted = inputs.toSorted((a, b) =>
    firstId(a) - firstId(b) || (a.sha256 < b.sha256 ? -1 : 1)
  );
  const groups = Map.groupBy(sorted, ({ manifest }) => partitionOf(manifest.source.environment));
  return [...groups].sort(([a], [b]) => a < b ? -1 : 1).map(([, group]) => group);
}

/** Each environment is made as a dataset of its own; of several, the files stand in folders of its name. */
async function mergeInto(
  output: DatasetPaths,
  groups: readonly (readonly MergeInput[])[],
  options: MergeOptions,
): Promise<DatasetManifest> {
  const parts: DatasetManifest[] = [];
  for (const group of groups) {
    const { environment } = group[0]!.manifest.source;
    const partition = groups.length === 1 ? "" : partitionOf(environment);
    const paths = new DatasetPaths(`${output.temporary}/${partition}`);
    const manifest = await mergeEnvironment(group, paths, options);
    const files = manifest.files.map((file) => {
      return { ...file, path: file.path.replace("/", `/${partition}`) };
    });
    for (const [at, { path }] of files.entries()) {
      await Deno.mkdir(folderOf(output.file(path)), { recursive: true });
      await Deno.rename(paths.file(manifest.files[at]!.path), output.file(path));
    }
    parts.push({ ...manifest, files });
  }
  const merged = groups.flat().map(({ sha256: manifestSha256, manifest }) => {
    const { source, request, range, ids, isComplete } = manifest;
    return { manifestSha256, source, request, range, ids, isComplete };
  });
  const all = parts.length === 1 ? parts[0]! : severalOf(parts);
  const manifest = { ...all, files: await leaveRowsOnce(output, all.files), merged };
  await writeDescriptions(output, manifest, { ...groups[0]![0]!.deployment });
  await Deno.remove(output.own, { recursive: true });
  return manifest;
}

/** What datasets of several environments are together; ranges and ids stand with each of them. */
function severalOf(parts: readonly DatasetManifest[]): DatasetManifest {
  const [first] = parts as [DatasetManifest];
  const none = { auctions: null, dates: null, blocks: null, last: null, owner: null, uids: null };
  const kinds = new Set(parts.flatMap(({ items }) => Object.keys(items)));
  return {
    ...first,
    source: { ...first.source, environment: null },
    request: { ...first.request, ...none, follow: false },
    range: null,
    ids: { present: [], absent: [], hidden: [], beforeHistory: [], failed: [] },
    items: Object.fromEntries(
      Array.from(kinds, (kind) => [kind, sumsOf(parts.map(({ items }) => items[kind] ?? {}))]),
    ),
    isComplete: parts.every(({ isComplete }) => isComplete),
    reportsRefused: parts.every((one) => one.reportsRefused !== null) ? first.reportsRefused : null,
    failures: parts.flatMap(({ failures }) => failures).slice(0, FAILURES_SHOWN),
    files: parts.flatMap(({ files }) => files),
    answers: sumsOf(parts.map(({ answers }) => answers)),
    drift: sumOfDrift(parts.map(({ drift }) => drift)),
  };
}

function sumsOf(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [name, count] of all.flatMap(Object.entries)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}
