import { assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { winMargin, type WinMarginRow } from "orderlens/charts";
import { assertDrawn, marksOf, numberOf, testPicture } from "../svg_marks.ts";

function win(solver: string, native: number | null, share: number | null = 0.5): WinMarginRow {
  return { auction_id: 7, solver, margin_native: native, margin_share: share };
}

const rows = [win("A", 1, 0.25), win("A", 2, 0.5), win("A", 3, 1), win("B", 4, null)];

Deno.test("winMargin() draws one dot per win, in native tokens and as a part of the total", () => {
  const chart = winMargin(rows, { nativeSymbol: "ETH" });
  assertEquals(
    chart.title,
    "What winners added to their auctions: median 2.5 ETH, 50% of the total score",
  );
  const dots = marksOf(chart.svg, "margin");
  assertEquals(dots.length, 4);
  const [one, two, , four] = dots.map((dot) => numberOf(dot, "cx"));
  assertAlmostEquals((four! - one!) / (two! - one!), 3, 0.01, "the axis is linear");
  assertStringIncludes(dots[0]!.title!, "A\nauction 7\nmargin 1\n25% of the total score");
  assertEquals(marksOf(chart.svg, "margin_share").length, 3);
  assertStringIncludes(chart.svg, "1 win without a share");
  assertEquals(marksOf(chart.svg, "margin_median").length, 1, "two wins have no median drawn");
});

Deno.test("winMargin() puts margins that differ a thousandfold on a logarithmic axis", () => {
  const { svg } = winMargin([win("A", 1e-6), win("A", 1e6), win("A", 0)]);
  assertStringIncludes(svg, "logarithmic");
  assertStringIncludes(svg, "1 margin of 0 drawn at the edge of the axis");
  const [zero, small, large] = marksOf(svg, "margin").map((dot) => numberOf(dot, "cx"));
  assertEquals([zero! < small!, small! < large!], [true, true]);
  assertDrawn(svg);
});

Deno.test("winMargin() shows negative margins, of very different sizes too", () => {
  const { svg } = winMargin([win("A", -2), win("A", 1e-9), win("A", 3)]);
  assertStringIncludes(svg, "logarithmic both sides of 0");
  assertEquals(marksOf(svg, "margin").length, 3);
  assertDrawn(svg);
});

Deno.test("winMargin() says what it leaves out", () => {
  const { svg, rows: drawn } = winMargin([win("A", 1), win("A", NaN), win("B", null)]);
  assertStringIncludes(svg, "2 rows without a number in margin_native left out");
  assertEquals(drawn.length, 1);
});

testPicture("winMargin", winMargin, rows, ["No wins in this range", []], [
  "No win in this range has a known margin",
  [win("A", null)],
]);
