import { readdirSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "../../tools/project_root.ts";

const CHARTS = join(PROJECT_ROOT, "lib", "charts");

/** A `defineChart()` with its rows, or rows that several charts take. */
const DECLARED =
  /^export const \w+: (?:Draw|RowKind)<(\w+)(?:(?!^\}).)*?^ {2,4}table: "(\w+)",\n {2,4}columns: (.*?)[}\)],?\n(?: {2,4}\w|\};)/gms;
/** Columns of one kind, or one column with its kind. */
const COLUMNS = /declare\(\s*("[a-z?]+"(?:,\s*"\w+")+)|(\w+): "([a-z?]+)"/g;

/**
 * Every kind of rows that a file of `lib/charts` declares, whatever is added to it: the interface of
 * one row, the table whose rows they are, and the type of each column; with `?` where it
 * may be absent.
 */
export const ROW_KINDS = readdirSync(CHARTS, { recursive: true })
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
