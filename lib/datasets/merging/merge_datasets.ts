import type { CallOptions } from "../../endpoints/mod.ts";
import { InputError } from "../../errors/mod.ts";
import { callable, checkOptions, type OptionRules, SIGNAL } from "../../errors/option_rules.ts";
import { VERSION } from "../../http/mod.ts";
import { readFacts } from "../../recordings/deployment.ts";
import { DatasetPaths, factsOfMade } from "../layout/durable_files.ts";
import { folderError, isRefusedBySystem, putInPlaceOf, statOf } from "../layout/folders.ts";
import { partitionOf } from "../layout/id_ranges.ts";
import { type DatasetManifest, MANIFEST_SCHEMA, readManifest } from "../layout/manifest.ts";
import { leaveRowsOnce } from "../rebuilding/leave_rows_once.ts";
import { withAnswers } from "../shards/derive_answers.ts";
import { tableContext } from "../shards/table_context.ts";
import { derivedOf, writeDescriptions } from "../state/write_manifest.ts";
import { mergeEnvironment, type MergeInput, type MergeProgress } from "./merge_environment.ts";
import { mergedOf, severalFacts } from "./several_environments.ts";

/** Options of {@linkcode mergeDatasets}. */
export interface MergeOptions extends CallOptions {
  /** Called before each file of 1,000 auctions. */
  onProgress?: ((progress: MergeProgress) => void) | undefined;
}

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
  const inputs: MergeInput[] = [];
  for (const folder of folders) inputs.push(await inputOf(folder));
  const groups = environmentsOf(inputs);
  try {
    const requireFree = async () => {
      const found = await statOf(place);
      const isEmpty = found?.isDirectory === true &&
        (await Array.fromAsync(Deno.readDir(place))).length === 0;
      if (found === null || isEmpty) return;
      throw new InputError(`Cannot merge into ${place}: something is there`, {
        remedy: "Pass a path where nothing is",
      });
    };
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
  const { environment } = manifest.source;
  const isOfSeveral = manifest.merged?.some(({ source }) => source.environment !== environment);
  if (isOfSeveral === true) {
    throw new InputError(`${ACTION}: ${paths.folder} has several environments`, {
      remedy: "Pass the datasets that it was merged from",
    });
  }
  const { sha256 } = await factsOfMade(paths.file("manifest.json"));
  const { deployment } = await readFacts(paths.file("deployment.json"));
  return { paths, folder: paths.folder, manifest, sha256, deployment };
}

/** The datasets by environment, in the order of their names. */
function environmentsOf(inputs: readonly MergeInput[]): MergeInput[][] {
  const groups = new Map<string, MergeInput[]>();
  for (const input of inputs) {
    const [{ manifest: { source } }] = inputs as [MergeInput];
    const { network, environment, chainId } = input.manifest.source;
    if (network !== source.network || chainId !== source.chainId) {
      throw new InputError(`${ACTION} of different chains`, {
        facts: {
          [inputs[0]!.folder]: `${source.network ?? "no name"}, chain ${source.chainId}`,
          [input.folder]: `${network ?? "no name"}, chain ${chainId}`,
        },
        remedy: "Merge the datasets of each chain by themselves",
      });
    }
    const partition = partitionOf(environment);
    groups.set(partition, [...groups.get(partition) ?? [], input]);
  }
  return [...groups].sort(([a], [b]) => a < b ? -1 : 1)
    .map(([, group]) =>
      group.sort((a, b) => firstId(a) - firstId(b) || (a.sha256 < b.sha256 ? -1 : 1))
    );
}

/** In whichever order datasets are passed, the result is the same. */
function firstId({ manifest: { range } }: MergeInput): number {
  return range?.from ?? 0;
}

async function mergeInto(
  output: DatasetPaths,
  groups: readonly (readonly MergeInput[])[],
  { onProgress, signal }: MergeOptions,
): Promise<DatasetManifest> {
  await Deno.mkdir(output.temporary, { recursive: true });
  const parts: Awaited<ReturnType<typeof mergeEnvironment>>[] = [];
  for (const [place, group] of groups.entries()) {
    parts.push(
      await mergeEnvironment(group, {
        output,
        partition: groups.length === 1 ? "" : partitionOf(group[0]!.manifest.source.environment),
        index: `${output.temporary}/index-${place}.sqlite`,
        signal,
        report: (progress) => onProgress?.(progress),
      }),
    );
  }
  const [[first]] = groups as [[MergeInput]];
  const facts = parts.length === 1 ? parts[0]! : severalFacts(parts);
  const { source } = first.manifest;
  const context = tableContext(source, facts.request, first.deployment);
  const files = await leaveRowsOnce(
    output,
    await withAnswers(parts.flatMap((part) => part.files), { paths: output, context, signal }),
  );
  const manifest: DatasetManifest = {
    schema: MANIFEST_SCHEMA,
    library: VERSION,
    source: groups.length === 1 ? source : { ...source, environment: null },
    request: facts.request,
    range: facts.range,
    resolution: facts.resolution,
    ...facts.walk === undefined ? {} : { walk: facts.walk },
    ids: facts.ids,
    items: facts.items,
    isComplete: facts.isComplete,
    reportsRefused: facts.reportsRefused,
    failures: facts.failures,
    files,
    answers: facts.answers,
    derived: derivedOf(VERSION, context),
    drift: facts.drift,
    merged: groups.flat().map(mergedOf),
  };
  await writeDescriptions(output, manifest, { ...first.deployment });
  await Deno.remove(output.own, { recursive: true });
  return manifest;
}
