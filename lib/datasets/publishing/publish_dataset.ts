import type { CallOptions } from "../../endpoints/mod.ts";
import {
  checkOptions,
  defineRule,
  oneOf,
  type OptionRules,
  required,
} from "../../errors/option_rules.ts";
import { localFiles, statPath } from "../../http/local_files.ts";
import {
  type DatasetPaths,
  dirname,
  hashWritten,
  useFile,
  writeAll,
  writeSynced,
} from "../layout/files.ts";
import { copyVerified, requireDistinctPaths } from "../layout/folders.ts";
import { SIGNATURES } from "../layout/signature.ts";
import { buildDescriptions } from "../state/write_manifest.ts";
import { writeArchive } from "./archive.ts";
import {
  ARCHIVES_SECTION,
  buildZenodo,
  findLicense,
  formatCff,
  formatLicenseFile,
  formatPage,
  PICTURE,
  type PublicationCreator,
  type PublicationFacts,
} from "./publication_texts.ts";
import {
  PUBLICATION_OPTIONS,
  type PublicationOptions,
  type PublishedFolder,
  publishFolder,
} from "./publish_folder.ts";

/** Repositories that {@linkcode publishDataset} prepares a dataset for. */
export type PublicationTarget = "huggingface" | "zenodo";

/** A picture of a dataset for its page. */
export interface PublicationPicture {
  /** Its bytes, as PNG. */
  png: Uint8Array;
  /** Its title, in one sentence. */
  title: string;
  /** Its finding or explanation. */
  caption: string;
}

/** Options of {@linkcode publishDataset}. */
export interface PublishOptions extends PublicationOptions {
  /** The repository. */
  target: PublicationTarget;
  /** Picture for its page. @default {none} */
  picture?: PublicationPicture | undefined;
  /**
   * Validates the finished publication, in a temporary folder; an error leaves nothing behind.
   *
   * @default {it is not validated}
   */
  validate?: ((folder: string) => Promise<void>) | undefined;
}

/** Result of {@linkcode publishDataset}. */
export interface Publication extends PublishedFolder {
  /** The repository. */
  readonly target: PublicationTarget;
}

const OPTIONS: OptionRules<PublishOptions> = {
  ...PUBLICATION_OPTIONS,
  target: required(oneOf("huggingface", "zenodo")),
  picture: defineRule("{png, title, caption}", (value) => Object(value).png instanceof Uint8Array),
  validate: Function,
};

const ACTION = "Cannot publish a dataset";

/**
 * Verifies a dataset, and writes it as a folder to upload: with its card, which has its gaps, and what
 * `checkDataset` finds as the page, `CITATION.cff` and `LICENSE.txt`. Sends nothing.
 *
 * - `huggingface`: the dataset with one configuration per table; it is a dataset that `verifyDataset`
 *   accepts.
 * - `zenodo`: no folders, which Zenodo does not have: one tar archive per table and `raw.tar`, and
 *   `.zenodo.json`. Unpacked in one folder, they are the same dataset.
 *
 * Title, license and publisher are those of the dataset, which `rebuildDataset` changes.
 *
 * @param folder Folder of the dataset, or the name of one that ships.
 * @param output Folder to write, which is empty or does not exist, outside of the dataset.
 * @throws {InputError} If it is not a dataset, has problems, or a file is damaged; if an option is
 *   invalid, or something is at `output`, or it is inside of the dataset.
 *
 * @example The dataset that ships
 * ```ts
 * import { publishDataset } from "orderlens/datasets";
 * import { assert } from "@std/assert";
 *
 * const folder = await Deno.makeTempDir();
 * const { files, warnings } = await publishDataset("market_1", `${folder}/upload`, {
 *   target: "zenodo",
 *   creators: [{ name: "Carberry, Josiah", orcid: "0000-0002-1825-0097" }],
 * });
 *
 * assert(files.includes("trades.tar") && files.includes("CITATION.cff"));
 * assert(warnings[0]?.startsWith("The dataset names no license"));
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function publishDataset(
  folder: string | URL,
  output: string | URL,
  options: PublishOptions,
): Promise<Publication> {
  checkOptions(options, OPTIONS, ACTION);
  return await publishFolder(folder, output, options, async (temporary, dataset, target) => {
    const { paths, isComplete, gaps, problems } = dataset;
    const facts = { ...dataset.facts, picture: options.picture ?? null };
    const files = await writePublication(temporary, { paths, facts, options });
    await options.validate?.(temporary);
    return {
      folder: target,
      target: options.target,
      ...files,
      isComplete,
      gaps,
      problems,
      warnings: listWarnings(
        facts,
        options.creators,
        options.target === "zenodo" ? "Zenodo" : "Hugging Face",
      ),
    };
  });
}

/** Contents of a publication. */
interface PublicationContext {
  readonly paths: DatasetPaths;
  readonly facts: PublicationFacts;
  readonly options: Pick<PublishOptions, "target" | "picture"> & CallOptions;
}

