import { localFiles } from "../../http/reading/local_files.ts";

/** The views, in the order in which they are documented; a view reads only those before it. */
export const VIEW_NAMES: readonly string[] = [
  "solution_outcomes",
  "fills",
  "fees",
  "auctions",
  "solver_days",
  "leaderboard",
  "pairs",
  "lifecycle",
  "consistency_shares",
  "quote_rewards",
  "rewards",
  "left_on_the_table",
];

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

/** A view: one question, answered for every row of its grain. */
export interface SqlView {
  /** Its name. */
  readonly name: string;
  /** What one row is. */
  readonly grain: string;
  /** Columns that together are different in every row; one of them may be null. */
  readonly key: readonly string[];
  /** Tables of a dataset that it reads, without which it cannot be. */
  readonly tables: readonly string[];
  /** Tables that it reads if the dataset has them. */
  readonly optional: readonly string[];
  /** Its columns. */
  readonly columns: readonly SqlColumn[];
  /** Its query: the same text for every engine. */
  readonly query: string;
}

/** Reads the files of the views, which stand beside this one. */
export function readViews(): Promise<SqlView[]> {
  return Promise.all(VIEW_NAMES.map(async (name) => {
    const file = new URL(`../views/${name}.sql`, import.meta.url);
    return viewOf(await localFiles().readFile(file, "utf8"));
  }));
}

/**
 * A view by the text of its file: lines of comment with its name, its grain, its key, the tables
 * that it reads, those with a question mark if the dataset has them, and `name | dtype | unit | text` for each column; then its query.
 */
export function viewOf(file: string): SqlView {
  const lines = file.split("\n");
  const length = lines.findIndex((line) => !line.startsWith("-- "));
  const header = lines.slice(0, length).map((line) => line.slice("-- ".length));
  const [name = "", grain = "", key = "", tables = "", ...columns] = header;
  const read = tables.replace("tables: ", "").split(", ");
  return {
    name,
    grain: grain.replace("grain: ", ""),
    key: key.replace("key: ", "").split(", "),
    tables: read.filter((table) => !table.endsWith("?")),
    optional: read.filter((table) => table.endsWith("?")).map((table) => table.slice(0, -1)),
    columns: columns.map((line) => {
      const [column = "", dtype = "", unit = "", ...text] = line.split("|").map((one) =>
        one.trim()
      );
      return { name: column, dtype, unit: unit || null, text: text.join("|") };
    }),
    query: repeated(lines.slice(length).join("\n")).trim(),
  };
}

const REPEATED = /^-- repeat N from (\d+) to (\d+)\n(.*?)^-- end\n/gms;

/**
 * Writes the lines between `-- repeat N from 1 to 8` and `-- end` once for every N, with `{N}` and
 * `{N-1}` as numbers: steps that follow from each other, which engines without a limit on recursion
 * would not need.
 */
function repeated(query: string): string {
  return query.replace(REPEATED, (_, from: string, to: string, lines: string) => {
    const numbers = Array.from(
      { length: Number(to) - Number(from) + 1 },
      (_, at) => Number(from) + at,
    );
    return numbers.map((number) =>
      lines.replaceAll("{N}", String(number)).replaceAll("{N-1}", String(number - 1))
    ).join("");
  });
}
