import { assertEquals, assertStringIncludes } from "@std/assert";
import { slippageByQuoteAge } from "orderlens/charts";
import { fill } from "../slippage_rows.ts";
import { marksOf } from "../svg_marks.ts";

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
