import { assertEquals, assertStrictEquals } from "@std/assert";
import {
  isCount,
  isNumber,
  largestGroups,
  rowsWithNumbers,
  rowsWithTexts,
  sortRows,
} from "../../../lib/charts/rows.ts";
import { captionText, count } from "../../../lib/charts/texts/count_text.ts";

const group = (names: readonly (string | null)[], limit: number) =>
  largestGroups(names, (name) => name, { limit, noun: "pair" });

Deno.test("largestGroups() gives the largest groups first and all others as one", () => {
  const { groups, rest } = group(["b", "a", "c", "a", "c", "c", null], 2);
  assertEquals(groups.map(({ key, rows }) => [key, rows.length]), [["c", 3], ["a", 2]]);
  assertEquals([rest?.key, rest?.rows.length], ["2 other pairs", 2]);
});

Deno.test("largestGroups() has no rest where all groups fit, and a group of the unknown", () => {
  const { groups, rest } = group(["a", "", null], 2);
  assertEquals(groups.map(({ key }) => key), ["unknown pair", "a"]);
  assertEquals(rest, null);
});

Deno.test("isNumber() takes finite numbers of a size that amounts can have", () => {
  const values = [0, -1.5, 1e77, 1e101, NaN, Infinity, 1n, "1", null, undefined];
  assertEquals(values.map(isNumber), [true, true, true, ...Array(7).fill(false)]);
  assertEquals([0, -1, 2].map(isCount), [true, false, true]);
});

Deno.test("rowsWithNumbers() says how many rows it leaves out", () => {
  const rows = [{ a: 1, b: 2 }, { a: null, b: 2 }, { a: 1, b: NaN }];
  assertEquals(rowsWithNumbers(rows, ["a", "b"]), {
    rows: [{ a: 1, b: 2 }],
    leftOut: 2,
    note: "2 rows without a number in a or b left out",
  });
  assertEquals(rowsWithNumbers(rows, ["b"]).note, "1 row without a number in b left out");
  assertEquals(rowsWithNumbers(rows, []).note, null);
  const named = rowsWithNumbers([{ a: 1, b: "" }, { a: NaN, b: "x" }], ["a"], ["b"]).rows;
  assertEquals(named, [{ a: 1, b: "unknown" }], "and fills in texts");
});

Deno.test("rowsWithTexts() names what has no name, and keeps rows that need nothing", () => {
  const rows = [{ solver: "A" }, { solver: "" }, { solver: null }, { solver: 7 }, {}];
  const named = rowsWithTexts(rows, ["solver" as never]);
  assertStrictEquals(named[0], rows[0]);
  assertEquals(
    named.slice(1),
    ["unknown", "unknown", "7", "unknown"].map((solver) => ({ solver })),
  );
});

Deno.test("sortRows() sorts as asked, rows without a value last, equal ones in their order", () => {
  const rows = [{ a: 2, b: "x" }, { a: null, b: "y" }, { a: 3, b: "x" }, { a: 2, b: "w" }];
  assertEquals(sortRows(rows, "a").map((row) => row.b), ["x", "w", "x", "y"]);
  assertEquals(sortRows(rows, "-a").map((row) => row.a), [3, 2, 2, null]);
  assertEquals(sortRows(rows, "b").map((row) => row.b), ["w", "x", "x", "y"]);
});

Deno.test("count() and captionText() write sentences", () => {
  assertEquals([count(1, "fill"), count(12_345, "fill")], ["1 fill", "12,345 fills"]);
  assertEquals(captionText(["a", null, false, undefined, "", "b"], "c"), "a. b. Source: c");
  assertEquals(captionText([], undefined), "");
});
