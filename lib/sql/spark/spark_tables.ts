import { datasetTables, type SqlTable } from "../catalogue/dataset_tables.ts";
import { REWARD_RULES, rewardRules } from "../catalogue/reward_rules.ts";
import { viewQuery } from "../catalogue/view_query.ts";
import { readViews } from "../catalogue/views.ts";
import { expandMacros } from "../functions/macros.ts";
import type { DatasetManifest } from "../../datasets/layout/manifest.ts";
import { sourceOfFile } from "../../datasets/layout/partitions.ts";
import type { DatasetFiles } from "../opening/dataset_files.ts";
import type { Message } from "./message_process.ts";

/** Types of columns as Spark names them. */
const TYPES: Readonly<Record<string, string>> = {
  String: "string",
  Int64: "bigint",
  Float64: "double",
  Bool: "boolean",
};

/** Something that a query may name, and the message that makes it. */
export interface Definition {
  /** Its name. */
  readonly name: string;
  /** The message to the driver. */
  readonly message: Message;
  /** Its query, which may name others; empty for a table. */
  readonly query: string;
}

/** All that queries over datasets may name; each names only those before it. */
export async function definitions(
  files: DatasetFiles,
  rulesOf: string | undefined,
): Promise<Definition[]> {
  const all = datasetTables();
  const absent = all.filter(({ folder }) => !files.has(folder));
  const tables = all.filter(({ folder }) => files.has(folder))
    .map((table) => ({ name: table.name, message: tableMessage(table, files), query: "" }));
  const views = (await readViews()).filter(({ tables }) => tables.every((one) => files.has(one)))
    .map((view) => {
      const without = absent.filter(({ folder }) => view.optional.includes(folder));
      return { name: view.name, query: viewQuery(view, without) };
    });
  const texts = [{ name: REWARD_RULES, query: rewardRules(rulesOf) }, ...views];
  return [
    ...tables,
    ...texts.map(({ name, query: text }) => {
      const query = expandMacros(text);
      return { name, message: { kind: "view", name, query }, query };
    }),
  ];
}

/** Those of `all` that a query needs, in order. */
export function neededBy(query: string, all: readonly Definition[]): Definition[] {
  const needed = new Set<Definition>();
  let texts = query;
  for (const one of all.toReversed()) {
    if (!new RegExp(`\\b${one.name}\\b`, "i").test(texts)) continue;
    needed.add(one);
    texts += `\n${one.query}`;
  }
  return all.filter((one) => needed.has(one));
}

/** A table as scans, each of one source. */
function tableMessage({ name, folder, columns }: SqlTable, files: DatasetFiles): Message {
  return {
    kind: "table",
    name,
    columns: columns.map(({ name, dtype }) => [name, TYPES[dtype]]),
    scans: files.datasets.flatMap(({ paths, manifest }) =>
      scansOf(manifest, folder).map((scan) => ({
        ...scan,
        // Spark takes paths as patterns.
        files: scan.files.map((path) => fileUri(paths.file(path)).replace(/[[\]{}*?\\]/g, "\\$&")),
      }))
    ),
  };
}

/** A path as Spark takes it, which may have another file system as its usual one. */
export function fileUri(path: string): string {
  return `file://${path}`;
}

/** Files of a table that are read together, and where all of their rows are from. */
export interface TableScan {
  /** Paths in the dataset. */
  readonly files: readonly string[];
  /** Names of the network and the environment. */
  readonly names: Readonly<Record<"network" | "environment", string | null>>;
  /** Chain id. */
  readonly chainId: number;
}

/** The scans of one table of a dataset: one for each environment, none without files. */
export function scansOf(
  { source, files }: Pick<DatasetManifest, "source" | "files">,
  folder: string,
): TableScan[] {
  const own = files.map(({ path }) => path).filter((path) => path.startsWith(`${folder}/`));
  const byEnvironment = Map.groupBy(own, (path) => sourceOfFile(source, path).environment);
  return byEnvironment.entries().toArray().map(([environment, files]) => ({
    files,
    names: { network: source.network, environment },
    chainId: source.chainId,
  }));
}
