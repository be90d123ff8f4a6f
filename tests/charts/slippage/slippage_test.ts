import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertMatch,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { InputError } from "orderlens";
import {
  slippageBaselines,
  slippageByPair,
  slippageByQuoteAge,
  slippageBySize,
  slippageBySolver,
  slippageDistribution,
  slippageGroups,
  slippageSlices,
  toleranceUsed,
} from "orderlens/charts";
import { weightedMedian } from "../../../lib/charts/slippage/measured_fills.ts";
import { fill, HOSTILE, slipped } from "../slippage_rows.ts";
import { fillsOf, marksOf, numberOf } from "../svg_marks.ts";

Deno.test("slippageBaselines() sets the same fills against four baselines on one axis", () => {
  const { svg, title } = slippageBaselines([fill(1), fill(2)]);
  assertEquals(title, "The same fills: median from −6.0 bps (gross quote) to +54.0 bps (limit)");
  const medians = marksOf(svg, "median").filter((mark) => mark.title?.startsWith("median "));
  const plain = medians.filter((mark) => !mark.title?.includes("weighted"));
  assertEquals(plain.map((mark) => mark.title), [
    "median −6.0 bps",
    "median +2.0 bps",
    "median +4.0 bps",
    "median +54.0 bps",
  ]);
  const [gross = NaN, net = NaN, shown = NaN, limit = NaN] = plain.map((mark) =>
    numberOf(mark, "x1")
  );
  assert(gross < net && net < shown && shown < limit);
  assert(Math.abs((limit - gross) / (net - gross) - 60 / 8) < 0.01, "the same scale");
  assertStringIncludes(svg, "(100% of fills better)");
});

Deno.test("slippageBaselines() counts only fills known against all, and names an unknown baseline", () => {
  const { rows, svg } = slippageBaselines([
    fill(1, { slippage_user_shown_bps: null }),
    fill(2, { slippage_user_shown_bps: null, slippage_gross_bps: null }),
  ]);
  assertEquals(rows.length, 1);
  assertStringIncludes(svg, "1 fill without a known slippage against all of them left out");
  assertStringIncludes(svg, "No fill has a known slippage against the quote as shown");
});

const five = [-20, -10, 0, 10, 40].map((bps, place) => fill(place, slipped(bps)));

Deno.test("slippageByPair() shows median, quartiles and the median weighted by size", () => {
  const { svg } = slippageByPair(five.map((row, place) => ({ ...row, volume_native: 4 ** place })));
  assertEquals(marksOf(svg, "fill").length, 0);
  const [half] = marksOf(svg, "half");
  assertStringIncludes(half?.title ?? "", "middle half from −10.0 bps to +10.0 bps");
  assertStringIncludes(half?.title ?? "", "5 fills, 40% better");
  const [middle] = marksOf(svg, "median");
  const [weighted] = marksOf(svg, "weighted");
  assertStringIncludes(middle?.title ?? "", "median 0 bps, weighted by size +40.0 bps");
  assert(numberOf(middle, "x1") < numberOf(weighted, "cx"));
});

Deno.test("slippageByPair() draws each fill of a pair with fewer than five", () => {
  const { svg } = slippageByPair([...five, ...five.slice(1).map((row) => ({ ...row, pair: "B" }))]);
  assertEquals(marksOf(svg, "half").length, 1);
  assertEquals(marksOf(svg, "fill").length, 4);
});

Deno.test("slippageByPair() lists the largest pairs and puts the others into one row", () => {
  const { svg, title } = slippageByPair(HOSTILE["10,000 rows"]!);
  assertEquals(marksOf(svg, "median").length, 26);
  assertStringIncludes(svg, "35 other pairs");
  assertStringIncludes(title, "of 25 pairs listed");
  assertStringIncludes(slippageByPair(five, { limit: 1 }).title, "in 0 of 1 pair");
});

Deno.test("slippageByPair() sorts by what it is told", () => {
  const rows = [...five, fill(9, { ...slipped(99), pair: "A" })];
  const names = (sort: "median_bps" | "-median_bps" | "name") =>
    [...slippageByPair(rows, { sort }).svg.matchAll(/>(A|WETH → USDC)<\/text>/g)].map(([, name]) =>
      name
    );
  assertEquals(names("name"), ["A", "WETH → USDC"]);
  assertEquals(names("-median_bps"), ["A", "WETH → USDC"]);
  assertEquals(names("median_bps"), ["WETH → USDC", "A"]);
});

