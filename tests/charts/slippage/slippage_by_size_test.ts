import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { slippageBySize } from "orderlens/charts";
import { fill, HOSTILE, slipped } from "../slippage_rows.ts";
import { marksOf, numberOf } from "../svg_marks.ts";

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
