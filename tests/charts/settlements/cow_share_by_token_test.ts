import { assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { cowShareByToken, type CowShareByTokenRow } from "orderlens/charts";
import { assertDrawn, marksOf, numberOf, testPicture } from "../svg_marks.ts";

function bought(symbol: string, bought_tokens: number | null, matched: number): CowShareByTokenRow {
  return { token: `0x0${symbol}`, symbol, bought_tokens, matched_tokens: matched };
}

const rows = [bought("A", 3, 0), bought("A", 1, 1), bought("B", 2, 1), bought("C", 0, 0)];

Deno.test("cowShareByToken() adds up settlements token by token, the largest share first", () => {
  const chart = cowShareByToken(rows);
  assertEquals(
    chart.title,
    "In 2 of 3 (67%) cases, traders also sold what a settlement bought",
  );
  const bars = marksOf(chart.svg, "matched");
  const [b, a] = bars.map((bar) => numberOf(bar, "width"));
  assertAlmostEquals(b! / a!, 2, 0.01);
  assertEquals(
    bars[0]!.title,
    "B (0x0B)\n50% of what was bought\nin 1 of 1 (100%) settlements that bought it",
  );
  assertStringIncludes(chart.svg, "n = 3 tokens of settlements");
  assertDrawn(chart.svg);
});

Deno.test("cowShareByToken() says what it leaves out", () => {
  const { svg, finding } = cowShareByToken([...rows, bought("D", null, 0)], { limit: 1 });
  assertStringIncludes(svg, "1 more token not drawn");
  assertStringIncludes(svg, "1 of unknown decimals left out");
  assertStringIncludes(finding, "in 2 of 3 (67%)");
  assertEquals(
    cowShareByToken([bought("A", 3, 0)]).finding,
    "Settlements bought a token for traders 1 time, and their orders also sold it in 0 of 1 (0%).",
  );
});

testPicture("cowShareByToken", cowShareByToken, rows, ["No settlements in this range", []], [
  "No settlement in this range bought a token of known decimals",
  [bought("D", null, 0)],
]);
