import { DuckDBInstance } from "@duckdb/node-api";
import type { SqlRelation } from "orderlens/sql";

/** A node of a query, as DuckDB's parser has it. */
type Node = { readonly [key: string]: unknown };

/** Functions of text that is an amount. */
const AMOUNTS = /^u_(?:muldiv|muldiv_up|sub|add|join|sum|max|min|times|wad)$/;
/** Functions whose texts are amounts, but not all of their arguments. */
const TAKING_AMOUNTS = /^u_(?!ns$|wad$|times$|overflows$)/;
/** Functions and operators that DuckDB and Spark share, with the same results. */
const SHARED =
  /^(?:u_\w+|[-+*/%]|\|\||~~|!~~|count|count_star|sum|max|min|max_by|min_by|greatest|least|sqrt|row_number|lead|lower|upper|length|substr|substring|replace|translate|lpad|rpad|repeat|split_part|nullif|coalesce|floor)$/;
const ARITHMETIC = /^[-+*/%]$|^\/\/$/;
const TYPES = /^(?:VARCHAR|BIGINT|INTEGER|DOUBLE|BOOLEAN|DATE)$/;
const CANONICAL = /^-?(?:0|[1-9][0-9]*)$/;

/** Finds what wraps, rounds or compares amounts as text in queries. */
export class QueryFaults implements Disposable {
  readonly #instance: DuckDBInstance;
  readonly #known: ReadonlySet<string>;

  private constructor(instance: DuckDBInstance, known: ReadonlySet<string>) {
    this.#instance = instance;
    this.#known = known;
  }

  /** Takes the columns whose unit is atoms, of tables and views. */
  static async of(relations: readonly SqlRelation[]): Promise<QueryFaults> {
    const known = relations.flatMap(({ columns }) => columns)
      .filter(({ dtype, unit }) => dtype === "String" && unit?.includes("atoms"))
      .map(({ name }) => name);
    return new QueryFaults(await DuckDBInstance.create(":memory:"), new Set(known));
  }

  /** The faults of one query, each with the expression where it is. */
  async in(query: string): Promise<string[]> {
    const connection = await this.#instance.connect();
    const quoted = `'${query.replaceAll("'", "''")}'`;
    const found = await connection.runAndReadAll(`SELECT json_serialize_sql(${quoted})`);
    connection.closeSync();
    const tree: Node = JSON.parse(String(found.getRows()[0]?.[0]));
    if (tree.error) throw new TypeError(`${tree.error_message}: ${query}`);
    const nodes = [...nodesOf(tree)];
    const amounts = amountsIn(nodes, this.#known);
    return nodes.flatMap((node) => faultsOf(node, amounts));
  }

  [Symbol.dispose](): void {
    this.#instance.closeSync();
  }
}

function* nodesOf(value: unknown): Generator<Node> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Node;
  for (const each of Object.values(value)) yield* nodesOf(each);
}

/** Names of amounts: those known, what functions on amounts take, and what is selected from either. */
function amountsIn(nodes: readonly Node[], known: ReadonlySet<string>): Set<string> {
  const names = new Set(known);
  for (let size = -1; size < names.size;) {
    size = names.size;
    for (const node of nodes) {
      const takes = node.class === "FUNCTION" && TAKING_AMOUNTS.test(String(node.function_name));
      for (const child of takes ? listOf(node.children) : []) {
        if (child.class === "COLUMN_REF") names.add(nameOf(child));
      }
      for (const selected of listOf(node.select_list)) {
        const alias = String(
          selected.alias || (selected.class === "COLUMN_REF" && nameOf(selected)),
        );
        if (isAmount(selected, names)) names.add(alias);
      }
    }
  }
  return names;
}

function isAmount(node: Node, names: ReadonlySet<string>): boolean {
  const some = (children: unknown) => listOf(children).some((child) => isAmount(child, names));
  switch (node.class) {
    case "COLUMN_REF":
      return names.has(nameOf(node));
    case "CASE":
      return isAmount(node.else_expr as Node, names) ||
        listOf(node.case_checks).some(({ then_expr }) => isAmount(then_expr as Node, names));
    case "CAST":
      return typeOf(node) === "VARCHAR" && isAmount(node.child as Node, names);
    case "OPERATOR":
      return node.type === "OPERATOR_COALESCE" && some(node.children);
    case "WINDOW":
      return some(node.children);
    case "FUNCTION":
      return AMOUNTS.test(String(node.function_name)) ||
        /^(?:nullif|coalesce|max|min|\|\||lpad|rpad|replace|substr|translate)$/
            .test(String(node.function_name)) && some(node.children);
    default:
      return false;
  }
}

