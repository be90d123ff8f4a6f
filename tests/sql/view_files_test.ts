import { EXACT_FUNCTIONS, expandMacros, MACROS, openSql, readViews } from "orderlens/sql";
import { assertEquals, assertGreater } from "@std/assert";
import { sqlDictionary } from "../../tools/sql/sql_dictionary.ts";
import { QueryFaults } from "./query_faults.ts";

const VIEWS = await readViews();

/** What no tree of a query shows, since DuckDB reads it as something that is shared. */
const UNSHARED: Readonly<Record<string, RegExp>> = {
  "div, which wraps in Spark": /\bdiv\b|\/\//i,
  "VARCHAR without a length, which Spark refuses": /\bvarchar\b/i,
  "::, QUALIFY, EXCLUDE, lists, lambdas: not in every engine":
    /::|\bqualify\b|\bexclude\b|\[|->|\bgroup by all\b/i,
  "recursion, which engines limit": /\brecursive\b/i,
};

const sql = await openSql("market_1");
const faults = await QueryFaults.of(sql.relations);
globalThis.addEventListener("unload", () => {
  faults[Symbol.dispose]();
  sql[Symbol.dispose]();
});

async function faultsOf(query: string): Promise<string[]> {
  const code = query.replace(/--[^\n]*/g, "").replace(/'[^']*'/g, "''");
  const inText = Object.entries(UNSHARED).filter(([, pattern]) => pattern.test(code));
  return [...inText.map(([what]) => what), ...await faults.in(query)];
}

for (const { name, query } of VIEWS) {
  Deno.test(`the view ${name} uses nothing that wraps, rounds or differs between engines`, async () => {
    assertEquals(await faultsOf(query), []);
  });
}

const LATER_FEES = "u_sum(CASE WHEN position > 2 THEN fee_amount END)";

/** Changes of views that would wrap, round, or compare amounts as text. */
const MUTATIONS: readonly (readonly [view: string, from: string, to: string])[] = [
  ["fills", "u_sub(executed, scaled_limit)", "executed - scaled_limit"],
  ["fills", "u_sub(executed, scaled_limit)", "CAST(CAST(executed AS BIGINT) AS STRING)"],
  ["fills", "u_sub(executed, scaled_limit)", "CAST(CAST(executed AS DECIMAL(38, 0)) AS STRING)"],
  ["fills", "u_sub(executed, scaled_limit)", "CAST(CAST(executed AS HUGEINT) AS STRING)"],
  ["fills", "u_sub(executed, scaled_limit)", "CAST(TRY_CAST(executed AS DOUBLE) AS STRING)"],
  ["fills", "u_muldiv(executed, quote_fixed, '1')", "executed * quote_fixed"],
  ["fills", "u_muldiv(executed, quote_fixed, '1')", "(executed // quote_fixed)"],
  ["fills", LATER_FEES, "sum(fee_amount)"],
  ["fills", LATER_FEES, "CAST(sum(CAST(fee_amount AS DOUBLE)) AS STRING)"],
  ["fills", LATER_FEES, "CAST(avg(fee_amount) AS STRING)"],
  ["fills", LATER_FEES, "max(fee_amount)"],
  ["fills", "fixed = '0'", "fixed < '1'"],
  ["fills", "fixed = '0'", "fixed = 0"],
  ["fills", "fixed = '0'", "fixed = '0.0'"],
  ["fills", "fixed = '0'", "fixed IN ('0', '00')"],
  ["fills", "fixed = '0'", "fixed BETWEEN '0' AND '0'"],
  ["fills", "u_is_less(fee_high, fee_low)", "fee_high < fee_low"],
  ["fills", "quote_net LIKE '-%'", "quote_net LIKE '%-%'"],
  ["fills", "u_ratio(fixed, limit_fixed)", "CAST(fixed AS DOUBLE) / CAST(limit_fixed AS DOUBLE)"],
  ["fills", "u_ratio(fixed, limit_fixed)", "round(fixed)"],
  ["fees", "u_is_less(cap_1, full_1)", "cap_1 <= full_1"],
  [
    "fees",
    "u_sub(fee_amount, recomputed_amount)",
    "CAST(fee_amount - recomputed_amount AS STRING)",
  ],
  ["fees", "WITH charged", "WITH RECURSIVE charged"],
  ["auctions", "u_sum(margin)", "CAST(sum(margin) AS STRING)"],
  ["auctions", "max(CASE WHEN ranking = 1 THEN score END)", "max(score)"],
  ["auctions", "max(CASE WHEN ranking = 1 THEN score END)", "greatest(max(score), '0')"],
  ["auctions", "max(CASE WHEN ranking = 1 THEN solver END)", "max_by(solver, score)"],
  ["left_on_the_table", "u_key(left_atoms) DESC", "left_atoms DESC"],
  ["left_on_the_table", "u_key(left_atoms) DESC", "lpad(left_atoms, 78, '0') DESC"],
  ["rewards", "u_is_less(below_low, least_paid)", "below_low < least_paid"],
  ["rewards", "u_sum(r.left_low) OVER week", "CAST(sum(r.left_low) OVER week AS STRING)"],
  ["rewards", "u_max(lower_cap)", "max(lower_cap)"],
];

for (const [view, from, to] of MUTATIONS) {
  Deno.test(`${to} in place of ${from} is found in ${view}`, async () => {
    const { query } = VIEWS.find(({ name }) => name === view)!;
    assertEquals(query.includes(from), true);
    assertGreater((await faultsOf(query.replace(from, () => to))).length, 0);
  });
}

Deno.test("macros use nothing but what engines share, and decimals of 18 digits", () => {
  for (const { name, body } of MACROS) {
    const code = body.replace(/'[^']*'/g, "''");
    for (const pattern of Object.values(UNSHARED)) assertEquals(pattern.test(code), false, name);
    const decimals = code.match(/DECIMAL\([^)]*\)/g) ?? [];
    assertEquals(decimals.filter((type) => type !== "DECIMAL(18, 0)"), []);
  }
});

