import { toFileColumns } from "../datasets/shards/file_columns.ts";
import { PUBLISHED_TABLES, toGlobalKey } from "../datasets/shards/published_tables.ts";
import { localFiles } from "../http/local_files.ts";
import type { Table } from "../tables/mod.ts";

/** The views, in the order in which they are documented. */
const VIEW_NAMES: readonly string[] = [
  "leaderboard",
  "solver_days",
  "pairs",
  "partners",
  "concentration",
  "gas_surplus",
  "cow_shares",
  "solver_slippage",
];

/** A column of a table or of a view. */
export interface SqlColumn {
  /** Its name. */
  readonly name: string;
  /** `String`, `Int64`, `Float64` or `Bool`. */
  readonly dtype: string;
  /** Its unit; `null` if it has none. */
  readonly unit: string | null;
  /** Meaning and source. */
  readonly text: string;
}

/** A table or a view that queries may name. */
export interface SqlRelation {
  /** Its name. */
  readonly name: string;
  /**
   * `record`: a record table; `derived`: a derived table; `view`: sums over derived tables; `own`: a
   * table of the caller.
   */
  readonly kind: "record" | "derived" | "view" | "own";
  /** Meaning of one row. */
  readonly grain: string;
  /**
   * Columns that together identify a row, of which one may be null; empty for tables that may repeat rows.
   */
  readonly key: readonly string[];
  /** Its columns. */
  readonly columns: readonly SqlColumn[];
}

/** A view: sums over the derived tables of a dataset. */
export interface SqlView extends SqlRelation {
  /** Tables of a dataset that it reads. */
  readonly tables: readonly string[];
  /** The table among them that a dataset may lack: it is then read as one without rows. */
  readonly optional: string | null;
  /** Its query: the same text for every engine. */
  readonly query: string;
}

/** Reads the files of the views, which are beside this one. */
export async function readViews(): Promise<SqlView[]> {
  const [sums = "", ...views] = await Promise.all(
    ["solver_sums", ...VIEW_NAMES].map((name) =>
      localFiles().readFile(new URL(`./views/${name}.sql`, import.meta.url), "utf8")
    ),
  );
  return views.map((file) => parseView(file.replace("{solver_sums}", sums)));
}

/**
 * Parses a view from the text of its file: lines of comment with its name, its grain, its key, the tables that
 * it reads, the one of them that a dataset may lack, with the columns that are read, and
 * `name | dtype | unit | text` for each column; then a query that has the columns, in any order and of
 * any type of numbers, without the doubles beside amounts.
 */
function parseView(file: string): SqlView {
  const lines = file.split("\n");
  const length = lines.findIndex((line) => !line.startsWith("-- "));
  const [name = "", grain = "", key = "", tables = "", ...columnLines] = lines.slice(0, length)
    .map((line) => line.slice("-- ".length).replace(/^(?:grain|key|tables): /, ""));
  const [, optional = null] = /^optional: (\w+)/.exec(columnLines[0] ?? "") ?? [];
  const columns = columnLines.slice(optional === null ? 0 : 1).map((line) => {
    const [column = "", dtype = "", unit = "", ...text] = line.split("|").map((part) =>
      part.trim()
    );
    return { name: column, dtype, unit: unit || null, text: text.join("|") };
  });
  const selectedColumns = columns.map((column) => {
    const atoms = column.name.replace(/_native$/, "_atoms");
    if (atoms !== column.name) {
      // By its text, the nearest double, which a division by 1e18 might miss.
      return `CAST(CAST(${atoms} AS STRING) || 'e-18' AS DOUBLE) AS ${column.name}`;
    }
    return column.dtype === "Int64"
      ? `CAST(${column.name} AS BIGINT) AS ${column.name}`
      : column.name;
  });
  return {
    name,
    kind: "view",
    grain,
    key: key.split(", "),
    tables: tables.split(", "),
    optional,
    columns,
    query: `SELECT ${selectedColumns.join(", ")} FROM (\n${
      lines.slice(length).join("\n").trim()
    }\n)`,
  };
}

/** A record table or derived table of a dataset, named as the folder of its files. */
export interface SqlTable extends SqlRelation {
  readonly kind: "record" | "derived";
}

/** Lists all tables that a dataset may have. */
export function listDatasetTables(): SqlTable[] {
  return PUBLISHED_TABLES.map(describeTable);
}

/** Describes a table for sessions. */
export function describeTable(table: Table): SqlTable {
  const { name, kind, grain, key, hasRepeats } = table;
  return {
    name,
    kind,
    grain,
    key: hasRepeats === true ? [] : toGlobalKey(key),
    columns: listColumns(table),
  };
}

/** Lists the columns of a table in files, and in a session. */
function listColumns(table: Table): SqlColumn[] {
  return toFileColumns(table).map(({ source: text, ...column }) => ({ ...column, text }));
}

/** Types of columns as DuckDB names them. */
export const TYPES: Readonly<Record<string, string>> = {
  String: "STRING",
  Int64: "BIGINT",
  Float64: "DOUBLE",
  Bool: "BOOLEAN",
  Datetime: "TIMESTAMP",
};

/** Selects no rows, with the columns of a table. */
export function selectNothing({ columns }: SqlTable): string {
  const nullColumns = columns.map(({ name, dtype }) => `CAST(NULL AS ${TYPES[dtype]}) AS ${name}`);
  return `SELECT ${nullColumns.join(", ")} WHERE FALSE`;
}

/** A relation that a query may name, and its own query, which may name those before it. */
interface NamedQuery {
  readonly name: string;
  /** Its query; none for a table. */
  readonly query?: string;
}

/** Finds the items that a query needs, in order. */
export function findNeeded<One extends NamedQuery>(query: string, items: readonly One[]): One[] {
  const neededItems = new Set<One>();
  let texts = query;
  for (const item of items.toReversed()) {
    if (!new RegExp(`\\b${item.name}\\b`, "i").test(texts)) continue;
    neededItems.add(item);
    texts += `\n${item.query ?? ""}`;
  }
  return items.filter((item) => neededItems.has(item));
}

/** Creates relations, with those that they read, when a query first names them. */
export function createOnDemand<One extends NamedQuery>(
  items: readonly One[],
  create: (item: One) => Promise<void>,
): (query: string) => Promise<void> {
  const pending = new Map<string, Promise<void>>();
  return async (query) => {
    for (const item of findNeeded(query, items)) {
      const creation = pending.get(item.name) ?? create(item);
      pending.set(item.name, creation);
      creation.catch(() => pending.delete(item.name));
      await creation;
    }
  };
}
