import { EXACT_FUNCTIONS, expandMacros, MACROS, openSql, readViews } from "orderlens/sql";
import { assertEquals, assertNotEquals } from "@std/assert";
import { sqlDictionary } from "../../tools/sql/sql_dictionary.ts";

const VIEWS = await readViews();

/** What wraps, rounds or differs between engines without an error. */
const FORBIDDEN: Readonly<Record<string, RegExp>> = {
  "div, which wraps in Spark": /\bdiv\b|\/\//i,
  "BIGNUM, whose products are doubles": /bignum|varint/i,
  "casts to 128 bits": /hugeint|int128|decimal\s*\(\s*(?:19|[23]\d)/i,
  "sums of casts of text": /\b(?:sum|avg)\s*\(\s*(?:distinct\s+)?cast\s*\(/i,
  "concat, which skips null in DuckDB": /\bconcat(?:_ws)?\s*\(/i,
  "VARCHAR without a length, which Spark refuses": /\bvarchar\b/i,
  "::, QUALIFY, EXCLUDE, macros of lists: not in every engine": /::|\bqualify\b|\bexclude\b|\[/i,
};

function faultsOf(sql: string): string[] {
  const code = sql.replace(/--[^\n]*/g, "").replace(/'[^']*'/g, "''");
  return Object.entries(FORBIDDEN).filter(([, pattern]) => pattern.test(code)).map(([what]) =>
    what
  );
}

for (const { name, query } of VIEWS) {
  Deno.test(`the view ${name} uses nothing that wraps, rounds or differs between engines`, () => {
    assertEquals(faultsOf(query), []);
    assertEquals(faultsOf(expandMacros(query)), []);
  });
}

Deno.test("the forbidden operators are found", () => {
  const queries = [
    "SELECT a div b FROM t",
    "SELECT sum(CAST(amount AS DOUBLE)) FROM t",
    "SELECT CAST(a AS HUGEINT) FROM t",
    "SELECT CAST(a AS DECIMAL(38, 0)) FROM t",
    "SELECT a::bignum FROM t",
  ];
  for (const query of queries) assertEquals(faultsOf(query).length > 0, true, query);
  assertEquals(faultsOf("SELECT 'a div b' -- div"), []);
});

Deno.test("columns and types of every view are those that its file documents", async () => {
  using sql = await openSql("market_1");
  const types = { VARCHAR: "String", BIGINT: "Int64", DOUBLE: "Float64", BOOLEAN: "Bool" };
  for (const { name, columns } of VIEWS) {
    const found = await sql.columns(`SELECT * FROM ${name}`);
    assertEquals(
      found.map((one) => `${one.name} ${types[one.type as keyof typeof types] ?? one.type}`),
      columns.map((one) => `${one.name} ${one.dtype}`),
    );
  }
});

Deno.test("no two rows of a view have its key", async () => {
  using sql = await openSql("market_1");
  for (const { name, key, columns } of VIEWS) {
    const names = columns.map((one) => one.name);
    assertEquals(key.filter((column) => !names.includes(column)), []);
    const [found] = await sql.query(`
      SELECT count(*) AS keys, sum(n) AS row_count FROM (
        SELECT ${key.join(", ")}, count(*) AS n FROM ${name} GROUP BY ${key.join(", ")}
      ) AS grouped`);
    assertEquals(found?.keys, Number(found?.row_count), name);
    assertNotEquals(found?.keys, 0);
  }
});

Deno.test("a view without its macros is the same view", async () => {
  using sql = await openSql("market_1");
  const names = new RegExp(`\\b(?:${MACROS.map((one) => one.name).join("|")})\\(`);
  for (const { name, query } of VIEWS) {
    const expanded = expandMacros(query);
    assertEquals(names.test(expanded), false);
    if (name !== "leaderboard" && name !== "fees") continue;
    const order = name === "fees" ? "block_number, log_index, position" : "solver";
    assertEquals(
      await sql.query(`SELECT * FROM (${expanded}) AS v ORDER BY ${order}`),
      await sql.query(`SELECT * FROM ${name} ORDER BY ${order}`),
    );
  }
});

Deno.test("the data dictionary of SQL is that of the files", async () => {
  const path = new URL("../../lib/sql/data_dictionary.md", import.meta.url);
  // Renew it with: deno run -A tools/sql/write_dictionary.ts
  assertEquals(await Deno.readTextFile(path), await sqlDictionary(VIEWS));
});

Deno.test("five functions are exact; all others are text over them", () => {
  assertEquals(EXACT_FUNCTIONS.map(({ name }) => name), [
    "u_muldiv",
    "u_muldiv_up",
    "u_sub",
    "u_add",
    "u_join",
  ]);
});
