import { assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { markoutByBidders, type MarkoutByBiddersRow } from "orderlens/charts";
import { assertDrawn, marksOf, numberOf, testPicture } from "../svg_marks.ts";

function fills(bidder_count: number, before: number | null, after: number): MarkoutByBiddersRow {
  return {
    bidder_count,
    fills: 9,
    markout_bps: after,
    solver_efficiency_bps: before,
    curse_bps: before,
  };
}

const rows = [fills(3, -2, -8), fills(1, -6, -8), fills(2, null, 0)];

Deno.test("markoutByBidders() draws markouts before and after fees, from the fewest bidders on", () => {
  const chart = markoutByBidders(rows);
  assertEquals(chart.title, "Winners against 3 bidders paid 4.0 bps more than those against 1");
  assertEquals(chart.rows.map((row) => row.bidder_count), [1, 3]);
  const before = marksOf(chart.svg, "before").map((dot) => numberOf(dot, "cx"));
  const after = marksOf(chart.svg, "after").map((dot) => numberOf(dot, "cx"));
  assertEquals(after[0], after[1]);
  assertAlmostEquals((before[1]! - after[1]!) / (before[0]! - after[0]!), 3, 0.01);
  assertEquals(marksOf(chart.svg, "fees").length, 2);
  assertEquals(
    marksOf(chart.svg, "before")[1]!.title,
    "3 bidders, 9 fills\nbefore fees −2.0 bps\nafter fees −8.0 bps",
  );
  assertStringIncludes(chart.svg, "n = 18 fills");
  assertStringIncludes(chart.svg, "1 number of bidders without markouts left out");
  assertDrawn(chart.svg);
});

Deno.test("markoutByBidders() says when more bidders paid less, and when there is nothing to compare", () => {
  const less = markoutByBidders([fills(1, 5, 4), fills(4, 2, 1)]);
  assertEquals(less.title, "Winners against 4 bidders paid 3.0 bps less than those against 1");
  const one = markoutByBidders([fills(2, 5, 4)]);
  assertEquals(one.title, "All fills had 2 bidders");
  assertEquals(
    one.finding,
    "Before fees, fills with 2 bidders were a median +5.0 bps against the market a while later.",
  );
});

testPicture("markoutByBidders", markoutByBidders, rows, ["No fills in this range", []], [
  "a known number of bidders",
  [fills(2, null, 0)],
]);
