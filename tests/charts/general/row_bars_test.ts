import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { rowBars } from "../../../lib/charts/general/row_bars.ts";

Deno.test("rowBars() draws a bar for each row, in their order, with names that fit", () => {
  const rows = [
    { pair: "WETH → USDC", fills: 48 },
    { pair: "<b>", fills: -3 },
    { pair: null, fills: null },
  ];
  const { svg, title } = rowBars(rows, { x: "pair", y: "fills", width: 400 });
  assertEquals(title, "Fills by pair");
  assertStringIncludes(svg, "WETH → USDC: 48");
  assertMatch(svg, /&lt;b(?:>|&gt;): [-−]3/);
  assertEquals([...svg.matchAll(/<rect [^>]*><title>/g)].length, 2);
});

Deno.test("rowBars() draws the first rows of many, and says so", () => {
  const rows = Array.from({ length: 200 }, (_, at) => ({ name: `row ${at}`, fee_native: at }));
  const { svg } = rowBars(rows, { x: "name", y: "fee_native", width: 760 });
  assertStringIncludes(svg, "The first 30 of 200 rows.");
  assertEquals([...svg.matchAll(/<title>row \d+:/g)].length, 30);
});
