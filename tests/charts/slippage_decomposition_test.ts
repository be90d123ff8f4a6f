import { assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { slippageDecomposition } from "orderlens/charts";
import { fill } from "./slippage_rows.ts";
import { marksOf, numberOf } from "./svg_marks.ts";

Deno.test("slippageDecomposition() piles costs left of zero and gains right of it, to their sum", () => {
  const { svg, title } = slippageDecomposition([fill(1)], { y: "fill" });
  const [network, protocol, partner, market] = marksOf(svg, "part");
  const [together] = marksOf(svg, "together");
  const zero = numberOf(market, "x");
  const bps = numberOf(market, "width") / 5;
  assertAlmostEquals(numberOf(network, "x"), zero - 8 * bps, 1);
  assertAlmostEquals(numberOf(protocol, "x"), zero - 10 * bps, 1);
  assertAlmostEquals(numberOf(partner, "x"), zero - 11 * bps, 1);
  assertAlmostEquals(numberOf(together, "cx"), zero - 6 * bps, 1);
  assertStringIncludes(together?.title ?? "", "together −6 bps");
  assertStringIncludes(title, "network −8, protocol −2, partner −1, market +5 bps");
});

Deno.test("slippageDecomposition() averages basis points and sums native amounts", () => {
  const rows = [fill(1), fill(2, { network_bps: -4, slippage_gross_bps: -2, network_native: -3 })];
  const mean = slippageDecomposition(rows);
  assertStringIncludes(mean.title, "on average network −6, protocol −2");
  assertStringIncludes(mean.svg, "−4 bps, n = 2");
  const sum = slippageDecomposition(rows, { unit: "native", nativeSymbol: "ETH" });
  assertStringIncludes(
    sum.title,
    "in all network −3.8, protocol −0.4, partner −0.2, market +1 ETH",
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
  const { svg } = slippageDecomposition([fill(1, { network_bps: 3 })], { y: "fill" });
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
  const { rows: drawn, svg } = slippageDecomposition(rows, { y: "fill", limit: 10 });
  assertEquals(drawn.length, 10);
  assertStringIncludes(svg, "Of them the first 10 are drawn, 30 are not");
});
