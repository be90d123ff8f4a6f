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
