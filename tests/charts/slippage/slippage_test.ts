import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
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
} from "orderlens/charts";
import { fill, HOSTILE, slipped } from "../slippage_rows.ts";
import { marksOf, numberOf, testSays } from "../svg_marks.ts";

testSays("slippageBaselines", {
  "counts only fills known against all, and names an unknown baseline": [
    () =>
      slippageBaselines([
        fill(1, { slippage_user_shown_bps: null }),
        fill(2, { slippage_user_shown_bps: null, slippage_gross_bps: null }),
      ]),
    1,
    "1 fill without a known slippage against each of them left out",
    "No fill has a known slippage against the quote as shown",
  ],
});

/** A hundred fills from −2 to 2 bps. */
const NEAR = Array.from({ length: 100 }, (_, place) => fill(place, slipped(place % 5 - 2)));

const five = [-20, -10, 0, 10, 40].map((bps, place) => fill(place, slipped(bps)));
const ten = [...five, ...five];

const LONG = "A token with a name that is very long indeed";

testSays("slippageByPair", {
  "shows median, interval, quartiles and the median weighted by size": [
    () => slippageByPair(ten.map((row, place) => ({ ...row, volume_native: 4 ** place }))),
    "middle half from −10.0 bps to +10.0 bps",
    "10 fills, 4 of 10 (40%) better",
    "median 0 bps, 95% interval −15.0 bps to +20.0 bps\nmedian weighted by size +40.0 bps",
    "by pair: no clear difference in any of 1 pair",
  ],
  "puts pairs of few fills below the others, as dots without an interval": [
    () =>
      slippageByPair([
        ...["A", "B"].map((pair) => fill(1, { ...slipped(99), pair })),
        ...ten,
        ...ten.map((row) => ({ ...row, slippage_net_bps: 40, pair: "C" })),
      ]),
    "by pair: better in 1 of 4 pairs, worse in 0, no clear difference in 1, too few fills in 2",
    "2 pairs of fewer than 10 fills have no interval and stand below the others",
  ],
  "groups by a column of the caller's own": [
    () =>
      slippageByPair(ten.map((row, place) => ({ ...row, app_code: place < 9 ? "swap" : 7 })), {
        by: "app_code",
      }),
    "by app code: too few fills to see a difference in any of 2 app codes",
    ">swap<",
    ">7<",
  ],
  "lists the largest pairs and puts the others into one row": [
    () => slippageByPair(HOSTILE["50 groups with long, alike and odd names"]!),
    "25 other pairs",
    "of 25 pairs listed",
  ],
  "lists as many pairs as asked": [
    () =>
      slippageByPair(
        [...five, ...["A", "B"].map((pair) => fill(9, { ...slipped(99), pair }))],
        { limit: 1 },
      ),
    "too few fills to see a difference in any of 1 pair listed",
    "The pair with the most fills is listed; 2 other pairs share one row",
  ],
  "names a single pair above the limit, since one more row is drawn anyway": [
    () => slippageByPair([...five, fill(9, { ...slipped(99), pair: "A" })], { limit: 1 }),
    "too few fills to see a difference in any of 2 pairs",
    ">A</text>",
    { lacks: "other pair" },
  ],
  "keeps the arrow and both tokens of long pairs": [
    () =>
      slippageByPair(
        [1, 2].map((number) => fill(number, { pair: `${LONG} ${number} → ${LONG}` })),
        { width: 480 },
      ),
    ">A toke…eed 1 → A toke…ndeed<",
  ],
});

