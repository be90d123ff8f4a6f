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
const MAX_ROW_BYTES = 400_000;

const REMEDY =
  "Pass one SELECT over the tables and views only: a query here cannot read files, change " +
  "data or inspect this machine";

/**
 * Rejects an untrusted query unless it is one `SELECT` over known tables and views. A
 * text that cannot be parsed is left to the engine, which says where.
 *
 * @throws {InputError} If it is another statement, or names anything else.
 */
export async function requirePlain(session: SqlSession, query: string): Promise<void> {
  const tree = await session.syntaxTree(query);
  const { error_type: error, statements } = isNode(tree) ? tree : {};
  if (error === "parser") return;
  if (error !== undefined) throw createRefusal(`it is ${nameStatement(query)}, not one SELECT`);
  if (Array.isArray(statements) && statements.length !== 1) {
    throw createRefusal(`it has ${statements.length} statements`);
  }
  requireOwnNames(tree);
  if (estimateRowBytes(tree) > MAX_ROW_BYTES) {
    throw createRefusal("it builds ever longer values, such as by appending a text to itself");
  }
}

/** The first word of a statement. */
function nameStatement(query: string): string {
  const [word = ""] = query.replaceAll(/--[^\n]*|\/\*[^]*?\*\//g, " ").match(/\w+/) ?? [];
  return /^(?:select|with|from)$/i.test(word) ? "several statements" : word.toUpperCase();
}

/** DuckDB system tables. */
const ENGINE_NAME = /^(?:duckdb|sqlite|pragma|pg)_/;

const OWN_SCHEMA = /^(?:main)?$/;

/** Requires that all in a tree is a table, a view, or a function that computes with their columns. */
function requireOwnNames(tree: unknown): void {
  if (!isNode(tree)) return;
  const name = readText(tree, "table_name");
  const called = readText(tree, "function_name");
  switch (tree["type"]) {
    case "BASE_TABLE":
      if (
        !/^\w+$/.test(name) || ENGINE_NAME.test(name) ||
        ![tree["schema_name"], tree["catalog_name"]].every((schema) =>
          OWN_SCHEMA.test(`${schema ?? ""}`)
        )
      ) throw refuseName(name);
      break;
    case "SHOW_REF":
      if (!/^(?:"tables")?$/.test(name)) throw refuseName(name.replaceAll('"', ""));
      break;
    case "TABLE_FUNCTION": {
      const { function: rowFunction } = tree;
      const functionName = readText(rowFunction, "function_name");
      if (!ROW_FUNCTIONS.test(functionName)) {
        throw createRefusal(`it reads ${functionName}(), which is not one of its tables or views`);
      }
      // What gives rows is called like a function that gives a value.
      return requireOwnNames(
        Object.values({ ...tree, function: isNode(rowFunction) && rowFunction["children"] }),
      );
    }
    case "FUNCTION":
      for (const [reason, functions] of REFUSED) {
        if (functions.test(called)) throw createRefusal(`it calls ${called}()${reason}`);
      }
  }
  for (const part of Object.values(tree)) requireOwnNames(part);
}

function refuseName(name: string): InputError {
  return createRefusal(`it names ${JSON.stringify(name)}, which is not one of its tables or views`);
}

function createRefusal(reason: string): InputError {
  return new InputError(`Cannot run the query: ${reason}`, { remedy: REMEDY });
}

/** An object of a syntax tree, as the engine serializes it. */
type Node = Readonly<Record<string, unknown>>;

/** Whether something in a tree is an object, or a list of some. */
function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}

/** A text of a tree, or of one of its objects, in lower case; empty without one. */
function readText(value: unknown, name?: string): string {
  const text = name === undefined || !isNode(value) ? value : value[name];
  return typeof text === "string" ? text.toLowerCase() : "";
}

/** Bytes that a value of a table is taken for. */
const VALUE_BYTES = 200;

