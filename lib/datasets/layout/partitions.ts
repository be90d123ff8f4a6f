import type { DatasetManifest, DatasetSource } from "./manifest.ts";

const PARTITION = /(?:^|\/)environment=([^/]+)\//;

/** Folder of an environment's files in every folder of a dataset of several; Hive style. */
export function partitionOf(environment: string | null): string {
  return `environment=${environment ?? "none"}/`;
}

/** Where the rows of a file are from, in a dataset of one environment or of several. */
export function sourceOfFile(source: DatasetSource, path: string): DatasetSource {
  const [, environment] = PARTITION.exec(path) ?? [];
  if (environment === undefined) return source;
  return { ...source, environment: environment === "none" ? null : environment };
}

/** Whether the files of a dataset stand in one folder for each environment. */
export function isPartitioned({ files }: Pick<DatasetManifest, "files">): boolean {
  return files.some(({ path }) => PARTITION.test(path));
}

/**
 * Columns that together are different in every row of a dataset: of several environments, whose ids
 * are not the same auctions, these too, but for what stands on the chain.
 */
export function wholeKey(
  manifest: Pick<DatasetManifest, "files">,
  key: readonly string[],
): readonly string[] {
  return isPartitioned(manifest) && key[0] !== "chain_id" ? ["environment", ...key] : key;
}