Deno.test("slippageByPair() draws each fill of a pair with fewer than ten", () => {
  const { svg } = slippageByPair([...ten, ...ten.slice(1).map((row) => ({ ...row, pair: "B" }))]);
  assertEquals(["half", "interval", "median"].map((name) => marksOf(svg, name).length), [1, 1, 1]);
  assertEquals(marksOf(svg, "fill").length, 9);
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

testSays("slippageByQuoteAge", {
  "draws fills by the age of their quote, logarithmic over decades": [
    () => slippageByQuoteAge([2, 900, -1].map((age) => fill(1, { quote_age_seconds: age }))),
    2,
    "Age of the quote at the fill (seconds, logarithmic) →",
    "1 fill without a known quote age left out",
  ],
  "says how many fills have the least age that is possible": [
    () =>
      slippageByQuoteAge([
        fill(1, { quote_age_seconds: 2, time_basis: "bracketed" }),
        fill(2, { quote_age_seconds: 3, time_basis: "block" }),
        fill(3, { quote_age_seconds: -4, time_basis: "bracketed" }),
        fill(4, { quote_age_seconds: null, time_basis: "bracketed" }),
      ]),
    "1 fill shown at its earliest",
    "1 fill left out: quote age known only to be 0 s or more",
    "1 fill without a known quote age left out",
  ],
  "says what tells the times of fills where none is known": [
    () => slippageByQuoteAge([fill(1, { quote_age_seconds: null })]),
    "build fills with times from auctionTimes",
  ],
});

testSays("slippageBySize", {
  "needs a size above zero, and counts fills without": [
    () =>
      slippageBySize([fill(1), fill(2, { volume_native: 0 }), fill(3, { volume_native: null })]),
    1,
    "n = 1 fill. 2 fills without a known size left out",
  ],
  "shows medians of groups of equally many fills": [
    () =>
      slippageBySize(
        Array.from({ length: 60 }, (_, at) =>
          fill(at, { slippage_net_bps: at < 30 ? -5 : 5, volume_native: at + 1 })),
      ),
    ...["−5.0 bps\n15 fills from 16 to 30", "+5.0 bps\n15 fills from 31 to 45"],
  ],
  // The axis ends 44 pixels above the end of its 230.
  "draws far fills at the edge, and says how far they are": [
    () => slippageBySize([...NEAR, fill(100, slipped(-5_000))]),
    ',186)"><title>sell WETH → USDC\norder 0x0000…0100\n−5,000.0 bps against the net quote',
    "1 value beyond the axis, up to −5,000 bps, shown at its edge",
  ],
});

testSays("slippageBySolver", {
  "has a row per solver, addresses cut to their ends": [
    () =>
      slippageBySolver([
        fill(1, { solver: `0x${"ab".repeat(20)}` }),
        fill(2, { solver: undefined as never }),
        fill(3, { solver: "quasilabs", slippage_net_bps: -4 }),
      ]),
    ...[">0xabab…abab<", ">unknown solver<", ">quasilabs<"],
    "Fills against the net quote, by solver: too few fills to see a difference in any of 3 solvers",
  ],
});

testSays("slippageDistribution", {
  "shows the plain median and the one weighted by size": [
    () =>
      slippageDistribution([
        fill(1, { slippage_net_bps: -10, volume_native: 100 }),
        fill(2, { slippage_net_bps: 1, volume_native: 1 }),
        fill(3, { slippage_net_bps: 20, volume_native: 1 }),
      ], { baseline: "net" }),
    "Fills against the net quote: median +1.0 bps, 2 of 3 better",
    "median weighted by size −10.0 bps",
  ],
  "says what is not in it, and names its baseline": [
    () =>
      slippageDistribution(
        [fill(1), fill(2, { slippage_gross_bps: null }), fill(3, slipped(NaN))],
        { baseline: "gross", unfilledOrders: 1_234 },
      ),
    1,
    "n = 1 fill. 2 fills without a known gross quote left out.",
    "1,234 orders never filled",
    "Slippage against the gross quote (bps), better than quoted →",
  ],
  "draws a panel per group": [
    () =>
      slippageDistribution([fill(1), fill(2, { solver: "solver b" }), fill(4)], { by: "solver" }),
    ...["solver a (2 fills)", "solver b (1 fill)"],
  ],
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

Deno.test("slippageBySize() draws a fill of dust at the left edge, and says so", () => {
  const sizes = [1e-18, ...Array.from({ length: 100 }, (_, place) => 1 + place)];
  const { svg } = slippageBySize(sizes.map((size) => fill(1, { volume_native: size })));
  assertStringIncludes(svg, "at the edge of the axis, with a size far from the rest: 1e−18");
  const [dust] = marksOf(svg, "beyond");
  const [, x] = /^translate\(([\d.-]+),/.exec(dust!.attributes["transform"]!)!;
  // The axis begins at 72, and all others are right of the edge.
  const others = marksOf(svg, "fill").map((mark) => numberOf(mark, "cx"));
  assert(Number(x) >= 72 && Number(x) < Math.min(...others), x);
});

Deno.test("slippageBySize() draws many fills as dots whose tooltips count them all", () => {
  const { svg } = slippageBySize(HOSTILE["3,000 rows"]!);
  const counts = marksOf(svg, "fills").map(({ title }) => Number(title?.replace(/[^0-9]/g, "")));
  assertEquals(counts.reduce((sum, one) => sum + one, 0), 3_000);
});

Deno.test("slippageDistribution() keeps a far fill in a hollow bar at the edge, and says so", () => {
  const { svg } = slippageDistribution([...NEAR, fill(100, slipped(5_000))]);
  const last = marksOf(svg, "bin").at(-1);
  assertEquals(last?.attributes["fill"], "white");
  assertEquals(last?.title, "beyond the bars, up to +5,000.0 bps\n1 fill, 1%");
  assertStringIncludes(svg, "1 fill far from the rest, up to +5,000.0 bps, in the hollow bars");
  // The others are −2 to 2: bars of 0.2 from −2 to below 2.2, and one for the far fill behind them.
  assertStringIncludes(svg, ">1 from +2.2 on</text>");
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
  assertEquals(slices.map(({ rows }) => rows.length), Array(8).fill(15));
  assertEquals([slices[0]?.median_bps, slices[7]?.median_bps], [-52.5, 1.9]);
  assertEquals([slices[0]?.from, slices[0]?.to, slices[7]?.to], [1, 15, 120]);
  assertStringIncludes(
    slippageBySize(fills, { baseline: "gross" }).title,
    "by size: median from −52.5 bps (1 to 15 native tokens) to +1.9 bps (106 to 120 native tokens)",
  );
  const [young] = slippageSlices(fills, { by: "quote_age_seconds", baseline: "gross" });
  assertEquals(young?.median_bps, 1.9);
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
    median_low_bps: null,
    median_high_bps: null,
    weighted_median_bps: 0,
    tenth_bps: -16,
    lower_quartile_bps: -10,
    upper_quartile_bps: 10,
    ninetieth_bps: 10 + (40 - 10) * (0.9 * 4 - 3),
    better_share: 0.4,
  });
  const byAge = slippageGroups(rows.map((row) => ({ ...row, age: "old" })), { by: "age" });
  assertEquals(byAge.map(({ name, fills }) => [name, fills]), [["old", 5]]);
  assertThrows(
    () => slippageGroups(rows, { by: "age" }),
    InputError,
    "columns that the rows have: order_uid",
  );
});
