import pl from "nodejs-polars";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import { estimates, type EstimatesOptions } from "orderlens/charts";
import { marksOf, numberOf, testPicture, testSays } from "../svg_marks.ts";

/** So many rows of one solver, of which the first `late` came late. */
function wins(solver: string, count: number, late: number) {
  return Array.from({ length: count }, (_, index) => ({ solver, late: index < late }));
}

/** A row with a gain, for each of some numbers. */
function gains(won: string, ...numbers: (number | null)[]) {
  return numbers.map((gain_bps) => ({ won, gain_bps }));
}

/** Whole numbers from one to another. */
function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

const SHARE: EstimatesOptions = { group: "solver", value: "late", stat: "share" };
const GAIN: EstimatesOptions = { group: "won", value: "gain_bps" };
const WINS = [...wins("A", 10, 8), ...wins("B", 30, 3)];

const CURSE = [
  { bidders: 1, curse_bps: 0, fills: 122 },
  { bidders: 2, curse_bps: 21, low_bps: -15, high_bps: 40, fills: 118 },
  { bidders: 10, curse_bps: 4, low_bps: 1, high_bps: 7, fills: 5 },
];
const GIVEN: EstimatesOptions = {
  group: "bidders",
  value: "curse_bps",
  interval: ["low_bps", "high_bps"],
  n: "fills",
  reference: 0,
};

/** The caption of a picture. */
function captionOf({ svg }: { svg: string }): string {
  return /<desc>[^<]*?\. (n = [^<]*)<\/desc>/.exec(svg)?.[1] ?? "";
}

/** What each dot is, from top to bottom. */
function titlesOf({ svg }: { svg: string }): string[] {
  return marksOf(svg, "estimate").map(({ title }) => title!.replaceAll("\n", " | "));
}

Deno.test("estimates() draws a share with the interval of Wilson", () => {
  const chart = estimates(WINS, SHARE);
  // 8 of 10: 0.4901625 to 0.9433178, as R's prop.test without correction has it; 3 of 30: 0.0345985 to 0.2562107.
  assertEquals(titlesOf(chart), [
    "A | 80% | 49% to 94.3% | 10 rows",
    "B | 10% | 3.5% to 26% | 30 rows",
  ]);
  const [a, b] = marksOf(chart.svg, "interval").map((line) =>
    [numberOf(line, "x1"), numberOf(line, "x2")] as const
  );
  const [dotA, dotB] = marksOf(chart.svg, "estimate").map((dot) => numberOf(dot, "cx"));
  // 70 points are between the dots: a pixel is a number of points.
  const points = 70 / (dotA! - dotB!);
  const near = (pixels: number, expected: number) =>
    assert(Math.abs(pixels * points - expected) < 0.2);
  near(dotA! - a![0], 80 - 49.01625);
  near(a![1] - dotA!, 94.33178 - 80);
  near(dotB! - b![0], 10 - 3.45985);
  near(b![1] - dotB!, 25.62107 - 10);
  assertStringIncludes(chart.svg, ">8 of 10 (80%)</text>");
});

Deno.test("estimates() has intervals, legend, caption and finding of the level that is passed", () => {
  const chart = estimates(WINS, { ...SHARE, level: 0.9, reference: "all" });
  // 3 of 30 at z = 1.6449: 0.0406770 to 0.2255025.
  assertEquals(titlesOf(chart)[1], "B | 10% | 4.1% to 23% | 30 rows");
  assertStringIncludes(chart.svg, ">90% Wilson interval</text>");
  assertStringIncludes(captionOf(chart), "Each 90% interval is for its group alone");
  assertStringIncludes(chart.finding, "rows, 90% interval ");
  assertStringIncludes(chart.finding, "points (90% interval ");
  assert(!`${chart.svg}${chart.finding}`.includes("95%"));
  // Of 10 values no interval of a median holds 99.99%: it would need more than 1 - log2(0.0001).
  const sure = estimates(gains("alone", ...range(1, 10)), { ...GAIN, level: 0.9999 });
  assertStringIncludes(captionOf(sure), "1 won without an interval: fewer than 15 rows");
  const options = { ...GIVEN, level: 0.9 };
  assertThrows(() => estimates(CURSE, options), InputError, 'with level and stat "none"');
  assertThrows(() => estimates(WINS, { ...SHARE, level: 1 }), InputError, "with level 1");
});

