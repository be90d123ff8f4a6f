import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import {
  fillTexts,
  groupLargest,
  isCount,
  isNumber,
  selectNumeric,
  sortRows,
} from "../../lib/charts/rows.ts";
import {
  compareMedians,
  compareRange,
  countSides,
  describeRange,
  formatCoverage,
  formatPortion,
  formatShare,
  formatUnseen,
} from "../../lib/charts/texts/claim_text.ts";
import { count, joinSentences } from "../../lib/charts/texts/count_text.ts";
import {
  bpsText,
  cutText,
  formatBpsTogether,
  formatNumber,
  formatPercent,
  formatPercents,
  formatTogether,
  measureText,
  wrapText,
} from "../../lib/charts/texts/label_text.ts";
import {
  readSolverNames,
  shortenName,
  shortenNames,
  SolverNames,
} from "../../lib/charts/texts/short_names.ts";

Deno.test("formatTogether() gives numbers that stand together the same decimals", () => {
  assertEquals(formatTogether([0.00318, 0.001302, 0.003623]), ["0.003180", "0.001302", "0.003623"]);
  assertEquals(formatTogether([4, 0.5]), ["4.0", "0.5"]);
  assertEquals(formatTogether([12_000, -3]), ["12,000", "−3"]);
  assertEquals(formatTogether([0, 0]), ["0", "0"]);
});

Deno.test("formatTogether() gives all an exponent where one needs it", () => {
  assertEquals(formatTogether([1e-7, 0.000001, 0]), ["1e−7", "1e−6", "0"]);
  assertEquals(formatTogether([1.5e30, 2e30]), ["1.5e30", "2.0e30"]);
  assertEquals(formatTogether([0.8861, 2.5e-7, 0]), ["0.8861", "2.5e−7", "0"]);
  assertEquals(formatTogether([3e9, 12]), ["3e9", "12"]);
});

Deno.test("formatTogether() writes 0.00001 and 3,000,000 as people do", () => {
  assertEquals(formatTogether([0.00001, 0.0001]), ["0.00001", "0.00010"]);
  assertEquals(formatTogether([3e6, 12]), ["3,000,000", "12"]);
});

Deno.test("formatBpsTogether() has one decimal in a column: −10.0 beside −9.9", () => {
  assertEquals(formatBpsTogether([-10, -9.94, 0, 3]), [
    "−10.0 bps",
    "−9.9 bps",
    "0.0 bps",
    "+3.0 bps",
  ]);
  assertEquals(formatBpsTogether([0.02, 3]), ["+0.02 bps", "+3.00 bps"]);
});

Deno.test("bpsText() has one decimal, and two digits of what would read as zero", () => {
  const texts = [0, 1, -52.54, 0.0312, 12_345.67, -1e9].map(bpsText);
  const expected = "0 bps  +1.0 bps  −52.5 bps  +0.031 bps  +12,345.7 bps  −1e9 bps";
  assertEquals(texts.join("  "), expected);
});

Deno.test("formatPercents() has a decimal in all where one has it", () => {
  assertEquals(formatPercents([0.881, 0.05, 0.047, 1]), ["88.1%", "5.0%", "4.7%", "100%"]);
  assertEquals(formatPercents([0.5, 0.25]), ["50%", "25%"]);
});

Deno.test("formatNumber() writes 4 digits, and an exponent where it saves many zeros", () => {
  const texts = [0, 1.23456, 1234.56, 12_345.6, 999_999, 1.5e6, 1e-5, 2.5e-7, -3, -1e9].map(
    formatNumber,
  );
  const expected = "0  1.235  1,235  12,350  1,000,000  1,500,000  0.00001  2.5e−7  −3  −1e9";
  assertEquals(texts.join("  "), expected);
});

Deno.test("formatPercent() is never 0% or 100% of what is not", () => {
  const texts = [0, 0.0001, 0.023, 0.5, 0.987, 0.99999, 1, 1.5, -0.2].map(formatPercent);
  assertEquals(texts.join("  "), "0%  <0.1%  2.3%  50%  98.7%  >99.9%  100%  150%  −20%");
});

Deno.test("shortenName() keeps the ends of addresses and of long names", () => {
  assertEquals(shortenName(`0x${"ab".repeat(20)}`), "0xabab…abab");
  assertEquals(shortenName("a short name"), "a short name");
  assertEquals(
    shortenName("a solver with a name that is rather long"),
    "a solver with a … is rather long",
  );
  assertEquals(shortenName("two\nlines\u0000"), "two lines");
});