function faultsOf(node: Node, names: ReadonlySet<string>): string[] {
  const children = listOf(node.children);
  const ofAmount = (...nodes: unknown[]) =>
    nodes.some((each) => isObject(each) && isAmount(each, names));
  const faults: string[] = [];
  const name = String(node.function_name);
  if (node.class === "FUNCTION" || node.class === "WINDOW" && name !== "undefined") {
    if (!SHARED.test(name) && node.type !== "WINDOW_ROW_NUMBER") {
      faults.push(`the function ${name}`);
    }
    if (ARITHMETIC.test(name) && ofAmount(...children)) faults.push(`${name} of an amount`);
    if (name === "sum" && ofAmount(...children)) faults.push("sum of amounts");
    if (/^(?:greatest|least)$/.test(name) && ofAmount(...children)) {
      faults.push(`${name} of amounts, as text`);
    }
    if (/^(?:max|min)_by$/.test(name) && ofAmount(children[1])) {
      faults.push(`${name} an amount, as text`);
    }
    if (/^(?:max|min)$/.test(name) && ofAmount(...children) && !children.every(isPivot)) {
      faults.push(`${name} of amounts, as text`);
    }
    if (/~~$/.test(name) && ofAmount(children[0]) && valueOf(children[1]) !== "-%") {
      faults.push("LIKE of an amount, except '-%'");
    }
  }
  if (node.class === "CAST") {
    if (node.try_cast) faults.push("TRY_CAST, which makes null of bad text");
    if (!TYPES.test(typeOf(node))) faults.push(`a cast to ${typeOf(node)}`);
    if (typeOf(node) !== "VARCHAR" && ofAmount(node.child) && !isScaled(node)) {
      faults.push("a cast of an amount");
    }
  }
  if (node.class === "COMPARISON") {
    const sides = [node.left, node.right] as Node[];
    const isEquality = /EQUAL$|DISTINCT_FROM$/.test(String(node.type)) &&
      !/LESS|GREATER/.test(String(node.type));
    if (ofAmount(...sides) && !isEquality) faults.push("a comparison of amounts, as text");
    if (ofAmount(...sides) && sides.some(isOtherConstant)) {
      faults.push("an amount against anything but canonical text");
    }
  }
  if (node.class === "BETWEEN" && ofAmount(node.input, node.lower, node.upper)) {
    faults.push("BETWEEN of amounts, as text");
  }
  if (/^COMPARE_(?:NOT_)?IN$/.test(String(node.type)) && ofAmount(...children)) {
    if (children.some(isOtherConstant)) {
      faults.push("an amount against anything but canonical text");
    }
  }
  for (const { expression } of listOf(node.orders)) {
    if (ofAmount(expression)) faults.push("ORDER BY of an amount, as text");
  }
  return faults;
}

/** Whether a cast is that of digits with their exponent to the nearest double, for axes. */
function isScaled(node: Node): boolean {
  const exponent = valueOf(listOf((node.child as Node).children).at(-1));
  return typeOf(node) === "DOUBLE" && (node.child as Node).function_name === "||" &&
    typeof exponent === "string" && /^e-\d+$/.test(exponent);
}

/** Whether an expression is null but for one row of a group: `CASE WHEN place = 1 THEN … END`. */
function isPivot(node: Node): boolean {
  const checks = listOf(node.case_checks);
  return node.class === "CASE" && valueOf(node.else_expr as Node) === null && checks.length === 1 &&
    checks.every(({ when_expr }) => (when_expr as Node).type === "COMPARE_EQUAL");
}

function isOtherConstant(node: Node): boolean {
  const value = valueOf(node);
  return value !== undefined && value !== null &&
    !CANONICAL.test(typeof value === "string" ? value : "x");
}

/** The value of a constant; `undefined` of anything else. */
function valueOf(node: Node | undefined): unknown {
  if (node?.class !== "CONSTANT") return undefined;
  const value = node.value as Node;
  return value.is_null ? null : value.value;
}

function nameOf(node: Node): string {
  return String((node.column_names as string[]).at(-1));
}

function typeOf(node: Node): string {
  return String((node.cast_type as Node).id);
}

function listOf(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isObject(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}
