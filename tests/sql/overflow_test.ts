import { InputError } from "orderlens";
import { openSql } from "orderlens/sql";
import {
  assertEquals,
  assertGreater,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";

const MAX = 2n ** 256n - 1n;
const LARGE = "9".repeat(100_000);

const sql = await openSql("market_1");
globalThis.addEventListener("unload", () => sql[Symbol.dispose]());

async function valueOf(expression: string): Promise<unknown> {
  const [row] = await sql.query(`SELECT ${expression} AS value`);
  return row?.value;
}

/** Expressions, and the exact numbers that they are; bigint computes them here. */
const EXACT: Readonly<Record<string, bigint>> = {
  [`u_muldiv('${MAX}', '${MAX}', '3')`]: MAX * MAX / 3n,
  [`u_muldiv('-${MAX}', '${MAX}', '${MAX - 1n}')`]: -(MAX * MAX / (MAX - 1n)) - 1n,
  [`u_muldiv_up('-${MAX}', '${MAX}', '${MAX - 1n}')`]: -(MAX * MAX / (MAX - 1n)),
  [`u_muldiv(u_muldiv('${MAX}', '${MAX}', '1'), '${MAX}', '1')`]: MAX ** 3n,
  [`u_add(u_muldiv('${MAX}', '${MAX}', '1'), '${MAX}')`]: MAX * MAX + MAX,
  [`u_sub('${MAX}', u_muldiv('${MAX}', '${MAX}', '1'))`]: MAX - MAX * MAX,
  [`u_sub('0', '-${MAX}')`]: MAX,
  "u_add('007', '000')": 7n,
  "u_sub('-0', '0')": 0n,
  "u_muldiv('-007', '1', '1')": -7n,
  "u_add(9007199254740993, 1)": 9007199254740994n,
  "u_join('-1', '1', '0', '0', '-1')": -(10n ** 72n) + 10n ** 54n - 1n,
  [`u_join('${MAX}', '0', '0', '0', '0')`]: MAX * 10n ** 72n,
  "u_sum(-5)": -5n,
  "u_sum(9223372036854775807)": 9223372036854775807n,
  "u_sum('007')": 7n,
  "u_sum('-0')": 0n,
  // The double nearest to 10^36.
  "u_wad(1e18)": BigInt(1e36),
};

for (const [expression, expected] of Object.entries(EXACT)) {
  Deno.test(`${expression.slice(0, 60)} is exact`, async () => {
    assertEquals(await valueOf(expression), String(expected));
  });
}

/** Expressions without a value, and what their errors name. */
const FAILING: Readonly<Record<string, readonly string[]>> = {
  "u_add('1e20', '1')": ["u_add(1e20, 1)", '"1e20"'],
  "u_sub('1', '1.6')": ["u_sub(1, 1.6)", '"1.6"'],
  "u_muldiv('', '1', '1')": ["u_muldiv(, 1, 1)", '""'],
  "u_muldiv_up(' 1', '1', '1')": ["u_muldiv_up( 1, 1, 1)", '" 1"'],
  "u_add('1 ', '1')": ['"1 "'],
  "u_add(chr(0), '1')": ["u_add(\\u0000, 1)", '"\\u0000"'],
  "u_add('1' || chr(0) || '2', '1')": ["u_add(1\\u00002, 1)", '"1\\u00002"'],
  "u_add('1' || chr(10), '1')": ['"1\\u000a"'],
  "u_add('--1', '1')": ['"--1"'],
  "u_add('1-2', '1')": ['"1-2"'],
  "u_add('-', '1')": ['"-"'],
  "u_add('1,2', '1')": ["u_add(1, 2, 1)"],
  "u_add('0x10', '1')": ['"0x10"'],
  "u_add('inf', '1')": ['"inf"'],
  "u_add(1e20, 1)": ["u_add(1e+20, 1)"],
  "u_add(0.5, 1)": ["u_add(0.5, 1)"],
  "u_add(repeat('x', 1000000), '1')": ["u_add(xxx", "not a whole number"],
  "u_join('1', '2', '3', '4', '')": ["u_join(1, 2, 3, 4, )"],
  "u_muldiv('1', '1', '-0')": ["u_muldiv(1, 1, -0): division by zero"],
  "u_ratio('1e5', '3')": ["u_quotient(1, 1e5, 3)"],
  "u_ratio('x', '0')": ["u_quotient(1, x, 0)", '"x"'],
  "u_bps('1.6', '00')": ["u_quotient(10000, 1.6, 00)", '"1.6"'],
  "u_ratio('1', '')": ["u_quotient(1, 1, )", '""'],
  "u_quotient('1e5', '1', '0')": ["u_quotient(1e5, 1, 0)", '"1e5"'],
  "u_ratio(repeat('9', 309), '1')": [
    `u_quotient(1, ${"9".repeat(160)}, 1): `,
    "it is beyond the largest double",
  ],
  "u_bps('-1' || repeat('0', 305), '1')": [
    `u_quotient(10000, -1${"0".repeat(158)}, 1): `,
    "it is beyond the largest double",
  ],
  "u_is_less('a', '1')": ["u_sub(a, 1)"],
  "u_sum('1e20')": ["u_sum", "1e20"],
  "u_sum('1.6')": ["u_sum", "1.6"],
  "u_sum(1.5)": ["u_sum", "1.5"],
  "u_sum('')": ["u_sum"],
  "u_sum(' 1')": ["u_sum: not a whole number of at most 90 digits:  1"],
  "u_sum('-')": ["u_sum"],
  "u_sum('--1')": ["u_sum", "--1"],
  "u_sum('1-2')": ["u_sum", "1-2"],
  "u_sum('5-')": ["u_sum", "5-"],
  "u_sum('1' || chr(0))": ["u_sum"],
  "u_sum('٣')": ["u_sum"],
  "u_sum(repeat('9', 91))": ["u_sum", "at most 90 digits"],
  "u_sum(repeat('9', 1000000))": ["u_sum", "at most 90 digits"],
  "u_key('1e5')": ["u_key", "1e5"],
  "u_key('')": ["u_key"],
  "u_key(repeat('9', 161))": ["u_key", "160 digits"],
  "u_max('1.6')": ["u_key", "1.6"],
  "u_wad(-1e0)": ["u_wad", "-1"],
  "u_wad(CAST('nan' AS DOUBLE))": ["u_wad", "nan"],
  "u_wad(CAST('inf' AS DOUBLE))": ["u_wad", "inf"],
  "u_wad(1e19)": ["u_wad", "1e+19"],
};

for (const [expression, named] of Object.entries(FAILING)) {
  Deno.test(`${expression} fails the query, with function and value`, async () => {
    const { message } = await assertRejects(() => valueOf(expression), InputError);
    for (const part of named) assertStringIncludes(message, part);
    assertGreater(1_500, message.length);
  });
}

Deno.test("amounts of 100,000 digits are exact", async () => {
  const value = await valueOf(`u_muldiv(repeat('9', 100000), repeat('9', 100000), '7')`);
  assertEquals(value === String(BigInt(LARGE) ** 2n / 7n), true);
});

/** 100,000 whole numbers as text, of which one is none. */
const WITH_FAULT = "SELECT u_add(CASE WHEN i = 77777 THEN 'x' ELSE CAST(i AS VARCHAR) END, '1') " +
  "AS value FROM range(100000) AS r(i)";

Deno.test("an error after many rows fails the query, before there is a row", async () => {
  for (
    const query of [
      WITH_FAULT,
      `${WITH_FAULT} ORDER BY 1`,
      `SELECT max(value) FROM (${WITH_FAULT})`,
    ]
  ) {
    await assertRejects(() => sql.query(query), InputError, 'u_add(x, 1): "x" is not');
    await assertRejects(() => sql.parts(query).next(), InputError, 'u_add(x, 1): "x" is not');
  }
});

Deno.test("an error of a macro is in its own words", async () => {
  const error = await assertRejects(() => valueOf("u_sum('1.6')"), InputError);
  assertMatch(
    error.message,
    /^Cannot run the query: u_sum: not a whole number of at most 90 digits: 1\.6\nFix: /,
  );
});

Deno.test("the session goes on after errors, and errors keep no memory", async () => {
  const fail = async (times: number) => {
    for (let time = 0; time < times; time++) {
      await assertRejects(() => valueOf("u_add('x' || chr(0), repeat('9', 100000))"), InputError);
    }
    return Deno.memoryUsage().rss;
  };
  const before = await fail(100);
  assertGreater(60e6, await fail(300) - before);
  assertEquals(await sql.query("SELECT count(*) AS fills FROM fills"), [{ fills: 37 }]);
});