Deno.test("shortenNames() tells long names apart that begin and end alike", () => {
  const names = [1, 2].map((number) => `A very long solver name number ${number} of a large group`);
  assertEquals(shortenNames([...names, "short"]), [
    "…name number 1 of a large group",
    "…name number 2 of a large group",
    "short",
  ]);
});

Deno.test("shortenNames() numbers names that only differ far apart, and keeps equal ones equal", () => {
  const [a, b] = ["a", "b"].map((end) => `${"x".repeat(40)}${end}${"y".repeat(60)}`);
  assertEquals(new Set(shortenNames([a!, b!, a!])).size, 2);
  const [first, second, third] = shortenNames([
    `${"x".repeat(20)}1${"y".repeat(60)}1${"z".repeat(20)}`,
    `${"x".repeat(20)}1${"y".repeat(60)}2${"z".repeat(20)}`,
    `${"x".repeat(20)}2${"y".repeat(60)}2${"z".repeat(20)}`,
  ]);
  assertEquals(new Set([first, second, third]).size, 3);
});

const A = `0xaaaa${"0".repeat(32)}0001`;
const B = `0xbbbb${"0".repeat(32)}0002`;
const C = `0xcccc${"0".repeat(32)}0003`;

Deno.test("SolverNames names solvers, and cuts the address of those without a name", () => {
  const names = new SolverNames([[A, "Barter"], [B, null], [C, ""]]);
  assertEquals(names.formatLabels([A, B, C, A]), [
    "Barter",
    "0xbbbb…0002",
    "0xcccc…0003",
    "Barter",
  ]);
  assertEquals([A, B].map((one) => names.formatLabel(one)), ["Barter", "0xbbbb…0002"]);
  assertEquals([A, B].map((one) => names.formatWithAddress(one)), [`Barter (${A})`, B]);
  assertEquals([A, B].map((one) => names.formatWithHex(one)), [
    "Barter (0xaaaa…0001)",
    "0xbbbb…0002",
  ]);
  assertEquals(names.formatLabels(["unknown solver"]), ["unknown solver"]);
});

Deno.test("a name that several addresses share has the address after it", () => {
  const names = new SolverNames([[A, "Barter"], [B, "Barter"], [C, "Fractal"]]);
  assertEquals(names.formatLabels([A, B, C]), [
    "Barter 0xaaaa…0001",
    "Barter 0xbbbb…0002",
    "Fractal",
  ]);
  const long = new SolverNames([[A, "A solver with a very long name"], [
    B,
    "A solver with a very long name",
  ]]);
  assertEquals(long.formatLabels([A, B]), [
    "A solver with a ver… 0xaaaa…0001",
    "A solver with a ver… 0xbbbb…0002",
  ]);
});

Deno.test("different solvers never have one label", () => {
  const alike = `0xaaaa${"1".repeat(32)}0001`;
  const names = new SolverNames([[A, "Barter"], [alike, "Barter"], ["Fractal", null], [
    C,
    "Fractal",
  ]]);
  assertEquals(names.formatLabels([A, alike, A]), [
    "Barter 0xaaaa…0001",
    "Barter 0xaaaa…0001 (2)",
    "Barter 0xaaaa…0001",
  ]);
  assertEquals(names.formatLabels(["Fractal", C]), ["Fractal", "Fractal 0xcccc…0003"]);
});

Deno.test("a name in one row of an address counts for all, and on one line", () => {
  const names = readSolverNames([
    { solver: A, solver_name: null },
    { solver: A, solver_name: " Two\nlines " },
    { solver: null },
  ]);
  assertEquals(names.format(A), "Two lines");
});

Deno.test("measureText() is the width of DejaVu Sans, whose digits are 0.64 of an em", () => {
  assertAlmostEquals(measureText("1234567890", { size: 10 }), 64, 0.001);
  assertAlmostEquals(measureText("il", { size: 100 }), 56, 0.001);
  assertEquals(measureText("", { size: 10 }), 0);
  assert(measureText("name", { size: 10, bold: true }) > measureText("name", { size: 10 }));
  assertEquals(measureText("→漢", { size: 10 }), 20, "other characters are rather too wide");
});

Deno.test("wrapText() breaks at spaces, and words that are too long anywhere", () => {
  const style = { size: 10 };
  assertEquals(wrapText("one two three", 45, style), ["one two", "three"]);
  assertEquals(wrapText("1234567890", 32, style), ["12345", "67890"]);
  assertEquals(wrapText("", 32, style), []);
  for (const line of wrapText("any words that are here, antidisestablishmentarianism", 70, style)) {
    assert(measureText(line, style) <= 70, line);
  }
});

