import { InputError } from "../../errors/mod.ts";
import { DatasetPaths } from "../../datasets/layout/dataset_paths.ts";
import { type DatasetManifest, readManifest } from "../../datasets/layout/manifest.ts";
import { datasetAt } from "../../datasets/layout/shipped_datasets.ts";
import { localFiles } from "../../http/reading/local_files.ts";
import { asPattern } from "../engine/quoted.ts";
import { type ResultInput, resultInput } from "../results/result_manifest.ts";

/** One of the datasets that are queried as one. */
interface OneDataset {
  readonly paths: DatasetPaths;
  readonly manifest: DatasetManifest;
}

/** Datasets that are queried as one. */
export class DatasetFiles {
  /** Their folders. */
  readonly folders: readonly string[];
  /** Them. */
  readonly datasets: readonly OneDataset[];

  private constructor(datasets: readonly OneDataset[]) {
    this.datasets = datasets;
    this.folders = datasets.map(({ paths }) => paths.folder);
  }

  /**
   * Reads the manifests of datasets.
   *
   * @throws {InputError} If one is not a dataset, or two have auctions of one chain.
   */
  static async read(folders: readonly (string | URL)[]): Promise<DatasetFiles> {
    const datasets = await Promise.all(folders.map(async (folder) => {
      const paths = datasetAt(folder);
      const manifest = await readManifest(paths);
      return { paths: new DatasetPaths(await absolute(paths.folder)), manifest };
    }));
    const chains = Map.groupBy(datasets, ({ manifest }) => manifest.source.chainId);
    for (const [chainId, { length }] of chains) {
      if (length === 1) continue;
      throw new InputError(`Cannot query ${length} datasets of chain ${chainId} as one`, {
        remedy: "Merge them first, which counts what they have in common once: `orderlens merge`",
      });
    }
    return new DatasetFiles(datasets);
  }

  /** Whether every one of them has a table. */
  has(table: string): boolean {
    return this.datasets.every(({ manifest }) => manifest.request.tables.includes(table));
  }

  /** The files of a table, as patterns that match each file alone. */
  of(table: string): string[] {
    return this.datasets.flatMap(({ paths, manifest }) =>
      manifest.files.filter(({ path }) => path.startsWith(`${table}/`))
        .map(({ path }) => asPattern(paths.file(path)))
    );
  }

  /** The datasets as the manifest of a result names them. */
  async inputs(): Promise<ResultInput[]> {
    return await Promise.all(
      this.datasets.map(async ({ paths, manifest }) =>
        resultInput(manifest, await localFiles().readFile(paths.file("manifest.json")))
      ),
    );
  }
}

async function absolute(folder: string): Promise<string> {
  return await process.getBuiltinModule("node:fs/promises").realpath(folder);
}
