import { datasetTables, type SqlTable } from "../catalogue/dataset_tables.ts";
import { REWARD_RULES, rewardRules } from "../catalogue/reward_rules.ts";
import { readViews } from "../catalogue/views.ts";
import { expandMacros } from "../functions/macros.ts";
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
  const tables = datasetTables().filter(({ folder }) => files.has(folder))
    .map((table) => ({ name: table.name, message: tableMessage(table, files), query: "" }));
  const views = (await readViews()).filter(({ tables }) => tables.every((one) => files.has(one)));
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

/** A table as one scan of each dataset; its source is known without reading a file. */
function tableMessage({ name, folder, columns }: SqlTable, files: DatasetFiles): Message {
  const scans = files.datasets.map(({ paths, manifest }) => ({
    // Spark takes paths as patterns.
    files: manifest.files.filter(({ path }) => path.startsWith(`${folder}/`))
      .map(({ path }) => paths.file(path).replace(/[[\]{}*?\\]/g, "\\$&")),
    literals: literalsOf(manifest),
  }));
  return {
    kind: "table",
    name,
    columns: columns.map(({ name, dtype }) => [name, TYPES[dtype]]),
    scans: scans.filter((one) => one.files.length > 0),
  };
}

/** Columns that have one value in all rows of a dataset. */
function literalsOf(
  { source, merged = [] }: DatasetFiles["datasets"][number]["manifest"],
): Record<string, string | number | null> {
  const sources = [source, ...merged.map((one) => one.source)];
  const isOne = sources.every(({ environment }) => environment === source.environment);
  return {
    network: source.network,
    chain_id: source.chainId,
    ...isOne && { environment: source.environment },
  };
}