Deno.test("slippageByPair() keeps the arrow and both tokens of long pairs", () => {
  const long = "A token with a name that is very long indeed";
  const { svg } = slippageByPair(
    [1, 2].map((number) => fill(number, { pair: `${long} ${number} → ${long}` })),
    {
      width: 480,
    },
  );
  assertStringIncludes(svg, ">A toke…eed 1 → A toke…ndeed<");
});

Deno.test("slippageByQuoteAge() draws fills by the age of their quote, logarithmic over decades", () => {
  const { svg } = slippageByQuoteAge([
    fill(1, { quote_age_seconds: 2 }),
    fill(2, { quote_age_seconds: 900 }),
    fill(3, { quote_age_seconds: -1 }),
  ]);
  assertEquals(marksOf(svg, "fill").length, 2);
  assertStringIncludes(svg, "Age of the quote at the fill (seconds, logarithmic) →");
  assertStringIncludes(svg, "1 fill without a known quote age left out");
});

Deno.test("slippageByQuoteAge() says how many fills have the least age that is possible", () => {
  const { svg } = slippageByQuoteAge([
    fill(1, { quote_age_seconds: 2, time_basis: "bracketed" }),
    fill(2, { quote_age_seconds: 3, time_basis: "block" }),
    fill(3, { quote_age_seconds: -4, time_basis: "bracketed" }),
    fill(4, { quote_age_seconds: null, time_basis: "bracketed" }),
  ]);
  const said = svg.match(/<desc>([^<]*)/)![1]!;
  assertStringIncludes(said, "1 fill drawn at the earliest");
  assertStringIncludes(said, "1 fill left out whose least age is 0 s");
  assertStringIncludes(said, "1 fill without a known quote age left out");
});

Deno.test("slippageByQuoteAge() says what tells the times of fills where none is known", () => {
  const { svg } = slippageByQuoteAge([fill(1, { quote_age_seconds: null })]);
  assertStringIncludes(svg.replaceAll(/<[^>]+>/g, " "), "auctionTimes gets them");
});

Deno.test("slippageBySize() draws one dot per fill: larger ones right, better ones above zero", () => {
  const { svg } = slippageBySize([
    fill(1, { slippage_net_bps: 10, volume_native: 1 }),
    fill(2, { slippage_net_bps: -10, volume_native: 3 }),
  ], { nativeSymbol: "ETH" });
  const [small, large] = marksOf(svg, "fill");
  assertEquals(small?.attributes["fill"], "#0072b2");
  assertEquals(large?.attributes["fill"], "#d55e00");
  assert(numberOf(small, "cx") < numberOf(large, "cx"));
  assert(numberOf(small, "cy") < numberOf(large, "cy"));
  assertStringIncludes(small?.title ?? "", "+10.0 bps against the net quote");
  assertStringIncludes(svg, "Size of the fill (ETH) →");
});

Deno.test("slippageBySize() needs a size above zero, and counts fills without", () => {
  const { rows, svg } = slippageBySize([
    fill(1),
    fill(2, { volume_native: 0 }),
    fill(3, { volume_native: null }),
  ]);
  assertEquals(rows.length, 1);
  assertStringIncludes(svg, "n = 1 fill. 2 fills without a known size left out");
});