Deno.test("cutText() keeps both ends of a text, or the beginning of one that was cut there", () => {
  const style = { size: 10 };
  assertEquals(cutText("short", 100, style), "short");
  assertEquals(cutText("0123456789", 48, style), "012…89");
  assertEquals(cutText("…123456789", 48, style), "…1234…");
  assertEquals(cutText("0123456789", 1, style), "…");
});

const group = (names: readonly (string | null)[], limit: number) =>
  groupLargest(names, (name) => name, { limit, noun: "pair" });

Deno.test("groupLargest() gives the largest groups first and all others as one", () => {
  const { groups, restGroup: rest } = group(["b", "a", "c", "a", "c", "c", null], 2);
  assertEquals(groups.map(({ key, rows }) => [key, rows.length]), [["c", 3], ["a", 2]]);
  assertEquals([rest?.key, rest?.rows.length], ["2 other pairs", 2]);
});

Deno.test("groupLargest() has no rest where all groups fit, and a group of the unknown", () => {
  const { groups, restGroup: rest } = group(["a", "", null], 2);
  assertEquals(groups.map(({ key }) => key), ["unknown pair", "a"]);
  assertEquals(rest, null);
});

Deno.test("groupLargest() names a single other group instead of counting it", () => {
  const { groups, restGroup: rest } = group(["b", "a", "c", "a", "c", "c"], 2);
  assertEquals(groups.map(({ key }) => key), ["c", "a", "b"]);
  assertEquals(rest, null);
});

Deno.test("formatShare() and formatPortion() give no percentage of fewer than 30 without their number", () => {
  assertEquals(
    [
      formatShare(0.45, 30),
      formatShare(0.45, 29),
      formatShare(0.5, 2, "of all"),
      formatShare(1, null),
    ],
    ["45%", "45% (n = 29)", "50% of all (n = 2)", "100% (n unknown)"],
  );
  assertEquals(
    [formatPortion(20, 30, "fill"), formatPortion(1, 29, "fill"), formatPortion(0, 1, "fill")],
    ["67% of fills", "1 of 29 fills", "0 of 1 fill"],
  );
  assertEquals([formatCoverage(0.8, 30), formatCoverage(0.8, 5), formatCoverage(0.8, 6)], [
    "80%",
    "4 of 5",
    "5 of 6",
  ]);
});

const list = (size: number, value: (index: number) => number) => ({
  values: Array.from({ length: size }, (_, index) => value(index)),
});

Deno.test("compareMedians() says that there is no clear difference where its interval holds 0", () => {
  const text = { text: bpsText };
  const low = list(20, (index) => index % 5);
  assertEquals(compareMedians(list(20, (index) => 50 + index % 5), low, text).isSeen, true);
  const near = compareMedians(list(20, (index) => 1 + index % 5), low, text);
  assertEquals(near.isSeen, false);
  assertMatch(
    near.clause,
    /^no clear difference \(95% interval (−\d\.\d|0) bps to \+\d\.\d bps\)$/,
  );
  const few = compareMedians(list(9, () => 1e9), low, text);
  assertEquals(few, { isSeen: false, clause: "too few to tell whether they differ", bounds: "" });
});

