import { InputError } from "../errors/mod.ts";
import type { SqlSession } from "../sql/mod.ts";

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

/** An object of a syntax tree, as the engine serializes it. */
type Node = Readonly<Record<string, unknown>>;

/** Whether something in a tree is an object, or a list of some. */
function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}

/** A text of a tree, or of one of its objects, in lower case; empty without one. */
function textOf(value: unknown, name?: string): string {
  const text = name === undefined || !isNode(value) ? value : value[name];
  return typeof text === "string" ? text.toLowerCase() : "";
}

/** Bytes that a value of a table is taken for. */
const VALUE = 200;

/** How many times as long as its arguments together the value of a function may be. */
const TIMES: readonly (readonly [function: RegExp, times: number])[] = [
  [/^(?:to_)?bin(?:ary)?$/, 8],
  [/^(?:(?:to_)?(?:hex|base64|json)|json_\w+|\w+_to_json|url_encode|regexp_escape)$/, 3],
  [
    /^(?:string_to_array|regexp_(?:split_to_array|extract_all)|(?:str(?:ing)?_)?split(?:_regex)?)$/,
    16,
  ],
  [/^(?:list|array_agg|string_agg|group_concat|listagg|histogram)$/, 100],
];

/** Functions that put their last argument once for each part of the first. */
const FILLING = /^(?:(?:regexp_)?replace|array_to_string|(?:list|array)_aggr(?:egate)?)$/;

/** Functions that make a list of one value for each of another. */
const APPLYING = /^(?:(?:list|array)_(?:transform|apply)|apply)$/;

/**
 * How long a row may become that a query makes of one row, in bytes: a bound for the usual sizes of
 * values, for texts that are joined to themselves again and again.
 *
 * @param tree Its syntax tree.
 */
function longestRow(tree: unknown): number {
  const sizes = new ValueSizes();
  sizes.of(tree);
  return sizes.largest;
}

class ValueSizes {
  /** The largest row of a SELECT. */
  largest = 0;
  /** Size of a column of any table or common table expression so far. */
  #known = VALUE;

  /**
   * Reads a syntax tree.
   *
   * @param column Size of a column that is no name below.
   * @param names Sizes of what has a name in the same SELECT or function.
   */
  of(tree: unknown, column = VALUE, names: ReadonlyMap<string, number> = new Map()): number {
    if (!isNode(tree)) return 0;
    const size = (one: unknown) => this.of(one, column, names);
    const inside = () => Object.values(tree).reduce((sum: number, one) => sum + size(one), 0);
    if (Array.isArray(tree)) return inside();
    switch (tree["type"]) {
      case "SELECT_NODE":
        return this.#selected(tree, column);
      case "RECURSIVE_CTE_NODE": {
        const [first, next] = [size(tree["left"]), size(tree["right"])];
        // Each round would make it longer again.
        return next > Math.max(first, this.#known) ? Infinity : next;
      }
      case "BASE_TABLE":
        return this.#known;
      case "JOIN": {
        const left = size(tree["left"]);
        return Math.max(left, this.of(tree["right"], Math.max(left, column), names));
      }
      case "STAR":
        return column;
      case "COLUMN_REF":
        return names.get(textOf([tree["column_names"]].flat().at(-1))) ?? column;
      case "VALUE_CONSTANT":
        return constantOf(tree)?.length ?? 1;
      case "OPERATOR_CAST":
        return size(tree["child"]) * (CAST_TIMES[textOf(tree["cast_type"], "id")] ?? 1);
      case "FUNCTION":
      case "WINDOW_AGGREGATE":
        return this.#called(tree, column, names) + size(tree["order_bys"]) + size(tree["filter"]);
      default:
        return inside();
    }
  }

  #selected({ cte_map: named, from_table: from, ...rest }: Node, column: number): number {
    for (const one of [isNode(named) ? named["map"] : []].flat()) {
      this.#known = Math.max(this.#known, this.of(one));
    }
    const own = Math.max(column, this.of(from, column));
    const names = new Map<string, number>();
    const { select_list: list, type: _, ...others } = rest;
    let row = this.of(Object.values(others), own);
    let longest = 0;
    for (const one of [list].flat()) {
      const size = this.of(one, own, names);
      names.set(textOf(one, "alias"), size);
      [row, longest] = [row + size, Math.max(longest, size)];
    }
    this.largest = Math.max(this.largest, row);
    return longest;
  }

  #called(tree: Node, column: number, names: ReadonlyMap<string, number>): number {
    const name = textOf(tree["function_name"]);
    const children = [tree["children"]].flat();
    const size = (one: unknown) => this.of(one, column, names);
    if (FILLING.test(name) && children.length > 1) {
      const [text, part, put = part] = children;
      const [most, least] = [constantOf(put)?.length ?? size(put), constantOf(part)?.length ?? 0];
      return size(text) * (name === "replace" && most <= least ? 1 : 1 + most);
    }
    const [list, applied] = children;
    if (isNode(applied) && applied["type"] === "LAMBDA") {
      const inner = new Map([...names, ...parametersOf(applied["lhs"])]);
      const made = this.of(applied["expr"], column, inner);
      return APPLYING.test(name) ? size(list) * made : size(list) + made;
    }
    // Numbers stay as long as they are.
    if (/^[-+*/%]+$/.test(name)) return Math.max(...children.map(size));
    return size(children) * (TIMES.find(([called]) => called.test(name))?.[1] ?? 1);
  }
}

const CAST_TIMES: Readonly<Record<string, number>> = { varchar: 4, bit: 8 };

/** The text of a constant; `null` for anything else. */
function constantOf(node: unknown): string | null {
  if (!isNode(node) || node["type"] !== "VALUE_CONSTANT" || !isNode(node["value"])) return null;
  return String(node["value"]["value"] ?? "");
}

/** What a function without a name takes: one part of a list each. */
function parametersOf(node: unknown): [string, number][] {
  if (!isNode(node)) return [];
  const { column_names: names } = node;
  return names === undefined
    ? Object.values(node).flatMap(parametersOf)
    : [[textOf([names].flat().at(-1)), 1]];
}