/** Writes the files of a dataset, with its page, its license and how to cite it. */
export async function writePublication(
  output: string,
  { paths, facts, options }: PublicationContext,
): Promise<{ files: string[]; bytes: number }> {
  const { target, picture, signal } = options;
  const { model, model: { manifest } } = facts;
  await localFiles().mkdir(output);
  const folders = Map.groupBy(manifest.files, ({ path }) => dirname(path));
  for (const [name, files] of folders) {
    signal?.throwIfAborted();
    if (target === "zenodo") await writeArchive(`${output}/${name}.tar`, paths, files);
    else {
      await localFiles().mkdir(`${output}/${name}`, { recursive: true });
      for (const file of files) await copyVerified(paths, file, `${output}/${file.path}`);
    }
  }
  const descriptions = buildDescriptions(paths, manifest).map(([name, text]) => {
    const page = formatPage(facts) + (target === "zenodo" ? ARCHIVES_SECTION : "");
    return [name, name === "README.md" ? text + page : text] as const;
  });
  const readText = (name: string) => localFiles().readFile(paths.file(name), "utf8");
  const isThere = async (name: string) => await statPath(paths.file(name)) !== null;
  const texts: (readonly [name: string, text: string])[] = [
    ...descriptions,
    ["deployment.json", await readText("deployment.json")],
    ["manifest.json", await readText("manifest.json")],
    ["CITATION.cff", formatCff(facts)],
    ["LICENSE.txt", formatLicenseFile(model, findLicense(model))],
  ];
  for (const name of SIGNATURES) if (await isThere(name)) texts.push([name, await readText(name)]);
  for (const [name, text] of texts) await writeSynced(`${output}/${name}`, text);
  const names = texts.map(([name]) => name);
  if (picture !== undefined) {
    names.push(PICTURE);
    await useFile(`${output}/${PICTURE}`, "w", (handle) => writeAll(handle, picture.png));
  }
  // The form of a deposit asks for it; whoever downloads the record does not get it.
  const deposit = target === "zenodo" ? [".zenodo.json"] : [];
  for (const name of deposit) {
    await writeSynced(`${output}/${name}`, `${JSON.stringify(buildZenodo(facts), null, 1)}\n`);
  }
  const hashes = await Array.fromAsync(names, async (path) => {
    return { path, ...await hashWritten(`${output}/${path}`) };
  });
  const sums = [...manifest.files, ...hashes].map(({ sha256, path }) => `${sha256}  ${path}\n`);
  await writeSynced(`${output}/SHA256SUMS`, sums.join(""));
  const recordPaths = target === "zenodo"
    ? [...folders.keys()].map((name) => `${name}.tar`)
    : manifest.files.map(({ path }) => path);
  const files = [...recordPaths, ...names, ...deposit, "SHA256SUMS"].sort();
  requireDistinctPaths(files);
  const sizes = await Array.fromAsync(files, (path) => localFiles().stat(`${output}/${path}`));
  return { files, bytes: sizes.reduce((sum, { size }) => sum + size, 0) };
}

/**
 * Lists facts that a publication should state and does not.
 *
 * @param creators Creators, if they are named.
 * @param repository A repository, which asks for a license. @default {none}
 */
export function listWarnings(
  { model }: PublicationFacts,
  creators: readonly PublicationCreator[] | undefined,
  repository: string | null = null,
): string[] {
  const { about } = model.manifest;
  return [
    ...about?.license === undefined
      ? [`The dataset names no license: orderlens rebuild DIR --license CC-BY-4.0 sets one.`]
      : repository !== null && findLicense(model) === null
      ? [`${repository} may not know the license ${about.license}: choose it there.`]
      : [],
    ...creators === undefined && about?.creator === undefined
      ? ["No creator of this edition is named: pass creators."]
      : [],
  ];
}