Deno.test("what other engines read otherwise is found", async () => {
  const queries = [
    "SELECT order_count::INTEGER FROM auctions",
    "SELECT concat(solver, 'x') FROM solutions",
    "SELECT CAST(order_count AS FLOAT) FROM auctions",
    "SELECT [order_count] FROM auctions",
    "SELECT DISTINCT solver FROM solutions QUALIFY row_number() OVER () = 1",
    "SELECT CAST(1 AS BIGNUM)",
    "SELECT regexp_replace(solver, 'a', 'b') FROM solutions",
  ];
  for (const query of queries) assertGreater((await faultsOf(query)).length, 0, query);
  assertEquals(await faultsOf("SELECT 'a div b' AS text -- div"), []);
});

Deno.test("columns and types of every view are those that its file documents", async () => {
  const types = { VARCHAR: "String", BIGINT: "Int64", DOUBLE: "Float64", BOOLEAN: "Bool" };
  for (const { name, columns } of VIEWS) {
    const found = await sql.columns(`SELECT * FROM ${name}`);
    assertEquals(
      found.map((one) => `${one.name} ${types[one.type as keyof typeof types] ?? one.type}`),
      columns.map((one) => `${one.name} ${one.dtype}`),
    );
  }
});

Deno.test("no two rows of a view or a table have its key", async () => {
  using sql = await openSql("market_1");
  assertEquals(sql.relations.filter(({ key }) => key.length === 0).map(({ name }) => name), [
    "app_data",
  ]);
  for (const { name, key, columns } of sql.relations.filter(({ key }) => key.length > 0)) {
    const names = columns.map((one) => one.name);
    assertEquals(key.filter((column) => !names.includes(column)), []);
    const [found] = await sql.query(`
      SELECT count(*) AS keys, sum(n) AS row_count FROM (
        SELECT ${key.join(", ")}, count(*) AS n FROM ${name} GROUP BY ${key.join(", ")}
      ) AS grouped`);
    assertEquals(found?.keys, Number(found?.row_count), name);
    // Nothing differs from the chain in the dataset that ships.
    assertEquals(found?.keys === 0, name === "chain_differences", name);
  }
});

Deno.test("a view without its macros is the same view", async () => {
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

Deno.test("six functions are exact; all others are text over them", () => {
  assertEquals(EXACT_FUNCTIONS.map(({ name }) => name), [
    "u_muldiv",
    "u_muldiv_up",
    "u_sub",
    "u_add",
    "u_join",
    "u_quotient",
  ]);
});
