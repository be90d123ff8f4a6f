import { openSql, readViews } from "orderlens/sql";
import { assert, assertEquals } from "@std/assert";
import { listDatasetTables } from "../../lib/sql/catalogue.ts";

const sql = await openSql("market_1");
Deno.test.afterAll(() => sql[Symbol.dispose]());

/** A node of a syntax tree of DuckDB. */
type Node = Readonly<Record<string, unknown>>;

function* nodesIn(value: unknown): Generator<Node, void, undefined> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Node;
  for (const part of Object.values(value)) yield* nodesIn(part);
}

/** Functions that have a double where an argument has one. */
const OF_DOUBLES = /^(?:sqrt|ln|exp|floor|nullif|coalesce|greatest|least|max|min|[-+*/])$/;

const TABLES = listDatasetTables();

/** Names of the columns of tables that are of one kind. */
function columnsOfKind(kind: string): ReadonlySet<string> {
  const all = TABLES.flatMap(({ columns }) => columns.filter(({ dtype }) => dtype === kind));
  return new Set(all.map(({ name }) => name));
}

const [DOUBLES, WHOLES] = [columnsOfKind("Float64"), columnsOfKind("Int64")];

/**
 * What Spark would compute in silence otherwise than meant in a query: quoted digits, beside which an
 * amount becomes a double, and divisions without a double, of which two decimals keep six digits.
 * Amounts are divided as doubles of their texts, since DuckDB's own cast may miss the nearest one.
 */
async function findTraps(query: string): Promise<string[]> {
  const nodes = [...nodesIn(await sql.syntaxTree(query))];
  const aliased = Map.groupBy(
    nodes.filter(({ alias }) => typeof alias === "string" && alias !== ""),
    ({ alias }) => String(alias),
  );
  const isDouble = (node: unknown, asked: ReadonlySet<string> = new Set()): boolean => {
    const { class: kind, cast_type, column_names, value, function_name, children } = node as Node;
    const some = (parts: unknown) => (parts as Node[]).some((part) => isDouble(part, asked));
    switch (kind) {
      case "CAST":
        return (cast_type as Node)["id"] === "DOUBLE";
      case "CONSTANT":
        return ((value as Node)["type"] as Node)["id"] === "DOUBLE";
      case "FUNCTION":
        return OF_DOUBLES.test(String(function_name)) && some(children);
      case "OPERATOR":
        return some(children);
      case "CASE": {
        const { case_checks, else_expr } = node as Node;
        return some([...(case_checks as Node[]).map(({ then_expr }) => then_expr), else_expr]);
      }
      case "COLUMN_REF": {
        const name = String((column_names as string[]).at(-1));
        if (asked.has(name)) return false;
        const own = aliased.get(name);
        return own === undefined
          ? DOUBLES.has(name)
          : own.every((one) => isDouble(one, new Set([...asked, name])));
      }
      default:
        return false;
    }
  };
  const isWhole = (node: unknown): boolean => {
    const { class: kind, column_names, value, function_name, children } = node as Node;
    if (kind === "COLUMN_REF") return WHOLES.has(String((column_names as string[]).at(-1)));
    if (kind === "CONSTANT") return ((value as Node)["type"] as Node)["id"] === "INTEGER";
    return kind === "FUNCTION" && /^[-+*]$/.test(String(function_name)) &&
      (children as unknown[]).every(isWhole);
  };
  return nodes.flatMap((node) => {
    if (node["class"] === "CONSTANT") {
      const { value } = node["value"] as Node;
      return typeof value === "string" && /^-?\d+$/.test(value) ? [`quoted ${value}`] : [];
    }
    if (node["class"] !== "FUNCTION" || node["function_name"] !== "/") return [];
    const parts = node["children"] as unknown[];
    return parts.some((part) => isDouble(part)) &&
        parts.every((part) => isDouble(part) || isWhole(part))
      ? []
      : [`division at ${node["query_location"]}`];
  });
}

Deno.test("views have no quoted digits, and divide doubles alone, as Spark needs it", async () => {
  const views = await readViews();
  assert(views.length > 3);
  for (const { name, query } of views) {
    assertEquals([name, await findTraps(query)], [name, []]);
  }
});

Deno.test("a check finds arithmetic that Spark would do in doubles, or truncate", async () => {
  const traps = async (query: string) => (await findTraps(query)).length;
  for (
    const query of [
      "SELECT sum(CASE WHEN is_winner THEN score_atoms ELSE '0' END) FROM outcomes",
      "SELECT coalesce(sum(score_atoms), '-1') FROM outcomes",
      "SELECT score_atoms / 1000 FROM outcomes",
      "SELECT sum(score_atoms) / count(*) FROM outcomes",
      "SELECT 1e0 / score_atoms FROM outcomes",
      "SELECT auction_id / 2 FROM outcomes",
      "SELECT score_native / 2.5 FROM outcomes",
      "WITH a AS (SELECT sum(score_atoms) AS s FROM outcomes) SELECT s / 2e0 FROM a",
    ]
  ) assertEquals([query, await traps(query)], [query, 1]);
  for (
    const query of [
      "SELECT sum(CASE WHEN is_winner THEN score_atoms ELSE 0 END), 'in_time', '1e' FROM outcomes",
      "SELECT CAST(CAST(score_atoms AS STRING) AS DOUBLE) / nullif(score_native, 0e0) FROM outcomes",
      "SELECT (filled_at_ms - 5) / 2e0 FROM fills",
      "WITH a AS (SELECT CAST(count(*) AS DOUBLE) AS n FROM outcomes) SELECT sqrt(n * 2e0) / n FROM a",
    ]
  ) assertEquals([query, await traps(query)], [query, 0]);
});
