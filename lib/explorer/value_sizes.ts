/** An object of a syntax tree, as the engine serializes it. */
type Node = Readonly<Record<string, unknown>>;

/** Whether something in a tree is an object, or a list of some. */
export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}

/** A text of a tree, or of one of its objects, in lower case; empty without one. */
export function textOf(value: unknown, name?: string): string {
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
export function longestRow(tree: unknown): number {
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
