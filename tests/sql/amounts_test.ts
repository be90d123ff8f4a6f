import { InputError } from "orderlens";
import { querySql } from "orderlens/sql";
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { stripQueryEnd } from "../../lib/sql/query_text.ts";
import { inFolder } from "../sandbox/temp_folder.ts";

const MAX = 2n ** 256n - 1n;

/** Rows of a query over `amounts`, a CSV file with a column `x_atoms`. */
async function queryAmounts(folder: string, amounts: readonly (bigint | string)[], query: string) {
  const file = `${folder}/amounts.csv`;
  const lines = amounts.map((amount) => amount === "NULL" ? "" : `"${amount}"`);
  await Deno.writeTextFile(file, ["g,x_atoms", ...lines.map((line) => `1,${line}`), ""].join("\n"));
  return await querySql("market_1", query, { with: { amounts: file } });
}

/** Aggregates of amounts, and their value worked by hand. */
const SUMS: readonly (readonly [
  amounts: readonly (bigint | string)[],
  expression: string,
  value: string | boolean | null,
])[] = [
  [[MAX, MAX, 5n, "NULL"], "sum(x_atoms)", String(2n * MAX + 5n)],
  [[-MAX, 1n], "sum(x_atoms)", String(1n - MAX)],
  [["-1000000000000000000", "1"], "sum(x_atoms)", "-999999999999999999"],
  [["007", "-0"], "sum(x_atoms)", "7"],
  [["NULL", "NULL"], "sum(x_atoms)", null],
  [["2", "9"], "sum(CASE WHEN x_atoms = 9 THEN x_atoms ELSE 0 END)", "9"],
  [["9", "10", "-11", "NULL"], "max(x_atoms)", "10"],
  [["9", "10", "-11", "-2"], "min(x_atoms)", "-11"],
  [["9", "10", "-11", "-2"], "max_by(x_atoms, x_atoms)", "10"],
  [[MAX, MAX - 1n], "max(x_atoms) > min(x_atoms)", true],
  [[-MAX, -1n], "min(x_atoms) < -1", true],
];

for (const [amounts, expression, value] of SUMS) {
  inFolder.test(`${expression} of ${amounts.join(", ").slice(0, 50)} is exact`, async (folder) => {
    const rows = await queryAmounts(folder, amounts, `SELECT ${expression} AS value FROM amounts`);
    assertEquals(rows, [{ value }]);
  });
}

inFolder.test("a window over amounts adds them up in their order", async (folder) => {
  const query = `SELECT x_atoms AS x, sum(x_atoms) OVER (ORDER BY x_atoms) AS so_far
    FROM amounts ORDER BY x_atoms`;
  // As texts, 10 would come before 9.
  assertEquals(await queryAmounts(folder, ["10", "9"], query), [
    { x: "9", so_far: "9" },
    { x: "10", so_far: "19" },
  ]);
});

/** Texts that are no whole number in digits; DuckDB alone would read some of them. */
const BAD = ["1e20", "1.6", " 1", "1 ", "0x10", "1,2", "+1", "--1", "1-", "-", "١"];

for (const bad of BAD) {
  inFolder.test(`the amount "${bad}" fails its query`, async (folder) => {
    await assertRejects(
      () => queryAmounts(folder, [bad, "1"], "SELECT sum(x_atoms) FROM amounts"),
      InputError,
      "not a whole number",
    );
  });
}

Deno.test("u_format rejects texts that are not a whole number", async () => {
  for (const bad of ["", ...BAD]) {
    await assertRejects(
      () => querySql("market_1", `SELECT u_format('${bad}', 18)`),
      InputError,
      bad === "" ? "Could not convert string ''" : "not a whole number",
    );
  }
});

/** Expressions without a table, and their value worked by hand. */
const VALUES: Readonly<Record<string, string | number | null>> = {
  "u_format('1500000000000000000', 18)": "1.5",
  "u_format('1', 18)": "0.000000000000000001",
  "u_format('-5', 3)": "-0.005",
  "u_format('100', 0)": "100",
  "u_format('100', 2)": "1",
  "u_format('0', 18)": "0",
  "u_format(100::BIGNUM, 2)": "1",
  [`u_format('${MAX}', 77)`]: `1.${String(MAX).slice(1)}`,
  "u_format(NULL, 18)": null,
  "CAST(u_format('206870159477692212', 18) AS DOUBLE)": 0.20687015947769221,
  // The nearest double of native tokens, as views cast it; a division of doubles gives …2993.
  "CAST('2635836365297999494' || 'e-18' AS DOUBLE)": 2.6358363652979997,
};

for (const [expression, value] of Object.entries(VALUES)) {
  Deno.test(`${expression.slice(0, 60)} is ${String(value).slice(0, 30)}`, async () => {
    assertEquals(await querySql("market_1", `SELECT ${expression} AS value`), [{ value }]);
  });
}

Deno.test("stripQueryEnd strips semicolons and comments, but not text that looks like them", () => {
  for (
    const [query, text] of [
      ["SELECT '--'", "SELECT '--'"],
      ["SELECT 'a -- b;' ; -- c;\n ;", "SELECT 'a -- b;'"],
      ['SELECT 1 AS "--x" /* y */;', 'SELECT 1 AS "--x"'],
    ] as const
  ) assertEquals(stripQueryEnd(query), text);
  for (const query of ["", " ;\n", "-- nothing"]) {
    assertThrows(() => stripQueryEnd(query), InputError, "it is empty");
  }
});
