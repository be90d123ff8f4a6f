import { InputError } from "orderlens";
import { expandMacros, openSql } from "orderlens/sql";
import { assertEquals, assertThrows } from "@std/assert";

Deno.test("macros are replaced in whatever case and spacing, and one in another", () => {
  const less = "(u_sub((a), (b)) LIKE '-%')";
  assertEquals(expandMacros("SELECT u_is_less(a, b)"), `SELECT ${less}`);
  assertEquals(expandMacros("SELECT U_Is_Less (\n  a,\n  b\n)"), `SELECT ${less}`);
  assertEquals(
    expandMacros("u_is_less(a, CASE WHEN u_is_less(a, b) THEN a ELSE b END)"),
    `(u_sub((a), (CASE WHEN ${less} THEN a ELSE b END)) LIKE '-%')`,
  );
  assertEquals(
    expandMacros("u_is_less(coalesce(a, '0'), arrays[1, 2])"),
    "(u_sub((coalesce(a, '0')), (arrays[1, 2])) LIKE '-%')",
  );
});

Deno.test("ratios and basis points are quotients, with their arguments read once", () => {
  assertEquals(expandMacros("u_ratio(a + 1, d)"), "u_quotient('1', (a + 1), (d))");
  assertEquals(
    expandMacros("u_bps(u_ratio(n, d), d)"),
    "u_quotient('10000', (u_quotient('1', (n), (d))), (d))",
  );
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
  ) assertEquals(expandMacros(text), text);
  assertEquals(
    expandMacros("u_is_less(a, -- the larger, or )\n  b /* or , */)"),
    "(u_sub((a), (b)) LIKE '-%')",
  );
  assertEquals(expandMacros("u_is_less('(,', ')')"), "(u_sub(('(,'), (')')) LIKE '-%')");
});

Deno.test("a macro with another number of arguments, or without an end, is rejected", () => {
  for (const call of ["u_bps(a)", "u_bps(a, b, c)", "u_bps()", "u_bps(a, )", "u_bps(, b)"]) {
    assertThrows(() => expandMacros(call), InputError, "Call it as u_bps(n, d)");
  }
  assertThrows(() => expandMacros("SELECT u_sum(x FROM t"), InputError, "closing parenthesis");
});

Deno.test("a window of u_sum stands behind each of its sums, whatever its columns are named", async () => {
  const limbs = (sql: string) => expandMacros(sql).match(/\) OVER [^ ]+( BY x)?/g);
  assertEquals(limbs("SELECT u_sum(a) OVER w, b"), Array(5).fill(") OVER w"));
  assertEquals(limbs("u_sum(a)\n  over(ORDER BY u_key(x))"), null);
  assertEquals(expandMacros("u_sum(a) OVER (ORDER BY x)").split(" OVER (ORDER BY x) AS").length, 6);
  assertEquals(/OVER/.test(expandMacros("u_sum(a) AS over_all")), false);
  const query = `SELECT block_number AS x, log_index, u_sum(sell_amount) OVER ( -- by x ) '
    PARTITION BY kind ORDER BY block_number, log_index) AS so_far, u_sum('1') OVER "w" AS fills
    FROM fills WINDOW "w" AS () ORDER BY 1, 2`;
  using sql = await openSql("market_1");
  const rows = await sql.query(query);
  assertEquals([rows.length, rows[0]?.fills], [37, "37"]);
  assertEquals(await sql.query(expandMacros(query)), rows);
});

Deno.test("a query of an analyst has the same answer with macros and without", async () => {
  const query = "SELECT kind, U_SUM(u_add(sell_amount, '0')) AS sold, -- u_sum(x)\n" +
    "  u_bps(u_sum(buy_amount), u_sum (sell_amount)) AS bps, 'u_sum(x)' AS \"u_sum(x)\"\n" +
    "FROM fills GROUP BY kind HAVING u_is_less('1', u_sum(sell_amount)) ORDER BY kind";
  using sql = await openSql("market_1");
  const expanded = expandMacros(query);
  assertEquals(/u_bps|u_is_less/.test(expanded), false);
  const rows = await sql.query(query);
  assertEquals(rows.length, 2);
  assertEquals(await sql.query(expanded), rows);
});
