import { InputError } from "../errors/mod.ts";
import { isNode, type Node, textOf, ValueSizes } from "./value_sizes.ts";

/** Functions that give rows and read nothing. */
const ROW_FUNCTIONS: ReadonlySet<string> = new Set(["range", "generate_series", "unnest"]);

/** Functions that tell of the machine, wait, or write; they are no part of a query over tables. */
const TELLING: ReadonlySet<string> = new Set([
  ...["current_setting", "getenv", "getvariable", "json_serialize_plan", "pg_get_viewdef"],
  ...["pg_sleep", "sleep_ms", "write_log", "nextval", "setseed"],
]);

/** Functions of which one call makes a value of any size, which no limit of memory counts. */
const GROWING: ReadonlySet<string> = new Set([
  ...["repeat", "lpad", "rpad", "format", "printf", "bar", "bitstring", "equi_width_bins"],
  ...["range", "generate_series", "list_resize", "array_resize"],
  ...["list_reduce", "array_reduce", "reduce"],
]);

/** Functions whose time grows with the product of two texts, and that nothing ends early. */
const SLOW =
  /^(?:levenshtein|editdist3|damerau_levenshtein|jaro_similarity|jaro_winkler_similarity)$/;

/** Bytes that one row may take: thousands of rows are in memory at once, outside of its limit. */
const MOST_BYTES = 400_000;

const REMEDY =
  "Pass one SELECT over the tables and views alone: a query here reads no file, changes " +
  "nothing, and tells nothing of this machine";

/**
 * Requires that a query of somebody else is one `SELECT` that names nothing but tables and views. A
 * text that cannot be parsed is left to the engine, which says where.
 *
 * @param tree Its syntax tree, as the engine serializes it.
 * @throws {InputError} If it is another statement, or names anything else.
 */
export function requirePlainQuery(query: string, tree: unknown): void {
  const nodes = nodesOf(tree);
  const [{ error_type: error, statements } = {}] = nodes;
  if (error === "parser") return;
  if (error !== undefined) throw refused(`it is ${statementOf(query)}, not one SELECT`);
  if (Array.isArray(statements) && statements.length !== 1) {
    throw refused(`it has ${statements.length} statements`);
  }
  for (const node of nodes) requireOwn(node);
  const sizes = new ValueSizes();
  sizes.of(tree);
  if (sizes.largest > MOST_BYTES) {
    throw refused("it makes values longer and longer, such as by joining a text to itself");
  }
}

/** The first word of a statement. */
function statementOf(query: string): string {
  const [word = ""] = query.replaceAll(/--[^\n]*|\/\*[^]*?\*\//g, " ").match(/\w+/) ?? [];
  return /^(?:select|with|from)$/i.test(word) ? "several statements" : word.toUpperCase();
}

/** All objects of a tree, each before those in it. */
function nodesOf(tree: unknown): Node[] {
  const nodes: Node[] = [];
  const waiting = [tree];
  while (waiting.length > 0) {
    const one = waiting.pop();
    if (!isNode(one)) continue;
    if (!Array.isArray(one)) nodes.push(one);
    const { function: called } = one;
    // What gives rows is called like a function that gives a value.
    const isRows = one["type"] === "TABLE_FUNCTION" && isNode(called) &&
      ROW_FUNCTIONS.has(textOf(called["function_name"]));
    waiting.push(...Object.values(isRows ? { ...one, function: called["children"] } : one));
  }
  return nodes;
}

/** Names of what the engine tells of itself. */
const OF_THE_ENGINE = /^(?:duckdb|sqlite|pragma|pg)_/;

function requireOwn(node: Node): void {
  const name = textOf(node["table_name"]);
  const called = textOf(node["function_name"]);
  switch (node["type"]) {
    case "BASE_TABLE":
      if (
        !/^\w+$/.test(name) || OF_THE_ENGINE.test(name) ||
        ![node["schema_name"], node["catalog_name"]].every(isOwnPlace)
      ) throw foreignName(name);
      return;
    case "SHOW_REF":
      if (name !== "" && name !== '"tables"') throw foreignName(name.replaceAll('"', ""));
      return;
    case "TABLE_FUNCTION": {
      const { function: rows } = node;
      const text = isNode(rows) ? textOf(rows["function_name"]) : "";
      if (!ROW_FUNCTIONS.has(text)) throw refused(`it reads ${text}(), which is no table of it`);
      return;
    }
    case "FUNCTION":
      if (TELLING.has(called)) throw refused(`it calls ${called}()`);
      if (GROWING.has(called)) {
        throw refused(`it calls ${called}(), whose value may be of any size`);
      }
      if (SLOW.test(called)) throw refused(`it calls ${called}(), which cannot be stopped`);
  }
}

function isOwnPlace(name: unknown): boolean {
  return name === undefined || name === "" || name === "main";
}

function foreignName(name: string): InputError {
  return refused(`it names ${JSON.stringify(name)}, which is no table or view of it`);
}

function refused(what: string): InputError {
  return new InputError(`Cannot run the query: ${what}`, { remedy: REMEDY });
}
