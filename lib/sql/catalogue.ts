import { fileColumns } from "../datasets/shards/file_columns.ts";
import {
  ANSWER_NAMES,
  keyAnywhere,
  PUBLISHED_TABLES,
} from "../datasets/shards/published_tables.ts";
import { localFiles } from "../http/local_files.ts";

/** The views, in the order in which they are documented. */
const VIEW_NAMES: readonly string[] = ["leaderboard", "solver_days", "pairs"];

/** A column of a table or of a view. */
export interface SqlColumn {
  /** Its name. */
  readonly name: string;
  /** `String`, `Int64`, `Float64` or `Bool`. */
  readonly dtype: string;
  /** Its unit; `null` if it has none. */
  readonly unit: string | null;
  /** What it is, and where it comes from. */
  readonly text: string;
}

/** A view: sums over the answers of a dataset. */
export interface SqlView {
  /** Its name. */
  readonly name: string;
  /** What one row is. */
  readonly grain: string;
  /** Columns that together are different in every row; one of them may be null. */
  readonly key: readonly string[];
  /** Tables of a dataset that it reads. */
  readonly tables: readonly string[];
  /** Its columns. */
  readonly columns: readonly SqlColumn[];
  /** Its query: the same text for every engine. */
  readonly query: string;
}

/** Reads the files of the views, which stand beside this one. */
export function readViews(): Promise<SqlView[]> {
  return Promise.all(VIEW_NAMES.map(async (name) => {
    const file = new URL(`./views/${name}.sql`, import.meta.url);
    return viewOf(await localFiles().readFile(file, "utf8"));
  }));
}

/**
 * A view by the text of its file: lines of comment with its name, its grain, its key, the tables that
 * it reads, and `name | dtype | unit | text` for each column; then its query.
 */
function viewOf(file: string): SqlView {
  const lines = file.split("\n");
  const length = lines.findIndex((line) => !line.startsWith("-- "));
  const [name = "", grain = "", key = "", tables = "", ...columns] = lines.slice(0, length)
    .map((line) => line.slice("-- ".length).replace(/^(?:grain|key|tables): /, ""));
  return {
    name,
    grain,
    key: key.split(", "),
    tables: tables.split(", "),
    columns: columns.map((line) => {
      const [column = "", dtype = "", unit = "", ...text] = line.split("|")
        .map((one) => one.trim());
      return { name: column, dtype, unit: unit || null, text: text.join("|") };
    }),
    query: lines.slice(length).join("\n").trim(),
  };
}

/** A table of a dataset, as SQL sees it. */
export interface SqlTable {
  /** Its name, which is that of the folder of its files. */
  readonly name: string;
  /** Whether it has what the service and the chain said, or what follows from it. */
  readonly kind: "record" | "answer";
  /** What one row is. */
  readonly grain: string;
  /** Columns that together are different in every row; empty if files may repeat rows. */
  readonly key: readonly string[];
  /** Its columns. */
  readonly columns: readonly SqlColumn[];
}

/** All tables that a dataset may have. */
export function datasetTables(): SqlTable[] {
  return PUBLISHED_TABLES.map(({ table, key, hasRepeats }) => ({
    name: table.name,
    kind: ANSWER_NAMES.includes(table.name) ? "answer" : "record",
    grain: table.grain,
    key: hasRepeats === true ? [] : keyAnywhere(key),
    columns: fileColumns(table).map(({ source, ...column }) => ({ ...column, text: source })),
  }));
}

/** Whether a column is an exact amount: decimal text in files, a number in a session. */
export function isAmount({ name, dtype, unit }: SqlColumn): boolean {
  // Prices are atoms for atoms, and may have a fraction.
  return dtype === "String" &&
    (name.endsWith("_atoms") || /^(?!.* for ).* atoms\b/.test(unit ?? ""));
}

/** Types of columns as both engines cast to them. */
const TYPES: Readonly<Record<string, string>> = {
  String: "STRING",
  Int64: "BIGINT",
  Float64: "DOUBLE",
  Bool: "BOOLEAN",
  Datetime: "TIMESTAMP",
};

/** The query of a table without rows. */
export function emptyTable({ columns }: SqlTable): string {
  const none = columns.map(({ name, dtype }) => `CAST(NULL AS ${TYPES[dtype]}) AS ${name}`);
  return `SELECT ${none.join(", ")} WHERE FALSE`;
}

/** Something that a query may name, and its own query, which may name those before it. */
interface Named {
  readonly name: string;
  /** Its query; none for a table. */
  readonly query?: string;
}

/** Those of `all` that a query needs, in order. */
export function neededBy<One extends Named>(query: string, all: readonly One[]): One[] {
  const needed = new Set<One>();
  let texts = query;
  for (const one of all.toReversed()) {
    if (!new RegExp(`\\b${one.name}\\b`, "i").test(texts)) continue;
    needed.add(one);
    texts += `\n${one.query ?? ""}`;
  }
  return all.filter((one) => needed.has(one));
}
