import type { CallOptions } from "../../endpoints/mod.ts";
import { InputError } from "../../errors/mod.ts";
import type { OptionRules } from "../../errors/option_rules.ts";
import { pluralize } from "../../units/format.ts";
import { DatasetPaths } from "../layout/files.ts";
import {
  requireDistinctPaths,
  requireOutside,
  requireVacant,
  writeAtomically,
} from "../layout/folders.ts";
import { readManifest } from "../layout/manifest.ts";
import { findDataset } from "../layout/shipped_datasets.ts";
import { checkDataset, formatFindings } from "../reading/check_dataset.ts";
import type { DatasetProblem } from "../reading/refetch.ts";
import { verifyDataset } from "../reading/verify_dataset.ts";
import { readTimeSpan } from "../state/citation.ts";
import { formatGaps } from "../state/dataset_gaps.ts";
import { buildModel } from "../state/dataset_model.ts";
import {
  CREATORS,
  DESCRIPTION,
  formatDescription,
  type PublicationCreator,
  type PublicationFacts,
  VERSION_TEXT,
} from "./publication_texts.ts";

/** Options of every publication. */
export interface PublicationOptions extends CallOptions {
  /** Creators. @default {the publisher of the dataset, if named, and the service} */
  creators?: readonly PublicationCreator[] | undefined;
  /** Description, in paragraphs. @default {what the dataset has, from where} */
  description?: string | undefined;
  /** Version of the publication. @default {the first digits of the SHA-256 of its manifest} */
  version?: string | undefined;
  /** Whether to publish a dataset with problems, which its pages name. @default {false} */
  anyway?: boolean | undefined;
}

/** Result of every publication. */
export interface PublishedFolder {
  /** Its folder. */
  readonly folder: string;
  /** Paths of its files, sorted. */
  readonly files: readonly string[];
  /** Size of all files, in bytes. */
  readonly bytes: number;
  /** Whether every requested item of the dataset is present, or permanently absent. */
  readonly isComplete: boolean;
  /** Contents and gaps of the dataset, in sentences, as on its page. */
  readonly gaps: readonly string[];
  /** Problems that the verification found, as its pages name them. */
  readonly problems: readonly DatasetProblem[];
  /** Facts that it should state and lacks, in sentences. */
  readonly warnings: readonly string[];
}

/** Allowed values of the {@linkcode PublicationOptions}. */
export const PUBLICATION_OPTIONS: OptionRules<PublicationOptions> = {
  creators: CREATORS,
  description: DESCRIPTION,
  version: VERSION_TEXT,
  anyway: Boolean,
  signal: AbortSignal,
};

/** A dataset that was verified to be published. */
export interface VerifiedDataset extends Pick<PublishedFolder, "isComplete" | "gaps" | "problems"> {
  readonly paths: DatasetPaths;
  /** Facts of its publication. */
  readonly facts: Omit<PublicationFacts, "picture">;
}

const ACTION_INTO = "Cannot publish into";

/** Problems that an error names. */
const MAX_PROBLEMS = 3;

/**
 * Verifies a dataset, and writes a folder about it, which appears at once when it is complete.
 *
 * @param output Folder to write, which is empty or does not exist, outside of the dataset.
 * @param write Writes into a temporary folder that does not exist yet; gets the folder's later path.
 * @throws {InputError} If it is not a dataset, has problems, or something is at `output`.
 */
export async function publishFolder<Result>(
  folder: string | URL,
  output: string | URL,
  options: PublicationOptions,
  write: (temporary: string, dataset: VerifiedDataset, target: string) => Promise<Result>,
): Promise<Result> {
  const paths = await findDataset(folder);
  const target = new DatasetPaths(output).folder;
  const requireFree = () => requireVacant(target, ACTION_INTO);
  await requireFree();
  await requireOutside(target, paths.folder, ACTION_INTO);
  const manifest = await readManifest(paths);
  requireDistinctPaths(manifest.files.map(({ path }) => path));
  const { problems } = await verifyDataset(folder, { signal: options.signal });
  if (problems.length > 0 && options.anyway !== true) throw createProblemError(paths, problems);
  const model = buildModel(manifest, readTimeSpan(paths, manifest));
  const dataset: VerifiedDataset = {
    paths,
    facts: {
      model,
      creators: options.creators ?? model.creators.map((name) => ({ name })),
      description: options.description?.trim() ?? formatDescription(model),
      version: options.version ?? model.citation.version,
      problems: problems.map(({ file, problem }) => `${file}: ${problem}`),
      findings: formatFindings(await checkDataset(folder)),
    },
    isComplete: manifest.isComplete,
    gaps: formatGaps(manifest),
    problems,
  };
  options.signal?.throwIfAborted();
  const destination = { action: ACTION_INTO, output: target, requireFree };
  return await writeAtomically(
    destination,
    (temporary) => write(temporary, dataset, target),
  );
}

function createProblemError(paths: DatasetPaths, problems: readonly DatasetProblem[]): InputError {
  const problemTexts = problems.slice(0, MAX_PROBLEMS).map(({ file, problem }) =>
    `${file}: ${problem}`
  );
  return new InputError(
    `Cannot publish ${paths.folder}: it has ${pluralize(problems.length, "problem")}`,
    {
      facts: { first: problemTexts.join("; ") },
      remedy: "Verify the dataset, and repair it by resuming its export or by a rebuild; " +
        "`anyway` (--anyway) publishes it, and its page names the problems",
    },
  );
}
