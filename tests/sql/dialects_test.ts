import { DuckDBInstance } from "@duckdb/node-api";
import { EXACT_FUNCTIONS, openSql, readViews, viewText } from "orderlens/sql";
import { InputError } from "orderlens";
import { assertEquals, assertGreater, assertRejects, assertStringIncludes } from "@std/assert";
import { expandCalls } from "../../lib/sql/functions/macros.ts";
import { type WideEngine, wideMacros } from "../../lib/sql/dialects/wide_functions.ts";

const VIEWS = await readViews();

/** The functions for Dune as DuckDB runs them: 128 bits in place of 256, otherwise the same text. */
const NARROW: WideEngine = {
  type: "UHUGEINT",
  digits: 37,
  divide: "//",
  matches: "regexp_matches",
  parts: (text) => `len(string_split(${text}, ','))`,
  bind: (text, expression) =>
    `list_transform(string_split(replace(${text}, ';', 'x'), ';'), lambda v: ${expression})[1]`,
};

const EDGES = [
  0n,
  1n,
  2n,
  3n,
  7n,
  10n,
  999_999_999_999_999_999n,
  10n ** 18n,
  2n ** 63n,
  10n ** 36n,
];
const NUMBERS = [
  ...EDGES,
  ...EDGES.map((one) => -one - 1n),
  10n ** 37n - 1n,
  10n ** 37n,
  -(10n ** 60n),
];

/** Why a call has no value; null if it has one. */
function reasonOf(values: readonly bigint[]): string | null {
  if (values.length === 3 && values[2] === 0n) return "division by zero";
  const [a = 0, b = 0, c = 0] = values.map((one) => String(one).replace("-", "").length);
  const widest = values.length === 2 ? Math.max(a, b) : Math.max(a + b, c);
  return widest > NARROW.digits ? `more than ${NARROW.digits} digits` : null;
}

Deno.test("the functions for Dune are exact, or an error where they would not be", async () => {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const valuesOf = async (query: string) =>
    (await connection.runAndReadAll(expandCalls(query, wideMacros(NARROW)))).getRows();
  for (const { name, parameters, compute } of EXACT_FUNCTIONS) {
    // Ratios of Dune do without the one; the other has five arguments, and cases of its own below.
    if (["u_quotient", "u_join"].includes(name)) continue;
    const thirds = parameters.length === 2 ? [1n] : [...EDGES, -3n, 10n ** 37n];
    const calls = NUMBERS.flatMap((a) =>
      NUMBERS.flatMap((b) => thirds.map((c) => [a, b, c].slice(0, parameters.length)))
    );
    const kinds = Map.groupBy(calls, reasonOf);
    const exact = kinds.get(null)!;
    assertGreater(exact.length, 200);
    const rows = exact.map((call) => `(${call.map((one) => `'${one}'`).join(", ")})`);
    const names = parameters.join(", ");
    assertEquals(
      await valuesOf(`SELECT ${name}(${names}) FROM (VALUES ${rows}) AS t(${names})`),
      exact.map((call) => [String(compute(...call))]),
    );
    for (const [reason, refused] of kinds) {
      for (const call of reason === null ? [] : refused.filter((_, at) => at % 97 === 0)) {
        const query = `SELECT ${name}(${call.map((one) => `'${one}'`).join(", ")})`;
        const { message } = await assertRejects(() => valuesOf(query), Error);
        assertStringIncludes(message, `${name}: ${reason}: ${call.join(",")}`);
      }
    }
  }
  for (
    const bad of ["1e20", "1.6", "", " 1", "--1", "1-2", "+1", "x", "1,2", "1;2", "1,2;3", ";", ","]
  ) {
    await assertRejects(() => valuesOf(`SELECT u_add('${bad}', '1')`), Error, "no whole number");
  }
  assertEquals(await valuesOf("SELECT u_muldiv(NULL, '1', '0')"), [[null]]);
  assertEquals(await valuesOf("SELECT u_sub('-0', '-0')"), [["0"]]);
  const limb = "9".repeat(18);
  assertEquals(await valuesOf(`SELECT u_join('0', '0', '0', '${limb}', '${limb}')`), [[
    limb + limb,
  ]]);
  await assertRejects(
    () => valuesOf("SELECT u_join('0', '0', '100', '0', '0')"),
    Error,
    "37 digits",
  );
  assertEquals(await valuesOf("SELECT u_join('0', '0', '0', '-1', '5')"), [[
    "-999999999999999995",
  ]]);
  connection.closeSync();
  instance.closeSync();
});

Deno.test("a view with all that it reads is the same view", async () => {
  using sql = await openSql("market_1", { rulesOf: "mainnet" });
  for (const [name, order] of [["leaderboard", "solver"], ["rewards", "solver, week_start"]]) {
    const text = await viewText(name!, "duckdb", { rulesOf: "mainnet" });
    assertEquals(
      await sql.query(`SELECT * FROM (\n${text}) AS v ORDER BY ${order}`),
      await sql.query(`SELECT * FROM ${name} ORDER BY ${order}`),
    );
  }
});

Deno.test("views for Trino and Dune have no function and no type that they lack", async () => {
  for (const { name } of VIEWS) {
    const [trino, dune] = [await viewText(name, "trino"), await viewText(name, "dune")];
    for (const text of [trino, dune]) {
      const code = text.replace(/--[^\n]*/g, "").replace(/'[^']*'/g, "''");
      assertEquals(/\bSTRING\b|\brepeat\(|\+ CAST\([^()]*AS INT\)|\blist_/.test(code), false, name);
    }
    assertEquals(/\bu_\w+\(/.test(dune.replace(/--[^\n]*/g, "").replace(/'[^']*'/g, "")), false);
    assertGreater(1_000_000, dune.length);
  }
});

Deno.test("a view or a dialect that is not there is named", async () => {
  await assertRejects(() => viewText("fill", "dune"), InputError, "fills");
  await assertRejects(() => viewText("fills", "oracle" as "dune"), InputError, "oracle");
  const none = { rulesOf: "gnosys" };
  await assertRejects(() => viewText("rewards", "dune", none), InputError, "one of mainnet");
});
