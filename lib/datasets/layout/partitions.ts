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
