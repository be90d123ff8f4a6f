import type { DuckDBConnection } from "@duckdb/node-api";
import { DatasetPaths, escapePattern, sha256 } from "../datasets/layout/files.ts";
import { countIds } from "../datasets/layout/id_ranges.ts";
import { formatDriftWarnings } from "../datasets/state/drift_lines.ts";
import { type DatasetManifest, readManifest, selectFiles } from "../datasets/layout/manifest.ts";
import { verifyFile } from "../datasets/layout/verify_file.ts";
import { findDataset } from "../datasets/layout/shipped_datasets.ts";
import { INSTANCE_TABLES, lacksDerived, NODE_TABLES } from "../datasets/shards/published_tables.ts";
import { findUnknownIds } from "../datasets/state/dataset_gaps.ts";
import { InputError } from "../errors/mod.ts";
import { localFiles } from "../http/local_files.ts";
import { listDatasetTables, readViews, type SqlTable, type SqlView } from "./catalogue.ts";
import { quoteText } from "./sql_result.ts";
import { hashViews, type ResultFacts } from "./write_result.ts";

/** Folders of datasets, or names of those that ship. */
export type DatasetFolders = string | URL | readonly (string | URL)[];

/** One of the datasets that are queried as one. */
interface QueriedDataset {
  readonly paths: DatasetPaths;
  readonly manifest: DatasetManifest;
}

/** Datasets that are queried as one. */
export class DatasetFiles {
  /** The datasets. */
  readonly datasets: readonly QueriedDataset[];
  /** Tables that all of them have. */
  readonly tables: readonly SqlTable[];
  /** All views. */
  readonly views: readonly SqlView[];
  /** Tables and views that queries cannot name, with the reason and the remedy. */
  readonly missing = new Map<string, string>();
  readonly #checked = new Map<string, Promise<void>>();

  private constructor(datasets: readonly QueriedDataset[], views: readonly SqlView[]) {
    [this.datasets, this.views] = [datasets, views];
    this.tables = datasets.length === 0 ? [] : listDatasetTables().filter((table) => {
      const reason = this.#explainMissing(table);
      if (reason !== null) this.missing.set(table.name, reason);
      return reason === null;
    });
    for (const { name, tables, optional } of views) {
      const [reason] = tables.flatMap((table) =>
        table === optional ? [] : this.missing.get(table) ?? []
      );
      if (reason !== undefined) this.missing.set(name, reason);
    }
  }

  /**
   * Reads the manifests of datasets.
   *
   * @throws {InputError} If one is not a local dataset, or is listed twice.
   */
  static async read(folders: DatasetFolders): Promise<DatasetFiles> {
    const folderList = typeof folders === "string" || folders instanceof URL ? [folders] : folders;
    const datasets = await Promise.all(folderList.map(async (folder) => {
      requireLocal(String(folder));
      const paths = await findDataset(folder);
      const manifest = await readManifest(paths);
      return { paths: new DatasetPaths(await localFiles().realpath(paths.folder)), manifest };
    }));
    const duplicate = datasets.find(({ paths }, index) =>
      datasets.findIndex((dataset) => dataset.paths.folder === paths.folder) !== index
    );
    if (duplicate === undefined) return new DatasetFiles(datasets, await readViews());
    throw new InputError(`Cannot query ${duplicate.paths.folder} twice`, {
      remedy: "Each dataset may be listed only once",
    });
  }

