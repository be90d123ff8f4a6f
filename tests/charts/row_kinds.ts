import { readdirSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "../../tools/project_root.ts";

const CHARTS = join(PROJECT_ROOT, "lib", "charts");

/** A `picture()` with its rows, or rows that several charts take. */
const DECLARED =
  /^export const \w+: (?:Draw|RowKind)<(\w+)(?:(?!^\}).)*?^ {2}table: "(\w+)",\n {2}columns: (.*?)[}\)],?\n(?: {2}\w|\};)/gms;
/** Columns of one kind, or one column with its kind. */
const COLUMNS = /each\(\s*("[a-z?]+"(?:,\s*"\w+")+)|(\w+): "([a-z?]+)"/g;

/** A kind of rows as `lib/charts` declares it. */
export interface DeclaredKind {
  /** The interface of one row. */
  readonly row: string;
  /** The function whose table's rows they are. */
  readonly table: string;
  /** The type of each column; with `?` where it may be absent. */
  readonly columns: Readonly<Record<string, string>>;
}

/** Every kind of rows that a file of `lib/charts` declares, whatever is added to it. */
export const ROW_KINDS: readonly DeclaredKind[] = readdirSync(CHARTS, { recursive: true })
  .filter((path): path is string => String(path).endsWith(".ts"))
  .flatMap((path) => [...Deno.readTextFileSync(join(CHARTS, path)).matchAll(DECLARED)])
  .map(([, row = "", table = "", columns = ""]) => ({ row, table, columns: columnsOf(columns) }))
  .toSorted((a, b) => a.row < b.row ? -1 : 1);

function columnsOf(declared: string): Record<string, string> {
  return Object.fromEntries(
    declared.matchAll(COLUMNS).flatMap(([, each, name = "", kind = ""]) => {
      if (each === undefined) return [[name, kind]];
      const [own, ...names]: string[] = JSON.parse(`[${each}]`);
      return names.map((one) => [one, own!]);
    }),
  );
}