testSays("estimates", {
  "names groups in its title only where a difference is seen": [
    () => estimates(WINS, SHARE),
    "Late by solver: 10% (B, n = 30) to 80% (A, n = 10)\n",
    // Newcombe's: 70 less hypot(30.98375, 15.62107), and 70 plus hypot(14.33178, 6.54015).
    "a difference of +70 points (95% interval +35.3 points to +85.8 points)",
  ],
  "says that no difference is seen": [
    () => estimates([...wins("A", 10, 5), ...wins("B", 10, 4)], SHARE),
    "Late by solver: no clear difference\n",
  ],
  "says that there are too few rows to tell": [
    () => estimates([...wins("A", 9, 9), ...wins("B", 9, 0)], SHARE),
    "Late by solver: too few rows to tell whether they differ\n",
    "The 2 solvers have too few rows to tell whether their shares differ.",
  ],
  // Of two groups 20% and 55% of 20 differ; of three, the level is that of all pairs.
  "counts the groups that the two were picked from": [
    () => estimates([...wins("A", 20, 4), ...wins("B", 20, 11), ...wins("C", 20, 7)], SHARE),
    "Late by solver: no clear difference between the two furthest apart of 3 solvers\n",
    "No clear difference between the shares of the two of 3 solvers whose intervals are furthest apart: " +
    "20% (A, n = 20) and 55% (B, n = 20), with a 95% interval of ",
  ],
  "sees the same difference of two groups alone": [
    () => estimates([...wins("A", 20, 4), ...wins("B", 20, 11)], SHARE),
    "Late by solver: 20% (A, n = 20) to 55% (B, n = 20)\n",
  ],
  "has the values alone beside a narrow axis": [
    () => estimates(WINS, { ...SHARE, width: 420 }),
    ">80%</text>",
    { lacks: "8 of 10" },
  ],
  "has shares as numbers in a unit of the caller": [
    () =>
      estimates([{ solver: "A", fee_share: 0.5 }], {
        group: "solver",
        value: "fee_share",
        unit: "of 1",
      }),
    "Median fee share (of 1)",
    "Median fee share by solver: 0.5 of 1 (A, n = 1)",
  ],
  "does not count an interval that ends at the reference": [
    () => estimates([{ ...CURSE[2]!, low_bps: 0 }, CURSE[1]!], GIVEN),
    "Curse by bidders: 0 of 2 intervals lie above or below 0 bps\n",
  ],
  "has a line for each of many series of rows that are estimates": [
    () =>
      estimates(range(1, 9).map((week) => ({ solver: "A", week, reward_native: week, n: 1 })), {
        group: "solver",
        series: "week",
        value: "reward_native",
        n: "n",
      }),
    9,
  ],
  "compares each group with a reference": [
    () =>
      estimates([...gains("in a batch", ...range(21, 32)), ...gains("alone", ...range(-6, 6))], {
        ...GAIN,
        reference: 0,
      }),
    "Median gain by won: 0 bps (alone, n = 13) to +26.5 bps (in a batch, n = 12)\n",
    "Above 0 bps: 1 of 2 wons; below: 0; no clear difference: 1.",
    ">reference: 0 bps</text>",
  ],
  "compares each group with all rows": [
    () => estimates(WINS, { ...SHARE, reference: "all" }),
    // 11 of 40.
    "Late: 11 of 40 (28%) rows, 95% interval 16% to 43%.",
    // The upper end for 3 of 30 at the level of both groups, z = 2.2414, is 28.47%.
    "Above 28%: 1 of 2 solvers; below: 0; no clear difference: 1.",
  ],
  "compares each group with a number": [
    () => estimates(WINS, { ...SHARE, reference: 0.29 }),
    "Above 29%: 1 of 2 solvers; below: 1; no clear difference: 0.",
  ],
  "says the one group that there is": [
    () => estimates(gains("alone", 2, 4), GAIN),
    "Median gain by won: +3.0 bps (alone, n = 2)\n",
  ],
  "has the mean": [
    () => estimates(gains("alone", 2, 4, 9), { ...GAIN, stat: "mean" }),
    "Mean gain by won: +5.0 bps (alone, n = 3)\n",
    "Mean gain over all 3 rows: +5.0 bps",
  ],
  "says what it leaves out": [
    () =>
      estimates([
        ...gains("a", 1, 2, 3),
        ...gains("b", 4, 5),
        ...gains("c", 6),
        ...gains("a", null, NaN),
      ], { ...GAIN, limit: 1 }),
    "n = 3 rows. 2 rows without a number in gain_bps left out. 2 more wons with 3 rows not shown. " +
    "1 won without an interval: fewer than 10 rows",
    3,
  ],
  "has an axis that suits small and large values": [
    () => estimates([...gains("a", 1), ...gains("b", 5_000)], GAIN),
    "Median gain (bps, logarithmic)",
  ],
});

Deno.test("estimates() has the ratio of the sums, with a share for parts of one thing", () => {
  const rows = [[1, 10], [3, 10], [5, 4]].map(([gas_native, surplus_native], index) => ({
    solver: index < 2 ? "A" : "B",
    gas_native,
    surplus_native,
    price_sides: ["consistent", "consistent", "absurd"][index],
  }));
  const ratio = {
    group: "solver",
    value: "gas_native",
    weight: "surplus_native",
    stat: "ratio",
  } as const;
  // 4 / 20 and 5 / 4; 9 / 24 in all.
  assertEquals(titlesOf(estimates(rows, ratio)), ["B | 125% | 1 row", "A | 20% | 2 rows"]);
  const { finding } = estimates(rows, ratio);
  assertStringIncludes(finding, "Gas / surplus over all 3 rows: 38%");
  assertStringIncludes(finding, "Without 1 row at absurd native prices: 20%.");
  const none = estimates([{ ...rows[0]!, surplus_native: 0 }, rows[2]!], ratio);
  assertStringIncludes(captionOf(none), "1 row of groups whose weights add up to 0 left out");
  assertEquals<unknown>(none.rows, [rows[2]]);
  // Amounts of different tokens have no sum.
  const tokens = rows.map(({ solver }, index) => ({ solver, sold_tokens: index, bought_usd: 4 }));
  const other = estimates(tokens, { ...ratio, value: "sold_tokens", weight: "bought_usd" });
  assertEquals(titlesOf(other), ["B | 0.5 | 1 row", "A | 0.125 | 2 rows"]);
  assert(!other.finding.includes("over all"), other.finding);
});