  #explainMissing({ name, kind }: SqlTable): string | null {
    for (const { paths: { folder }, manifest } of this.datasets) {
      const { tables, blockTimes } = manifest.request;
      if (!tables.includes(name)) {
        const hadNode = blockTimes || tables.some((table) => NODE_TABLES.includes(table));
        if (NODE_TABLES.includes(name) && !hadNode) {
          return `${folder} has no table ${name}, since it was exported without a node: run the same ` +
            "command again with `--rpc-url URL`";
        }
        if (INSTANCE_TABLES.includes(name)) {
          return `${folder} has no table ${name}, since it was exported without instances: run the ` +
            "same command again with `--instances URL`";
        }
        return `${folder} has no table ${name}: export it, or add tables of later versions with ` +
          `\`orderlens rebuild ${folder}\``;
      }
      if (kind === "derived" && lacksDerived(manifest)) {
        return `${folder} has no derived tables, since its export did not finish: run the same ` +
          `command again, or \`orderlens rebuild ${folder}\``;
      }
    }
    return null;
  }

  /** Lists what every result lacks, in sentences. */
  listWarnings(): string[] {
    return this.datasets.flatMap(({ paths: { folder }, manifest }) => {
      const { ids, isComplete, walk, items } = manifest;
      const drift = formatDriftWarnings(manifest.drift).map((line) => `${folder}: ${line}`);
      if (lacksDerived(manifest)) {
        return [`${folder} was interrupted: results are from a part of its records`, ...drift];
      }
      if (isComplete) return drift;
      const unrequested = walk === undefined ? countIds(findUnknownIds(manifest)) : 0;
      const counts: [string, number][] = [
        ["auctions that failed", countIds(ids.failed)],
        ["auctions not published yet", countIds(ids.hidden)],
        ["auctions not requested", unrequested],
        ...Object.entries(items).filter(([kind]) => kind !== "competition")
          .map(([kind, { failed = 0 }]): [string, number] => [`${kind} that failed`, failed]),
      ];
      const gaps = counts.flatMap(([noun, count]) => count > 0 ? [`${noun}: ${count}`] : []);
      return [
        `${folder} has gaps: ${gaps.join(", ") || "its manifest.json names them"}`,
        ...drift,
      ];
    });
  }

  /** Whether datasets of one chain have several environments, which report the same fills. */
  get hasEnvironments(): boolean {
    const chains = Map.groupBy(this.datasets, ({ manifest }) => manifest.source.chainId);
    return chains.values().some((datasets) =>
      new Set(datasets.map(({ manifest }) => manifest.source.environment)).size > 1
    );
  }

  /**
   * Compares the files of a table with the manifests, the first time.
   *
   * @throws {DamagedError} If one is not the file of its manifest.
   */
  requireWhole(table: string): Promise<void> {
    const checked = this.#checked.get(table) ?? this.#requireWhole(table);
    this.#checked.set(table, checked);
    return checked;
  }

  async #requireWhole(table: string): Promise<void> {
    for (const { paths, manifest } of this.datasets) {
      for (const file of selectFiles(manifest, table)) await verifyFile(paths, file);
    }
  }

  /** Lists the paths of the files of a table, for each dataset that has some. */
  listFiles(table: string, datasets = this.datasets): string[][] {
    return datasets.map(({ paths, manifest }) =>
      selectFiles(manifest, table).map(({ path }) => paths.file(path))
    ).filter(({ length }) => length > 0);
  }

  /** Reads the datasets and views as the manifest of a result names them. */
  async readFacts(): Promise<Pick<ResultFacts, "inputs" | "viewsSha256">> {
    const inputs = await Promise.all(
      this.datasets.map(async ({ paths, manifest: { source } }) => {
        const { network, environment, chainId } = source;
        const manifestSha256 = sha256(await localFiles().readFile(paths.file("manifest.json")));
        return { network, environment, chainId, manifestSha256 };
      }),
    );
    return { inputs, viewsSha256: hashViews(this.views) };
  }
}

/**
 * Rejects datasets of one environment that share rows, which sums would count twice: an order or a fill
 * that both have, or auctions of ranges that overlap.
 *
 * @throws {InputError} Names the table, the number of rows and the folders.
 */
export async function requireDisjoint(
  connection: DuckDBConnection,
  files: DatasetFiles,
): Promise<void> {
  const chains = Map.groupBy(files.datasets, ({ manifest }) => manifest.source.chainId);
  for (const datasets of chains.values()) {
    const folders = datasets.map(({ paths }) => paths.folder).join(" and ");
    for (const { name, key } of files.tables) {
      const parts = files.listFiles(name, datasets);
      if (key.length === 0 || parts.length < 2) continue;
      await files.requireWhole(name);
      const columns = [...new Set([...key, "environment"])].join(", ");
      const selections = parts.map((paths) =>
        `SELECT DISTINCT ${columns} FROM ${scanFiles(paths)}`
      );
      const result = await connection.runAndReadAll(
        `SELECT 1 FROM (${selections.join(" UNION ALL ")}) GROUP BY ${columns} HAVING count(*) > 1`,
      );
      const rows = result.getRows().length;
      if (rows === 0) continue;
      throw new InputError(`Cannot query ${folders} as one: shared rows of ${name}: ${rows}`, {
        remedy: "Merge them with `orderlens merge`, which counts each row once",
      });
    }
  }
}

/** Rejects addresses of other machines, such as `s3://bucket`. */
function requireLocal(path: string): void {
  if (!/^(?!file:)[a-z][a-z0-9+.-]+:\/\//i.test(path)) return;
  throw new InputError(`Cannot open ${path}: it is not a folder on this machine`, {
    remedy: "Copy the dataset to this machine, and pass its folder",
  });
}

/** Scans Parquet files by their paths, as SQL of DuckDB. */
export function scanFiles(files: readonly string[]): string {
  const paths = files.map((file) => quoteText(escapePattern(file)));
  return `read_parquet([${paths.join(", ")}], hive_partitioning = false)`;
}