/** Maximum growth of function results, as a multiple of the total argument size. */
const GROWTH: readonly (readonly [function: RegExp, times: number])[] = [
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
 * Estimates the maximum size of an output row, in bytes: a bound for the usual sizes of
 * values, for texts that are joined to themselves again and again.
 *
 * @param tree Its syntax tree.
 */
function estimateRowBytes(tree: unknown): number {
  const sizes = new ValueSizes();
  sizes.measure(tree);
  return sizes.largest;
}

class ValueSizes {
  /** The largest row of a SELECT. */
  largest = 0;
  /** Size of a column of any table or common table expression so far. */
  #columnSize = VALUE_BYTES;

  /**
   * Reads a syntax tree.
   *
   * @param column Size of a column that is no name below.
   * @param names Sizes of what has a name in the same SELECT or function.
   */
  measure(
    tree: unknown,
    column = VALUE_BYTES,
    names: ReadonlyMap<string, number> = new Map(),
  ): number {
    if (!isNode(tree)) return 0;
    const measurePart = (part: unknown) => this.measure(part, column, names);
    const sumParts = () =>
      Object.values(tree).reduce((sum: number, part) => sum + measurePart(part), 0);
    if (Array.isArray(tree)) return sumParts();
    switch (tree["type"]) {
      case "SELECT_NODE":
        return this.#measureSelect(tree, column);
      case "RECURSIVE_CTE_NODE": {
        const [first, next] = [measurePart(tree["left"]), measurePart(tree["right"])];
        // Each round would make it longer again.
        return next > Math.max(first, this.#columnSize) ? Infinity : next;
      }
      case "BASE_TABLE":
        return this.#columnSize;
      case "JOIN": {
        const leftSize = measurePart(tree["left"]);
        return Math.max(leftSize, this.measure(tree["right"], Math.max(leftSize, column), names));
      }
      case "STAR":
        return column;
      case "COLUMN_REF":
        return names.get(readText([tree["column_names"]].flat().at(-1))) ?? column;
      case "VALUE_CONSTANT":
        return readConstant(tree)?.length ?? 1;
      case "OPERATOR_CAST":
        return measurePart(tree["child"]) * (CAST_GROWTH[readText(tree["cast_type"], "id")] ?? 1);
      case "FUNCTION":
      case "WINDOW_AGGREGATE":
        return this.#measureCall(tree, column, names) + measurePart(tree["order_bys"]) +
          measurePart(tree["filter"]);
      default:
        return sumParts();
    }
  }

  #measureSelect(
    { cte_map: tableExpressions, from_table: from, ...node }: Node,
    column: number,
  ): number {
    for (const item of [isNode(tableExpressions) ? tableExpressions["map"] : []].flat()) {
      this.#columnSize = Math.max(this.#columnSize, this.measure(item));
    }
    const columnSize = Math.max(column, this.measure(from, column));
    const names = new Map<string, number>();
    const { select_list: list, type: _, ...clauses } = node;
    let row = this.measure(Object.values(clauses), columnSize);
    let longest = 0;
    for (const item of [list].flat()) {
      const size = this.measure(item, columnSize, names);
      names.set(readText(item, "alias"), size);
      [row, longest] = [row + size, Math.max(longest, size)];
    }
    this.largest = Math.max(this.largest, row);
    return longest;
  }

  #measureCall(tree: Node, column: number, names: ReadonlyMap<string, number>): number {
    const name = readText(tree["function_name"]);
    const children = [tree["children"]].flat();
    const measurePart = (part: unknown) => this.measure(part, column, names);
    if (FILLING.test(name) && children.length > 1) {
      const [text, pattern, insertion = pattern] = children;
      const [inserted, replaced] = [
        readConstant(insertion)?.length ?? measurePart(insertion),
        readConstant(pattern)?.length ?? 0,
      ];
      return measurePart(text) * (name === "replace" && inserted <= replaced ? 1 : 1 + inserted);
    }
    const [list, lambda] = children;
    if (isNode(lambda) && lambda["type"] === "LAMBDA") {
      const inner = new Map([...names, ...listParameters(lambda["lhs"])]);
      const result = this.measure(lambda["expr"], column, inner);
      return APPLYING.test(name) ? measurePart(list) * result : measurePart(list) + result;
    }
    // Numbers stay as long as they are.
    if (/^[-+*/%]+$/.test(name)) return Math.max(...children.map(measurePart));
    return measurePart(children) * (GROWTH.find(([called]) => called.test(name))?.[1] ?? 1);
  }
}

const CAST_GROWTH: Readonly<Record<string, number>> = { varchar: 4, bit: 8 };

/** The text of a constant; `null` for anything else. */
function readConstant(node: unknown): string | null {
  if (!isNode(node) || node["type"] !== "VALUE_CONSTANT" || !isNode(node["value"])) return null;
  return String(node["value"]["value"] ?? "");
}

/** Lists the parameters of a lambda: each takes one element of a list. */
function listParameters(node: unknown): [string, number][] {
  if (!isNode(node)) return [];
  const { column_names: names } = node;
  return names === undefined
    ? Object.values(node).flatMap(listParameters)
    : [[readText([names].flat().at(-1)), 1]];
}
