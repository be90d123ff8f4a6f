import { InputError } from "../errors/mod.ts";
import type { SqlSession } from "../sql/mod.ts";
import { isNode, longestRow, textOf } from "./value_sizes.ts";

/** Functions that give rows and read nothing. */
const ROW_FUNCTIONS = /^(?:range|generate_series|unnest)$/;

/** Functions that a query of somebody else may not call, and why. */
const REFUSED: readonly (readonly [why: string, functions: RegExp])[] = [
  // They tell of the machine, wait, or write.
  [
    "",
    /^(?:current_setting|getenv|getvariable|json_serialize_plan|pg_get_viewdef|pg_sleep|sleep_ms|write_log|nextval|setseed)$/,
  ],
  // One call makes a value of which no limit of memory counts the size.
  [
    ", whose value may be of any size",
    /^(?:repeat|[lr]pad|format|printf|bar|bitstring|equi_width_bins|range|generate_series|(?:list|array)_resize|(?:(?:list|array)_)?reduce)$/,
  ],
  // Their time grows with the product of two texts, and nothing ends it early.
  [
    ", which cannot be stopped",
    /^(?:levenshtein|editdist3|damerau_levenshtein|jaro_similarity|jaro_winkler_similarity)$/,
  ],
];

/** Bytes that one row may take: thousands of rows are in memory at once, outside of its limit. */
const MOST_BYTES = 400_000;

const REMEDY =
  "Pass one SELECT over the tables and views alone: a query here reads no file, changes " +
  "nothing, and tells nothing of this machine";

/**
 * Requires that a query of somebody else is one `SELECT` that names nothing but tables and views. A
 * text that cannot be parsed is left to the engine, which says where.
 *
 * @throws {InputError} If it is another statement, or names anything else.
 */
export async function requirePlain(session: SqlSession, query: string): Promise<void> {
  const tree = await session.syntaxTree(query);
  const { error_type: error, statements } = isNode(tree) ? tree : {};
  if (error === "parser") return;
  if (error !== undefined) throw refused(`it is ${statementOf(query)}, not one SELECT`);
  if (Array.isArray(statements) && statements.length !== 1) {
    throw refused(`it has ${statements.length} statements`);
  }
  requireOwn(tree);
  if (longestRow(tree) > MOST_BYTES) {
    throw refused("it makes values longer and longer, such as by joining a text to itself");
  }
}

/** The first word of a statement. */
function statementOf(query: string): string {
  const [word = ""] = query.replaceAll(/--[^\n]*|\/\*[^]*?\*\//g, " ").match(/\w+/) ?? [];
  return /^(?:select|with|from)$/i.test(word) ? "several statements" : word.toUpperCase();
}

/** Names of what the engine tells of itself. */
const OF_THE_ENGINE = /^(?:duckdb|sqlite|pragma|pg)_/;

const OWN_PLACE = /^(?:main)?$/;

/** Requires that all in a tree is a table, a view, or a function that computes with their columns. */
function requireOwn(tree: unknown): void {
  if (!isNode(tree)) return;
  const name = textOf(tree, "table_name");
  const called = textOf(tree, "function_name");
  switch (tree["type"]) {
    case "BASE_TABLE":
      if (
        !/^\w+$/.test(name) || OF_THE_ENGINE.test(name) ||
        ![tree["schema_name"], tree["catalog_name"]].every((place) =>
          OWN_PLACE.test(`${place ?? ""}`)
        )
      ) throw foreignName(name);
      break;
    case "SHOW_REF":
      if (!/^(?:"tables")?$/.test(name)) throw foreignName(name.replaceAll('"', ""));
      break;
    case "TABLE_FUNCTION": {
      const { function: rows } = tree;
      const read = textOf(rows, "function_name");
      if (!ROW_FUNCTIONS.test(read)) throw refused(`it reads ${read}(), which is no table of it`);
      // What gives rows is called like a function that gives a value.
      return requireOwn(Object.values({ ...tree, function: isNode(rows) && rows["children"] }));
    }
    case "FUNCTION":
      for (const [why, functions] of REFUSED) {
        if (functions.test(called)) throw refused(`it calls ${called}()${why}`);
      }
  }
  for (const part of Object.values(tree)) requireOwn(part);
}

function foreignName(name: string): InputError {
  return refused(`it names ${JSON.stringify(name)}, which is no table or view of it`);
}

function refused(what: string): InputError {
  return new InputError(`Cannot run the query: ${what}`, { remedy: REMEDY });
}
