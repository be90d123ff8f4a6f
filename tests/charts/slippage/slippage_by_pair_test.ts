import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { slippageByPair } from "orderlens/charts";
import { fill, HOSTILE, slipped } from "../slippage_rows.ts";
import { marksOf, numberOf } from "../svg_marks.ts";

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

Deno.test("slippageByPair() tells long pairs apart that begin and end alike", () => {
  const { svg } = slippageByPair(HOSTILE["50 groups with long, alike and odd names"]!);
  for (const place of [0, 12, 19]) assertStringIncludes(svg, `number ${place} → A`);
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
