import { assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import { slippageDistribution } from "orderlens/charts";
import { fill, slipped } from "../slippage_rows.ts";
import { marksOf, numberOf } from "../svg_marks.ts";

const BLUE = "#0072b2";
const VERMILION = "#d55e00";

Deno.test("slippageDistribution() counts every fill in one bar; worse ones left of zero", () => {
  const values = [-30, -20, -20, 0, 0.4, 10, 30];
  const { svg } = slippageDistribution(values.map((bps, place) => fill(place, slipped(bps))));
  const bars = marksOf(svg, "bin");
  const counts = bars.map(({ title }) => Number(title?.match(/(\d+) fills?,/)?.[1]));
  assertEquals(counts.reduce((sum, one) => sum + one, 0), values.length);
  assertEquals(bars.map(({ attributes }) => attributes["fill"]), [
    VERMILION,
    VERMILION,
    BLUE,
    BLUE,
    BLUE,
  ]);
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

Deno.test("slippageDistribution() has no weighted median without sizes", () => {
  const { svg } = slippageDistribution([fill(1, { volume_native: null })]);
  assertEquals(marksOf(svg, "median").length, 1);
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
  assertThrows(
    () => slippageDistribution(rows, { baseline: "shown" as never }),
    InputError,
    'baseline "shown"',
  );
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
