import { InputError } from "orderlens";
import { openSql } from "orderlens/sql";
import { assertEquals, assertRejects } from "@std/assert";
import { EXACT_VECTORS, FAILING_VECTORS, vectorQuery } from "./exact_vectors.ts";

const sql = await openSql("market_1");
globalThis.addEventListener("unload", () => sql[Symbol.dispose]());

const MAX = 2n ** 256n - 1n;

/** The value of one expression. */
async function valueOf(expression: string): Promise<unknown> {
  const [row] = await sql.query(`SELECT ${expression} AS value`);
  return row?.value;
}

/** The value of an expression over rows with `x`. */
async function over(values: readonly (bigint | string | null)[], expression: string) {
  const rows = values.map((one) => one === null ? "(CAST(NULL AS VARCHAR))" : `('${one}')`);
  const [row] = await sql.query(`SELECT ${expression} AS value FROM (VALUES ${rows}) AS t(x)`);
  return row?.value;
}

Deno.test("products of 512 bits are exact", async () => {
  assertEquals(await valueOf(`u_muldiv('${MAX}', '${MAX}', '1')`), String(MAX * MAX));
  assertEquals(await valueOf(`u_muldiv('${MAX}', '${MAX}', '${MAX}')`), String(MAX));
  assertEquals(await valueOf(`u_muldiv('${MAX}', '${MAX}', '2')`), String(MAX * MAX / 2n));
  assertEquals(await valueOf(`u_muldiv_up('${MAX}', '${MAX}', '2')`), String(MAX * MAX / 2n + 1n));
});

Deno.test("divisions round down and up on both sides of zero", async () => {
  assertEquals(await valueOf("u_muldiv('7', '1', '2')"), "3");
  assertEquals(await valueOf("u_muldiv_up('7', '1', '2')"), "4");
  assertEquals(await valueOf("u_muldiv('-7', '1', '2')"), "-4");
  assertEquals(await valueOf("u_muldiv_up('-7', '1', '2')"), "-3");
  assertEquals(await valueOf("u_muldiv('7', '1', '-2')"), "-4");
  assertEquals(await valueOf("u_muldiv_up('6', '1', '2')"), "3");
});

Deno.test("sums beyond 2^256, of 512 bits and of both signs are exact, or an error", async () => {
  assertEquals(await over([MAX, MAX, 5n, null], "u_sum(x)"), String(2n * MAX + 5n));
  assertEquals(await over([-MAX, 1n], "u_sum(x)"), String(1n - MAX));
  assertEquals(await over(["-1000000000000000000", "1"], "u_sum(x)"), "-999999999999999999");
  assertEquals(await over([null, null], "u_sum(x)"), null);
  assertEquals(await over(["9".repeat(90), "9".repeat(90)], "u_sum(x)"), `1${"9".repeat(89)}8`);
  await assertRejects(() => over([MAX * MAX], "u_sum(x)"), InputError, "at most 90 digits");
  assertEquals(await valueOf(`u_add('${MAX}', '${MAX}')`), String(2n * MAX));
});

Deno.test("differences below zero have a minus sign", async () => {
  assertEquals(await valueOf(`u_sub('0', '${MAX}')`), String(-MAX));
  assertEquals(await valueOf("u_sub('5', '5')"), "0");
  assertEquals(await valueOf("u_is_less('9', '10')"), true);
  assertEquals(await valueOf("u_is_less('-9', '-10')"), false);
});

Deno.test("amounts sort by their keys, where text sorts them otherwise", async () => {
  const ascending = [-MAX * MAX, -MAX, -10n, -9n, -1n, 0n, 1n, 9n, 10n, MAX, MAX * MAX];
  const rows = ascending.toReversed().map((one) => `('${one}')`);
  const order = async (by: string) =>
    (await sql.query(`SELECT x FROM (VALUES ${rows}) AS t(x) ORDER BY ${by}`)).map(({ x }) => x);
  assertEquals(await order("u_key(x)"), ascending.map(String));
  assertEquals(await order("u_key(x) DESC"), ascending.toReversed().map(String));
  assertEquals((await order("x")).at(-1), "9");
  assertEquals(await valueOf("u_key('-0') = u_key('000')"), true);
  assertEquals(await over([9n, 10n, -11n, null], "u_max(x)"), "10");
  assertEquals(await over([9n, 10n, -11n, -2n, null], "u_min(x)"), "-11");
  assertEquals(await over([null], "u_max(x)"), null);
});