Deno.test("describeRange() names two groups that differ, or says that none is seen to", () => {
  const sentence = (...groups: readonly ReturnType<typeof list>[]) =>
    describeRange(compareRange(groups, { text: bpsText }), {
      noun: "pair",
      rows: "fills",
      text: ({ values }) => `n = ${values.length}`,
    });
  const near = [20, 21, 22].map((size) => list(size, (index) => index % 7));
  const far = list(23, (index) => 100 + index % 7);
  assertMatch(
    sentence(...near, far, list(1, () => 1e9)),
    /^The medians of the 4 of 5 pairs with enough fills differ: n = 2[0-2] and n = 23, a difference of \+\d+\.\d bps \(95% interval/,
  );
  assertMatch(
    sentence(...near),
    /^No clear difference between the medians of the two of 3 pairs whose intervals are furthest apart: n = 2\d and n = 2\d, with a 95% interval of .* for the difference$/,
  );
  assertMatch(
    sentence(near[0]!, near[1]!),
    /^No clear difference between the medians of 2 pairs: n = 2\d and n = 2\d, with a 95% interval of /,
  );
  assertEquals(
    sentence(list(9, () => 1), list(9, () => 5)),
    "The 2 pairs have too few fills to tell whether their medians differ",
  );
});

Deno.test("formatUnseen() claims no more groups than were compared", () => {
  const text = (...groups: readonly ReturnType<typeof list>[]) =>
    formatUnseen(compareRange(groups, { text: bpsText }), { noun: "pair", rows: "fills" });
  const near = [20, 21, 22].map((size) => list(size, (index) => index % 7));
  const few = list(9, () => 1);
  assertEquals(text(near[0]!, near[1]!), "no clear difference");
  const between = "no clear difference between";
  assertEquals(text(...near), `${between} the two furthest apart of 3 pairs`);
  assertEquals(text(near[0]!, near[1]!, few), `${between} the 2 of 3 pairs with enough fills`);
  assertEquals(
    text(...near, few),
    `${between} the two furthest apart of the 3 of 4 pairs with enough fills`,
  );
  assertEquals(text(near[0]!, few), "too few fills to tell whether they differ");
});

Deno.test("compareRange() has no ends where a resample of the difference has no weight", () => {
  // Each group alone has an interval, in whose resamples some weight is always drawn.
  const weigh = (size: number, first: number) => ({
    ...list(size, (index) => first + index % 7),
    weights: Array.from({ length: size }, (_, index) => index < 8 ? 1 : 0),
  });
  const range = compareRange([weigh(35, 0), weigh(38, 1)], { text: bpsText, stat: "ratio" });
  assertEquals([range.comparedGroups, range.ends], [2, null]);
  assertEquals(
    formatUnseen(range, { noun: "group", rows: "rows" }),
    "too few rows to tell whether they differ",
  );
});

Deno.test("countSides() counts groups whose medians are surely above or below 0", () => {
  const groups = [list(20, (index) => 5 + index % 3), list(20, (index) => -9 - index % 3)];
  const unsure = [list(20, (index) => index % 7 - 3), list(3, () => 99)];
  assertEquals(countSides([...groups, ...unsure]), {
    aboveCount: 1,
    belowCount: 1,
    neitherCount: 1,
    fewCount: 1,
  });
});

Deno.test("isNumber() takes finite numbers of a size that amounts can have", () => {
  const values = [0, -1.5, 1e77, 1e101, NaN, Infinity, 1n, "1", null, undefined];
  assertEquals(values.map(isNumber), [true, true, true, ...Array(7).fill(false)]);
  assertEquals([0, -1, 2].map(isCount), [true, false, true]);
});

Deno.test("selectNumeric() says how many rows it leaves out", () => {
  const rows = [{ a: 1, b: 2 }, { a: null, b: 2 }, { a: 1, b: NaN }];
  assertEquals(selectNumeric(rows, ["a", "b"]), {
    rows: [{ a: 1, b: 2 }],
    leftOut: 2,
    note: "2 rows without a number in a or b left out",
  });
  assertEquals(selectNumeric(rows, ["b"]).note, "1 row without a number in b left out");
  assertEquals(selectNumeric(rows, []).note, null);
  const named = selectNumeric([{ a: 1, b: "" }, { a: NaN, b: "x" }], ["a"], ["b"]).rows;
  assertEquals(named, [{ a: 1, b: "unknown" }], "and fills in texts");
});

Deno.test("fillTexts() names what has no name, and keeps rows that need nothing", () => {
  const rows = [{ solver: "A" }, { solver: "" }, { solver: null }, { solver: 7 }, {}];
  const named = fillTexts(rows, ["solver" as never]);
  assert(named[0] === rows[0]);
  const texts = ["unknown", "unknown", "7", "unknown"];
  assertEquals(named.slice(1), texts.map((solver) => ({ solver })));
});

Deno.test("sortRows() sorts as asked, rows without a value last, equal ones in their order", () => {
  const rows = [{ a: 2, b: "x" }, { a: null, b: "y" }, { a: 3, b: "x" }, { a: 2, b: "w" }];
  assertEquals(sortRows(rows, "a").map((row) => row.b), ["x", "w", "x", "y"]);
  assertEquals(sortRows(rows, "-a").map((row) => row.a), [3, 2, 2, null]);
  assertEquals(sortRows(rows, "b").map((row) => row.b), ["w", "x", "x", "y"]);
});

Deno.test("count() and joinSentences() write sentences", () => {
  assertEquals([count(1, "fill"), count(12_345, "fill")], ["1 fill", "12,345 fills"]);
  assertEquals([count(2, "status"), count(0, "series")], ["2 statuses", "0 series"]);
  assertEquals([count(2, "category"), count(2, "key")], ["2 categories", "2 keys"]);
  assertEquals(joinSentences(["a", null, false, undefined, "", "b"], "c"), "a. b. Source: c");
  assertEquals(joinSentences(["1 blocks"], "my 1 blocks"), "1 block. Source: my 1 blocks");
  assertEquals(joinSentences([], undefined), "");
});
