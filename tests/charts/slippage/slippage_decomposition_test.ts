import { assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { slippageDecomposition } from "orderlens/charts";
import { fill } from "../slippage_rows.ts";
import { marksOf, numberOf } from "../svg_marks.ts";

Deno.test("slippageDecomposition() piles costs left of zero and gains right of it, to their sum", () => {
  const { svg, title } = slippageDecomposition([fill(1)], { by: "fill" });
  const [network, protocol, partner, market] = marksOf(svg, "part");
  const [together] = marksOf(svg, "together");
  const zero = numberOf(market, "x");
  const bps = numberOf(market, "width") / 5;
  assertAlmostEquals(numberOf(network, "x"), zero - 8 * bps, 1);
  assertAlmostEquals(numberOf(protocol, "x"), zero - 10 * bps, 1);
  assertAlmostEquals(numberOf(partner, "x"), zero - 11 * bps, 1);
  assertAlmostEquals(numberOf(together, "cx"), zero - 6 * bps, 1);
  assertStringIncludes(together?.title ?? "", "together −6.0 bps");
  assertStringIncludes(title, "network −8.0, protocol −2.0, partner −1.0, market +5.0 bps");
});

Deno.test("slippageDecomposition() averages basis points and sums native amounts", () => {
  const rows = [fill(1), fill(2, { network_bps: -4, slippage_gross_bps: -2, network_native: -3 })];
  const mean = slippageDecomposition(rows);
  assertStringIncludes(mean.title, "on average network −6.0, protocol −2.0");
  assertStringIncludes(mean.svg, "−4.0 bps, n = 2");
  const sum = slippageDecomposition(rows, { unit: "native", nativeSymbol: "ETH" });
  assertStringIncludes(
    sum.title,
    "in total network −3.8, protocol −0.4, partner −0.2, market +1 ETH",
  );
  assertStringIncludes(sum.svg, "−3.4 ETH, n = 2");
});

Deno.test("slippageDecomposition() draws a row for all fills and one a group", () => {
  const { svg } = slippageDecomposition([fill(1), fill(2, { pair: "B" })]);
  assertEquals(marksOf(svg, "together").map(({ title }) => title?.split("\n")[0]), [
    "all fills",
    "B",
    "WETH → USDC",
  ]);
});

Deno.test("slippageDecomposition() draws a cost that gave something right of zero", () => {
  const { svg } = slippageDecomposition([fill(1, { network_bps: 3 })], { by: "fill" });
  const [network, , , market] = marksOf(svg, "part");
  assertAlmostEquals(
    numberOf(market, "x"),
    numberOf(network, "x") + numberOf(network, "width"),
    1,
  );
});

Deno.test("slippageDecomposition() says which fills it left out and which do not add up", () => {
  const { rows, svg } = slippageDecomposition([
    fill(1),
    fill(2, { partner_bps: null }),
    fill(3, { slippage_gross_bps: 77 }),
  ]);
  assertEquals(rows.length, 2);
  assertStringIncludes(svg, "1 fill without all four parts left out");
  assertStringIncludes(svg, "The parts of 1 fill do not add up to the slippage");
});

Deno.test("slippageDecomposition() says how many single fills it does not draw", () => {
  const rows = Array.from({ length: 40 }, (_, place) => fill(place));
  const { rows: drawn, svg } = slippageDecomposition(rows, { by: "fill", limit: 10 });
  assertEquals(drawn.length, 10);
  assertStringIncludes(svg, "The first 10 are drawn, 30 are not");
});

Deno.test("slippageDecomposition() cuts the bar of one far fill, and says what it does to the mean", () => {
  const rows = Array.from(
    { length: 99 },
    (_, place) => fill(place, { market_bps: place % 3 - 1, pair: place % 2 === 0 ? "A" : "B" }),
  );
  const parts = { market_bps: -8_989, slippage_gross_bps: -9_000 };
  const { svg, title } = slippageDecomposition([...rows, fill(99, { ...parts, pair: "A" })]);
  // Each fill costs 11 bps in network and fees. The far one moves the mean from −11 to
  // (99 * −11 − 9000) / 100 = −100.89.
  assertStringIncludes(title, "market −89.9 bps");
  assertStringIncludes(
    svg,
    "1 fill is far from the rest, up to −9000.0 bps: with it the mean is −100.9 bps, " +
      "without it −11.0 bps",
  );
  assertStringIncludes(svg, ">−100.9 bps, n = 100</text>");
  assertEquals([...svg.matchAll(/>◀<\/text>/g)].length, 2);
  const [widest] = marksOf(svg, "part").map((mark) => numberOf(mark, "width"))
    .toSorted((a, b) => b - a);
  assertEquals(widest! > 200, true, "the network cost of 8 bps is most of the axis");
});