Deno.test("amounts sort by u_key as numbers do, of either sign and up to 160 digits", async () => {
  const sorted = [-MAX, -10n, -9n, -1n, 0n, 9n, 10n, 11n, MAX, 10n ** 90n - 1n];
  const shuffled = [5, 0, 9, 3, 7, 1, 8, 2, 6, 4].map((place) => sorted[place]!);
  assertEquals(
    await over(shuffled, "string_agg(x, ' ' ORDER BY u_key(x))"),
    sorted.join(" "),
  );
  assertEquals(await over(shuffled, "u_max(x)"), String(10n ** 90n - 1n));
  assertEquals(await over([...shuffled, null], "u_min(x)"), String(-MAX));
  assertEquals(await over([null, null], "u_max(x)"), null);
  assertEquals(await valueOf("u_key(NULL)"), null);
  for (const bad of ["1e20", "1.6", "", "-", "9".repeat(161)]) {
    for (const call of ["u_max(x)", "u_min(x)"]) {
      await assertRejects(
        () => over([bad, "1"], call),
        InputError,
        "not a whole number of at most 160 digits",
      );
    }
    await assertRejects(
      () => valueOf(`u_key('${bad}')`),
      InputError,
      "not a whole number of at most 160 digits",
    );
  }
});

Deno.test("null gives null, and any other text than digits fails the query", async () => {
  for (const call of ["u_muldiv(NULL, '1', '0')", "u_sub('1', NULL)", "u_bps('1', NULL)"]) {
    assertEquals(await valueOf(call), null);
  }
  for (const bad of ["1e20", "1.6", "", " 1", "0x10", "1,2", "+1", "١"]) {
    await assertRejects(() => valueOf(`u_add('${bad}', '1')`), InputError, "not a whole number");
    await assertRejects(() => over([bad], "u_sum(x)"), InputError, "Cannot run the query");
  }
  await assertRejects(() => valueOf("u_muldiv('5', '2', '0')"), InputError, "division by zero");
  await assertRejects(() => valueOf("u_add(0.5, '1')"), InputError, "not a whole number");
});

Deno.test("ratios are the nearest doubles, from 1 / 2^256 up", async () => {
  assertEquals(await valueOf("u_ratio('1', '3')"), 1 / 3);
  assertEquals(await valueOf("u_ratio('-1', '3')"), -1 / 3);
  assertEquals(await valueOf("u_bps('1', '7')"), 10_000 / 7);
  // 2^-256 and 2^256 are doubles, and 2^256 - 1 has 2^256 as its nearest.
  assertEquals(await valueOf(`u_ratio('1', '${MAX}')`), 2 ** -256);
  assertEquals(await valueOf(`u_ratio('${MAX}', '1')`), 2 ** 256);
  assertEquals(await valueOf("u_ratio('1', '0')"), null);
});

Deno.test("factors are those of the service", async () => {
  // units/mul_float.ts: 0.3 / 0.7 is not exactly three sevenths.
  assertEquals(await valueOf("u_wad(0.3e0 / 0.7e0)"), "428571428571428608");
  assertEquals(await valueOf("u_wad(49e0)"), "49000000000000000000");
  assertEquals(await valueOf("u_wad(0e0)"), "0");
  // Halves go to the even neighbour: 0.5 and 1.5 of 10^-18.
  assertEquals(await valueOf("u_wad(5e-19)"), "0");
  assertEquals(await valueOf("u_wad(1.5e-18)"), "2");
  assertEquals(
    await valueOf("u_times('232862198197807143295', 0.3e0 / 0.7e0, u_wad(0.3e0 / 0.7e0))"),
    "99798084941917355642",
  );
  assertEquals(await valueOf(`u_overflows('${MAX}', 2e0, u_wad(2e0))`), true);
  assertEquals(await valueOf(`u_overflows('${MAX}', 1e0, u_wad(1e0))`), false);
  assertEquals(await valueOf(`u_overflows('${MAX + 1n}', 1e0, u_wad(1e0))`), true);
  assertEquals(await valueOf(`u_overflows('${MAX + 1n}', 1e-19, u_wad(1e-19))`), true);
  assertEquals(await valueOf(`u_overflows('${MAX + 1n}', 0e0, u_wad(0e0))`), false);
});

Deno.test("DuckDB computes the vectors that other engines are checked with", async () => {
  const [row] = await sql.query(vectorQuery(EXACT_VECTORS));
  for (const [place, { expression, value }] of EXACT_VECTORS.entries()) {
    assertEquals(row?.[`v${place}`], value, expression);
  }
  for (const vector of FAILING_VECTORS) {
    await assertRejects(() => sql.query(vectorQuery([vector])), InputError, vector.says);
  }
});