Deno.test("slippageBySize() has room for signs of large numbers, and leaves out the end of its label where it is narrow", () => {
  const sizes = [1e-6, 1e-3, 1, 1e3, 1e6];
  const rows = sizes.flatMap((size, place) => [
    fill(2 * place, { slippage_net_bps: size }),
    fill(2 * place + 1, { slippage_net_bps: -size }),
  ]);
  const { svg } = slippageBySize(rows, { width: 320 });
  const ticks = /aria-label="y-axis tick label".*?<\/g>/.exec(svg)![0];
  const [, left] = /translate\(([\d.]+),[^>]*>−1,000,000</.exec(ticks)!;
  // To the left of its tick: 66 pixels, in DejaVu Sans of 11 pixels.
  assert(Number(left) >= 66, ticks);
  const label = />(↑ Slippage[^<]*)</.exec(svg)![1]!;
  assertEquals(label, "↑ Slippage against the net quote (bps)");
});

Deno.test("slippageBySize() shows medians of groups of equally many fills", () => {
  const rows = Array.from(
    { length: 60 },
    (_, place) => fill(place, { slippage_net_bps: place < 30 ? -5 : 5, volume_native: place + 1 }),
  );
  const { svg, title } = slippageBySize(rows);
  assertEquals(
    marksOf(svg, "median").map((mark) => mark.title),
    [
      "median −5.0 bps\n15 fills from 1 to 15",
      "median −5.0 bps\n15 fills from 16 to 30",
      "median +5.0 bps\n15 fills from 31 to 45",
      "median +5.0 bps\n15 fills from 46 to 60",
    ],
  );
  assertEquals(
    title,
    "Fills against the net quote, by size: median −5.0 bps for the smallest quarter, " +
      "+5.0 bps for the largest",
  );
});

Deno.test("slippageBySize() draws many fills as dots whose tooltips count them all", () => {
  const { svg } = slippageBySize(HOSTILE["10,000 rows"]!);
  const counts = marksOf(svg, "fills").map(({ title }) => Number(title?.replace(/[^0-9]/g, "")));
  assertEquals(counts.reduce((sum, one) => sum + one, 0), 10_000);
});

Deno.test("slippageBySize() draws far fills as triangles at the edge, and says how far they are", () => {
  const rows = Array.from({ length: 100 }, (_, place) => fill(place, slipped(place % 5 - 2)));
  const { svg } = slippageBySize([...rows, fill(100, slipped(-5_000))]);
  assertEquals(marksOf(svg, "fill").length, 100);
  assertEquals(marksOf(svg, "beyond").length, 1);
  assertStringIncludes(svg, "1 value beyond the axis, up to −5000 bps, drawn at its edge");
});

Deno.test("slippageBySolver() has a row per solver, addresses cut to their ends", () => {
  const { svg, title } = slippageBySolver([
    fill(1, { solver: `0x${"ab".repeat(20)}` }),
    fill(2, { solver: undefined as never }),
    fill(3, { solver: "quasilabs", slippage_net_bps: -4 }),
  ]);
  for (const name of ["0xabab…abab", "unknown solver", "quasilabs"]) {
    assertStringIncludes(svg, `>${name}<`);
  }
  assertEquals(marksOf(svg, "fill").length, 3);
  assertEquals(title, "Fills against the net quote, by solver: median better in 2 of 3 solvers");
});

const BLUE = "#0072b2";
const VERMILION = "#d55e00";

Deno.test("slippageDistribution() counts every fill in one bar; worse ones left of zero", () => {
  const values = [-30, -20, -20, 0, 0.4, 10, 30];
  const { svg } = slippageDistribution(values.map((bps, place) => fill(place, slipped(bps))));
  const bars = marksOf(svg, "bin");
  const counts = bars.map(({ title }) => Number(title?.match(/(\d+) fills?,/)?.[1]));
  assertEquals(counts.reduce((sum, one) => sum + one, 0), values.length);
  assertEquals(fillsOf(svg, "bin"), [VERMILION, VERMILION, BLUE, BLUE, BLUE]);
  assertEquals(counts, [1, 2, 2, 1, 1]);
});

Deno.test("slippageDistribution() shows the plain median and the one weighted by size", () => {
  const rows = [
    fill(1, { slippage_net_bps: -10, volume_native: 100 }),
    fill(2, { slippage_net_bps: 1, volume_native: 1 }),
    fill(3, { slippage_net_bps: 20, volume_native: 1 }),
  ];
  const { svg, title } = slippageDistribution(rows, { baseline: "net" });
  assertEquals(title, "Fills against the net quote: median +1.0 bps, 67% better");
  const medians = marksOf(svg, "median");
  assertEquals(medians.map((mark) => mark.title), [
    "median weighted by size −10.0 bps",
    "median +1.0 bps",
  ]);
  assertEquals(numberOf(medians[0], "x1") < numberOf(medians[1], "x1"), true);
});

Deno.test("slippageDistribution() says what is not in it, and names its baseline", () => {
  const rows = [fill(1), fill(2, { slippage_gross_bps: null }), fill(3, slipped(NaN))];
  const { rows: drawn, svg } = slippageDistribution(rows, {
    baseline: "gross",
    unfilledOrders: 1_234,
  });
  assertEquals(drawn.length, 1);
  assertStringIncludes(svg, "n = 1 fill. 2 fills without a known gross quote left out.");
  assertMatch(svg, /1,234 orders never filled/);
  assertStringIncludes(svg, "Slippage against the gross quote (bps), better than quoted →");
});

Deno.test("slippageDistribution() keeps a far fill in a hollow bar at the edge, and says so", () => {
  const rows = Array.from({ length: 100 }, (_, place) => fill(place, slipped(place % 5 - 2)));
  const { svg } = slippageDistribution([...rows, fill(100, slipped(5_000))]);
  const last = marksOf(svg, "bin").at(-1);
  assertEquals(last?.attributes["fill"], "white");
  assertEquals(last?.title, "beyond the bars, up to +5000.0 bps\n1 fill, 1%");
  assertStringIncludes(
    svg,
    "1 fill far from the rest, up to +5000.0 bps, in the hollow bars at the ends",
  );
  // The others are −2 to 2: bars of 0.2 from −2 to below 2.2, and one for the far fill behind them.
  assertStringIncludes(svg, ">1 from +2.2 on</text>");
});

Deno.test("slippageDistribution() draws a panel per group, on one axis", () => {
  const rows = [fill(1), fill(2, { ...slipped(80), solver: "solver b" }), fill(4)];
  const { svg } = slippageDistribution(rows, { by: "solver" });
  assertStringIncludes(svg, "solver a (2 fills)");
  assertStringIncludes(svg, "solver b (1 fill)");
  const [ofA, ofB] = marksOf(svg, "bin");
  assertEquals(numberOf(ofA, "x") < numberOf(ofB, "x"), true);
});

/** 120 fills: the smallest 15 at −52.5 bps, the largest 15 at 1.9, the others at 0. */
const fills = Array.from({ length: 120 }, (_, place) =>
  fill(place, {
    volume_native: 1 + place,
    quote_age_seconds: 200 - place,
    slippage_gross_bps: place < 15 ? -52.5 : place < 105 ? 0 : 1.9,
  }));

Deno.test("slippageSlices() are the groups whose medians slippageBySize() draws and names", () => {
  const slices = slippageSlices(fills, { by: "volume_native", baseline: "gross" });
  assertEquals(slices.length, 8);
  assertEquals(slices.map(({ rows }) => rows.length), Array(8).fill(15));
  assertEquals([slices[0]?.median_bps, slices[7]?.median_bps], [-52.5, 1.9]);
  assertEquals([slices[0]?.from, slices[0]?.to, slices[7]?.to], [1, 15, 120]);
  assertEquals(
    slippageBySize(fills, { baseline: "gross" }).title,
    "Fills against the gross quote, by size: median −52.5 bps for the smallest eighth, +1.9 bps for " +
      "the largest",
  );
  const [young] = slippageSlices(fills, { by: "quote_age_seconds", baseline: "gross" });
  assertEquals(young?.median_bps, 1.9);
  assertStringIncludes(
    slippageByQuoteAge(fills, { baseline: "gross" }).title,
    "+1.9 bps for the youngest eighth",
  );
});

Deno.test("slippageSlices() has none for few fills, and rejects what it does not know", () => {
  assertEquals(slippageSlices(fills.slice(0, 29), { by: "volume_native" }), []);
  assertThrows(() => slippageSlices([], { by: "size" as never }), InputError, "size");
  assertThrows(
    () => slippageSlices([], { by: "volume_native", base: "net" } as never),
    InputError,
    "base",
  );
});

Deno.test("slippageGroups() are what slippageByPair() draws", () => {
  const rows = [-20, -10, 0, 10, 40].map((bps, place) => fill(place, { slippage_net_bps: bps }));
  const [group] = slippageGroups([...rows, fill(9, { pair: "B", slippage_net_bps: 7 })], {
    by: "pair",
  });
  // Quartiles of five values are the second and the fourth; the tenth is 0.4 of the way to the second.
  assertEquals(group, {
    name: "WETH → USDC",
    fills: 5,
    median_bps: 0,
    weighted_median_bps: 0,
    tenth_bps: -16,
    lower_quartile_bps: -10,
    upper_quartile_bps: 10,
    ninetieth_bps: 10 + (40 - 10) * (0.9 * 4 - 3),
    better_share: 0.4,
  });
  assertStringIncludes(slippageByPair(rows).svg, "middle half from −10.0 bps to +10.0 bps");
  assertThrows(() => slippageGroups([], { by: "kind" as never }), InputError, "kind");
});

Deno.test("toleranceUsed() sets what was used against what was signed; the limit is the diagonal", () => {
  const { svg, title } = toleranceUsed([
    fill(1, { slippage_user_shown_bps: -50 }),
    fill(2, { slippage_user_shown_bps: 0 }),
    fill(3, { slippage_user_shown_bps: 9 }),
  ]);
  assertEquals(
    title,
    "67% of fills needed none of their tolerance below the quote as shown",
  );
  const [all] = marksOf(svg, "fill");
  assertEquals(fillsOf(svg, "fill"), ["#e69f00", BLUE, BLUE]);
  assertStringIncludes(all?.title ?? "", "50 bps signed, 50 bps used");
  const [limit] = marksOf(svg, "limit");
  const [, x1, y1, x2, y2] = (limit?.attributes["d"] ?? "")
    .match(/M([\d.-]+),([\d.-]+)L([\d.-]+),([\d.-]+)/)?.map(Number) ?? [];
  const slope = (y2! - y1!) / (x2! - x1!);
  assertAlmostEquals(numberOf(all, "cy"), y1! + slope * (numberOf(all, "cx") - x1!), 0.01);
});

Deno.test("toleranceUsed() marks the tolerances asked for where there are at most three", () => {
  const asked = (tolerances: readonly (number | null)[]) =>
    marksOf(
      toleranceUsed(tolerances.map((bps, place) => fill(place, { tolerance_asked_bps: bps }))).svg,
      "asked",
    ).length;
  assertEquals(asked([50, 50, null]), 1);
  assertEquals(asked([10, 20, 30, 40]), 0);
});

Deno.test("toleranceUsed() measures from the quote that is asked for", () => {
  const { svg } = toleranceUsed([fill(1)], { baseline: "gross" });
  assertStringIncludes(svg, "60 bps signed, 6 bps used against the gross quote");
});

Deno.test("toleranceUsed() counts fills without a tolerance in no share, and draws better ones higher", () => {
  const { svg, title, rows } = toleranceUsed([
    fill(1, { slippage_user_shown_bps: -12 }),
    fill(2, { slippage_user_shown_bps: 9 }),
    fill(3, { slippage_user_shown_bps: 30, tolerance_signed_user_shown_bps: 0 }),
    fill(4, { slippage_user_shown_bps: 30, tolerance_signed_user_shown_bps: -20 }),
  ]);
  // Of two fills that had a tolerance one used none of it; the other two had none to use.
  assertEquals(
    title,
    "50% of fills needed none of their tolerance below the quote as shown",
  );
  assertEquals(rows.map(({ slippage_user_shown_bps: bps }) => bps), [-12, 9]);
  assertStringIncludes(
    svg,
    "n = 2 fills. 2 fills whose limit left no room below the quote as shown left out",
  );
  const [worse, better] = marksOf(svg, "fill");
  assertEquals(numberOf(better, "cy") < numberOf(worse, "cy"), true);
});

const weighted = (...pairs: [value: number, weight: number][]) =>
  weightedMedian(pairs.map(([value, weight]) => ({ value, weight })));

Deno.test("weightedMedian() is where half of the weight is reached", () => {
  assertEquals(weighted([1, 1], [2, 1], [3, 1]), 2);
  assertEquals(weighted([1, 1], [2, 1], [3, 10]), 3);
  assertEquals(weighted([1, 1], [5, 1]), 3);
  assertEquals(weighted([3, 0], [9, 2], [4, -1]), 9);
  assertEquals(weighted([3, 0]), null);
  assertEquals(weightedMedian([]), null);
});