Deno.test("estimates() draws bootstraps of ten rows at least, and of 30 for means", () => {
  const lines = (stat: "median" | "mean", size: number) =>
    titlesOf(estimates(gains("a", ...range(1, size)), { ...GAIN, stat }))[0]!.split(" | ").length;
  assertEquals([lines("median", 9), lines("median", 10)], [3, 4]);
  assertEquals([lines("mean", 29), lines("mean", 30)], [3, 4]);
});

testPicture(
  "estimates",
  (rows, options) => estimates(rows, { ...GIVEN, ...options }),
  CURSE,
  "Curse of 3 groups: 0 bps (1, n = 122) to +21.0 bps (2, n = 118). Of 2 intervals, each on " +
    "its own, 1 is above 0 bps and 0 below.",
  ["No rows in this range", []],
  ["No row in this range has a number in curse_bps", [{ ...CURSE[1]!, curse_bps: NaN }]],
);

Deno.test("estimates() has the interval of columns that are named like the value", () => {
  const rows = CURSE.map(({ low_bps, high_bps, ...row }) => (
    { ...row, curse_low_bps: low_bps ?? null, curse_high_bps: high_bps ?? null }
  ));
  const { interval: _, ...options } = GIVEN;
  const chart = estimates(rows, options);
  assertEquals(titlesOf(chart)[1], "2 | +21.0 bps | −15.0 bps to +40.0 bps | 118 fills");
  assertStringIncludes(chart.svg, ">curse low to curse high</text>");
  assertStringIncludes(captionOf(chart), "1 group without an interval");
});

Deno.test("estimates() sorts groups by value, by n, and by themselves: numbers as numbers", () => {
  const order = (sort?: EstimatesOptions["sort"]) =>
    titlesOf(estimates(CURSE, { ...GIVEN, ...(sort && { sort }) })).map((title) =>
      title.split(" ")[0]
    );
  assertEquals(order("-value"), ["2", "10", "1"]);
  // Numbers are in order unless one asks for another.
  assertEquals(order(), ["1", "2", "10"]);
  assertEquals(order("-group"), ["10", "2", "1"]);
  assertEquals(order("n"), ["10", "2", "1"]);
});

Deno.test("estimates() has a line for each series of a group, and the name of the group once", () => {
  const rows = ["before", "after"].flatMap((part, at) =>
    ["0x01", "0x02"].map((solver, index) => (
      { solver, name: index === 0 ? "One" : null, part, reward_native: 3 - at - index, auctions: 7 }
    ))
  );
  const options: EstimatesOptions = {
    group: "solver",
    label: "name",
    value: "reward_native",
    series: "part",
    n: "auctions",
    unit: "ETH",
  };
  const chart = estimates(rows, options);
  assertEquals(titlesOf(chart), [
    "One (0x01) | after | 2 ETH | 7 auctions",
    "One (0x01) | before | 3 ETH | 7 auctions",
    "0x02 | after | 1 ETH | 7 auctions",
    "0x02 | before | 2 ETH | 7 auctions",
  ]);
  assertEquals(chart.svg.match(/>One<\/text>/g)?.length, 1);
  // The 7 auctions of a solver are the same before and after.
  assert(captionOf(chart).startsWith("n = 4 estimates"), captionOf(chart));
  assertThrows(
    () => estimates(rows, { ...options, series: "name" }),
    InputError,
    "Cannot draw estimates of 2 rows whose solver is 0x01",
  );
});

Deno.test("estimates() draws a frame as its rows, and rejects options that contradict each other", () => {
  assertEquals(estimates(pl.DataFrame(WINS), SHARE).svg, estimates(WINS, SHARE).svg);
  for (
    const [text, options] of [
      ["Cannot draw estimates without group", {}],
      ["Cannot draw estimates: the column solver has A", { ...SHARE, value: "solver" }],
      ["Cannot draw estimates: a ratio without weight", { ...SHARE, stat: "ratio" }],
      ['with n and stat "share"', { ...SHARE, n: "late" }],
      ['with interval and stat "share"', { ...SHARE, interval: ["late", "late"] }],
      ['with weight and stat "none"', { ...SHARE, stat: "none", weight: "late" }],
      ['with all as reference and stat "none"', { ...SHARE, stat: "none", reference: "all" }],
      ["Pass columns that the rows have: solver, late", { ...SHARE, group: "colour" }],
    ] as const
  ) assertThrows(() => estimates(WINS, options as EstimatesOptions), InputError, text);
});
