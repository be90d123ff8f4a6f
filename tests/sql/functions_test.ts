import { InputError } from "orderlens";
import { openSql } from "orderlens/sql";
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { expandForSpark, expandWindows, withoutEnd } from "../../lib/sql/expand_calls.ts";
import { EXACT_VECTORS, FAILING_VECTORS, vectorQuery } from "./exact_vectors.ts";

const sql = await openSql("market_1");
Deno.test.afterAll(() => sql[Symbol.dispose]());

Deno.test("DuckDB computes the vectors that Spark is checked with", async () => {
  const [row] = await sql.query(vectorQuery(EXACT_VECTORS));
  for (const [place, { expression, value }] of EXACT_VECTORS.entries()) {
    assertEquals(row?.[`v${place}`], value, expression);
  }
  for (const vector of FAILING_VECTORS) {
    await assertRejects(() => sql.query(vectorQuery([vector])), InputError, vector.says);
  }
});

Deno.test("calls are replaced in whatever case and spacing, and one in another", () => {
  const key = (x: string) => expandForSpark(`u_key(${x})`);
  assertEquals(expandForSpark("SELECT U_Key (\n  a\n)"), `SELECT ${key("a")}`);
  assertEquals(
    expandForSpark("max_by(a, u_key(coalesce(a, '0', arrays[1, 2])))"),
    `max_by(a, ${key("coalesce(a, '0', arrays[1, 2])")})`,
  );
  assertEquals(/\bu_(?:sum|key)\(/.test(expandForSpark("u_key(u_sum(a))")), false);
});

Deno.test("quoted text, quoted names and comments are not calls, nor do they end one", () => {
  for (
    const text of [
      "SELECT 'u_sum(x)', 'it''s u_sum(x)' FROM t",
      'SELECT "u_sum(x)" FROM t',
      "SELECT `u_sum(x)` FROM t",
      "SELECT 1 -- u_sum(x)",
      "SELECT /* u_sum(x\n) */ 1",
      "SELECT my_u_sum(x), u_sums(x), u_sum FROM t",
      "SELECT 'u_sum(x",
    ]
  ) assertEquals(expandForSpark(text), text);
  assertEquals(
    expandForSpark("u_key(a -- the larger, or )\n /* or , */)"),
    expandForSpark("u_key(a)"),
  );
});

Deno.test("a call with another number of arguments, or without an end, is rejected", () => {
  for (const call of ["u_format(a)", "u_format(a, b, c)", "u_format()", "u_format(a, )"]) {
    assertThrows(() => expandForSpark(call), InputError, "Call it as u_format(x, decimals)");
  }
  assertThrows(() => expandForSpark("u_key(a, b)"), InputError, "2 arguments, not 1");
  assertThrows(() => expandForSpark("SELECT u_sum(x FROM t"), InputError, "closing parenthesis");
});

Deno.test("a window of u_sum stands behind each of its sums, whatever its columns are named", async () => {
  const windows = (text: string) =>
    expandForSpark(text).match(/\)(?: OVER w| OVER \(ORDER BY x\))/g);
  assertEquals(windows("SELECT u_sum(a) OVER w, b")?.length, 10);
  assertEquals(windows("u_sum(a) OVER (ORDER BY x)")?.length, 10);
  assertEquals(/OVER/.test(expandForSpark("u_sum(a) AS over_all")), false);
  assertEquals(expandWindows("SELECT u_sum(a) AS s"), "SELECT u_sum(a) AS s");
  // Of ten and nine in one group and two in another: 9, then 19, and 2.
  assertEquals(
    await sql.query(`
      SELECT x, u_sum(x) OVER ( -- by x ) '
        PARTITION BY g ORDER BY u_key(x)) AS so_far, u_sum('1') OVER "w" AS n
      FROM (VALUES ('a', '10'), ('a', '9'), ('b', '2')) AS t(g, x) WINDOW "w" AS () ORDER BY g, u_key(x)`),
    [
      { x: "9", so_far: "9", n: "3" },
      { x: "10", so_far: "19", n: "3" },
      { x: "2", so_far: "2", n: "3" },
    ],
  );
  await assertRejects(
    () => sql.query("SELECT u_sum(x) OVER () FROM (VALUES ('1.6')) AS t(x)"),
    InputError,
    "not a whole number",
  );
});

Deno.test("a query ends before its semicolons and comments, and text that looks like them stays", () => {
  for (
    const [query, text] of [
      ["SELECT '--'", "SELECT '--'"],
      ["SELECT 'a -- b;' ; -- c;\n ;", "SELECT 'a -- b;'"],
      ['SELECT 1 AS "--x" /* y */;', 'SELECT 1 AS "--x"'],
    ] as const
  ) assertEquals(withoutEnd(query), text);
  for (const query of ["", " ;\n", "-- nothing"]) {
    assertThrows(() => withoutEnd(query), InputError, "it is empty");
  }
});
