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
